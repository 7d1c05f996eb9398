// Everything that moves: the character, in its skin or as the shapes that collide, and the objects.

import { Color, Group, Mesh, MeshStandardMaterial } from 'three';
import type { Part, Scene } from '../run/scene';
import { matrixOf } from './field';
import { paint } from './paint';
import { geometryOf } from './shapes';
import { type Skin, growSkin } from './skin';

/** Colours of objects that have none, one after the other. */
const OBJECTS = ['#c98b4a', '#7a9cc6', '#a3b86c', '#c77d8e', '#8f86c1'];

export class Figure {
  readonly group = new Group();
  private readonly skin: Skin | null;
  private readonly bodies: Group[];
  private readonly objects: Group[];

  constructor(scene: Scene) {
    this.skin = growSkin(scene.bodies);
    if (this.skin) this.group.add(this.skin.mesh);
    this.bodies = scene.bodies.map(part => solid(part, shape => paint(shape, part)));
    this.objects = scene.objects.map((part, i) => {
      const own = new Color(OBJECTS[i % OBJECTS.length]);
      return solid(part, shape => (shape.color ? paint(shape, null) : own));
    });
    for (const group of [...this.bodies, ...this.objects]) {
      group.matrixAutoUpdate = false;
      this.group.add(group);
    }
    this.showShapes(false);
  }

  /** Whether the character wears its skin. */
  get skinned(): boolean {
    return this.skin?.mesh.visible ?? false;
  }

  /** Shows the shapes that collide instead of the skin. */
  showShapes(on: boolean): void {
    if (!this.skin) return;
    this.skin.mesh.visible = !on;
    // what grows no skin is always drawn as it is
    for (const mesh of this.bodies.flatMap(b => b.children)) mesh.visible = on || !mesh.userData.grows;
  }

  /** Moves every part to its place: seven numbers each, bodies first. */
  pose(poses: Float32Array): void {
    [...this.bodies, ...this.objects].forEach((group, i) => {
      group.matrix.copy(matrixOf(poses, 7 * i));
      group.matrixWorldNeedsUpdate = true;
    });
    this.skin?.bones.forEach((bone, i) => {
      bone.matrix.copy(this.bodies[i].matrix);
      bone.matrixAutoUpdate = false;
      bone.matrixWorldNeedsUpdate = true;
    });
  }

  /** Where a part is, as a matrix. */
  placement(part: number): number[] {
    return [...this.bodies, ...this.objects][part].matrix.toArray();
  }
}

/** A part's shapes as they are. */
function solid(part: Part, color: (shape: Part['shapes'][number]) => Color): Group {
  const group = new Group();
  group.name = part.name;
  for (const shape of part.shapes) {
    const opacity = shape.color?.[3] ?? 1;
    if (opacity === 0) continue;
    const material = new MeshStandardMaterial({
      color: color(shape),
      roughness: 0.75,
      transparent: opacity < 1,
      opacity,
      flatShading: shape.kind === 'hull',
    });
    const mesh = new Mesh(geometryOf(shape), material);
    matrixOf(shape.at).decompose(mesh.position, mesh.quaternion, mesh.scale);
    mesh.userData.grows = !['hull', 'plane', 'heightfield'].includes(shape.kind);
    mesh.castShadow = mesh.receiveShadow = true;
    group.add(mesh);
  }
  return group;
}
