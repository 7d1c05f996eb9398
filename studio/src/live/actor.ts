// One character of the live world on the stage: figure, boxes, overlays.

import { Group, Vector3 } from 'three';
import { Figure } from '../figure/figure';
import { BalanceOverlay } from '../overlay/balance';
import { ComOverlay } from '../overlay/com';
import { ForceOverlay } from '../overlay/forces';
import { Trail } from '../overlay/trail';
import { mix, mixPoses } from '../run/mix';
import type { Ground } from '../stage/ground';
import type { Theme } from '../stage/theme';
import type { LaneFrame } from './frame';
import { type LaneScene, skinOf } from './messages';

/** Seconds for which a push is still shown after its end. */
const GHOST = 0.6;

export class ActorView {
  readonly group = new Group();
  readonly figure: Figure;
  readonly forces: ForceOverlay;
  readonly com: ComOverlay;
  readonly balance: BalanceOverlay;
  readonly trail = new Trail();
  readonly size: number;
  /** Whether bodies are coloured by their torques. */
  heated = false;
  /** Whether a hand pulls at it. */
  pulled = false;
  private boxes: Figure | null = null;
  private boxesKey = '';
  private poses = new Float32Array(0);
  private readonly shownCom = new Float32Array(3);
  private lastPush: { forces: LaneFrame['pushes']; time: number } | null = null;
  private readonly bodies: number;

  constructor(
    scene: LaneScene,
    readonly offset: Vector3,
  ) {
    this.bodies = scene.bodies.length;
    this.figure = new Figure({ bodies: scene.bodies, objects: [] }, skinOf(scene.skin));
    this.size = heightOf(scene);
    this.forces = new ForceOverlay(scene.mass * 9.81, this.size, this.figure.enter.bind(this.figure));
    this.com = new ComOverlay(new Float32Array(0), this.size);
    this.balance = new BalanceOverlay(this.size);
    this.group.position.copy(offset);
    // hidden until its place is known
    this.group.visible = false;
    this.group.add(
      this.figure.group,
      this.forces.group,
      this.com.group,
      this.trail.group,
      this.balance.support,
      this.balance.pressure,
      this.balance.capture,
    );
  }

  /** Replaces the boxes. */
  furnish(objects: LaneScene['objects']): void {
    const key = JSON.stringify(objects);
    if (key === this.boxesKey) return;
    this.boxesKey = key;
    if (this.boxes) {
      this.group.remove(this.boxes.group);
      this.boxes.dispose();
      this.boxes = null;
    }
    if (objects.length > 0) {
      this.boxes = new Figure({ bodies: [], objects }, null);
      this.group.add(this.boxes.group);
    }
  }

  paint(theme: Theme): void {
    this.forces.paint(theme);
    this.com.paint(theme);
    this.balance.paint(theme);
    this.trail.paint(theme);
  }

  /** Shows the moment between two frames. */
  show(a: LaneFrame, b: LaneFrame, part: number, time: number, ground: Ground): void {
    this.group.visible = true;
    if (this.poses.length !== b.poses.length) this.poses = new Float32Array(b.poses.length);
    if (a.poses.length === b.poses.length) mixPoses(a.poses, b.poses, part, this.poses);
    else this.poses.set(b.poses);
    this.figure.pose(this.poses);
    this.boxes?.pose(this.poses, this.bodies);
    for (let k = 0; k < 3; k++) this.shownCom[k] = mix(a.com[k], b.com[k], part);
    // forces are not interpolated: those of the nearer frame
    const near = part < 0.5 ? a : b;
    if (near.pushes.count > 0) this.lastPush = { forces: near.pushes, time };
    if (this.lastPush && (time - this.lastPush.time > GHOST || time < this.lastPush.time))
      this.lastPush = null;
    const fade = this.lastPush ? 1 - (time - this.lastPush.time) / GHOST : 0;
    this.forces.show(near.contacts, this.lastPush?.forces ?? null, fade, this.pulled);
    const [x, y, z] = this.shownCom;
    const level = ground.under(x + this.offset.x, y + this.offset.y, z + 0.5);
    this.com.show(this.shownCom, level, 0);
    this.trail.show();
    this.balance.show({ ...near, com: this.shownCom }, level);
    this.figure.heat(this.heated ? near.torques : null);
  }

  /** The centre of mass as it is shown, where it stands on the stage. */
  get middle(): Vector3 {
    return new Vector3().fromArray(this.shownCom).add(this.offset);
  }

  /** Where a part is drawn, without the offset: seven numbers. */
  pose(part: number): Float32Array {
    return this.poses.subarray(7 * part, 7 * part + 7);
  }

  dispose(): void {
    this.figure.dispose();
    this.boxes?.dispose();
  }
}

/** Height of the character in its reference pose, m. */
function heightOf(scene: LaneScene): number {
  let [low, high] = [Infinity, -Infinity];
  for (const part of scene.bodies) {
    for (const shape of part.shapes) {
      const z = part.rest[2] + shape.at[2];
      const reach = 'radius' in shape ? shape.radius : 0.05;
      low = Math.min(low, z - reach);
      high = Math.max(high, z + reach);
    }
  }
  return high > low ? Math.max(0.3, high - low) : 1.8;
}
