// A character as limbs that grow together: the fields of its bodies, and how they meet at the joints.
//
// Seen from one limb, another one counts as farther away the farther a point is from the joints between them (beyond the
// joint's zone): so an arm that hangs beside the trunk does not grow to it.

import { type Color, Vector3 } from 'three';
import type { Part, Shape } from '../run/scene';
import { type Primitive, TIGHT, capsule, matrixOf, primitive, smoothMin, sphere } from './field';
import { hairOf } from './face';
import { paint } from './paint';

/** A body with the fields of its shapes. */
export interface Limb {
  body: number;
  shapes: { field: Primitive; color: Color }[];
  joints: Joint[];
  /** Every body at most two joints away, and the joints in between. */
  near: { limb: Limb; through: Joint[] }[];
  /** A ball around its shapes. */
  center: Vector3;
  reach: number;
}

/** Where two bodies meet: parent and child. */
export interface Joint {
  limbs: [Limb, Limb];
  at: Vector3;
  /** Radius of the ball that fills the joint, and its colour. */
  ball: number;
  color: Color;
  /** Within this distance of the joint the bodies grow together. */
  zone: number;
}

/** Ball at a joint: at most this part of the girth of the thinner body, and of the depth of the joint in the child. */
const BALL = { girth: 0.85, depth: 1.15 };
/** Radius of a joint's zone, as a multiple of its depth and of its ball. */
const ZONE = { depth: 2, ball: 2 };
/** Width of the smooth union across one joint and across two, as a part of the zone. */
const ACROSS = [0.4, 0.2];
/** Thickness of the yoke between joints of one body, as a part of the joint's ball. */
const YOKE = 0.85;

/** The limbs of a character in its reference pose; bodies that are joined to no other (a box, a ball) are left out. */
export function limbsOf(parts: Part[]): Limb[] {
  const limbs = parts.map((part, body): Limb => {
    const grown = (shape: Shape, blend?: number) => {
      const field = shape.color?.[3] === 0 ? null : primitive(shape, part.rest, blend);
      return field ? [{ field, color: paint(shape, part) }] : [];
    };
    const shapes = [...part.shapes.flatMap(s => grown(s)), ...hairOf(part).flatMap(s => grown(s, TIGHT))];
    return { body, shapes, joints: [], near: [], center: new Vector3(), reach: 0 };
  });
  parts.forEach((part, body) => {
    // bodies without shapes (a chain of hinges) are passed over
    let parent = part.parent;
    while (parent !== null && limbs[parent].shapes.length === 0) parent = parts[parent].parent;
    if (parent === null || limbs[body].shapes.length === 0) return;
    join(limbs[parent], limbs[body], new Vector3(...part.anchor).applyMatrix4(matrixOf(part.rest)));
  });
  for (const limb of limbs) addYoke(limb);
  for (const limb of limbs) complete(limb);
  return limbs.filter(limb => limb.joints.length > 0);
}

/** Joins two bodies, with a ball at the joint so that it stays full when it bends. */
function join(parent: Limb, child: Limb, at: Vector3): void {
  const girth = (limb: Limb) => Math.max(...limb.shapes.map(s => s.field.radius));
  const depth = (limb: Limb) => -limbField(limb, at.x, at.y, at.z);
  const deepest = Math.max(depth(parent), depth(child));
  // shapes that do not meet at the joint stay apart
  if (deepest < -0.3 * girth(child)) return;
  const ball = Math.max(
    0,
    Math.min(BALL.girth * Math.min(girth(child), girth(parent)), BALL.depth * depth(child)),
  );
  const nearest = child.shapes.reduce((a, b) =>
    a.field.distance(at.x, at.y, at.z) < b.field.distance(at.x, at.y, at.z) ? a : b,
  );
  const zone = Math.max(ZONE.depth * deepest, ZONE.ball * ball);
  const joint: Joint = { limbs: [parent, child], at, ball, color: nearest.color, zone };
  parent.joints.push(joint);
  child.joints.push(joint);
  if (ball > depth(child)) child.shapes.push({ field: sphere(at, ball), color: nearest.color });
}

