// Contact forces and pushes as arrows, drawn to one scale.

import { Group, Vector3 } from 'three';
import type { Forces } from '../run/scene';
import type { Theme } from '../stage/theme';
import { type Arrow, Arrows } from './arrows';

/** Forces below this share of the weight get no arrow. */
const LEAST = 2e-3;
/** Greatest length of an arrow in sizes of the character, so that impacts stay in the picture. */
const LONGEST = 1.1;

export class ForceOverlay {
  readonly group = new Group();
  readonly contacts = new Arrows();
  readonly pushes = new Arrows(0.6, 1.5);
  /** Force of an arrow of one metre, N. */
  readonly scale: number;

  /**
   * `weight`, N, and `size`, m: of the character. `enter`: where what comes in a direction meets the surface of a body on its way to
   * a point inside.
   */
  constructor(
    private readonly weight: number,
    private readonly size: number,
    private readonly enter: (body: number, point: Vector3, direction: Vector3) => Vector3,
  ) {
    this.scale = roundUp(weight || 1000);
    this.group.add(this.contacts.group, this.pushes.group);
  }

  paint(theme: Theme): void {
    this.contacts.paint(theme.contact);
    this.pushes.paint(theme.push);
  }

  /** Contact forces and pulls of a hand begin at their point of action; pushes end at the skin. They fade after their end. */
  show(contacts: Forces, pushes: Forces | null, fade: number, pulled = false): void {
    this.contacts.show(this.arrows(contacts, false));
    this.pushes.show(pushes ? this.arrows(pushes, !pulled) : [], fade);
  }

  private arrows(forces: Forces, tipAtPoint: boolean): Arrow[] {
    const arrows: Arrow[] = [];
    for (let i = 0; i < forces.count; i++) {
      const along = new Vector3().fromArray(forces.force, 3 * i);
      if (along.length() < LEAST * this.weight) continue;
      along.divideScalar(this.scale).clampLength(0, LONGEST * this.size);
      const point = new Vector3().fromArray(forces.point, 3 * i);
      if (tipAtPoint) {
        const tip = this.enter(forces.body[i], point, along.clone().normalize());
        arrows.push({ from: tip.clone().sub(along), along });
      } else arrows.push({ from: point, along });
    }
    return arrows;
  }
}

/** The next of 1, 2, 5, 10, … */
function roundUp(x: number): number {
  const unit = 10 ** Math.floor(Math.log10(x));
  return unit * ([1, 2, 5, 10].find(n => n * unit >= x) ?? 10);
}
