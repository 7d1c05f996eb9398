// Signed distance to the shapes of a body: negative inside, zero on the surface, in m.
//
// A skin is the zero surface of such a field. Two surfaces are joined smoothly by the quadratic minimum of width k
// (I. Quilez, "Smooth minimum"): min(a, b) − h²k/4 with h = max(0, 1 − |a − b|/k). It is never greater than min(a, b), and
// equal to it where the distances differ by more than k.

import { Matrix4, Quaternion, Vector3 } from 'three';
import type { Pose, Shape } from '../run/scene';

/** One shape as a distance field, in world coordinates of the reference pose. */
export interface Primitive {
  /** Distance from a point to the surface. */
  distance(x: number, y: number, z: number): number;
  /** Smallest half size: how round it is. */
  radius: number;
  /** Smallest radius of curvature. */
  detail: number;
  /** Width of the smooth union with the other shapes of the body, as a part of the radius. */
  blend: number;
  /** Centre, and half the length of its diagonal. */
  center: Vector3;
  reach: number;
}

const BLEND = 0.7;
/** For shapes that nearly coincide with another and must not swell it. */
export const TIGHT = 0.15;

export function smoothMin(a: number, b: number, k: number): number {
  const h = Math.max(0, 1 - Math.abs(a - b) / k);
  return Math.min(a, b) - 0.25 * k * h * h;
}

export function matrixOf(pose: ArrayLike<number>, at = 0): Matrix4 {
  const turn = new Quaternion(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]);
  return new Matrix4().compose(new Vector3(pose[at], pose[at + 1], pose[at + 2]), turn, new Vector3(1, 1, 1));
}

/** The field of a shape on a body at `rest`; null for shapes that grow no skin (planes, hulls, heightfields). */
export function primitive(shape: Shape, rest: Pose, blend = BLEND): Primitive | null {
  const local = localField(shape);
  if (!local) return null;
  const placed = matrixOf(rest).multiply(matrixOf(shape.at));
  const e = placed.clone().invert().elements;
  return {
    distance: (x, y, z) =>
      local.distance(
        e[0] * x + e[4] * y + e[8] * z + e[12],
        e[1] * x + e[5] * y + e[9] * z + e[13],
        e[2] * x + e[6] * y + e[10] * z + e[14],
      ),
    radius: local.radius,
    detail: local.detail ?? local.radius,
    blend,
    center: new Vector3().setFromMatrixPosition(placed),
    reach: local.reach,
  };
}

/** A ball that no shape of the model stands for. */
export function sphere(center: Vector3, radius: number): Primitive {
  const { x: a, y: b, z: c } = center;
  return {
    distance: (x, y, z) => Math.sqrt((x - a) * (x - a) + (y - b) * (y - b) + (z - c) * (z - c)) - radius,
    radius,
    detail: radius,
    blend: TIGHT,
    center,
    reach: radius,
  };
}

/** A rod with round ends between two points that no shape of the model stands for. */
export function capsule(from: Vector3, to: Vector3, radius: number): Primitive {
  const along = to.clone().sub(from);
  const square = along.lengthSq() || 1;
  return {
    distance: (x, y, z) => {
      const a = x - from.x;
      const b = y - from.y;
      const c = z - from.z;
      const part = Math.max(0, Math.min(1, (a * along.x + b * along.y + c * along.z) / square));
      const u = a - part * along.x;
      const v = b - part * along.y;
      const w = c - part * along.z;
      return Math.sqrt(u * u + v * v + w * w) - radius;
    },
    radius,
    detail: radius,
    blend: BLEND,
    center: from.clone().lerp(to, 0.5),
    reach: radius + 0.5 * along.length(),
  };
}

type Local = { distance: Primitive['distance']; radius: number; reach: number; detail?: number };

function localField(shape: Shape): Local | null {
  switch (shape.kind) {
    case 'sphere':
      return {
        distance: (x, y, z) => Math.sqrt(x * x + y * y + z * z) - shape.radius,
        radius: shape.radius,
        reach: shape.radius,
      };
    case 'capsule': {
      const { radius, half } = shape;
      return {
        distance: (x, y, z) => {
          const beyond = z - Math.max(-half, Math.min(half, z));
          return Math.sqrt(x * x + y * y + beyond * beyond) - radius;
        },
        radius,
        reach: radius + half,
      };
    }
    case 'cylinder': {
      const { radius, half } = shape;
      const round = 0.4 * Math.min(radius, half);
      return {
        distance: (x, y, z) => corner(Math.hypot(x, y) - radius + round, Math.abs(z) - half + round) - round,
        radius: Math.min(radius, half),
        reach: Math.hypot(radius, half),
      };
    }
    case 'ellipsoid':
      return ellipsoid(shape.half);
    case 'box':
      return cushion(shape.half);
    default:
      return null;
  }
}

/** First-order distance to an ellipsoid: exact on the surface, with the right gradient there. */
function ellipsoid([a, b, c]: [number, number, number]): Local {
  return {
    distance: (x, y, z) => {
      const u = x / a;
      const v = y / b;
      const w = z / c;
      const k0 = Math.sqrt(u * u + v * v + w * w);
      const p = u / a;
      const q = v / b;
      const r = w / c;
      const k1 = Math.sqrt(p * p + q * q + r * r);
      return k1 > 1e-9 ? (k0 * (k0 - 1)) / k1 : -Math.min(a, b, c);
    },
    radius: Math.min(a, b, c),
    detail: Math.min(a, b, c) ** 2 / Math.max(a, b, c),
    reach: Math.max(a, b, c),
  };
}

/** A box as a cushion: its outline across the thinnest side is rounded much, its edges little. Faces stay where they are. */
function cushion(half: [number, number, number]): Local {
  const order = [0, 1, 2].sort((i, j) => half[j] - half[i]);
  const [long, wide, thin] = order.map(i => half[i]);
  const edge = 0.6 * thin;
  const outline = Math.max(edge, 0.8 * wide) - edge;
  const [i, j, k] = order;
  const p = [0, 0, 0];
  return {
    distance: (x, y, z) => {
      p[0] = Math.abs(x);
      p[1] = Math.abs(y);
      p[2] = Math.abs(z);
      const across = corner(p[i] - long + edge + outline, p[j] - wide + edge + outline) - outline;
      return corner(across, p[k] - thin + edge) - edge;
    },
    radius: thin,
    reach: Math.hypot(long, wide, thin),
  };
}

/** Distance to the corner that two half-planes at distances u and v make. */
function corner(u: number, v: number): number {
  const a = Math.max(u, 0);
  const b = Math.max(v, 0);
  return Math.min(Math.max(u, v), 0) + Math.sqrt(a * a + b * b);
}
