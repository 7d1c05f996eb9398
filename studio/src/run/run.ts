// A recorded run: evenly spaced frames, and everything at any time between them.

import { blend, mix } from './mix';
import { type Forces, type Frame, type Scene, noForces, totalForce } from './scene';
import type { Packed, Table } from './unpack';
import type { SkinData } from '../figure/skin';

/** Seconds over which the camera's path is smoothed, on either side. */
const SMOOTHING = 0.6;

export class Run {
  readonly scene: Scene;
  readonly start: number;
  readonly rate: number;
  readonly frames: number;
  readonly parts: number;
  /** The first `count` parts are the subject of the run: a character, or without one everything that moves. */
  readonly subject: number;
  /** What bodies and objects wear. */
  readonly skin: SkinData;
  /** The centre of mass in every frame, three numbers each. */
  readonly com: Float32Array;
  /** The aim of a calm camera in every frame: the middle of the subject, smoothed over time. */
  readonly calm: Float32Array;
  private readonly place: Float32Array;
  private readonly turn: Float32Array;
  private readonly efforts: Float32Array;
  private readonly contacts: ForceTable;
  private readonly pushes: ForceTable;
  private readonly shown: Frame;

  constructor({ header, tables }: Packed) {
    const table = (name: string): Table => {
      const found = tables.get(name);
      if (!found) throw new Error(`the data lacks the column ${name}; export the run again`);
      return found;
    };
    this.scene = header;
    this.start = header.start;
    this.rate = header.rate;
    this.frames = header.frames;
    this.parts = header.bodies.length + header.objects.length;
    this.skin = { parts: header.skinned, table: name => table(`skin_${name}`) };
    this.place = table('place').data;
    this.turn = table('turn').data;
    this.com = table('com').data;
    this.efforts = table('effort').data;
    const joined = header.bodies.length > 1;
    this.subject = joined ? header.bodies.length : this.parts;
    this.calm = smoothed(joined ? this.com : this.middle(), Math.round(SMOOTHING * this.rate));
    const forces = (name: string) =>
      new ForceTable(
        table(`${name}_count`).data,
        table(`${name}_body`).data,
        table(`${name}_point`).data,
        table(`${name}_force`).data,
      );
    this.contacts = forces('contact');
    this.pushes = forces('push');
    this.shown = {
      time: this.start,
      poses: new Float32Array(7 * this.parts),
      com: new Float32Array(3),
      contacts: noForces(),
      pushes: noForces(),
      efforts: new Float32Array(0),
    };
  }

  /** Seconds from the first frame to the last. */
  get duration(): number {
    return Math.max(0, this.frames - 1) / this.rate;
  }

  /** Everything at `seconds` after the first frame; the answer is overwritten by the next call. */
  at(seconds: number): Frame {
    const [a, b, part] = this.between(seconds);
    const { poses, com } = this.shown;
    for (let i = 0; i < this.parts; i++) {
      const [p, q] = [3 * (a * this.parts + i), 3 * (b * this.parts + i)];
      for (let k = 0; k < 3; k++) poses[7 * i + k] = mix(this.place[p + k], this.place[q + k], part);
      const [u, w] = [4 * (a * this.parts + i), 4 * (b * this.parts + i)];
      blend(this.turn, u, this.turn, w, part, poses, 7 * i + 3);
    }
    for (let k = 0; k < 3; k++) com[k] = mix(this.com[3 * a + k], this.com[3 * b + k], part);
    // forces are means over the time until the next frame, and are not interpolated
    this.shown.time = this.start + Math.min(Math.max(seconds, 0), this.duration);
    this.shown.contacts = this.contacts.at(a);
    this.shown.pushes = this.pushes.at(a);
    this.shown.efforts = this.effort(a);
    return this.shown;
  }

  /** Where a calm camera looks at `seconds`. */
  aim(seconds: number): [number, number, number] {
    const [a, b, part] = this.between(seconds);
    const at = (k: number) => mix(this.calm[3 * a + k], this.calm[3 * b + k], part);
    return [at(0), at(1), at(2)];
  }

