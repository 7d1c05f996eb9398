// `window.studio`: the numbers behind the live picture, for tests and debugging.

import type { Eye } from '../stage/eye';
import type { Clock } from './clock';
import type { LiveFrame } from './frame';
import type { Link } from './link';
import type { ClientMessage, State } from './messages';
import type { Samples } from './samples';
import type { Steering } from './steering';
import type { LiveTheatre } from './theatre';
import type { Toasts } from './toasts';
import type { Work } from './work';

/** Downloads: how many, and the last one. */
export interface Files {
  count: number;
  last: { name: string; content: Uint8Array } | null;
}

export interface Studio {
  /** The newest frame. */
  frame(): LiveFrame | null;
  state(): State | null;
  /** Where a part of a character is drawn: a column-major matrix. */
  placement(lane: number, part: number): number[];
  /** Where a point of the world is on the screen, pixels. */
  screen(at: number[]): { x: number; y: number };
  send(message: ClientMessage): void;
  /** Breaks the connection. */
  drop(): void;
  connected(): boolean;
  said(): string[];
  /** The last file that was downloaded, its bytes in base64, and how many there were. */
  file(): { name: string; base64: string } | null;
  files(): number;
  scenario(): string;
  ghost(): { name: string | null; frames: number; at: number };
  shows(): Record<string, boolean>;
  samples(): number;
  /** Times of the samples that plots show, s. */
  times(): number[];
  cruise(): number;
  theme(): string;
  camera(): { position: number[]; aim: number[] };
  shown(): number;
  /** The page's own work per picture, ms, drawing left out, over the last pictures. */
  work(): ReturnType<Work['figures']>;
  /** Counts the page's own work from now on, with or without drawing: a software renderer would take the processor from it. */
  workFromNow(draws: boolean): void;
  /** When a character was first drawn where the simulation has it, ms since 1970; null before. */
  drawn(): number | null;
  /** Objects in the memory of the graphics card. */
  kept(): { geometries: number; textures: number };
  /** Draws all pixels, however long it takes. */
  sharp(): void;
}

declare global {
  interface Window {
    studio?: Studio;
  }
}

interface Inside {
  theatre: LiveTheatre;
  clock: Clock;
  samples: Samples;
  link: Link;
  toasts: Toasts;
  files: Files;
  steering: Steering;
  eye: Eye;
  frame(): LiveFrame | null;
  state(): State | null;
  scenario(): string;
  work: Work;
  drawn(): number | null;
  setDraws(on: boolean): void;
  sharp(): void;
}

export function expose(inside: Inside): void {
  const { theatre, clock, samples, link, toasts, files, steering, eye, work } = inside;
  window.studio = {
    frame: inside.frame,
    state: inside.state,
    placement: (lane, part) => theatre.actors[lane].figure.placement(part),
    screen: at => {
      const p = eye.aim.clone().fromArray(at).project(theatre.stage.camera);
      return { x: (0.5 + 0.5 * p.x) * window.innerWidth, y: (0.5 - 0.5 * p.y) * window.innerHeight };
    },
    send: message => link.send(message),
    drop: () => link.drop(),
    connected: () => link.open,
    said: () => [...toasts.said],
    file: () => {
      const file = files.last;
      if (!file) return null;
      let binary = '';
      for (let i = 0; i < file.content.length; i += 8192) {
        binary += String.fromCharCode(...file.content.subarray(i, i + 8192));
      }
      return { name: file.name, base64: btoa(binary) };
    },
    files: () => files.count,
    scenario: inside.scenario,
    ghost: () => ({ name: theatre.ghost.name, frames: theatre.ghost.frames, at: theatre.ghost.at }),
    shows: () => ({ ...theatre.shows }),
    samples: () => samples.list.length,
    times: () => samples.list.map(sample => sample.time),
    cruise: () => steering.cruise,
    theme: () => theatre.stage.theme,
    camera: () => ({ position: theatre.stage.camera.position.toArray(), aim: eye.aim.toArray() }),
    shown: () => clock.time,
    work: () => work.figures(),
    workFromNow: draws => {
      work.clear();
      inside.setDraws(draws);
    },
    drawn: inside.drawn,
    kept: () => ({ ...theatre.stage.renderer.info.memory }),
    sharp: inside.sharp,
  };
}
