// `window.sinew`: the numbers behind the picture, for tests and debugging.

import type { Run } from '../run/run';
import type { Theatre } from '../theatre';
import type { Player } from './player';
import type { Switch } from './switches';

export interface Debug {
  /** Names of the character's bodies and of the objects. */
  bodies: string[];
  objects: string[];
  frames: number;
  duration: number;
  /** State of the clock. */
  clock(): { time: number; playing: boolean; speed: number };
  /** Goes to a time in seconds; the picture follows when the browser next draws. */
  seek(seconds: number): void;
  /** Draws at once. */
  draw(): void;
  /** Where a part is drawn: position and column-major matrix. */
  placement(part: number): { position: number[]; matrix: number[] };
  com(): number[];
  /** Greatest share of its torque limit at the joints of every body. */
  efforts(): number[];
  /** State of every switch. */
  switches(): Record<string, boolean>;
  /** Arrows drawn at present. */
  arrows(): { contacts: number; pushes: number };
  camera(): { position: number[]; aim: number[] };
  theme(): string;
  /** Triangles of the last picture. */
  triangles(): number;
}

declare global {
  interface Window {
    sinew?: Debug;
  }
}

interface Inside {
  run: Run;
  theatre: Theatre;
  player: Player;
  switches: Switch[];
  place(): void;
  draw(): void;
}

export function expose({ run, theatre, player, switches, place, draw }: Inside): void {
  const { stage, figure, forces } = theatre;
  window.sinew = {
    bodies: run.scene.bodies.map(b => b.name),
    objects: run.scene.objects.map(o => o.name),
    frames: run.frames,
    duration: run.duration,
    clock: () => ({ time: player.time, playing: player.playing, speed: player.speed }),
    seek: seconds => {
      player.seek(seconds);
      place();
    },
    draw,
    placement: part => {
      const matrix = figure.placement(part);
      return { position: matrix.slice(12, 15), matrix };
    },
    com: () => Array.from(run.at(player.time).com),
    efforts: () => Array.from(run.at(player.time).efforts),
    switches: () => Object.fromEntries(switches.map(s => [s.id, s.get()])),
    arrows: () => ({ contacts: forces.contacts.count, pushes: forces.pushes.count }),
    camera: () => ({ position: stage.camera.position.toArray(), aim: run.aim(player.time) }),
    theme: () => stage.theme,
    triangles: () => stage.renderer.info.render.triangles,
  };
}
