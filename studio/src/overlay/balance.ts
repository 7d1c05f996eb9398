// Balance on the ground: the support polygon, the centre of pressure, the capture point.

import {
  BufferGeometry,
  DoubleSide,
  Float32BufferAttribute,
  Group,
  Line,
  LineBasicMaterial,
  LineLoop,
  Mesh,
  MeshBasicMaterial,
  RingGeometry,
  CircleGeometry,
  Vector3,
} from 'three';
import type { Forces } from '../run/scene';
import type { Theme } from '../stage/theme';

const ABOVE = 0.006;
/** Greatest number of corners of a polygon. */
const MOST = 64;

export interface Balance {
  com: ArrayLike<number>;
  capture: ArrayLike<number>;
  pressure: ArrayLike<number>;
  contacts: Forces;
}

export class BalanceOverlay {
  readonly support = new Group();
  readonly pressure = new Group();
  readonly capture = new Group();
  private readonly area = new MeshBasicMaterial({
    transparent: true,
    opacity: 0.28,
    side: DoubleSide,
    depthWrite: false,
  });
  private readonly edge = new LineBasicMaterial({ transparent: true, opacity: 0.9 });
  private readonly spot = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly cross = new MeshBasicMaterial({ depthTest: false, transparent: true });
  private readonly reach = new LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.6 });
  private readonly polygon = new Mesh(corners(), this.area);
  private readonly outline = new LineLoop(corners(), this.edge);
  private readonly dot: Mesh;
  private readonly target = new Group();
  private readonly thread = new Line(corners(), this.reach);

  /** `size`: of the character, m. */
  constructor(size: number) {
    this.support.add(this.polygon, this.outline);
    this.polygon.frustumCulled = this.outline.frustumCulled = this.thread.frustumCulled = false;
    this.dot = new Mesh(new CircleGeometry(0.011 * size, 32), this.spot);
    this.pressure.add(this.dot);
    const ring = new Mesh(new RingGeometry(0.02 * size, 0.026 * size, 40), this.cross);
    const inner = new Mesh(new CircleGeometry(0.006 * size, 24), this.cross);
    this.target.add(ring, inner);
    this.capture.add(this.target, this.thread);
    for (const each of [this.dot, ring, inner, this.thread]) each.renderOrder = 3;
  }

  paint(theme: Theme): void {
    this.area.color.set(theme.support);
    this.edge.color.set(theme.support);
    this.spot.color.set(theme.contact);
    this.cross.color.set(theme.capture);
    this.reach.color.set(theme.capture);
  }

  show({ com, capture, pressure, contacts }: Balance, ground: number | null): void {
    const level = ground ?? capture[2];
    const points = Array.from({ length: contacts.count }, (_, i) => [
      contacts.point[3 * i],
      contacts.point[3 * i + 1],
      contacts.point[3 * i + 2] + ABOVE,
    ]);
    const around = hull(points).slice(0, MOST);
    set(this.outline.geometry, around);
    // a fan of triangles around the first corner
    set(
      this.polygon.geometry,
      around.slice(2).flatMap((point, i) => [around[0], around[i + 1], point]),
    );
    this.dot.visible = Number.isFinite(pressure[0]);
    if (this.dot.visible) this.dot.position.set(pressure[0], pressure[1], pressure[2] + 1.5 * ABOVE);
    this.target.position.set(capture[0], capture[1], level + 1.5 * ABOVE);
    set(this.thread.geometry, [
      [com[0], com[1], level + ABOVE],
      [capture[0], capture[1], level + ABOVE],
    ]);
  }
}

function corners(): BufferGeometry {
  const geometry = new BufferGeometry();
  geometry.setAttribute('position', new Float32BufferAttribute(new Float32Array(3 * 3 * MOST), 3));
  geometry.setAttribute('normal', new Float32BufferAttribute(new Float32Array(3 * 3 * MOST).fill(1), 3));
  return geometry;
}

function set(geometry: BufferGeometry, points: number[][]): void {
  const place = geometry.getAttribute('position');
  const count = Math.min(points.length, place.count);
  for (let i = 0; i < count; i++) place.setXYZ(i, points[i][0], points[i][1], points[i][2]);
  geometry.setDrawRange(0, count);
  place.needsUpdate = true;
}

/** Convex hull seen from above, counter-clockwise (Andrew's monotone chain). */
export function hull(points: number[][]): number[][] {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  const turn = (a: number[], b: number[], c: number[]) =>
    (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
  const chain = (list: number[][]) => {
    const half: number[][] = [];
    for (const point of list) {
      while (half.length > 1 && turn(half[half.length - 2], half[half.length - 1], point) <= 1e-9) half.pop();
      half.push(point);
    }
    return half.slice(0, -1);
  };
  return sorted.length < 3 ? sorted : [...chain(sorted), ...chain(sorted.reverse())];
}

/** Where a step would bring a body to rest: com + velocity √(height/g), on the ground. */
export function capturePoint(
  com: ArrayLike<number>,
  velocity: ArrayLike<number>,
  ground: number,
  gravity: number,
): Vector3 {
  const time = Math.sqrt(Math.max(com[2] - ground, 0.05) / Math.max(gravity, 1e-3));
  return new Vector3(com[0] + velocity[0] * time, com[1] + velocity[1] * time, ground);
}

/** Centre of pressure of contact forces; NaN without contact. */
export function centreOfPressure(contacts: Forces): Vector3 {
  const sum = new Vector3();
  let load = 0;
  for (let i = 0; i < contacts.count; i++) {
    const up = contacts.force[3 * i + 2];
    load += up;
    sum.addScaledVector(new Vector3().fromArray(contacts.point, 3 * i), up);
  }
  return load > 1 ? sum.divideScalar(load) : new Vector3(NaN, NaN, NaN);
}
