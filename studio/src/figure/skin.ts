// A skin over the shapes of a character, so that limbs flow into each other and bend smoothly.
//
// Every body grows a patch in the reference pose: the surface of its own shapes and, near the joints, of its neighbours'.
// Where another body is nearer the patch ends, for there the other's patch goes on. A vertex follows the bodies by weights
// that fall with the distance to each (linear blend skinning). Balls inside the joints keep elbows and knees full where
// the skin folds in.

import {
  Bone,
  BufferAttribute,
  BufferGeometry,
  type Color,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  Skeleton,
  SkinnedMesh,
  SphereGeometry,
  Vector3,
} from 'three';
import type { Part } from '../run/scene';
import { dye } from './dye';
import { eyesOf } from './face';
import { matrixOf } from './field';
import { type Joint, type Limb, detour, grownField, limbField, limbsOf } from './limbs';
import { type Field, surface } from './surface';

/** The skin of one body. */
interface Patch {
  positions: number[];
  normals: number[];
  colors: number[];
  /** Four bodies per vertex, and how much it follows each. */
  bodies: number[];
  weights: number[];
  triangles: number[];
}

/** How much of the way to a body's middle counts as distance to its colours: round ends of two bodies coincide at their joint. */
const FAR = 0.1;
/** Number of cells along the diagonal of the character: 16 mm on a person, whose arm is then less than 1 mm from round. */
const FINENESS = 130;
/** Width of the bend as a part of a joint's zone. */
const BEND = 0.2;
/** Bodies that a vertex follows at most. */
const FOLLOWED = 4;
/** A patch ends this many cells beyond the middle between its body and the next. */
const EDGE = 0.6;
/** No triangle that is kept reaches farther than this many cells beyond that. */
const MARGIN = 3;
/** Size of the ball inside a joint as a part of the one that the skin grew over. */
const INNER = 0.93;

export interface Skin {
  mesh: SkinnedMesh;
  /** One per body; whoever moves the bodies moves these. */
  bones: Bone[];
  /** How hot every body is drawn, from 0 to 1. */
  heat: Float32Array;
  /** Which bodies wear it; the others are drawn as they are. */
  worn: Set<number>;
}

/** The skin of a character; null when none of its shapes grows any. */
export function growSkin(parts: Part[]): Skin | null {
  const limbs = limbsOf(parts);
  if (limbs.length === 0) return null;
  const cell = diagonal(limbs) / FINENESS;
  const geometry = merged(limbs.map(limb => grow(limb, cell)));

  const bones = parts.map(() => new Bone());
  const inverses = parts.map(part => matrixOf(part.rest).invert());
  const heat = new Float32Array(parts.length);
  const mesh = new SkinnedMesh(geometry, materialOf(heat));
  mesh.add(...bones);
  // with a matrix of its own, binding keeps our inverses
  mesh.bind(new Skeleton(bones, inverses), new Matrix4());
  mesh.castShadow = mesh.receiveShadow = true;
  // bones carry it far from where it grew
  mesh.frustumCulled = false;
  for (const joint of new Set(limbs.flatMap(limb => limb.joints))) {
    const { body } = joint.limbs[1];
    bones[body].add(innerBall(joint, inverses[body]));
  }
  parts.forEach((part, body) => eyesOf(part).forEach(eye => bones[body].add(eye)));
  return { mesh, bones, heat, worn: new Set(limbs.map(limb => limb.body)) };
}

/** Lets bodies glow from their own colour over amber to red. */
function materialOf(heat: Float32Array): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.72, metalness: 0 });
  // the number of bodies is part of the program
  material.customProgramCacheKey = () => `glow ${heat.length}`;
  material.onBeforeCompile = shader => {
    shader.uniforms.heat = { value: heat };
    shader.vertexShader = shader.vertexShader
      .replace(
        '#include <common>',
        `#include <common>\nuniform float heat[${heat.length}];\nvarying float warmth;`,
      )
      .replace(
        '#include <begin_vertex>',
        `#include <begin_vertex>
warmth = skinWeight.x * heat[int(skinIndex.x)] + skinWeight.y * heat[int(skinIndex.y)]
  + skinWeight.z * heat[int(skinIndex.z)] + skinWeight.w * heat[int(skinIndex.w)];`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace('#include <common>', '#include <common>\nvarying float warmth;')
      .replace(
        '#include <color_fragment>',
        `#include <color_fragment>
vec3 hot = mix(vec3(1.0, 0.62, 0.05), vec3(0.85, 0.03, 0.02), smoothstep(0.45, 1.0, warmth));
diffuseColor.rgb = mix(diffuseColor.rgb, hot, smoothstep(0.03, 0.55, warmth));`,
      );
  };
  return material;
}

