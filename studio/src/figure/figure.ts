// Everything that moves: the character and the objects, in their skins or as the shapes that collide.

import {
  Bone,
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
import type { Part, Scene, Shape } from '../run/scene';
import { matrixOf, primitive } from './field';
import { paint } from './paint';
import { geometryOf } from './shapes';
import { type Skin, growSkin } from './skin';

/** Colours of objects that have none, one after the other. */
const OBJECTS = ['#c98b4a', '#7a9cc6', '#a3b86c', '#c77d8e', '#8f86c1'];
/** From how far outside a surface is looked for, m. */
const AWAY = 0.6;

export class Figure {
  readonly group = new Group();
  private readonly parts: Group[];
  private readonly skins: Skin[];
  /** The bone of every part that wears a skin moves along with it. */
  private readonly bones: { part: number; bone: Skin['bones'][number] }[] = [];
  private shapes = false;
  private stretches: Matrix4[] = [];
  private veils = false;

  constructor(scene: Pick<Scene, 'bodies' | 'objects'>) {
    const bodies = scene.bodies.map(part => solid(part, shape => paint(shape, part)));
    const objects = scene.objects.map((part, i) => {
      const own = new Color(OBJECTS[i % OBJECTS.length]);
      return solid(part, shape => paint(shape, part, own));
    });
    this.parts = [...bodies, ...objects];
    for (const group of this.parts) {
      group.matrixAutoUpdate = false;
      this.group.add(group);
    }
    this.skins = [this.dress(scene.bodies, 0), this.dress(scene.objects, bodies.length)].filter(
      s => s !== null,
    );
    this.showShapes(false);
  }

  /** Whether the shapes that collide are shown instead of skins. */
  get shown(): boolean {
    return this.shapes;
  }

  showShapes(on: boolean): void {
    this.shapes = on;
    for (const { mesh } of this.skins) mesh.visible = !on;
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
    for (const { part, bone } of this.bones) {
      bone.matrix.copy(this.parts[part].matrix);
      bone.matrixWorldNeedsUpdate = true;
    }
  }

  /** Colours every part by a number from 0 (as it is) to 1 (red). */
  heat(values: ArrayLike<number> | null): void {
    for (const { heat } of this.skins) {
      heat.fill(0);
      if (values) for (let i = 0; i < heat.length; i++) heat[i] = Math.min(1, values[i] ?? 0);
    }
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
      // balls inside of joints would be seen through the skin
      if (each.parent instanceof Bone) each.visible = false;
    });
    if (this.veils) return;
    this.veils = true;
    // first the depth alone, so that only the nearest surface is seen, once
    for (const { mesh } of this.skins) {
      const depth = mesh.clone(false);
      depth.material = new MeshBasicMaterial({ colorWrite: false, transparent: true });
      depth.userData.depth = true;
      depth.castShadow = depth.receiveShadow = false;
      depth.renderOrder = 0.5;
      this.group.add(depth);
    }
  }

  /** Where a part is, as a matrix. */
  placement(part: number): number[] {
    return this.parts[part].matrix.toArray();
  }

  /** Grows a skin over parts that are joined to each other; `first`: place of the first of them among all parts. */
  private dress(list: Part[], first: number): Skin | null {
    const skin = growSkin(list);
    if (!skin) return null;
    this.group.add(skin.mesh);
    skin.bones.forEach((bone, i) => {
      bone.matrixAutoUpdate = false;
      this.bones.push({ part: first + i, bone });
    });
    for (const body of skin.worn) {
      // what grows no skin (a hull) is drawn as it is
      list[body].shapes.forEach((shape, k) => {
        const mesh = this.parts[first + body].children[k];
        mesh.userData.under = primitive(shape, list[body].rest) !== null;
      });
    }
    return skin;
  }
}

/** A part's shapes as they are, one mesh each. */
function solid(part: Part, color: (shape: Shape) => Color): Group {
  const group = new Group();
  group.name = part.name;
  for (const shape of part.shapes) {
    const opacity = shape.color?.[3] ?? 1;
    const material = new MeshStandardMaterial({
      color: color(shape),
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
