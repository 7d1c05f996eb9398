// Interpolation between two moments.

export function mix(a: number, b: number, part: number): number {
  return a + (b - a) * part;
}

/** Between two quaternions, at `a` in one list and at `b` in another: normalised linear interpolation, which suffices for successive frames. */
export function blend(
  from: Float32Array,
  a: number,
  to: Float32Array,
  b: number,
  part: number,
  out: Float32Array,
  at: number,
): void {
  let dot = 0;
  for (let k = 0; k < 4; k++) dot += from[a + k] * to[b + k];
  // q and −q are the same rotation: take the nearer
  const sign = dot < 0 ? -1 : 1;
  let length = 0;
  for (let k = 0; k < 4; k++) {
    out[at + k] = mix(from[a + k], sign * to[b + k], part);
    length += out[at + k] ** 2;
  }
  length = Math.sqrt(length) || 1;
  for (let k = 0; k < 4; k++) out[at + k] /= length;
}

/** Between two lists of poses, seven numbers each. */
export function mixPoses(from: Float32Array, to: Float32Array, part: number, out: Float32Array): void {
  for (let i = 0; i + 7 <= out.length; i += 7) {
    for (let k = 0; k < 3; k++) out[i + k] = mix(from[i + k], to[i + k], part);
    blend(from, i + 3, to, i + 3, part, out, i + 3);
  }
}
