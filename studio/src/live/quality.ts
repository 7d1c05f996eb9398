// A machine without a fast graphics card draws fewer pixels, so that the picture still moves.

/** Share of the pixels along a side that are drawn, from sharp to coarse. */
const SHARES = [1, 0.75, 0.55, 0.4];
/** Slower than this many ms per picture is too slow; faster than that can be sharper. */
const SLOW = 60;
const FAST = 14;
/** Pictures between two changes. */
const PATIENCE = 20;

export class Quality {
  /** Stays as it is. */
  fixed = false;
  private level = 0;
  private mean = 16;
  private count = 0;

  /** `apply` is called with the share of the pixels to draw. */
  constructor(private readonly apply: (share: number) => void) {}

  get share(): number {
    return SHARES[this.level];
  }

  /** Notes how long a picture took, ms. */
  note(took: number): void {
    // a page in the background draws nothing
    if (this.fixed || took > 3000) return;
    this.mean += 0.1 * (took - this.mean);
    if (++this.count < PATIENCE) return;
    const next = this.level + (this.mean > SLOW ? 1 : this.mean < FAST && this.level > 0 ? -1 : 0);
    if (next === this.level || next >= SHARES.length) return;
    this.level = next;
    this.count = 0;
    this.apply(this.share);
  }

  /** Draws all pixels from now on. */
  sharp(): void {
    this.fixed = true;
    this.level = 0;
    this.apply(1);
  }
}
