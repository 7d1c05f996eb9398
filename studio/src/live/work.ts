// The page's own computing time per picture: reading messages, placing figures and overlays, plots and numbers on the
// screen, without the renderer's drawing.

/** Pictures over which figures are taken. */
const PICTURES = 600;

export class Work {
  /** ms per picture; the oldest is overwritten. */
  private readonly took = new Float64Array(PICTURES);
  private count = 0;
  private current = 0;

  /** Does a part of the work of the next picture. */
  part<T>(work: () => T): T {
    const began = performance.now();
    try {
      return work();
    } finally {
      this.current += performance.now() - began;
    }
  }

  /** The picture's work is done. */
  done(): void {
    this.took[this.count++ % PICTURES] = this.current;
    this.current = 0;
  }

  /** Restarts the count. */
  clear(): void {
    this.count = 0;
  }

  /** The last pictures: their number, and their times, ms. */
  figures(): { pictures: number; median: number; p99: number; most: number } {
    const sorted = this.took.slice(0, Math.min(this.count, PICTURES)).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { pictures: sorted.length, median: at(0.5), p99: at(0.99), most: at(1) };
  }
}
