// Steering by keys and by the pad: forward and back change the speed that is kept, left and right turn while held.

import { byId } from '../page/controls';

/** Least and greatest speed, and the speed when the page opens, m/s. */
export const SPEEDS = { least: -0.5, most: 1.6, cruise: 0.8 };
/** Change of speed while a key is held, m/s², and turn, rad/s. */
const RAMP = 0.9;
const TURN = 1.1;
/** Sideways, m/s. */
const ASIDE = 0.35;
/** Radius that the knob moves in, of the pad's 100. */
const RADIUS = 44;

type Way = 'forward' | 'back' | 'left' | 'right' | 'aside-left' | 'aside-right';
const KEYS: Record<string, Way> = {
  w: 'forward',
  ArrowUp: 'forward',
  s: 'back',
  ArrowDown: 'back',
  a: 'left',
  ArrowLeft: 'left',
  d: 'right',
  ArrowRight: 'right',
  q: 'aside-left',
  e: 'aside-right',
};
const CAPS: Partial<Record<Way, string>> = { forward: 'key-w', back: 'key-s', left: 'key-a', right: 'key-d' };

export interface Steer {
  forward: number;
  left: number;
  turn: number;
}

export class Steering {
  /** Speed that is kept, m/s. */
  cruise = SPEEDS.cruise;
  private readonly held = new Set<Way>();
  private pad: { x: number; y: number } | null = null;
  private sent = '';
  /** Whether the scenario's commands hold, until the user steers. */
  private follows = false;
  private who = 'human';
  private pace = 1;
  private readonly element = byId('pad', HTMLElement);

  /** `send` is called whenever something changed. */
  constructor(private readonly send: (steer: Steer) => void) {
    document.addEventListener('keydown', event => this.key(event, true));
    document.addEventListener('keyup', event => this.key(event, false));
    window.addEventListener('blur', () => this.held.clear());
    this.element.addEventListener('pointerdown', event => {
      this.element.setPointerCapture(event.pointerId);
      this.grab(event);
    });
    this.element.addEventListener('pointermove', event => {
      if (this.element.hasPointerCapture(event.pointerId)) this.grab(event);
    });
    for (const end of ['pointerup', 'pointercancel'] as const) {
      this.element.addEventListener(end, () => (this.pad = null));
    }
  }

  /** Advances by `seconds`, and sends changes. */
  advance(seconds: number): void {
    const pressed = (way: Way) => (this.held.has(way) ? 1 : 0);
    if (this.pad) {
      const { y } = this.pad;
      this.cruise = (y > 0 ? y * SPEEDS.most : -y * SPEEDS.least) * this.pace;
      if (Math.abs(this.cruise) < 0.06) this.cruise = 0;
    } else {
      const before = this.cruise;
      this.cruise += (pressed('forward') - pressed('back')) * RAMP * this.pace * seconds;
      // the speed 0 is easy to reach
      if (before * this.cruise < 0) {
        this.cruise = 0;
        this.held.delete('back');
        this.held.delete('forward');
      }
    }
    this.cruise = Math.min(SPEEDS.most * this.pace, Math.max(SPEEDS.least * this.pace, this.cruise));
    this.show();
    const now = this.steer;
    const key = JSON.stringify(now);
    if (this.held.size > 0 || this.pad) this.follows = false;
    if (key !== this.sent && !this.follows) {
      this.sent = key;
      this.send(now);
    }
  }

  /** The command. */
  get steer(): Steer {
    const pressed = (way: Way) => (this.held.has(way) ? 1 : 0);
    const round = (x: number) => Math.round(100 * x) / 100;
    const turn = this.pad ? -this.pad.x * TURN : (pressed('left') - pressed('right')) * TURN;
    return {
      forward: round(this.cruise),
      left: (pressed('aside-left') - pressed('aside-right')) * ASIDE,
      turn: round(Math.abs(turn) < 0.08 ? 0 : turn),
    };
  }

  /** Another character: smaller ones walk slower. */
  setPace(who: string, pace: number): void {
    if (who === this.who) return;
    this.who = who;
    this.pace = pace;
    if (this.cruise !== 0) this.cruise = SPEEDS.cruise * pace;
    this.repeat();
  }

  /** Stops. */
  stop(): void {
    this.cruise = 0;
    this.follows = false;
  }

  /** Sets whether the scenario's commands hold until the user steers. */
  follow(scenario: boolean): void {
    this.follows = scenario;
  }

  /** Sends the command again, after a new world or a new connection. */
  repeat(): void {
    this.sent = '';
  }

  private key(event: KeyboardEvent, down: boolean): void {
    const way = KEYS[event.key.length === 1 ? event.key.toLowerCase() : event.key];
    if (!way) return;
    if (!down) {
      this.held.delete(way);
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    const target = event.target;
    const arrow = event.key.startsWith('Arrow');
    // sliders and lists use the arrows themselves
    if (target instanceof HTMLSelectElement || (arrow && target instanceof HTMLInputElement)) return;
    if (target instanceof HTMLTextAreaElement) return;
    event.preventDefault();
    this.held.add(way);
  }

  private grab(event: PointerEvent): void {
    const box = this.element.getBoundingClientRect();
    const scale = (box.width / 200) * RADIUS;
    let x = (event.clientX - box.left - box.width / 2) / scale;
    let y = -(event.clientY - box.top - box.height / 2) / scale;
    const length = Math.max(1, Math.hypot(x, y));
    x /= length;
    y /= length;
    this.pad = { x, y };
  }

  private show(): void {
    const { turn } = this.steer;
    const y = (this.cruise > 0 ? this.cruise / SPEEDS.most : -this.cruise / SPEEDS.least) / this.pace;
    const x = this.pad ? this.pad.x : -turn / TURN;
    const [cx, cy] = [RADIUS * x * (this.pad ? 1 : 0.8), -RADIUS * y];
    const knob = document.getElementById('pad-knob');
    knob?.setAttribute('cx', cx.toFixed(1));
    knob?.setAttribute('cy', cy.toFixed(1));
    document.getElementById('pad-line')?.setAttribute('d', `M0 0L${cx.toFixed(1)} ${cy.toFixed(1)}`);
    for (const [way, id] of Object.entries(CAPS)) {
      document.getElementById(id)?.classList.toggle('down', this.held.has(way as Way));
    }
    const text = this.cruise === 0 ? 'stand' : `walk at ${this.cruise.toFixed(2)} m/s`;
    const place = document.getElementById('steer-text');
    if (place && place.textContent !== text) {
      place.textContent = text;
      this.element.setAttribute('aria-valuenow', this.cruise.toFixed(2));
      this.element.setAttribute('aria-valuetext', text);
    }
  }
}
