// The time bar: play, step, slow motion, and rewinding over the last minute.

import { byId } from '../page/controls';
import { ICONS } from '../page/icons';
import type { LiveFrame } from './frame';
import type { ClientMessage, Fell } from './messages';
import type { Samples } from './samples';

/** Speeds of time; null: as fast as possible. */
export const PACES: (number | null)[] = [0.05, 0.1, 0.25, 0.5, 1, 2, null];
/** Length of a step back or forward, s. */
const FRAME = 0.016;

export class Timeline {
  playing = true;
  speed: number | null = 1;
  private frame: LiveFrame | null = null;
  private scrubbing = false;
  private wanted: number | null = null;
  private falls: Fell[] = [];
  private readonly scrub = byId('scrub', HTMLInputElement);
  private readonly button = byId('play', HTMLButtonElement);
  private readonly pace = byId('speed', HTMLSelectElement);
  private readonly strip = byId('strip', HTMLCanvasElement);
  private drawn = 0;

  constructor(
    private readonly samples: Samples,
    private readonly send: (message: ClientMessage) => void,
  ) {
    byId('reset', HTMLButtonElement).innerHTML = ICONS.reset;
    byId('back', HTMLButtonElement).innerHTML = ICONS.back;
    byId('next', HTMLButtonElement).innerHTML = ICONS.next;
    byId('reset', HTMLButtonElement).addEventListener('click', () => this.reset());
    byId('back', HTMLButtonElement).addEventListener('click', () => this.step(-1));
    byId('next', HTMLButtonElement).addEventListener('click', () => this.step(1));
    this.button.addEventListener('click', () => this.toggle());
    this.scrub.addEventListener('input', () => {
      this.scrubbing = true;
      this.seek(Number(this.scrub.value));
    });
    for (const end of ['change', 'pointerup', 'blur'] as const) {
      this.scrub.addEventListener(end, () => (this.scrubbing = false));
    }
    this.pace.append(...PACES.map(p => new Option(p === null ? 'fast' : `${p}×`, String(p))));
    this.pace.addEventListener('change', () => {
      this.setSpeed(this.pace.value === 'null' ? null : Number(this.pace.value));
    });
    // send one request at a time: only the last one counts
    setInterval(() => {
      if (this.wanted === null) return;
      this.send({ type: 'seek', time: this.wanted });
      this.wanted = null;
    }, 60);
  }

  toggle(): void {
    this.send({ type: this.playing ? 'pause' : 'play' });
  }

  reset(): void {
    this.send({ type: 'reset' });
  }

  /** One step of the world forward, or one frame back; in the past, one frame forward. */
  step(by: 1 | -1): void {
    if (by > 0 && !this.frame?.past) this.send({ type: 'step', steps: 1 });
    else this.seek((this.frame?.time ?? 0) + by * FRAME);
  }

  /** Seeks a time, after pending requests. */
  seek(time: number): void {
    if (!this.frame) return;
    this.wanted = Math.min(Math.max(time, this.frame.oldest), this.frame.newest);
  }

  /** Seeks relative to the shown time, s. */
  jump(seconds: number): void {
    this.seek((this.frame?.time ?? 0) + seconds);
  }

  shift(by: number): void {
    const at = PACES.indexOf(this.speed);
    this.setSpeed(PACES[Math.min(Math.max((at < 0 ? 4 : at) + by, 0), PACES.length - 1)]);
  }

  fell(fall: Fell): void {
    this.falls.push(fall);
  }

  clear(): void {
    this.falls = [];
    this.samples.clear();
  }

  private setSpeed(factor: number | null): void {
    this.send({ type: 'speed', factor });
  }

  state(playing: boolean, speed: number | null): void {
    this.playing = playing;
    this.speed = speed;
    this.button.innerHTML = playing ? ICONS.pause : ICONS.play;
    this.button.setAttribute('aria-label', playing ? 'Pause' : 'Play');
    this.pace.value = String(speed);
  }

  /** The range of the timeline, s. */
  get range(): [number, number] {
    const frame = this.frame;
    // a short past does not fill the bar at once
    return frame ? [frame.oldest, Math.max(frame.newest, frame.oldest + 10)] : [0, 10];
  }

  show(frame: LiveFrame, now: number): void {
    this.frame = frame;
    if (now - this.drawn < 50) return;
    this.drawn = now;
    const [from, to] = this.range;
    this.scrub.min = String(from);
    this.scrub.max = String(to);
    if (!this.scrubbing) this.scrub.value = String(frame.time);
    this.scrub.setAttribute('aria-valuetext', `${frame.time.toFixed(2)} seconds`);
    const clock = byId('clock', HTMLElement);
    clock.textContent = frame.past
      ? `−${(frame.newest - frame.time).toFixed(2)} s`
      : `${frame.time.toFixed(2)} s`;
    clock.classList.toggle('past', frame.past);
    this.draw(from, to);
  }

  /** Contact force over time, pushes and falls. */
  private draw(from: number, to: number): void {
    const ratio = Math.min(window.devicePixelRatio, 2);
    const [width, height] = [this.strip.clientWidth, this.strip.clientHeight];
    this.strip.width = Math.round(width * ratio);
    this.strip.height = Math.round(height * ratio);
    const pen = this.strip.getContext('2d');
    if (!pen) return;
    pen.scale(ratio, ratio);
    const style = getComputedStyle(document.documentElement);
    const color = (name: string) => style.getPropertyValue(name).trim();
    const x = (time: number) => ((time - from) / (to - from)) * width;
    const top = 2200;
    pen.beginPath();
    pen.moveTo(0, height);
    let last = 0;
    for (const sample of this.samples.list) {
      if (sample.time < from) continue;
      const px = x(sample.time);
      if (px - last < 0.7) continue;
      pen.lineTo(px, height - Math.min(1, sample.force[0] / top) * height);
      last = px;
    }
    pen.lineTo(last, height);
    pen.globalAlpha = 0.3;
    pen.fillStyle = color('--accent');
    pen.fill();
    pen.globalAlpha = 0.55;
    pen.fillStyle = '#8b5cf6';
    for (const sample of this.samples.list) if (sample.pushed) pen.fillRect(x(sample.time), 0, 1.5, height);
    pen.globalAlpha = 1;
    pen.fillStyle = color('--bad');
    for (const fall of this.falls) if (fall.time >= from) pen.fillRect(x(fall.time) - 1, 0, 2, height);
  }
}
