// The centre of mass: a ball seen through the body, a plumb line to the ground, and the path it takes.

import { Group, Mesh, MeshBasicMaterial, RingGeometry, SphereGeometry, CylinderGeometry } from 'three';
import { Line2 } from 'three/examples/jsm/lines/Line2.js';
import { LineGeometry } from 'three/examples/jsm/lines/LineGeometry.js';
import { LineMaterial } from 'three/examples/jsm/lines/LineMaterial.js';
import type { Theme } from '../stage/theme';

const ABOVE = 0.004;

export class ComOverlay {
  readonly group = new Group();
  readonly path = new Group();
  private readonly material = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.95 });
  private readonly thin = new MeshBasicMaterial({ depthTest: false, transparent: true, opacity: 0.35 });
  private readonly past = new LineMaterial({ linewidth: 2.5, transparent: true, opacity: 0.9 });
  private readonly future = new LineMaterial({ linewidth: 1.5, transparent: true, opacity: 0.3 });
  private readonly ball = new Mesh(new SphereGeometry(0.015, 24, 16), this.material);
  private readonly plumb = new Mesh(new CylinderGeometry(0.0016, 0.0016, 1, 8), this.thin);
  private readonly ring = new Mesh(new RingGeometry(0.02, 0.028, 32), this.material);
  private readonly done: Line2 | null = null;
  /** The future part of the path. */
  private readonly ahead: Line2 | null = null;

  /** `points`: the whole path, three numbers each; empty when it is not known in advance. `size`: of the character, m. */
  constructor(points: Float32Array, size: number) {
    this.ball.scale.setScalar(size);
    this.ring.scale.setScalar(size);
    this.plumb.scale.set(size, 1, size);
    this.plumb.rotation.x = Math.PI / 2;
    this.group.add(this.ball, this.plumb, this.ring);
    for (const mesh of [this.ball, this.plumb, this.ring]) mesh.renderOrder = 3;
    if (points.length >= 6) {
      const whole = () => new LineGeometry().setPositions(points);
      this.done = new Line2(whole(), this.past);
      this.ahead = new Line2(whole(), this.future);
      this.path.add(this.ahead, this.done);
      this.path.children.forEach(line => (line.frustumCulled = false));
    }
  }

  paint(theme: Theme): void {
    for (const m of [this.material, this.thin, this.past, this.future]) m.color.set(theme.com);
  }

  /** Hides the future part of the path. */
  hideFuture(): void {
    if (this.ahead) this.ahead.visible = false;
  }

  /** Moves to the centre of mass over ground of a height, where there is any; `frame`: how far along the path it is. */
  show(com: ArrayLike<number>, ground: number | null, frame: number): void {
    this.ball.position.set(com[0], com[1], com[2]);
    this.ring.visible = this.plumb.visible = ground !== null;
    if (ground !== null) {
      this.ring.position.set(com[0], com[1], ground + ABOVE);
      this.plumb.position.set(com[0], com[1], 0.5 * (com[2] + ground));
      this.plumb.scale.y = Math.max(1e-3, com[2] - ground);
    }
    // a fat line is one instance per piece
    if (this.done) this.done.geometry.instanceCount = frame;
  }
}
