// The zero surface of a field as triangles, by surface nets (Gibson 1998): a vertex in every cell that the surface crosses,
// a quadrilateral around every grid edge that it crosses. Vertices are then moved onto the surface along the gradient,
// which also gives the normals. Blocks of cells far from the surface are passed over; a field may fall short of the true
// distance (as our joined fields do), and must not exceed it by more than `STRETCH`.

import type { Vector3 } from 'three';

export type Field = (x: number, y: number, z: number) => number;

export interface Surface {
  positions: number[];
  normals: number[];
  triangles: number[];
}

const BLOCK = 4;
const STRETCH = 2.5;

export function surface(field: Field, low: Vector3, high: Vector3, cell: number): Surface {
  const size = [0, 1, 2].map(k => {
    const span = high.getComponent(k) - low.getComponent(k);
    return BLOCK * Math.max(1, Math.ceil(span / cell / BLOCK));
  });
  const [nx, ny, nz] = size;
  const at = (i: number, j: number, k: number) => i + (nx + 1) * (j + (ny + 1) * k);
  const values = new Float32Array((nx + 1) * (ny + 1) * (nz + 1)).fill(NaN);
  const value = (i: number, j: number, k: number): number => {
    const n = at(i, j, k);
    if (Number.isNaN(values[n])) values[n] = field(low.x + i * cell, low.y + j * cell, low.z + k * cell);
    return values[n];
  };

  const out: Surface = { positions: [], normals: [], triangles: [] };
  const vertex = new Map<number, number>();
  const near = (BLOCK * cell * Math.sqrt(3) * STRETCH) / 2;
  const middle = BLOCK / 2;
  for (let k = 0; k < nz; k += BLOCK) {
    for (let j = 0; j < ny; j += BLOCK) {
      for (let i = 0; i < nx; i += BLOCK) {
        if (Math.abs(value(i + middle, j + middle, k + middle)) > near) continue;
        for (let c = k; c < k + BLOCK; c++) {
          for (let b = j; b < j + BLOCK; b++) {
            for (let a = i; a < i + BLOCK; a++) {
              const found = crossing(a, b, c, value);
              if (!found) continue;
              vertex.set(at(a, b, c), out.positions.length / 3);
              out.positions.push(low.x + found[0] * cell, low.y + found[1] * cell, low.z + found[2] * cell);
            }
          }
        }
      }
    }
  }

  // around each crossed edge lie four cells with a vertex each
  const quad = (p: number[], outwards: boolean) => {
    const [a, b, c, d] = p.map(n => vertex.get(n));
    if (a === undefined || b === undefined || c === undefined || d === undefined) return;
    out.triangles.push(...(outwards ? [a, c, b, a, d, c] : [a, b, c, a, c, d]));
  };
  for (const n of vertex.keys()) {
    const i = n % (nx + 1);
    const j = Math.floor(n / (nx + 1)) % (ny + 1);
    const k = Math.floor(n / ((nx + 1) * (ny + 1)));
    const inside = value(i, j, k) < 0;
    if (j > 0 && k > 0 && inside !== value(i + 1, j, k) < 0) {
      quad([at(i, j, k), at(i, j - 1, k), at(i, j - 1, k - 1), at(i, j, k - 1)], !inside);
    }
    if (i > 0 && k > 0 && inside !== value(i, j + 1, k) < 0) {
      quad([at(i, j, k), at(i, j, k - 1), at(i - 1, j, k - 1), at(i - 1, j, k)], !inside);
    }
    if (i > 0 && j > 0 && inside !== value(i, j, k + 1) < 0) {
      quad([at(i, j, k), at(i - 1, j, k), at(i - 1, j - 1, k), at(i, j - 1, k)], !inside);
    }
  }
  settle(field, out, cell);
  return out;
}

/** Mean of the places where the surface crosses the edges of a cell, in cells; null when it does not. */
function crossing(i: number, j: number, k: number, value: Field): [number, number, number] | null {
  // most cells have all their corners on one side
  let inside = 0;
  for (let c = 0; c < 8; c++) if (value(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)) < 0) inside++;
  if (inside === 0 || inside === 8) return null;
  let x = 0;
  let y = 0;
  let z = 0;
  let count = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (let side = 0; side < 4; side++) {
      const p = [i, j, k];
      p[(axis + 1) % 3] += side & 1;
      p[(axis + 2) % 3] += side >> 1;
      const a = value(p[0], p[1], p[2]);
      p[axis] += 1;
      const b = value(p[0], p[1], p[2]);
      if (a < 0 === b < 0) continue;
      p[axis] += a / (a - b) - 1;
      x += p[0];
      y += p[1];
      z += p[2];
      count++;
    }
  }
  return [x / count, y / count, z / count];
}

/** Moves vertices onto the surface and computes normals. */
function settle(field: Field, out: Surface, cell: number): void {
  const h = 0.15 * cell;
  const p = out.positions;
  for (let n = 0; n < p.length; n += 3) {
    let gx = 0;
    let gy = 0;
    let gz = 1;
    for (let step = 0; step < 2; step++) {
      const x = p[n];
      const y = p[n + 1];
      const z = p[n + 2];
      gx = (field(x + h, y, z) - field(x - h, y, z)) / (2 * h);
      gy = (field(x, y + h, z) - field(x, y - h, z)) / (2 * h);
      gz = (field(x, y, z + h) - field(x, y, z - h)) / (2 * h);
      const square = gx * gx + gy * gy + gz * gz;
      // a step of at most half a cell keeps the mesh in order
      const length = Math.sqrt(square) || 1;
      const move = Math.max(-0.5 * cell, Math.min(0.5 * cell, field(x, y, z) / length));
      p[n] -= (gx / length) * move;
      p[n + 1] -= (gy / length) * move;
      p[n + 2] -= (gz / length) * move;
    }
    const length = Math.hypot(gx, gy, gz) || 1;
    out.normals.push(gx / length, gy / length, gz / length);
  }
}
