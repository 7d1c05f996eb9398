// Texts over the stage: figures, names, pushes, falls.

import { Vector3 } from 'three';
import { byId } from '../page/controls';
import { totalForce } from '../run/scene';
import { make } from '../panel/dom';
import type { Dragger } from './drag';
import type { LiveFrame } from './frame';
import { type Fell, type Hello, type Setup, systemOf } from './messages';
import type { LiveTheatre } from './theatre';

const text = (id: string, value: string): void => {
  const element = document.getElementById(id);
  if (element && element.textContent !== value) element.textContent = value;
};

/** Seconds of the page for which the sum of a push stays on the screen. */
const STAY = 1800;
/** Height of a name over a head, pixels. */
const NAME = 32;

export class Readout {
  /** When the character fell, s; null while it stands. */
  fallTime: number | null = null;
  private drawn = 0;
  private speed = 0;
  private pushed = 0;
  private names: string[] = [];

  who(setup: Setup, hello: Hello | null): void {
    this.names = setup.lanes.map(lane => {
      const usual = hello && systemOf(hello, lane).styles[0]?.name;
      const style = !lane.style || lane.style === usual ? '' : `, ${lane.style}`;
      return `${lane.character} · ${lane.controller}${style}`;
    });
    text(
      'who',
      `${this.names.join('  |  ')}${setup.terrain.kind === 'flat' ? '' : ` · ${setup.terrain.kind}`}`,
    );
  }

  show(frame: LiveFrame, theatre: LiveTheatre, dragger: Dragger, now: number): void {
    this.push(frame, theatre, dragger, now);
    this.label(theatre);
    if (now - this.drawn < 100) return;
    this.drawn = now;
    const lane = frame.lanes[0];
    if (!lane) return;
    this.speed += 0.35 * (Math.hypot(lane.velocity[0], lane.velocity[1]) - this.speed);
    text('speed-now', this.speed.toFixed(2));
    const ground = theatre.stage.ground.under(lane.com[0], lane.com[1], lane.com[2] + 0.5) ?? 0;
    text('height-now', (lane.com[2] - ground).toFixed(2));
    text('force-now', totalForce(lane.contacts).toFixed(0));
    text('rate-now', frame.playing ? frame.rate.toFixed(2) : '0');
  }

  /** The force in N and the impulse in N·s, beside the hand or the trunk. */
  private push(frame: LiveFrame, theatre: LiveTheatre, dragger: Dragger, now: number): void {
    const lane = dragger.held?.lane ?? 0;
    const actor = theatre.actors[lane];
    const push = frame.lanes[lane]?.push;
    const acts = (frame.lanes[lane]?.pushes.count ?? 0) > 0;
    if (acts) this.pushed = now;
    const label = byId('push-label', HTMLElement);
    const shown = push && actor && push.count > 0 && now - this.pushed < STAY && this.pushed > 0;
    label.hidden = !shown;
    if (!shown) return;
    const [force, impulse] = [Math.hypot(...push.force), Math.hypot(...push.impulse)];
    const words = acts ? `${force.toFixed(0)} N` : `up to ${push.peak.toFixed(0)} N`;
    label.innerHTML = `${words} <small>·</small> ${impulse.toFixed(1)} N·s`;
    const at = dragger.held
      ? { x: dragger.pointer.x + 18, y: dragger.pointer.y - 14 }
      : place(actor.middle.add(new Vector3(0, 0, 0.5 * actor.size)), theatre);
    // over the names of two
    if (!dragger.held && theatre.actors.length > 1) at.y -= NAME;
    label.style.left = `${Math.min(at.x, window.innerWidth - 190)}px`;
    label.style.top = `${Math.max(8, at.y - 20)}px`;
  }

  /** A and B over the heads of two. */
  private label(theatre: LiveTheatre): void {
    const labels = byId('labels', HTMLElement);
    const count = theatre.actors.length > 1 ? theatre.actors.length : 0;
    while (labels.childElementCount > count) labels.lastElementChild?.remove();
    while (labels.childElementCount < count) labels.append(make('span'));
    for (let i = 0; i < count; i++) {
      const span = labels.children[i] as HTMLElement;
      const actor = theatre.actors[i];
      const at = place(actor.middle.add(new Vector3(0, 0, 0.5 * actor.size)), theatre);
      span.style.left = `${at.x.toFixed(0)}px`;
      span.style.top = `${at.y.toFixed(0)}px`;
      const name = `${'AB'[i]} ${this.names[i] ?? ''}`;
      if (span.textContent !== name) span.textContent = name;
    }
  }

  fell(fall: Fell, lanes: number): void {
    this.fallTime = Math.min(this.fallTime ?? Infinity, fall.time);
    byId('fall', HTMLElement).hidden = false;
    byId('fall', HTMLElement).querySelector('h2')!.textContent =
      lanes > 1 ? `${'AB'[fall.lane]} fell.` : 'It fell.';
    text('fall-why', fall.why);
    text('fall-what', `At ${fall.time.toFixed(2)} s: ${fall.what}.`);
  }

  hideFall(): void {
    byId('fall', HTMLElement).hidden = true;
  }

  /** Hides the message of a fall. */
  rise(): void {
    if (this.fallTime === null) return;
    this.fallTime = null;
    this.hideFall();
  }
}

/** Where a point of the stage is on the screen, pixels. */
function place(at: Vector3, theatre: LiveTheatre): { x: number; y: number } {
  const p = at.project(theatre.stage.camera);
  return { x: (0.5 + 0.5 * p.x) * window.innerWidth, y: (0.5 - 0.5 * p.y) * window.innerHeight };
}
