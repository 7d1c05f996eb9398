// What the page's own work takes per picture: reading what the server says, placing figures and overlays, plots and figures on the
// screen. Drawing is the renderer's, and left out.

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

  /** Begins to count anew. */
  clear(): void {
    this.count = 0;
  }

  /** Over the last pictures: how many they are, and what they took, ms. */
  figures(): { pictures: number; median: number; p99: number; most: number } {
    const sorted = this.took.slice(0, Math.min(this.count, PICTURES)).sort();
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
    return { pictures: sorted.length, median: at(0.5), p99: at(0.99), most: at(1) };
  }
}
