// Fixed parts: the ground with its grid and numbers, steps, ramps, heightfields.

import {
  CircleGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Raycaster,
  Vector3,
} from 'three';
import { matrixOf } from '../figure/matrix';
import { geometryOf } from '../figure/shapes';
import type { Shape } from '../run/scene';
import { GridMaterial } from './grid';
import { nosings } from './nosing';
import { numbers } from './numbers';
import type { Theme } from './theme';

/** Radius of the ground that follows the camera, m. */
const RADIUS = 120;
/** Numbers are drawn up to this distance, m. */
const MOST = 60;

export class Ground {
  readonly group = new Group();
  private readonly floor: GridMaterial;
  private readonly pieces: GridMaterial;
  private readonly edges = new LineBasicMaterial();
  private readonly nosings = new MeshStandardMaterial({ roughness: 0.95, metalness: 0 });
  /** The walkable meshes. */
  private readonly solids: Mesh[] = [];
  private readonly labels: Mesh<never, MeshBasicMaterial> | null;
  /** The disc of level ground, which follows the camera. */
  private readonly disc: Mesh | null;

  /** `low`, `high`: where the run takes place. */
  constructor(terrain: Shape[], low: number[], high: number[]) {
    this.floor = new GridMaterial();
    this.pieces = new GridMaterial();
    const level = terrain.find(isLevel);
    // without terrain a level grid still shows positions
    const height = level ? level.at[2] : terrain.length === 0 ? 0 : null;
    this.disc = height === null ? null : new Mesh(new CircleGeometry(RADIUS, 96), this.floor);
    if (this.disc && height !== null) {
      this.disc.position.z = height;
      this.disc.receiveShadow = true;
      this.group.add(this.disc);
      this.solids.push(this.disc);
    }
    for (const shape of terrain) {
      if (shape === level) continue;
      const mesh = new Mesh(geometryOf(shape, false), this.pieces);
      matrixOf(shape.at).decompose(mesh.position, mesh.quaternion, mesh.scale);
      mesh.receiveShadow = true;
      mesh.castShadow = shape.kind !== 'plane';
      // edges distinguish steps of the same colour
      if (shape.kind === 'box') mesh.add(new LineSegments(new EdgesGeometry(mesh.geometry), this.edges));
      this.group.add(mesh);
      this.solids.push(mesh);
    }
    const bands = new Mesh(nosings(terrain, height), this.nosings);
    bands.receiveShadow = true;
    this.group.add(bands);
    this.group.updateMatrixWorld(true);
    this.labels = height === null ? null : this.addNumbers(low, high, height);
  }

  private addNumbers(low: number[], high: number[], height: number): Mesh<never, MeshBasicMaterial> {
    const clamp = (x: number) => Math.max(-MOST, Math.min(MOST, x));
    const from = [0, 1].map(k => clamp(Math.floor(Math.min(low[k], 0)) - 3)) as [number, number];
    const to = [0, 1].map(k => clamp(Math.ceil(Math.max(high[k], 0)) + 3)) as [number, number];
    const labels = numbers(from, to);
    labels.position.z = height;
    this.group.add(labels);
    return labels as Mesh<never, MeshBasicMaterial>;
  }

  paint(theme: Theme): void {
    this.floor.color.set(theme.ground);
    this.floor.lines.value.set(theme.line);
    this.pieces.color.set(theme.terrain);
    this.pieces.lines.value.set(theme.line);
    this.pieces.steep.value.set(theme.riser);
    this.nosings.color.set(theme.nosing);
    this.edges.color.set(theme.edge);
    this.labels?.material.color.set(theme.number);
  }

  /** Height of the ground under a point; null where there is none. */
  under(x: number, y: number, z: number): number | null {
    const down = new Raycaster(new Vector3(x, y, z), new Vector3(0, 0, -1));
    // edges do not count as ground
    const hits = down.intersectObjects(this.solids, false);
    return hits.length > 0 ? hits[0].point.z : null;
  }

  /** Whether ground hides one point from another. */
  hides(from: Vector3, to: Vector3): boolean {
    const along = to.clone().sub(from);
    const sight = new Raycaster(from, along.clone().normalize(), 0, along.length());
    return sight.intersectObjects(this.solids, false).length > 0;
  }

  /** Keeps level ground under the camera. */
  follow(x: number, y: number): void {
    this.disc?.position.setX(x).setY(y);
  }
}

/** A plane without end that faces up. */
function isLevel(shape: Shape): boolean {
  return (
    shape.kind === 'plane' && Math.hypot(shape.at[4], shape.at[5]) < 1e-6 && shape.half.every(h => h === 0)
  );
}
