// One moment of the live world, as bytes and as numbers; `protocol/frame.rs` describes the layout.

import type { Forces } from '../run/scene';

export interface LaneFrame {
  com: Float32Array;
  velocity: Float32Array;
  capture: Float32Array;
  /** Centre of pressure; NaN without contact. */
  pressure: Float32Array;
  facing: number;
  controlMicros: number;
  stepMicros: number;
  torque: number;
  push: { force: number[]; impulse: number[]; peak: number; count: number };
  /** Decisions since the last frame that were partial or failed. */
  poor: number;
  /** Seven numbers per part: bodies, then boxes. */
  poses: Float32Array;
  contacts: Forces;
  pushes: Forces;
  /** Torque over limit, per body. */
  torques: Float32Array;
}

export interface LiveFrame {
  generation: number;
  playing: boolean;
  /** Whether a later present exists. */
  past: boolean;
  time: number;
  oldest: number;
  newest: number;
  fingerprint: string;
  rate: number;
  heading: number;
  lanes: LaneFrame[];
}

/** Reads a frame; its first byte was checked. */
export function readFrame(buffer: ArrayBuffer): LiveFrame {
  const view = new DataView(buffer);
  let at = 48;
  const floats = (count: number): Float32Array => {
    const list = new Float32Array(count);
    for (let i = 0; i < count; i++) list[i] = view.getFloat32(at + 4 * i, true);
    at += 4 * count;
    return list;
  };
  const word = (): number => {
    at += 4;
    return view.getUint32(at - 4, true);
  };
  const short = (): number => {
    at += 2;
    return view.getUint16(at - 2, true);
  };
  const forces = (count: number): Forces => {
    const list = {
      count,
      body: new Int32Array(count),
      point: new Float32Array(3 * count),
      force: new Float32Array(3 * count),
    };
    for (let i = 0; i < count; i++) {
      list.body[i] = word();
      list.point.set(floats(3), 3 * i);
      list.force.set(floats(3), 3 * i);
    }
    return list;
  };
  const lane = (): LaneFrame => {
    const [com, velocity, capture, pressure] = [floats(3), floats(3), floats(3), floats(3)];
    const [facing, controlMicros, stepMicros, torque] = floats(4);
    const [force, impulse, peak] = [[...floats(3)], [...floats(3)], floats(1)[0]];
    const [count, poor] = [word(), word()];
    const [parts, contacts, pushes, bodies] = [short(), short(), short(), short()];
    return {
      com,
      velocity,
      capture,
      pressure,
      facing,
      controlMicros,
      stepMicros,
      torque,
      push: { force, impulse, peak, count },
      poor,
      poses: floats(7 * parts),
      contacts: forces(contacts),
      pushes: forces(pushes),
      torques: floats(bodies),
    };
  };
  const flags = view.getUint8(2);
  return {
    generation: view.getUint32(4, true),
    playing: (flags & 1) !== 0,
    past: (flags & 2) !== 0,
    time: view.getFloat64(8, true),
    oldest: view.getFloat64(16, true),
    newest: view.getFloat64(24, true),
    fingerprint: view.getBigUint64(32, true).toString(16).padStart(16, '0'),
    rate: view.getFloat32(40, true),
    heading: view.getFloat32(44, true),
    lanes: Array.from({ length: view.getUint8(1) }, lane),
  };
}
