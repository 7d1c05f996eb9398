// The zero surface of a field as triangles, by surface nets (Gibson 1998): a vertex in every cell that the surface crosses,
// a quadrilateral around every grid edge that it crosses. Vertices are then moved onto the surface along the gradient,
// which also gives the normals. Blocks of cells that the field says to be far from the surface are passed over, large ones first.
// What a block meets is then followed from cell to cell, for a field may exceed the true distance (as our joined fields do), and
// a block be passed over that the surface does meet.

import type { Vector3 } from 'three';

export type Field = (x: number, y: number, z: number) => number;

export interface Surface {
  positions: number[];
  normals: number[];
  triangles: number[];
}

/** Cells along the side of a large block: a power of two. */
const BLOCK = 8;
/** In place of the number of a cell's vertex. */
const [UNSEEN, EMPTY] = [-1, -2];

/** `keep` says whether a place is wanted: what lies elsewhere is left out. */
export function surface(
  field: Field,
  low: Vector3,
  high: Vector3,
  cell: number,
  keep: (x: number, y: number, z: number) => boolean,
): Surface {
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
  const vertex = new Int32Array(values.length).fill(UNSEEN);
  const cells: number[] = [];
  const place = [0, 0, 0];
  /** Gives a cell its vertex if the surface crosses it. */
  const visit = (i: number, j: number, k: number): void => {
    const n = at(i, j, k);
    if (vertex[n] !== UNSEEN) return;
    vertex[n] = EMPTY;
    if (!crossing(i, j, k, value, place)) return;
    const [x, y, z] = [low.x + place[0] * cell, low.y + place[1] * cell, low.z + place[2] * cell];
    if (!keep(x, y, z)) return;
    vertex[n] = cells.length;
    cells.push(n);
    out.positions.push(x, y, z);
  };
  const divide = (i: number, j: number, k: number, block: number): void => {
    const half = block / 2;
    // half the diagonal of the block
    if (Math.abs(value(i + half, j + half, k + half)) > Math.sqrt(3) * half * cell) return;
    for (let c = 0; c < 8; c++) {
      const [a, b, d] = [i + half * (c & 1), j + half * ((c >> 1) & 1), k + half * (c >> 2)];
      if (half > 1) divide(a, b, d, half);
      else visit(a, b, d);
    }
  };
  for (let k = 0; k < nz; k += BLOCK) {
    for (let j = 0; j < ny; j += BLOCK) {
      for (let i = 0; i < nx; i += BLOCK) divide(i, j, k, BLOCK);
    }
  }
  const where = (n: number): [number, number, number] => [
    n % (nx + 1),
    Math.floor(n / (nx + 1)) % (ny + 1),
    Math.floor(n / ((nx + 1) * (ny + 1))),
  ];
  // the list grows while it is gone through
  for (let c = 0; c < cells.length; c++) {
    const [i, j, k] = where(cells[c]);
    if (i > 0) visit(i - 1, j, k);
    if (j > 0) visit(i, j - 1, k);
    if (k > 0) visit(i, j, k - 1);
    if (i + 1 < nx) visit(i + 1, j, k);
    if (j + 1 < ny) visit(i, j + 1, k);
    if (k + 1 < nz) visit(i, j, k + 1);
  }

  // around each crossed edge lie four cells with a vertex each
  const quad = (p: number, q: number, r: number, s: number, outwards: boolean) => {
    const [a, b, c, d] = [vertex[p], vertex[q], vertex[r], vertex[s]];
    if (a < 0 || b < 0 || c < 0 || d < 0) return;
    if (outwards) out.triangles.push(a, c, b, a, d, c);
    else out.triangles.push(a, b, c, a, c, d);
  };
  for (const n of cells) {
    const [i, j, k] = where(n);
    const inside = value(i, j, k) < 0;
    if (j > 0 && k > 0 && inside !== value(i + 1, j, k) < 0) {
      quad(at(i, j, k), at(i, j - 1, k), at(i, j - 1, k - 1), at(i, j, k - 1), !inside);
    }
    if (i > 0 && k > 0 && inside !== value(i, j + 1, k) < 0) {
      quad(at(i, j, k), at(i, j, k - 1), at(i - 1, j, k - 1), at(i - 1, j, k), !inside);
    }
    if (i > 0 && j > 0 && inside !== value(i, j, k + 1) < 0) {
      quad(at(i, j, k), at(i - 1, j, k), at(i - 1, j - 1, k), at(i, j - 1, k), !inside);
    }
  }
  settle(field, out, cell);
  return out;
}

/** Mean of the places where the surface crosses the edges of a cell, in cells; false when it does not. */
function crossing(i: number, j: number, k: number, value: Field, mean: number[]): boolean {
  // most cells have all their corners on one side
  let inside = 0;
  for (let c = 0; c < 8; c++) if (value(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2)) < 0) inside++;
  if (inside === 0 || inside === 8) return false;
  mean.fill(0);
  let count = 0;
  for (let axis = 0; axis < 3; axis++) {
    for (let side = 0; side < 4; side++) {
      edge[0] = i;
      edge[1] = j;
      edge[2] = k;
      edge[(axis + 1) % 3] += side & 1;
      edge[(axis + 2) % 3] += side >> 1;
      const a = value(edge[0], edge[1], edge[2]);
      edge[axis] += 1;
      const b = value(edge[0], edge[1], edge[2]);
      if (a < 0 === b < 0) continue;
      edge[axis] += a / (a - b) - 1;
      for (let n = 0; n < 3; n++) mean[n] += edge[n];
      count++;
    }
  }
  for (let n = 0; n < 3; n++) mean[n] /= count;
  return true;
}

const edge = [0, 0, 0];

/**
 * Moves vertices onto the surface and computes normals. The field at the corners of a small tetrahedron tells both its gradient and,
 * by its mean, its value in the middle. Where a cell is small beside the curvature, one step of Newton's method ends on the surface.
 */
function settle(field: Field, out: Surface, cell: number): void {
  const h = 0.12 * cell;
  const p = out.positions;
  for (let n = 0; n < p.length; n += 3) {
    const [x, y, z] = [p[n], p[n + 1], p[n + 2]];
    const a = field(x + h, y + h, z + h);
    const b = field(x + h, y - h, z - h);
    const c = field(x - h, y + h, z - h);
    const d = field(x - h, y - h, z + h);
    const gx = (a + b - c - d) / (4 * h);
    const gy = (a - b + c - d) / (4 * h);
    const gz = (a - b - c + d) / (4 * h);
    const length = Math.sqrt(gx * gx + gy * gy + gz * gz) || 1;
    out.normals.push(gx / length, gy / length, gz / length);
    // a step of at most half a cell keeps the mesh in order
    const move = Math.max(-0.5 * cell, Math.min(0.5 * cell, (0.25 * (a + b + c + d)) / length));
    p[n] -= (gx / length) * move;
    p[n + 1] -= (gy / length) * move;
    p[n + 2] -= (gz / length) * move;
  }
}