  /** Velocity of the centre of mass in a frame, m/s, from the frames on both sides. */
  velocity(frame: number): [number, number, number] {
    const [a, b] = [Math.max(0, frame - 1), Math.min(this.frames - 1, frame + 1)];
    const rate = a === b ? 0 : this.rate / (b - a);
    const along = (k: number) => (this.com[3 * b + k] - this.com[3 * a + k]) * rate;
    return [along(0), along(1), along(2)];
  }

  /** Total contact force of every frame, N. */
  contactTotals(): Float32Array {
    return Float32Array.from({ length: this.frames }, (_, i) => totalForce(this.contacts.at(i)));
  }

  /** Greatest share of its torque limit at the joints of every body in a frame. */
  effort(frame: number): Float32Array {
    const bodies = this.scene.bodies.length;
    return this.efforts.subarray(bodies * frame, bodies * (frame + 1));
  }

  /** Frames in which something pushes or pulls. */
  pushedFrames(): number[] {
    return Array.from({ length: this.frames }, (_, i) => i).filter(i => this.pushes.at(i).count > 0);
  }

  /** Forces of the last push that acted at most `seconds` before, and how long ago that was. */
  lastPush(frame: number, seconds: number): { forces: Forces; age: number } | null {
    const oldest = Math.max(0, frame - Math.round(seconds * this.rate));
    for (let i = frame; i >= oldest; i--) {
      const forces = this.pushes.at(i);
      if (forces.count > 0) return { forces, age: (frame - i) / this.rate };
    }
    return null;
  }

  /** The frame shown at `seconds`. */
  frameAt(seconds: number): number {
    return this.between(seconds)[0];
  }

  /** Mean place of all parts in every frame. */
  private middle(): Float32Array {
    const mean = new Float32Array(3 * this.frames);
    this.place.forEach((x, i) => (mean[3 * Math.floor(i / (3 * this.parts)) + (i % 3)] += x / this.parts));
    return mean;
  }

  private between(seconds: number): [number, number, number] {
    const last = Math.max(0, this.frames - 1);
    // a small margin: k / rate must find frame k in spite of rounding
    const x = Math.min(Math.max(seconds * this.rate + 1e-6, 0), last);
    const a = Math.floor(x);
    return [a, Math.min(a + 1, last), x - a < 1e-5 ? 0 : x - a];
  }
}

/** Forces of all frames, in compressed rows. */
class ForceTable {
  private readonly offset: Int32Array;
  private readonly body: Int32Array;

  constructor(
    count: Float32Array,
    body: Float32Array,
    private readonly point: Float32Array,
    private readonly force: Float32Array,
  ) {
    this.offset = new Int32Array(count.length + 1);
    count.forEach((n, i) => (this.offset[i + 1] = this.offset[i] + n));
    this.body = Int32Array.from(body);
  }

  at(frame: number): Forces {
    const [from, to] = [this.offset[frame] ?? 0, this.offset[frame + 1] ?? 0];
    return {
      count: to - from,
      body: this.body.subarray(from, to),
      point: this.point.subarray(3 * from, 3 * to),
      force: this.force.subarray(3 * from, 3 * to),
    };
  }
}

/** Mean over a window around each row of three numbers, twice: close to a bell-shaped window. */
function smoothed(rows: Float32Array, half: number): Float32Array {
  let from = rows;
  for (let pass = 0; pass < 2; pass++) {
    const to = new Float32Array(from.length);
    const count = from.length / 3;
    for (let i = 0; i < count; i++) {
      // the window shrinks near the ends so that it stays centred
      const reach = Math.min(half, i, count - 1 - i);
      for (let k = 0; k < 3; k++) {
        let sum = 0;
        for (let j = i - reach; j <= i + reach; j++) sum += from[3 * j + k];
        to[3 * i + k] = sum / (2 * reach + 1);
      }
    }
    from = to;
  }
  return from;
}
