// Turns frames that arrive irregularly into smooth motion: the page shows the world with a small delay, between two frames.

import type { LiveFrame } from './frame';

/** Delay of the shown world, s of the page: about two frames. */
const LATE = 0.035;
/** Frames that are kept. */
const MOST = 40;
/** A jump of more than this, s of the world, is shown at once. */
const JUMP = 0.5;

/** Two successive frames and the share of the time between them. */
export interface Between {
  a: LiveFrame;
  b: LiveFrame;
  part: number;
}

export class Clock {
  private frames: LiveFrame[] = [];
  private shown = 0;

  /** The newest frame. */
  get newest(): LiveFrame | null {
    return this.frames.at(-1) ?? null;
  }

  /** Time of the world that is shown, s. */
  get time(): number {
    return this.shown;
  }

  /** Adds a frame. */
  push(frame: LiveFrame): void {
    const last = this.newest;
    const goesOn =
      last &&
      last.generation === frame.generation &&
      frame.time >= last.time &&
      frame.time - last.time < JUMP &&
      frame.playing;
    if (!goesOn) {
      this.frames = [frame];
      this.shown = frame.time;
      return;
    }
    if (frame.time === last.time) this.frames.pop();
    this.frames.push(frame);
    if (this.frames.length > MOST) this.frames.shift();
  }

  /** Advances by `seconds` of the page. */
  advance(seconds: number): Between | null {
    const newest = this.newest;
    if (!newest) return null;
    const wanted = newest.time - LATE * Math.max(newest.rate, 0);
    this.shown += seconds * newest.rate;
    // a small share of the error at a time, for smooth motion
    this.shown += (wanted - this.shown) * Math.min(1, 4 * seconds);
    if (Math.abs(wanted - this.shown) > JUMP) this.shown = wanted;
    this.shown = Math.min(Math.max(this.shown, this.frames[0].time), newest.time);
    let i = this.frames.length - 1;
    while (i > 0 && this.frames[i - 1].time > this.shown) i--;
    const b = this.frames[i];
    const a = this.frames[Math.max(0, i - 1)];
    const span = b.time - a.time;
    return { a, b, part: span > 0 ? (this.shown - a.time) / span : 1 };
  }
}