function innerBall({ at, ball, color }: Joint, inverse: Matrix4): Mesh {
  const material = new MeshStandardMaterial({ color, roughness: 0.72 });
  const mesh = new Mesh(new SphereGeometry(INNER * ball, 20, 14), material);
  mesh.position.copy(at).applyMatrix4(inverse);
  mesh.receiveShadow = true;
  return mesh;
}

/** The patch of one body, cut where the next body's goes on, and coloured. `coarse`: greatest size of a cell. */
function grow(limb: Limb, coarse: number): Patch {
  const detail = Math.min(...limb.shapes.map(s => s.field.detail));
  const cell = Math.max(0.5 * coarse, Math.min(coarse, 0.8 * detail));
  const [low, high] = bounds(limb, cell);
  const grown: Field = (x, y, z) => grownField(limb, x, y, z);
  const near = (x: number, y: number, z: number) => beyond(limb, x, y, z) < (EDGE + MARGIN) * cell;
  const { positions, normals, triangles } = surface(grown, low, high, cell, near);
  const [bodies, weights, behind] = [[], [], []] as number[][];
  const palette = paletteOf(limb);
  const distances: number[][] = [];
  for (let n = 0; n < positions.length; n += 3) {
    const [x, y, z] = [positions[n], positions[n + 1], positions[n + 2]];
    behind.push(bind(limb, x, y, z, cell, bodies, weights));
    if (palette.length > 1) distances.push(palette.map(({ distance }) => distance(x, y, z)));
  }
  const kept: number[] = [];
  for (let n = 0; n < triangles.length; n += 3) {
    const [a, b, c] = [triangles[n], triangles[n + 1], triangles[n + 2]];
    if (Math.min(behind[a], behind[b], behind[c]) < EDGE * cell) kept.push(a, b, c);
  }

  const between = (a: number, b: number, part: number): number => {
    for (const list of [positions, normals]) {
      for (let k = 0; k < 3; k++) list.push(list[3 * a + k] * (1 - part) + list[3 * b + k] * part);
    }
    mix(bodies, weights, a, b, part);
    return positions.length / 3 - 1;
  };
  const dyed =
    palette.length > 1 ? dye(kept, distances, between) : { triangles: kept, wears: behind.fill(0) };
  const colors = dyed.wears.flatMap(i => palette[i].color.toArray() as number[]);
  return { positions, normals, colors, bodies, weights, triangles: dyed.triangles };
}

/** Appends the bodies and weights of a new vertex between a and b: what is made in either colour stays together. */
function mix(bodies: number[], weights: number[], a: number, b: number, part: number): void {
  const all = new Map<number, number>();
  for (let k = 0; k < FOLLOWED; k++) {
    for (const [vertex, share] of [
      [a, 1 - part],
      [b, part],
    ]) {
      const n = FOLLOWED * vertex + k;
      all.set(bodies[n], (all.get(bodies[n]) ?? 0) + share * weights[n]);
    }
  }
  const strongest = [...all].sort(([i, v], [j, w]) => w - v || i - j).slice(0, FOLLOWED);
  const sum = strongest.reduce((total, [, weight]) => total + weight, 0);
  for (let k = 0; k < FOLLOWED; k++) {
    const [body, weight] = strongest[k] ?? [0, 0];
    bodies.push(body);
    weights.push(weight / sum);
  }
}

/** Appends the four strongest bodies at a point and their weights; returns by how much another one is nearer. */
function bind(
  limb: Limb,
  x: number,
  y: number,
  z: number,
  cell: number,
  bodies: number[],
  weights: number[],
): number {
  const own = limbField(limb, x, y, z);
  let width = Infinity;
  let count = insert(0, limb.body, own);
  for (const { limb: other, through } of limb.near) {
    count = insert(count, other.body, limbField(other, x, y, z) + detour(through, x, y, z));
    width = Math.min(width, BEND * through[0].zone);
  }
  width = Math.max(Number.isFinite(width) ? width : cell, cell);
  const nearest = pulls[0];
  let sum = 0;
  for (let k = 0; k < count; k++) sum += pulls[k] = Math.exp((nearest - pulls[k]) / width);
  for (let k = 0; k < FOLLOWED; k++) {
    bodies.push(k < count ? pullers[k] : 0);
    weights.push(k < count ? pulls[k] / sum : 0);
  }
  return own - nearest;
}

