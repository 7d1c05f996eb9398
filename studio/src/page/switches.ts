// Switches to show or hide things: one list for buttons, keys and tests.

import type { Eye } from '../stage/eye';
import type { Theatre } from '../theatre';

export interface Switch {
  id: string;
  label: string;
  key: string;
  get(): boolean;
  set(on: boolean): void;
}

export function switchesOf(theatre: Theatre, eye: Eye, plots: HTMLElement): Switch[] {
  const visible = (id: string, label: string, key: string, group: { visible: boolean }): Switch => ({
    id,
    label,
    key,
    get: () => group.visible,
    set: on => (group.visible = on),
  });
  return [
    visible('contacts', 'contact forces', 'C', theatre.forces.contacts.group),
    visible('pushes', 'pushes', 'P', theatre.forces.pushes.group),
    visible('com', 'centre of mass', 'M', theatre.com.group),
    visible('path', 'its path', 'T', theatre.com.path),
    visible('capture', 'capture point', 'K', theatre.balance.capture),
    visible('support', 'support', 'O', theatre.balance.support),
    visible('pressure', 'centre of pressure', 'I', theatre.balance.pressure),
    {
      id: 'torques',
      label: 'torques',
      key: 'U',
      get: () => theatre.heated,
      set: on => (theatre.heated = on),
    },
    {
      id: 'shapes',
      label: 'collision shapes',
      key: 'G',
      get: () => theatre.figure.shown,
      set: on => theatre.figure.showShapes(on),
    },
    {
      id: 'plots',
      label: 'plots',
      key: 'X',
      get: () => !plots.hidden,
      set: on => (plots.hidden = !on),
    },
    { id: 'follow', label: 'follow', key: 'F', get: () => eye.follow, set: on => (eye.follow = on) },
  ];
}
