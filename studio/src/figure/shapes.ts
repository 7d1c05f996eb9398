// Shapes as three.js geometries, as they collide; boxes may be softened at their edges.

import {
  BoxGeometry,
  BufferGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  Float32BufferAttribute,
  PlaneGeometry,
  SphereGeometry,
  Vector3,
} from 'three';
import { ConvexGeometry } from 'three/examples/jsm/geometries/ConvexGeometry.js';
import { RoundedBoxGeometry } from 'three/examples/jsm/geometries/RoundedBoxGeometry.js';
import type { Form } from '../run/scene';

/** How far a plane without end is drawn, m. */
export const FAR = 200;
/** Radius of softened edges as a part of the thinnest side, and at most, m. */
const SOFT = { part: 0.12, most: 0.012 };

/** The geometry of a shape in its own frame; `soft`: whether a box has its edges softened. */
export function geometryOf(form: Form, soft = true): BufferGeometry {
  switch (form.kind) {
    case 'plane': {
      const [x, y] = form.half.map(h => 2 * (h || FAR));
      return new PlaneGeometry(x, y);
    }
    case 'sphere':
      return new SphereGeometry(form.radius, 40, 24);
    case 'capsule':
      return upright(new CapsuleGeometry(form.radius, 2 * form.half, 12, 32));
    case 'cylinder':
      return upright(new CylinderGeometry(form.radius, form.radius, 2 * form.half, 40));
    case 'ellipsoid':
      return new SphereGeometry(1, 40, 24).scale(...form.half);
    case 'box': {
      const [x, y, z] = form.half.map(h => 2 * h);
      const radius = Math.min(SOFT.most, SOFT.part * Math.min(x, y, z));
      return soft && radius > 1e-3 ? new RoundedBoxGeometry(x, y, z, 3, radius) : new BoxGeometry(x, y, z);
    }
    case 'hull':
      return hull(form.points);
    case 'heightfield':
      return heightfield(form);
  }
}

/** Half the length of a shape's diagonal; a plane and a heightfield have none. */
export function reachOf(form: Form): number {
  switch (form.kind) {
    case 'sphere':
      return form.radius;
    case 'capsule':
      return form.radius + form.half;
    case 'cylinder':
      return Math.hypot(form.radius, form.half);
    case 'box':
      return Math.hypot(...form.half);
    case 'ellipsoid':
      return Math.max(...form.half);
    case 'hull': {
      let square = 0;
      for (let i = 0; i + 2 < form.points.length; i += 3) {
        square = Math.max(square, form.points[i] ** 2 + form.points[i + 1] ** 2 + form.points[i + 2] ** 2);
      }
      return Math.sqrt(square);
    }
    default:
      return 0;
  }
}

/** three.js builds along y; our shapes stand along z. */
function upright(geometry: BufferGeometry): BufferGeometry {
  return geometry.rotateX(Math.PI / 2);
}

function hull(points: number[]): BufferGeometry {
  const corners = Array.from({ length: points.length / 3 }, (_, i) => new Vector3().fromArray(points, 3 * i));
  // fewer than four corners span no solid
  return corners.length >= 4 ? new ConvexGeometry(corners) : new BufferGeometry();
}

function heightfield(form: Form & { kind: 'heightfield' }): BufferGeometry {
  const { columns, rows, half, heights, endless } = form;
  // an endless field has one more row on every side, far out
  const places = (count: number, reach: number): { at: number; sample: number }[] => {
    const inner = Array.from({ length: count }, (_, i) => ({
      at: reach * ((2 * i) / (count - 1) - 1),
      sample: i,
    }));
    if (!endless) return inner;
    return [{ at: -reach - FAR, sample: 0 }, ...inner, { at: reach + FAR, sample: count - 1 }];
  };
  const [xs, ys] = [places(columns, half[0]), places(rows, half[1])];
  const positions = ys.flatMap(y => xs.flatMap(x => [x.at, y.at, heights[y.sample * columns + x.sample]]));
  const triangles: number[] = [];
  for (let j = 0; j + 1 < ys.length; j++) {
    for (let i = 0; i + 1 < xs.length; i++) {
      const n = j * xs.length + i;
      triangles.push(n, n + 1, n + xs.length + 1, n, n + xs.length + 1, n + xs.length);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
