// Nosings: bands along the edges of steps where the ground drops, so that steps of one colour are told apart from any side, as on
// real stairs for people with poor sight.
//
// Boxes that stand upright have four top edges. A band lies on the top along every edge beyond which all other ground is lower;
// where the next box is as high or higher there is nothing to trip over and no band.

import { BufferGeometry, Float32BufferAttribute, Vector3 } from 'three';
import { matrixOf } from '../figure/matrix';
import type { Shape } from '../run/scene';

/** Width of a band, m, and at most this part of the box. */
const WIDTH = 0.035;
const PART = 0.25;
/** Height over the step, against flicker, m. */
const ABOVE = 0.002;
/** Lower than this, m, is a drop. */
const DROP = 0.008;
/** How far beyond an edge is looked for other ground, m. */
const BEYOND = 0.005;

/** A box that stands upright, seen from above: its own axes, and how far it reaches along them. */
interface Block {
  at: Vector3;
  axes: [Vector3, Vector3];
  half: [number, number];
  top: number;
}

/** All bands as one geometry; `floor`: height of level ground, if there is any. */
export function nosings(terrain: Shape[], floor: number | null): BufferGeometry {
  const blocks = terrain.flatMap(blockOf);
  const top = (at: Vector3) =>
    blocks.reduce(
      (most, block) => (covers(block, at) ? Math.max(most, block.top) : most),
      floor ?? -Infinity,
    );
  const [positions, triangles]: [number[], number[]] = [[], []];
  for (const block of blocks) {
    for (const [across, along] of [
      [0, 1],
      [1, 0],
    ]) {
      const width = Math.min(WIDTH, PART * 2 * block.half[across]);
      for (const side of [-1, 1]) {
        const place = (a: number, b: number) =>
          block.at
            .clone()
            .addScaledVector(block.axes[across], side * a)
            .addScaledVector(block.axes[along], b)
            .setZ(block.top + ABOVE);
        const [out, long] = [block.half[across], block.half[along]];
        // level ground hides edges below it, and an adjacent box at the same height removes an edge
        if (floor !== null && block.top < floor + DROP) continue;
        if ([-0.9, 0, 0.9].some(b => top(place(out + BEYOND, b * long)) > block.top - DROP)) continue;
        const first = positions.length / 3;
        for (const [a, b] of [
          [out - width, -long],
          [out, -long],
          [out, long],
          [out - width, long],
        ]) {
          positions.push(...place(a, b).toArray());
        }
        // visible from above for both directions of the edge
        const left = block.axes[across].clone().cross(block.axes[along]).z * side > 0;
        const [p, q, r, s] = [0, 1, 2, 3].map(i => first + i);
        triangles.push(...(left ? [p, q, r, p, r, s] : [p, r, q, p, s, r]));
      }
    }
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  const up = positions.map((_, i) => (i % 3 === 2 ? 1 : 0));
  geometry.setAttribute('normal', new Float32BufferAttribute(up, 3));
  geometry.setIndex(triangles);
  return geometry;
}

function blockOf(shape: Shape): Block[] {
  if (shape.kind !== 'box') return [];
  const [x, y, z] = [new Vector3(), new Vector3(), new Vector3()];
  matrixOf(shape.at).extractBasis(x, y, z);
  if (z.z < 0.9999) return [];
  const at = new Vector3(shape.at[0], shape.at[1], shape.at[2]);
  return [{ at, axes: [x, y], half: [shape.half[0], shape.half[1]], top: at.z + shape.half[2] }];
}

function covers(block: Block, at: Vector3): boolean {
  const away = at.clone().sub(block.at);
  return block.axes.every((axis, k) => Math.abs(away.dot(axis)) < block.half[k]);
}
