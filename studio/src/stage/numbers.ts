// Metre numbers on the ground, along the x and y axes: one texture with all of them, one mesh.

import { BufferGeometry, CanvasTexture, Float32BufferAttribute, Mesh, MeshBasicMaterial } from 'three';

/** Size of a number on the ground, m, and of its picture, pixels. */
const SIZE = { width: 0.36, height: 0.18 };
const PICTURE = { width: 128, height: 64 };
/** Height over the ground, against flicker. */
const ABOVE = 0.002;

/** Numbers along x from `low[0]` to `high[0]` and along y from `low[1]` to `high[1]`. */
export function numbers(
  low: [number, number],
  high: [number, number],
): Mesh<BufferGeometry, MeshBasicMaterial> {
  const range = (a: number, b: number) => Array.from({ length: b - a + 1 }, (_, i) => a + i);
  const places = [
    ...range(low[0], high[0]).map(n => ({ n, x: n, y: 0, axis: 'x' })),
    ...range(low[1], high[1])
      .filter(n => n !== 0)
      .map(n => ({ n, x: 0, y: n, axis: 'y' })),
  ];
  const values = [...new Set(places.map(p => p.n))];
  const columns = Math.ceil(Math.sqrt(values.length / 2)) || 1;
  const rows = Math.ceil(values.length / columns) || 1;

  const canvas = document.createElement('canvas');
  canvas.width = columns * PICTURE.width;
  canvas.height = rows * PICTURE.height;
  const pen = canvas.getContext('2d');
  if (pen) {
    pen.font = `500 ${0.62 * PICTURE.height}px system-ui, "Liberation Sans", sans-serif`;
    pen.textAlign = 'left';
    pen.textBaseline = 'middle';
    pen.fillStyle = '#fff';
    values.forEach((n, i) => {
      const [x, y] = [(i % columns) * PICTURE.width, (Math.floor(i / columns) + 0.5) * PICTURE.height];
      pen.fillText(`${n === 0 ? '0' : `${n} m`}`.replace('-', '−'), x + 6, y, PICTURE.width - 12);
    });
  }

  const [positions, uvs, triangles] = [[], [], []] as number[][];
  for (const { n, x, y } of places) {
    const i = values.indexOf(n);
    const [u, v] = [(i % columns) / columns, 1 - Math.floor(i / columns) / rows];
    const first = positions.length / 3;
    for (const [a, b] of [
      [0, 0],
      [1, 0],
      [1, 1],
      [0, 1],
    ]) {
      // beside the crossing of the lines, upright when looking along y
      positions.push(x + 0.03 + a * SIZE.width, y - 0.03 - (1 - b) * SIZE.height, ABOVE);
      uvs.push(u + a / columns, v - (1 - b) / rows);
    }
    triangles.push(first, first + 1, first + 2, first, first + 2, first + 3);
  }
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(positions, 3));
  geometry.setAttribute('uv', new Float32BufferAttribute(uvs, 2));
  geometry.setIndex(triangles);
  const texture = new CanvasTexture(canvas);
  texture.anisotropy = 8;
  const material = new MeshBasicMaterial({
    alphaMap: texture,
    map: texture,
    transparent: true,
    depthWrite: false,
  });
  return new Mesh(geometry, material);
}
