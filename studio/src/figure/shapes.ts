// Shapes as three.js geometries, exactly as they collide (boxes may be softened at their edges).

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

/** The geometry of a shape in its own frame. */
export function geometryOf(form: Form): BufferGeometry {
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
      return radius > 1e-3 ? new RoundedBoxGeometry(x, y, z, 3, radius) : new BoxGeometry(x, y, z);
    }
    case 'hull':
      return hull(form.points);
    case 'heightfield':
      return heightfield(form);
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
  const { columns, rows, half, heights } = form;
  const positions = new Float32Array(3 * columns * rows);
  for (let j = 0; j < rows; j++) {
    for (let i = 0; i < columns; i++) {
      const n = j * columns + i;
      positions[3 * n] = half[0] * ((2 * i) / (columns - 1) - 1);
      positions[3 * n + 1] = half[1] * ((2 * j) / (rows - 1) - 1);
      positions[3 * n + 2] = heights[n];
    }
  }
  const triangles: number[] = [];
  for (let j = 0; j + 1 < rows; j++) {
    for (let i = 0; i + 1 < columns; i++) {
      const n = j * columns + i;
      triangles.push(n, n + 1, n + columns + 1, n, n + columns + 1, n + columns);
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setIndex(triangles);
  geometry.computeVertexNormals();
  return geometry;
}
