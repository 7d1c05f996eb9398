// Dragging a body: a hand that pulls at the point where it took hold, in the plane that faces the camera. A band between them shows
// how far the spring is stretched.

import {
  BufferGeometry,
  Line,
  LineBasicMaterial,
  Plane,
  Quaternion,
  Raycaster,
  Vector2,
  Vector3,
} from 'three';
import type { LiveTheatre } from './theatre';
import type { ClientMessage } from './messages';

export interface Held {
  lane: number;
  body: number;
  /** In the body's frame, m. */
  point: Vector3;
}

export class Dragger {
  held: Held | null = null;
  /** Where the pointer is, pixels. */
  pointer = new Vector2();
  private readonly at = new Vector2();
  private readonly ray = new Raycaster();
  /** From the point that is held to the hand. */
  private readonly band = new Line(
    new BufferGeometry().setFromPoints([new Vector3(), new Vector3()]),
    new LineBasicMaterial({ depthTest: false, transparent: true, opacity: 0.8 }),
  );

  /** `grip(true)` is called when a body is taken: the camera must stay still. */
  constructor(
    private readonly canvas: HTMLCanvasElement,
    private readonly theatre: LiveTheatre,
    private readonly send: (message: ClientMessage) => void,
    private readonly grip: (on: boolean) => void,
  ) {
    this.band.visible = false;
    // drawn over everything, without frustum culling
    this.band.renderOrder = 3;
    this.band.frustumCulled = false;
    theatre.stage.space.add(this.band);
    theatre.stage.onTheme(theme => this.band.material.color.set(theme.push));
    // before the camera's own listeners
    canvas.addEventListener('pointerdown', event => this.begin(event), { capture: true });
    canvas.addEventListener('pointermove', event => this.move(event));
    for (const end of ['pointerup', 'pointercancel'] as const) {
      canvas.addEventListener(end, () => this.end());
    }
  }

  private aim(event: PointerEvent): void {
    const box = this.canvas.getBoundingClientRect();
    this.pointer.set(event.clientX, event.clientY);
    this.at.set(
      (2 * (event.clientX - box.left)) / box.width - 1,
      1 - (2 * (event.clientY - box.top)) / box.height,
    );
    this.ray.setFromCamera(this.at, this.theatre.stage.camera);
  }

  /** The body under the pointer. */
  private find(): (Held & { at: Vector3 }) | null {
    const found = this.theatre.actors.flatMap((actor, lane) => {
      const hit = actor.figure.pick(this.ray);
      return hit ? [{ lane, hit, far: hit.at.distanceTo(this.ray.ray.origin) }] : [];
    });
    const nearest = found.sort((a, b) => a.far - b.far)[0];
    if (!nearest) return null;
    const { lane, hit } = nearest;
    const actor = this.theatre.actors[lane];
    const pose = actor.pose(hit.part);
    const turn = new Quaternion(pose[4], pose[5], pose[6], pose[3]).invert();
    const point = hit.at
      .clone()
      .sub(actor.offset)
      .sub(new Vector3(pose[0], pose[1], pose[2]))
      .applyQuaternion(turn);
    return { lane, body: hit.part, point, at: hit.at };
  }

  private begin(event: PointerEvent): void {
    if (event.button !== 0 || !event.isPrimary) return;
    this.aim(event);
    const found = this.find();
    if (!found) return;
    this.held = found;
    this.grip(true);
    this.canvas.setPointerCapture(event.pointerId);
    this.canvas.style.cursor = 'grabbing';
    this.pull();
  }

  private move(event: PointerEvent): void {
    if (!this.held && event.buttons !== 0) return;
    this.aim(event);
    if (!this.held && event.pointerType === 'mouse') this.canvas.style.cursor = this.find() ? 'grab' : '';
  }

  /** Pulls towards the pointer, in the plane through the grip that faces the camera; both move on with the character. */
  pull(): void {
    if (!this.held) return;
    const { lane, body, point } = this.held;
    const { camera } = this.theatre.stage;
    const actor = this.theatre.actors[lane];
    const pose = actor?.pose(body);
    if (!pose || pose.length < 7) return;
    const grip = point
      .clone()
      .applyQuaternion(new Quaternion(pose[4], pose[5], pose[6], pose[3]))
      .add(new Vector3(pose[0], pose[1], pose[2]))
      .add(actor.offset);
    const plane = new Plane().setFromNormalAndCoplanarPoint(camera.getWorldDirection(new Vector3()), grip);
    this.ray.setFromCamera(this.at, camera);
    const target = this.ray.ray.intersectPlane(plane, new Vector3());
    if (!target) return;
    this.band.geometry.setFromPoints([grip, target]);
    this.band.visible = true;
    target.sub(actor.offset);
    this.send({ type: 'drag', lane, body, point: point.toArray(), target: target.toArray() });
  }

  private end(): void {
    if (!this.held) return;
    this.held = null;
    this.band.visible = false;
    this.grip(false);
    this.canvas.style.cursor = '';
    this.send({ type: 'release' });
  }
}
