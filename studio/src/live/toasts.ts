// Short messages that go away by themselves; problems stay longer.

import { byId } from '../page/controls';
import { make } from '../panel/dom';

const SECONDS = { info: 4, problem: 12 };

export class Toasts {
  private readonly place = byId('toasts', HTMLElement);
  /** All messages so far, for tests and debugging. */
  readonly said: string[] = [];

  /** Shows the work in progress, until the next message. */
  doing(text: string): void {
    this.say('info', text).classList.add('doing');
  }

  /** Stays until it is clicked, and then does something. */
  stay(text: string, then: () => void): void {
    const toast = this.say('problem', text, false);
    toast.addEventListener('click', then);
  }

  say(level: 'info' | 'problem', text: string, leaves = true): HTMLElement {
    this.said.push(text);
    const toast = make('p', { className: `card toast ${level}`, textContent: text });
    if (level === 'problem') toast.setAttribute('role', 'alert');
    toast.addEventListener('click', () => toast.remove());
    // the work in progress is done
    this.place.querySelectorAll('.doing').forEach(other => other.remove());
    // show equal messages once
    for (const other of [...this.place.children]) if (other.textContent === text) other.remove();
    this.place.append(toast);
    while (this.place.childElementCount > 3) this.place.firstElementChild?.remove();
    if (leaves) setTimeout(() => toast.remove(), 1000 * SECONDS[level]);
    return toast;
  }
}
