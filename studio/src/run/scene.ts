// The content of a page. The header of an exported run and the studio's messages have these forms.
// Lengths in m, forces in N, world axes with z up; a pose is x y z and the quaternion w x y z.

export type Pose = [number, number, number, number, number, number, number];

export type Form =
  | { kind: 'plane'; half: [number, number] }
  | { kind: 'sphere'; radius: number }
  | { kind: 'capsule'; radius: number; half: number }
  | { kind: 'box'; half: [number, number, number] }
  | { kind: 'ellipsoid'; half: [number, number, number] }
  | { kind: 'cylinder'; radius: number; half: number }
  | { kind: 'hull'; points: number[] }
  | {
      kind: 'heightfield';
      columns: number;
      rows: number;
      half: [number, number];
      heights: number[];
      endless: boolean;
    };

/** Colours are linear: red, green, blue, opacity. */
export type Shape = Form & { at: Pose; color: [number, number, number, number] | null };

/** A rigid body and its shapes. */
export interface Part {
  name: string;
  parent: number | null;
  role: string | null;
  side: 'left' | 'right' | null;
  /** Placement with every joint at its reference. */
  rest: Pose;
  shapes: Shape[];
}

export interface Scene {
  title: string;
  character: string;
  mass: number;
  gravity: number;
  bodies: Part[];
  objects: Part[];
  terrain: Shape[];
}

/** Forces on the character at one moment. */
export interface Forces {
  count: number;
  body: Int32Array;
  /** Three numbers per force. */
  point: Float32Array;
  force: Float32Array;
}

/** One moment: placements of all parts, and forces. */
export interface Frame {
  time: number;
  /** Seven numbers per part: bodies, then objects. */
  poses: Float32Array;
  com: Float32Array;
  contacts: Forces;
  pushes: Forces;
  /** Greatest share of a torque limit at each body's joints. */
  efforts: Float32Array;
}

export function noForces(): Forces {
  return { count: 0, body: new Int32Array(0), point: new Float32Array(0), force: new Float32Array(0) };
}

/** Size of the sum of all forces, N. */
export function totalForce(forces: Forces): number {
  const sum = [0, 0, 0];
  for (let i = 0; i < forces.count; i++) {
    for (let k = 0; k < 3; k++) sum[k] += forces.force[3 * i + k];
  }
  return Math.hypot(sum[0], sum[1], sum[2]);
}
