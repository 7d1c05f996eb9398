// The rail of buttons and the drawer that shows one panel at a time.

import { byId } from '../page/controls';
import { ICONS } from '../page/icons';
import { type Piece, make } from './dom';
import { type Hands, type PanelName, buildPanel } from './panels';

const TABS: { name: PanelName | 'plots'; icon: keyof typeof ICONS }[] = [
  { name: 'character', icon: 'body' },
  { name: 'walk', icon: 'gait' },
  { name: 'world', icon: 'world' },
  { name: 'show', icon: 'eye' },
  { name: 'plots', icon: 'plot' },
  { name: 'compare', icon: 'compare' },
  { name: 'save', icon: 'save' },
];

export class Drawer {
  open: PanelName | null = null;
  private pieces: Piece[] = [];
  private key = '';
  private readonly tabs = new Map<string, HTMLButtonElement>();
  private readonly place = byId('drawer', HTMLElement);
  private readonly body = byId('drawer-body', HTMLElement);

  constructor(
    private readonly hands: Hands,
    private readonly plots: HTMLElement,
    private readonly resized: () => void,
  ) {
    TABS.forEach(({ name, icon }, i) => {
      const tab = make('button', { type: 'button', id: `tab-${name}`, title: `${name} (${i + 1})` });
      tab.innerHTML = ICONS[icon];
      tab.append(make('span', { textContent: name }));
      tab.setAttribute('aria-label', name);
      tab.setAttribute('aria-expanded', 'false');
      tab.addEventListener('click', () => this.toggle(name));
      this.tabs.set(name, tab);
      byId('rail', HTMLElement).append(tab);
    });
    byId('drawer-close', HTMLButtonElement).addEventListener('click', () => this.close());
  }

  /** The tab of a number key, from 1. */
  nth(number: number): void {
    const tab = TABS[number - 1];
    if (tab) this.toggle(tab.name);
  }

  toggle(name: PanelName | 'plots'): void {
    if (name === 'plots') {
      this.plots.hidden = !this.plots.hidden;
      this.tabs.get('plots')?.setAttribute('aria-expanded', String(!this.plots.hidden));
      this.resized();
      return;
    }
    if (this.open === name) this.close();
    else this.show(name);
  }

  close(): void {
    const tab = this.open ? this.tabs.get(this.open) : null;
    const inside = this.place.contains(document.activeElement);
    this.open = null;
    this.place.hidden = true;
    this.mark();
    this.resized();
    if (inside) tab?.focus();
  }

  private show(name: PanelName): void {
    this.open = name;
    this.place.hidden = false;
    byId('drawer-title', HTMLElement).textContent = name;
    this.key = this.shape();
    this.pieces = buildPanel(name, this.hands);
    this.body.replaceChildren(...this.pieces.map(piece => piece.element));
    this.body.scrollTop = 0;
    this.mark();
    this.resized();
  }

  /** A key of everything that determines the elements of a panel. */
  private shape(): string {
    const { lanes, terrain } = this.hands.state().setup;
    return `${this.open} ${terrain.kind} ${lanes.length} ${lanes.map(l => `${l.controller} ${l.style}`).join()} ${this.hands.lane}`;
  }

  private mark(): void {
    for (const [name, tab] of this.tabs) {
      if (name !== 'plots') tab.setAttribute('aria-expanded', String(name === this.open));
    }
  }

  /** Updates the panel to the state. */
  sync(): void {
    if (!this.open) return;
    if (this.shape() !== this.key) {
      const [focus, scroll] = [document.activeElement?.id, this.body.scrollTop];
      this.show(this.open);
      this.body.scrollTop = scroll;
      if (focus) document.getElementById(focus)?.focus();
    } else this.pieces.forEach(piece => piece.sync());
  }
}
