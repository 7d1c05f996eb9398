// Arrows for forces: any number of them in a few draw calls. Hidden parts shine through faintly.

import {
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedMesh,
  Matrix4,
  MeshBasicMaterial,
  MeshStandardMaterial,
  Quaternion,
  Vector3,
} from 'three';

export interface Arrow {
  from: Vector3;
  /** From the tail to the tip, m. */
  along: Vector3;
}

/** Shaft and head of an arrow one metre long; the head keeps its shape when the shaft is stretched. */
const SHAFT = 0.009;
const HEAD = { radius: 0.026, length: 0.075 };

export class Arrows {
  readonly group = new Group();
  private readonly solid = new MeshStandardMaterial({ roughness: 0.5, transparent: true });
  private readonly faint = new MeshBasicMaterial({ transparent: true, depthTest: false, depthWrite: false });
  private readonly shaft = new CylinderGeometry(SHAFT, SHAFT, 1, 16).translate(0, 0.5, 0);
  private readonly head = new ConeGeometry(HEAD.radius, HEAD.length, 20).translate(0, 0.5 * HEAD.length, 0);
  private meshes: InstancedMesh[] = [];
  private capacity = 0;
  private shown = 0;

  /** `through`: opacity of hidden parts; `thick`: factor of the thickness. */
  constructor(
    private readonly through = 0.28,
    private readonly thick = 1,
  ) {}

  /** Number of arrows drawn. */
  get count(): number {
    return this.group.visible ? this.shown : 0;
  }

  paint(color: string): void {
    this.solid.color.set(color);
    this.solid.emissive.set(color).multiplyScalar(0.25);
    this.faint.color.set(color);
  }

  /** Shows these arrows, and no others, at an opacity. */
  show(arrows: Arrow[], opacity = 1): void {
    if (arrows.length > this.capacity) this.grow(2 * arrows.length);
    this.solid.opacity = opacity;
    this.faint.opacity = this.through * opacity;
    this.shown = arrows.length;
    arrows.forEach((arrow, i) => {
      const [shaft, head] = matrices(arrow, this.thick);
      this.meshes.forEach((mesh, k) => mesh.setMatrixAt(i, k % 2 === 0 ? shaft : head));
    });
    for (const mesh of this.meshes) {
      mesh.count = arrows.length;
      mesh.instanceMatrix.needsUpdate = true;
    }
  }

  private grow(capacity: number): void {
    this.meshes.forEach(mesh => mesh.dispose());
    this.group.clear();
    this.capacity = capacity;
    const make = (geometry: BufferGeometry, material: MeshStandardMaterial | MeshBasicMaterial) => {
      const mesh = new InstancedMesh(geometry, material, capacity);
      mesh.instanceMatrix.setUsage(DynamicDrawUsage);
      mesh.frustumCulled = false;
      mesh.renderOrder = material === this.faint ? 2 : 1;
      return mesh;
    };
    this.meshes = [this.solid, this.faint].flatMap(m => [make(this.shaft, m), make(this.head, m)]);
    this.group.add(...this.meshes);
  }
}

const UP = new Vector3(0, 1, 0);

/** Where shaft and head of an arrow go. */
function matrices({ from, along }: Arrow, thick: number): [Matrix4, Matrix4] {
  const length = along.length();
  const direction = along.clone().divideScalar(length || 1);
  const turn = new Quaternion().setFromUnitVectors(UP, direction);
  // a short arrow is a small one
  const size = Math.min(thick, length / (1.5 * HEAD.length));
  const neck = Math.max(0, length - size * HEAD.length);
  const shaft = new Matrix4().compose(from, turn, new Vector3(size, neck, size));
  const tip = from.clone().addScaledVector(direction, neck);
  return [shaft, new Matrix4().compose(tip, turn, new Vector3(size, size, size))];
}
