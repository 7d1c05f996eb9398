// Hair and eyes for a head that has a nose, so that one sees at a glance where a person looks.
//
// A person's head is an ellipsoid with one small ball, the nose, at its front. Animals of ours have two such balls, their
// eyes, and keep their heads as they are.

import { Color, Mesh, MeshStandardMaterial, SphereGeometry, Vector3 } from 'three';
import type { Part, Shape } from '../run/scene';

type Head = Shape & { kind: 'ellipsoid' };

const HAIR: [number, number, number, number] = [0.23, 0.16, 0.12, 1];
const EYE = new Color('#241c18');
/** Hair sits behind and above the skull, in parts of its half axes, and is this much wider. */
const SHIFT = { back: 0.17, up: 0.12 };
const WIDER = [1.0, 1.06, 1.01];
/** Eyes are this far to the side and up, rad, and this large in parts of the head's half width. */
const LOOK = { aside: 0.4, up: 0.06, size: 0.105 };

interface Face {
  skull: Head;
  /** Unit vector to the nose along the skull's own x axis: 1 or −1. */
  forward: number;
}

function faceOf(part: Part): Face | null {
  if (part.role !== 'head') return null;
  const skulls = part.shapes.filter((s): s is Head => s.kind === 'ellipsoid');
  const skull = skulls.sort((a, b) => b.half[1] - a.half[1])[0];
  const small = part.shapes.filter(s => s.kind === 'sphere' && skull && s.radius < 0.3 * skull.half[1]);
  // turned skulls and heads without a nose are not people's
  if (!skull || small.length !== 1 || Math.abs(skull.at[3]) < 0.999) return null;
  return { skull, forward: Math.sign(small[0].at[0] - skull.at[0]) || 1 };
}

/** Hair as a shape that the skin grows over; none for heads without a face. */
export function hairOf(part: Part): Shape[] {
  const face = faceOf(part);
  if (!face) return [];
  const { half, at } = face.skull;
  return [
    {
      kind: 'ellipsoid',
      half: [half[0] * WIDER[0], half[1] * WIDER[1], half[2] * WIDER[2]],
      at: [at[0] - SHIFT.back * half[0] * face.forward, at[1], at[2] + SHIFT.up * half[2], ...turn(at)],
      color: HAIR,
    },
  ];
}

/** Eyes, in the frame of the head. */
export function eyesOf(part: Part): Mesh[] {
  const face = faceOf(part);
  if (!face) return [];
  const { half, at } = face.skull;
  const material = new MeshStandardMaterial({ color: EYE, roughness: 0.25 });
  return [-1, 1].map(side => {
    const level = Math.cos(LOOK.up);
    const direction = new Vector3(
      face.forward * level * Math.cos(LOOK.aside),
      side * level * Math.sin(LOOK.aside),
      Math.sin(LOOK.up),
    );
    const eye = new Mesh(new SphereGeometry(LOOK.size * half[1], 20, 14), material);
    eye.scale.set(0.5, 0.8, 1.15);
    eye.position.set(at[0], at[1], at[2]).add(direction.multiply(new Vector3(...half)));
    return eye;
  });
}

function turn(at: Shape['at']): [number, number, number, number] {
  return [at[3], at[4], at[5], at[6]];
}
