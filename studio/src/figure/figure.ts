// Everything that moves: the character and the objects, in their skins or as the shapes that collide.

import {
  Color,
  Group,
  Matrix3,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Raycaster,
  type Vector3,
} from 'three';
import type { Part, Scene } from '../run/scene';
import { matrixOf } from './matrix';
import { geometryOf } from './shapes';
import { type Skin, type SkinData, wear } from './skin';

/** For shapes without a colour. */
const PLAIN = new Color(0.62, 0.64, 0.68);
/** Colours of objects that have none, one after the other. */
const OBJECTS = ['#c98b4a', '#7a9cc6', '#a3b86c', '#c77d8e', '#8f86c1'];
/** From how far outside a surface is looked for, m. */
const AWAY = 0.6;

export class Figure {
  readonly group = new Group();
  private readonly parts: Group[];
  private readonly skin: Skin | null;
  private shapes = false;
  private stretches: Matrix4[] = [];
  private veiled = false;

  /** `skin`: what the parts wear, bodies before objects. */
  constructor(scene: Pick<Scene, 'bodies' | 'objects'>, skin: SkinData | null) {
    const bodies = scene.bodies.map(part => solid(part, PLAIN));
    const objects = scene.objects.map((part, i) => solid(part, new Color(OBJECTS[i % OBJECTS.length])));
    this.parts = [...bodies, ...objects];
    for (const group of this.parts) {
      group.matrixAutoUpdate = false;
      this.group.add(group);
    }
    this.skin = skin && wear([...scene.bodies, ...scene.objects], skin);
    if (this.skin && skin) {
      this.group.add(this.skin.mesh);
      for (const bone of this.skin.bones) bone.matrixAutoUpdate = false;
      for (const part of skin.parts) {
        for (const mesh of this.parts[part].children) mesh.userData.under = true;
      }
    }
    this.showShapes(false);
  }

  /** Whether the shapes that collide are shown instead of skins. */
  get shown(): boolean {
    return this.shapes;
  }

  showShapes(on: boolean): void {
    this.shapes = on;
    if (this.skin) this.skin.mesh.visible = !on;
    for (const mesh of this.parts.flatMap(part => part.children)) mesh.visible = on || !mesh.userData.under;
  }

  /** Stretches every part in its own frame: nine numbers each, column-major. */
  stretch(maps: number[][]): void {
    this.stretches = maps.map(m => new Matrix4().setFromMatrix3(new Matrix3().fromArray(m)));
  }

  /** Moves every part to its place: seven numbers each, bodies first; `first`: where they begin in the list. */
  pose(poses: Float32Array, first = 0): void {
    this.parts.forEach((group, i) => {
      group.matrix.copy(matrixOf(poses, 7 * (first + i)));
      if (this.stretches[i]) group.matrix.multiply(this.stretches[i]);
      group.matrixWorldNeedsUpdate = true;
    });
    this.skin?.bones.forEach((bone, i) => {
      bone.matrix.copy(this.parts[i].matrix);
      bone.matrixWorldNeedsUpdate = true;
    });
  }

  /** Colours every part by a number from 0 (as it is) to 1 (red). */
  heat(values: ArrayLike<number> | null): void {
    if (!this.skin) return;
    const { heat } = this.skin;
    for (let i = 0; i < heat.length; i++) heat[i] = Math.min(1, values?.[i] ?? 0);
  }

  /** The part that a ray meets first, and where. */
  pick(ray: Raycaster): { part: number; at: Vector3 } | null {
    const hit = ray.intersectObjects(this.parts, true)[0];
    const part = hit ? this.parts.findIndex(group => group === hit.object.parent) : -1;
    return hit && part >= 0 ? { part, at: hit.point } : null;
  }

  /** Where something that comes in a direction meets the surface of a part on its way to a point inside; the point itself when it is outside. */
  enter(part: number, point: Vector3, direction: Vector3): Vector3 {
    const body = this.parts[part];
    if (!body) return point;
    body.updateWorldMatrix(true, true);
    const start = this.group.localToWorld(point.clone().addScaledVector(direction, -AWAY));
    const hit = new Raycaster(start, direction, 0, AWAY).intersectObject(body, true)[0];
    return hit ? this.group.worldToLocal(hit.point.clone()) : point;
  }

  /** Frees what it holds on the graphics card. */
  dispose(): void {
    this.group.traverse(each => {
      if (!(each instanceof Mesh)) return;
      each.geometry.dispose();
      (each.material as MeshStandardMaterial).dispose();
    });
  }

  /** Makes it a ghost: seen through, without a shadow. */
  fade(color: string, opacity: number): void {
    this.group.traverse(each => {
      if (!(each instanceof Mesh) || each.userData.depth) return;
      const material = each.material as MeshStandardMaterial;
      material.color.set(color);
      material.vertexColors = false;
      material.transparent = true;
      material.opacity = opacity;
      material.depthWrite = false;
      each.castShadow = each.receiveShadow = false;
      each.renderOrder = 0.6;
    });
    if (this.veiled || !this.skin) return;
    this.veiled = true;
    // first the depth alone, so that only the nearest surface is seen, once
    const depth = this.skin.mesh.clone(false);
    depth.material = new MeshBasicMaterial({ colorWrite: false, transparent: true });
    depth.userData.depth = true;
    depth.castShadow = depth.receiveShadow = false;
    depth.renderOrder = 0.5;
    this.group.add(depth);
  }

  /** Where a part is, as a matrix. */
  placement(part: number): number[] {
    return this.parts[part].matrix.toArray();
  }
}

/** A part's shapes as they are, one mesh each; `plain`: the colour of those that have none. */
function solid(part: Part, plain: Color): Group {
  const group = new Group();
  group.name = part.name;
  for (const shape of part.shapes) {
    const opacity = shape.color?.[3] ?? 1;
    const material = new MeshStandardMaterial({
      color: shape.color ? new Color(...shape.color.slice(0, 3)) : plain,
      roughness: 0.75,
      transparent: opacity < 1,
      opacity,
      flatShading: shape.kind === 'hull',
    });
    const mesh = new Mesh(geometryOf(shape), material);
    matrixOf(shape.at).decompose(mesh.position, mesh.quaternion, mesh.scale);
    mesh.castShadow = mesh.receiveShadow = opacity > 0;
    group.add(mesh);
  }
  return group;
}