/** A body that carries three others or more (a chest: neck and shoulders) gets a yoke from the middle joint to the others. */
function addYoke(limb: Limb): void {
  const carried = limb.joints.filter(joint => joint.limbs[0] === limb);
  if (carried.length < 3) return;
  const middle = new Vector3();
  for (const { at } of carried) middle.addScaledVector(at, 1 / carried.length);
  const body = limb.shapes.reduce((a, b) => (a.field.radius > b.field.radius ? a : b)).field.center;
  const hub = carried.reduce((a, b) => (a.at.distanceTo(middle) < b.at.distanceTo(middle) ? a : b));
  for (const { at, ball } of carried) {
    if (at === hub.at || ball === 0) continue;
    // below the hub, so that it does not climb what the hub carries
    const inwards = body
      .clone()
      .sub(hub.at)
      .setLength(0.5 * ball);
    limb.shapes.push({
      field: capsule(hub.at.clone().add(inwards), at, YOKE * ball),
      color: limb.shapes[0].color,
    });
  }
}

/** Finds the neighbours and the ball around the shapes. */
function complete(limb: Limb): void {
  const other = (joint: Joint, from: Limb) => joint.limbs[joint.limbs[0] === from ? 1 : 0];
  const first = limb.joints.map(joint => ({ limb: other(joint, limb), through: [joint] }));
  const second = first.flatMap(({ limb: middle, through }) =>
    middle.joints
      .map(joint => ({ limb: other(joint, middle), through: [...through, joint] }))
      .filter(found => found.limb !== limb),
  );
  limb.near = [...first, ...second];
  for (const { field } of limb.shapes) limb.center.addScaledVector(field.center, 1 / limb.shapes.length);
  const reaches = limb.shapes.map(({ field }) => field.center.distanceTo(limb.center) + field.reach);
  limb.reach = Math.max(0, ...reaches);
}

/** Distance to a body's own shapes. */
export function limbField(limb: Limb, x: number, y: number, z: number): number {
  let distance = Infinity;
  let radius = 0;
  for (const { field } of limb.shapes) {
    const d = field.distance(x, y, z);
    distance = radius === 0 ? d : smoothMin(distance, d, field.blend * Math.min(radius, field.radius));
    radius = Math.max(radius, field.radius);
  }
  return distance;
}

/** How much farther a neighbour counts: by the way from the joints in between, beyond their zones. */
export function detour(through: Joint[], x: number, y: number, z: number): number {
  let more = 0;
  for (const { at, zone } of through) {
    const a = x - at.x;
    const b = y - at.y;
    const c = z - at.z;
    more += Math.max(0, Math.sqrt(a * a + b * b + c * c) - zone);
  }
  return more;
}

/**
 * Distance to a body grown together with its neighbours near the joints: the least distance, less what every other one
 * within the width of the smooth union adds. The order of the bodies does not matter, so that the patches of neighbours agree.
 */
export function grownField(limb: Limb, x: number, y: number, z: number): number {
  let least = limbField(limb, x, y, z);
  let count = 1;
  seen[0] = least;
  widths[0] = 0;
  for (const { limb: other, through } of limb.near) {
    const width = ACROSS[through.length - 1] * through[0].zone;
    // too far to change anything
    const nearest = leastDistance(other, x, y, z);
    if (nearest > least + width) continue;
    const more = detour(through, x, y, z);
    if (nearest + more > least + width) continue;
    const d = limbField(other, x, y, z) + more;
    least = Math.min(least, d);
    seen[count] = d;
    widths[count++] = width;
  }
  // the limb itself counts with the width that it shares with the nearest
  if (count === 1) return least;
  let swell = 0;
  let skipped = false;
  for (let i = 0; i < count; i++) {
    if (!skipped && seen[i] === least) {
      skipped = true;
      if (i > 0) widths[0] = widths[i];
      continue;
    }
    if (i > 0) swell += bulge(seen[i] - least, widths[i]);
  }
  if (seen[0] > least) swell += bulge(seen[0] - least, widths[0]);
  return least - swell;
}

const seen: number[] = [];
const widths: number[] = [];

function bulge(farther: number, width: number): number {
  const h = Math.max(0, 1 - farther / width);
  return 0.25 * width * h * h;
}

/** A bound below the distance to a body, cheap to have. */
function leastDistance({ center, reach }: Limb, x: number, y: number, z: number): number {
  const a = x - center.x;
  const b = y - center.y;
  const c = z - center.z;
  return Math.sqrt(a * a + b * b + c * c) - reach;
}
