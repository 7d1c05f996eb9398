// The live world on the stage: ground, one or two characters, a ghost.

import { Vector3 } from 'three';
import { Ground } from '../stage/ground';
import { Stage } from '../stage/stage';
import { THEMES } from '../stage/theme';
import { ActorView } from './actor';
import type { Between } from './clock';
import type { LiveFrame } from './frame';
import { Ghost } from './ghost';
import type { SceneMessage } from './messages';

/** Distance between two characters side by side, in heights. */
const APART = 0.75;
/** Where numbers are written on the ground, m. */
const NUMBERS = { low: [-3, -3, 0], high: [57, 3, 0] };

export class LiveTheatre {
  readonly stage: Stage;
  readonly ghost = new Ghost();
  actors: ActorView[] = [];
  generation = -1;
  /** Whether a frame of the simulation has been shown. */
  shown = false;
  private keys: string[] = [];
  private terrain = '';
  private names = '';
  /** Visibility of overlays, kept when characters change. */
  readonly shows = {
    contacts: false,
    pushes: true,
    com: false,
    trail: false,
    support: false,
    pressure: false,
    capture: false,
    torques: false,
    shapes: false,
  };

  constructor(canvas: HTMLCanvasElement) {
    this.stage = new Stage(canvas, new Ground([], NUMBERS.low, NUMBERS.high), 3.2);
    this.stage.space.add(this.ghost.group);
    this.stage.onTheme(theme => {
      this.actors.forEach(actor => actor.paint(theme));
      this.ghost.paint(theme);
    });
  }

  /** Size of the largest character, m. */
  get size(): number {
    return Math.max(...this.actors.map(actor => actor.size), 0.3);
  }

  /** A key that identifies these characters. */
  get subject(): string {
    return `${this.actors.length} ${this.names}`;
  }

  setScene(scene: SceneMessage): void {
    const terrain = JSON.stringify(scene.terrain);
    if (terrain !== this.terrain) {
      this.terrain = terrain;
      this.stage.setGround(new Ground(scene.terrain, NUMBERS.low, NUMBERS.high));
    }
    const keys = scene.lanes.map(lane => JSON.stringify(lane.bodies));
    const same = keys.length === this.keys.length && keys.every((key, i) => key === this.keys[i]);
    if (!same) {
      this.keys = keys;
      for (const actor of this.actors) {
        this.stage.space.remove(actor.group);
        actor.dispose();
      }
      this.actors = scene.lanes.map((lane, i) => {
        const middle = (scene.lanes.length - 1) / 2;
        const actor = new ActorView(lane, new Vector3(0, (middle - i) * APART * 1.8, 0));
        actor.paint(THEMES[this.stage.theme]);
        this.stage.space.add(actor.group);
        return actor;
      });
      this.showAll();
    }
    scene.lanes.forEach((lane, i) => this.actors[i].furnish(lane.objects));
    this.names = scene.lanes.map(lane => lane.character).join();
    this.generation = scene.generation;
  }

  stretch(lane: number, maps: number[][]): void {
    this.actors[lane]?.figure.stretch(maps);
  }

  /** Shows or hides something. */
  set(what: keyof LiveTheatre['shows'], on: boolean): void {
    this.shows[what] = on;
    this.showAll();
  }

  private showAll(): void {
    for (const actor of this.actors) {
      actor.forces.contacts.group.visible = this.shows.contacts;
      actor.forces.pushes.group.visible = this.shows.pushes;
      actor.com.group.visible = this.shows.com;
      actor.trail.group.visible = this.shows.trail;
      actor.balance.support.visible = this.shows.support;
      actor.balance.pressure.visible = this.shows.pressure;
      actor.balance.capture.visible = this.shows.capture;
      actor.heated = this.shows.torques;
      actor.figure.showShapes(this.shows.shapes);
    }
  }

  /** Adds the placements of a new frame. */
  note(frame: LiveFrame): void {
    if (frame.generation !== this.generation) return;
    this.actors.forEach((actor, i) => frame.lanes[i] && actor.trail.add(frame.time, frame.lanes[i].com));
  }

  /** Shows the moment between two frames at a time of the world. */
  show({ a, b, part }: Between, time: number): void {
    if (b.generation !== this.generation) return;
    const before = a.generation === b.generation ? a : b;
    this.actors.forEach((actor, i) => {
      if (b.lanes[i]) actor.show(before.lanes[i] ?? b.lanes[i], b.lanes[i], part, time, this.stage.ground);
    });
    this.shown = true;
    const first = this.actors[0];
    if (first && b.lanes[0]) this.ghost.show(time, first.middle, b.lanes[0].facing);
  }

  /** The subject of the camera. */
  get aim(): [number, number, number] {
    const middles = this.actors.map(actor => actor.middle);
    const sum = middles.reduce((total, at) => total.add(at), new Vector3());
    const [x, y, z] = sum.divideScalar(Math.max(1, middles.length)).toArray();
    return [x, y, z];
  }
}
