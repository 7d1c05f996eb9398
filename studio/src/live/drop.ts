// Files that are dropped on the page, or chosen.

import { byId } from '../page/controls';
import { make } from '../panel/dom';
import type { Link } from './link';
import type { Toasts } from './toasts';

/** Greatest file, bytes; the session takes no more. */
const MOST = 48 << 20;

export function watchDrops(link: Link, toasts: Toasts): void {
  const veil = byId('drop', HTMLElement);
  const pick = make('input', { type: 'file', id: 'pick', accept: '.bvh,.xml,.mjcf,.toml', hidden: true });
  document.body.append(pick);
  const take = (file: File | undefined) => {
    if (!file) return;
    if (file.size > MOST)
      toasts.say('problem', `${file.name} is too large: a file may have ${MOST >> 20} MB`);
    else void link.upload(file);
  };
  pick.addEventListener('change', () => {
    take(pick.files?.[0]);
    pick.value = '';
  });
  document.addEventListener('dragenter', event => {
    if (event.dataTransfer?.types.includes('Files')) veil.hidden = false;
  });
  document.addEventListener('dragover', event => event.preventDefault());
  document.addEventListener('dragleave', event => {
    if (event.relatedTarget === null) veil.hidden = true;
  });
  document.addEventListener('drop', event => {
    event.preventDefault();
    veil.hidden = true;
    take(event.dataTransfer?.files[0]);
  });
}