/** The nearest bodies at a point so far, the first before all, and their distances: no list of its own for every vertex. */
const pullers: number[] = [];
const pulls: number[] = [];

/** Puts a body where it belongs among the nearest; returns how many there are. */
function insert(count: number, body: number, distance: number): number {
  let k = count;
  for (; k > 0 && pulls[k - 1] > distance; k--) {
    pullers[k] = pullers[k - 1];
    pulls[k] = pulls[k - 1];
  }
  pullers[k] = body;
  pulls[k] = distance;
  return Math.min(count + 1, FOLLOWED);
}

/** By how much another body is nearer than this one. */
function beyond(limb: Limb, x: number, y: number, z: number): number {
  const own = limbField(limb, x, y, z);
  let nearest = own;
  for (const { limb: other, through } of limb.near) {
    nearest = Math.min(nearest, limbField(other, x, y, z) + detour(through, x, y, z));
  }
  return own - nearest;
}

const point = new Vector3();

/** Every colour in sight of a body, and the distance to the nearest shape that has it. */
function paletteOf(limb: Limb): { color: Color; distance: Field }[] {
  const colors = new Map<number, { color: Color; distance: Field }>();
  for (const { limb: seen, through } of [{ limb, through: [] }, ...limb.near]) {
    for (const { field, color } of seen.shapes) {
      const distance: Field = (x, y, z) =>
        field.distance(x, y, z) + detour(through, x, y, z) + FAR * seen.center.distanceTo(point.set(x, y, z));
      const other = colors.get(color.getHex())?.distance;
      const nearer: Field = other ? (x, y, z) => Math.min(distance(x, y, z), other(x, y, z)) : distance;
      colors.set(color.getHex(), { color, distance: nearer });
    }
  }
  return [...colors.values()];
}

/** All patches as one geometry. */
function merged(patches: Patch[]): BufferGeometry {
  const geometry = new BufferGeometry();
  const vertices = patches.reduce((sum, p) => sum + p.positions.length / 3, 0);
  const set = (name: string, list: (patch: Patch) => number[], width: number) => {
    const all = name === 'skinIndex' ? new Uint16Array(width * vertices) : new Float32Array(width * vertices);
    let at = 0;
    for (const patch of patches) {
      all.set(list(patch), at);
      at += list(patch).length;
    }
    geometry.setAttribute(name, new BufferAttribute(all, width));
  };
  set('position', p => p.positions, 3);
  set('normal', p => p.normals, 3);
  set('color', p => p.colors, 3);
  set('skinWeight', p => p.weights, 4);
  set('skinIndex', p => p.bodies, 4);

  const triangles = new Uint32Array(patches.reduce((sum, p) => sum + p.triangles.length, 0));
  let [at, first] = [0, 0];
  for (const patch of patches) {
    for (const n of patch.triangles) triangles[at++] = first + n;
    first += patch.positions.length / 3;
  }
  geometry.setIndex(new BufferAttribute(triangles, 1));
  return geometry;
}

/** Box around a patch. */
function bounds(limb: Limb, cell: number): [Vector3, Vector3] {
  const low = new Vector3().setScalar(Infinity);
  const high = new Vector3().setScalar(-Infinity);
  const include = (center: Vector3, reach: number) => {
    low.min(center.clone().subScalar(reach));
    high.max(center.clone().addScalar(reach));
  };
  for (const { field } of limb.shapes) include(field.center, field.reach);
  for (const { at, zone } of limb.joints) include(at, 1.6 * zone);
  return [low.subScalar(3 * cell), high.addScalar(3 * cell)];
}

/** Diagonal of the box around all shapes. */
function diagonal(limbs: Limb[]): number {
  const low = new Vector3().setScalar(Infinity);
  const high = new Vector3().setScalar(-Infinity);
  for (const limb of limbs) {
    const [a, b] = bounds(limb, 0);
    low.min(a);
    high.max(b);
  }
  return low.distanceTo(high);
}
