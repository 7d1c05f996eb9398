// The camera: orbit, pan and zoom by mouse, touch and keys; it can follow its subject.

import { MOUSE, type PerspectiveCamera, Spherical, Vector3 } from 'three';
import { OrbitControls } from 'three/examples/jsm/controls/OrbitControls.js';
import type { Ground } from './ground';

/** Directions from what is looked at to the camera, azimuth and least elevation in degrees; the character faces +x. */
export const VIEWS = {
  corner: [-52, 11],
  side: [-90, 5],
  front: [0, 5],
} as const;
/** If the ground ahead rises by this share of the distance, the view is from behind, where the risers of stairs are visible. */
const RISES = 0.03;
/** How much higher the camera goes, step by step, when the ground hides what it looks at, degrees. */
const HIGHER = [0, 10, 20, 35, 55];

export type View = keyof typeof VIEWS;

export class Eye {
  readonly controls: OrbitControls;
  follow = true;
  private readonly followed = new Vector3();

  constructor(
    readonly camera: PerspectiveCamera,
    element: HTMLElement,
    /** Distance that shows the whole figure, m. */
    public distance: number,
    private readonly ground: () => Ground,
  ) {
    this.controls = new OrbitControls(camera, element);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.minDistance = 0.15 * distance;
    this.controls.maxDistance = 12 * distance;
    // not through the ground
    this.controls.maxPolarAngle = 0.53 * Math.PI;
    this.controls.mouseButtons = { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
  }

  get aim(): Vector3 {
    return this.controls.target;
  }

  /** Looks at `aim` from one of the set directions. */
  look(view: View, aim: [number, number, number]): void {
    this.stop();
    this.followed.set(...aim);
    this.controls.target.copy(this.followed);
    this.camera.position
      .copy(this.aim)
      .addScaledVector(direction(view, [this.aim], this.distance, this.ground()), this.distance);
    this.controls.update();
  }

  /** Moves along with `aim`. */
  track(aim: [number, number, number]): void {
    const moved = new Vector3(...aim).sub(this.followed);
    this.followed.set(...aim);
    if (!this.follow) return;
    this.controls.target.add(moved);
    this.camera.position.add(moved);
  }

  /** Turns about the aim (rad) and changes the distance by a factor. */
  turn(azimuth: number, polar: number, zoom: number): void {
    this.stop();
    // Spherical counts from y: turn the offset so that z takes its place
    const offset = this.camera.position.clone().sub(this.aim);
    const s = new Spherical().setFromVector3(new Vector3(offset.y, offset.z, offset.x));
    s.theta += azimuth;
    s.phi = Math.max(0.05, Math.min(this.controls.maxPolarAngle, s.phi + polar));
    s.radius = Math.max(this.controls.minDistance, Math.min(this.controls.maxDistance, s.radius * zoom));
    const turned = new Vector3().setFromSpherical(s);
    this.camera.position.set(turned.z, turned.x, turned.y).add(this.aim);
    this.controls.update();
  }

  /** Ends a damped movement. */
  private stop(): void {
    this.controls.enableDamping = false;
    this.controls.update();
    this.controls.enableDamping = true;
  }

  /** Continues a damped movement; returns whether anything moved. */
  update(): boolean {
    return this.controls.update();
  }
}

/** Unit vector from what is looked at to the camera: as low as the ground lets it see all the aims from a distance. */
export function direction(view: View, aims: Vector3[], distance: number, ground: Ground): Vector3 {
  const [ahead, least] = VIEWS[view];
  const azimuth = view === 'corner' && rises(aims, distance, ground) ? -180 - ahead : ahead;
  const free = HIGHER.map(more => unit(azimuth, least + more)).find(
    to => !aims.some(aim => ground.hides(aim, aim.clone().addScaledVector(to, distance))),
  );
  return free ?? unit(azimuth, least + HIGHER[HIGHER.length - 1]);
}

/** Whether the ground ahead of the aims is higher than the ground under them. */
export function rises(aims: Vector3[], distance: number, ground: Ground): boolean {
  return aims.some(({ x, y, z }) => {
    const [here, there] = [x, x + distance].map(at => ground.under(at, y, z + distance));
    return here !== null && there !== null && there - here > RISES * distance;
  });
}

function unit(azimuth: number, elevation: number): Vector3 {
  const [a, e] = [azimuth, elevation].map(degrees => (degrees * Math.PI) / 180);
  return new Vector3(Math.cos(e) * Math.cos(a), Math.cos(e) * Math.sin(a), Math.sin(e));
}
