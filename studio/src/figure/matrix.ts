// Poses as matrices.

import { Matrix4, Quaternion, Vector3 } from 'three';

/** The pose of seven numbers that begins at a place of a list. */
export function matrixOf(pose: ArrayLike<number>, at = 0): Matrix4 {
  const turn = new Quaternion(pose[at + 4], pose[at + 5], pose[at + 6], pose[at + 3]);
  return new Matrix4().compose(new Vector3(pose[at], pose[at + 1], pose[at + 2]), turn, new Vector3(1, 1, 1));
}
