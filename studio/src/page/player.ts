// The clock of a recording: playing, stopping, stepping, slow motion; independent of the screen.

export const SPEEDS = [0.05, 0.1, 0.25, 0.5, 1, 2, 4] as const;

export class Player {
  /** Seconds after the first frame. */
  time = 0;
  playing = false;
  speed = 1;

  constructor(
    readonly duration: number,
    readonly rate: number,
    /** Called after every change. */
    private readonly changed: () => void,
  ) {}

  toggle(): void {
    // at the end, play again from the beginning
    if (!this.playing && this.time >= this.duration) this.time = 0;
    this.playing = !this.playing && this.duration > 0;
    this.changed();
  }

  /** Goes to a time. */
  seek(seconds: number): void {
    this.time = Math.min(Math.max(seconds, 0), this.duration);
    this.changed();
  }

  /** Pauses and moves forward or back by whole frames. */
  step(frames: number): void {
    this.playing = false;
    this.seek((Math.round(this.time * this.rate) + frames) / this.rate);
  }

  /** Next faster or slower speed. */
  shift(by: number): void {
    const at = SPEEDS.findIndex(s => s >= this.speed);
    this.speed = SPEEDS[Math.min(Math.max(at + by, 0), SPEEDS.length - 1)];
    this.changed();
  }

  /** Advances by `seconds` of real time. */
  advance(seconds: number): void {
    if (!this.playing) return;
    const next = this.time + seconds * this.speed;
    if (next >= this.duration) this.playing = false;
    this.seek(next);
  }
}
