// Buttons, slider and keys.

import { VIEWS, type View } from '../stage/eye';
import { ICONS } from './icons';
import { type Key, listen, writeHelp } from './keys';
import { type Player, SPEEDS } from './player';
import type { Switch } from './switches';

/** The objects that the controls act on. */
export interface Acts {
  player: Player;
  switches: Switch[];
  look(view: View): void;
  turn(azimuth: number, polar: number, zoom: number): void;
  toggleTheme(): void;
  /** Called when the picture must be drawn again. */
  redraw(): void;
}

/** A turn of the camera by a key, rad, and its zoom. */
const TURN = 0.09;
const ZOOM = 1.12;

export class Controls {
  private readonly play = byId('play', HTMLButtonElement);
  private readonly scrub = byId('scrub', HTMLInputElement);
  private readonly speed = byId('speed', HTMLSelectElement);
  private readonly buttons = new Map<string, HTMLButtonElement>();

  constructor(private readonly acts: Acts) {
    const { player } = acts;
    const on = (id: string, act: () => void) => byId(id, HTMLButtonElement).addEventListener('click', act);
    byId('back', HTMLButtonElement).innerHTML = ICONS.back;
    byId('next', HTMLButtonElement).innerHTML = ICONS.next;
    on('play', () => player.toggle());
    on('back', () => player.step(-1));
    on('next', () => player.step(1));
    on('theme', () => acts.toggleTheme());
    on('help-button', () => this.toggleHelp());
    for (const view of Object.keys(VIEWS) as View[]) on(`view-${view}`, () => acts.look(view));

    this.scrub.max = String(Math.round(player.duration * player.rate));
    this.scrub.addEventListener('input', () => player.seek(Number(this.scrub.value) / player.rate));
    this.speed.append(...SPEEDS.map(s => new Option(`${s}×`, String(s))));
    this.speed.addEventListener('change', () => {
      player.speed = Number(this.speed.value);
      acts.redraw();
    });
    for (const each of acts.switches) this.addSwitch(each);

    const table = this.keys();
    writeHelp(byId('keys', HTMLElement), table);
    listen(table);
  }

  /** Brings the controls up to date with the player and the switches. */
  show(): void {
    const { player, switches } = this.acts;
    const label = player.playing ? 'Pause' : 'Play';
    if (this.play.getAttribute('aria-label') !== label || this.play.childElementCount === 0) {
      this.play.innerHTML = player.playing ? ICONS.pause : ICONS.play;
      this.play.setAttribute('aria-label', label);
    }
    this.scrub.value = String(Math.round(player.time * player.rate));
    this.scrub.setAttribute('aria-valuetext', `${player.time.toFixed(2)} seconds`);
    this.speed.value = String(player.speed);
    for (const each of switches) this.buttons.get(each.id)?.setAttribute('aria-pressed', String(each.get()));
  }

  private addSwitch(each: Switch): void {
    const button = document.createElement('button');
    button.type = 'button';
    button.id = `switch-${each.id}`;
    const key = document.createElement('kbd');
    key.textContent = each.key;
    button.append(`${each.label} `, key);
    button.setAttribute('aria-keyshortcuts', each.key);
    button.addEventListener('click', () => this.flip(each));
    this.buttons.set(each.id, button);
    byId('switches', HTMLElement).append(button);
  }

  private flip(each: Switch): void {
    each.set(!each.get());
    this.show();
    this.acts.redraw();
  }

  private toggleHelp(): void {
    const help = byId('help', HTMLElement);
    help.hidden = !help.hidden;
    byId('help-button', HTMLButtonElement).setAttribute('aria-expanded', String(!help.hidden));
  }

  private keys(): Key[] {
    const { player, switches, look, turn, toggleTheme } = this.acts;
    const step = (by: number) => (event: KeyboardEvent) =>
      event.shiftKey ? player.seek(player.time + Math.sign(by)) : player.step(by);
    return [
      { keys: [' '], shown: 'Space', does: 'play, pause', act: () => player.toggle() },
      { keys: ['ArrowLeft', ','], shown: '←', does: 'one frame back (with Shift: a second)', act: step(-1) },
      { keys: ['ArrowRight', '.'], shown: '→', does: 'one frame on (with Shift: a second)', act: step(1) },
      { keys: ['ArrowDown'], shown: '↓', does: 'slower', act: () => player.shift(-1) },
      { keys: ['ArrowUp'], shown: '↑', does: 'faster', act: () => player.shift(1) },
      { keys: ['Home'], shown: 'Home', does: 'to the beginning', act: () => player.seek(0) },
      { keys: ['End'], shown: 'End', does: 'to the end', act: () => player.seek(player.duration) },
      { keys: ['a'], shown: 'A', does: 'orbit left', act: () => turn(-TURN, 0, 1) },
      { keys: ['d'], shown: 'D', does: 'orbit right', act: () => turn(TURN, 0, 1) },
      { keys: ['w'], shown: 'W', does: 'look from higher', act: () => turn(0, -TURN, 1) },
      { keys: ['s'], shown: 'S', does: 'look from lower', act: () => turn(0, TURN, 1) },
      { keys: ['+', '='], shown: '+', does: 'nearer', act: () => turn(0, 0, 1 / ZOOM) },
      { keys: ['-', '_'], shown: '−', does: 'farther', act: () => turn(0, 0, ZOOM) },
      { keys: ['1'], shown: '1', does: 'view from the corner', act: () => look('corner') },
      { keys: ['2'], shown: '2', does: 'view from the side', act: () => look('side') },
      { keys: ['3'], shown: '3', does: 'view from the front', act: () => look('front') },
      ...switches.map(each => ({
        keys: [each.key.toLowerCase()],
        shown: each.key,
        does: each.label,
        act: () => this.flip(each),
      })),
      { keys: ['l'], shown: 'L', does: 'light or dark', act: toggleTheme },
      { keys: ['?', 'h'], shown: '?', does: 'these keys', act: () => this.toggleHelp() },
    ];
  }
}

/** The element of this id, which the page has. */
export function byId<T extends HTMLElement>(id: string, kind: new () => T): T {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`the page has no ${kind.name} "${id}"`);
  return element;
}
