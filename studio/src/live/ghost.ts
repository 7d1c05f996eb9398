// A motion as a ghost inside the character or beside it: it follows the character's place and heading, and plays its own poses.

import { Group, Vector3 } from 'three';
import { Figure } from '../figure/figure';
import type { Part } from '../run/scene';
import { mixPoses } from '../run/mix';
import { THEMES, type Theme } from '../stage/theme';
import { type SkinMessage, skinOf } from './messages';

/** How far to the left a ghost beside the character stands, m. */
const BESIDE = 0.85;

export class Ghost {
  readonly group = new Group();
  name: string | null = null;
  beside = true;
  private figure: Figure | null = null;
  private poses: Float32Array = new Float32Array(0);
  private parts = 0;
  private rate = 60;
  private shown = new Float32Array(0);
  private theme: Theme = THEMES.light;
  private phase = 0;

  /** Takes the poses that come before the name. */
  take(bodies: number, poses: Float32Array): void {
    this.parts = bodies;
    this.poses = poses;
  }

  /** Shows the ghost whose poses came, or none. */
  set(name: string | null, rate: number, bodies: Part[], skin: SkinMessage): void {
    if (this.figure) {
      this.group.remove(this.figure.group);
      this.figure.dispose();
      this.figure = null;
    }
    this.name = name;
    this.rate = rate;
    if (name === null || bodies.length !== this.parts) return;
    this.figure = new Figure({ bodies, objects: [] }, skinOf(skin));
    this.figure.fade(this.theme.ghost, 0.42);
    this.shown = new Float32Array(7 * this.parts);
    this.group.add(this.figure.group);
  }

  get frames(): number {
    return this.parts > 0 ? Math.floor(this.poses.length / (7 * this.parts)) : 0;
  }

  /** Frame that is shown, with its part. */
  get at(): number {
    return this.phase;
  }

  paint(theme: Theme): void {
    this.theme = theme;
    this.figure?.fade(theme.ghost, 0.42);
  }

  /** Plays at a time, in a loop, with its first body over `middle` in the plane, turned as the character is. */
  show(time: number, middle: Vector3, facing: number): void {
    if (!this.figure || this.frames === 0) return;
    const loop = Math.max(1, this.frames - 1);
    this.phase = (time * this.rate) % loop;
    const a = Math.floor(this.phase);
    const b = Math.min(a + 1, this.frames - 1);
    const row = (frame: number) => this.poses.subarray(7 * this.parts * frame, 7 * this.parts * (frame + 1));
    mixPoses(row(a), row(b), this.phase - a, this.shown);
    this.figure.pose(this.shown);
    // about the vertical through its root: first its own heading away, then the character's
    const [w, x, y, z] = this.shown.subarray(3, 7);
    const own = Math.atan2(2 * (x * y + w * z), 1 - 2 * (y * y + z * z));
    const turn = facing - own;
    const [s, c] = [Math.sin(turn), Math.cos(turn)];
    const [px, py] = [this.shown[0], this.shown[1]];
    const left = this.beside ? BESIDE : 0;
    this.group.rotation.z = turn;
    this.group.position.set(
      middle.x - (c * px - s * py) - left * Math.sin(facing),
      middle.y - (s * px + c * py) + left * Math.cos(facing),
      0,
    );
  }
}
