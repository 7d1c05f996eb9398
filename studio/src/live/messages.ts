// Messages between page and session; `protocol/` of the Rust crate `sinew-studio` is their other half.

import type { Part, Shape } from '../run/scene';

export interface Slider {
  name: string;
  label: string;
  min: number;
  max: number;
  step: number;
  default: number;
  unit: string;
}

export interface LaneSetup {
  character: string;
  controller: string;
  style: string;
  gait: Record<string, number>;
  stance: Record<string, number>;
  body: Record<string, number>;
}

export interface Setup {
  terrain: { kind: string; difficulty: number; seed: number };
  lanes: LaneSetup[];
}

export interface Hello {
  type: 'hello';
  protocol: number;
  version: string;
  token: string;
  resumed: boolean;
  characters: string[];
  controllers: { name: string; about: string }[];
  styles: { name: string; gait: [string, number][] }[];
  terrains: { name: string; difficulty: number }[];
  gait: Slider[];
  stance: Slider[];
  body: Slider[];
  motions: string[];
}

export interface LaneScene {
  character: string;
  mass: number;
  gravity: number;
  /** Usual speed over that of the human. */
  pace: number;
  bodies: Part[];
  objects: Part[];
}

export interface SceneMessage {
  type: 'scene';
  generation: number;
  lanes: LaneScene[];
  terrain: Shape[];
}

export interface State {
  type: 'state';
  setup: Setup;
  uploaded: string[];
  playing: boolean;
  speed: number | null;
  steering: [number, number, number];
  ghost: string | null;
}

export interface Fell {
  type: 'fell';
  lane: number;
  time: number;
  kind: 'slip' | 'torque' | 'capture' | 'other';
  what: string;
  why: string;
}

export interface GhostMessage {
  type: 'ghost';
  name: string | null;
  rate: number;
  bodies: Part[];
}

export type ServerMessage =
  | Hello
  | SceneMessage
  | State
  | Fell
  | GhostMessage
  | { type: 'stretch'; lane: number; maps: number[][] }
  | { type: 'notice'; level: 'info' | 'problem'; text: string }
  | { type: 'progress'; what: string | null }
  | { type: 'scenario'; text: string }
  | { type: 'pong'; id: number };

/** Height and distance in m, twist in rad, and what the legs do in the air. */
export interface Jump {
  height: number;
  forward: number;
  twist: number;
  legs: 'hang' | 'scissor' | 'split';
}

export type ClientMessage =
  | { type: 'setup'; setup: Setup }
  | { type: 'change'; lane: number; setup: LaneSetup }
  | { type: 'steer'; forward: number; left: number; turn: number }
  | { type: 'drag'; lane: number; body: number; point: number[]; target: number[] }
  | { type: 'release' | 'play' | 'pause' | 'reset' | 'scenario' }
  | { type: 'push'; impulse: number[]; seconds: number }
  | { type: 'throw'; from: number[]; velocity: number[]; mass: number; half: number }
  | ({ type: 'jump' } & Jump)
  | { type: 'step'; steps: number }
  | { type: 'speed'; factor: number | null }
  | { type: 'seek'; time: number }
  | { type: 'ghost'; name: string | null }
  | { type: 'download'; format: string; seconds: number }
  | { type: 'ping'; id: number };

/** A deep copy of plain data. */
export function copy<T>(data: T): T {
  return structuredClone(data);
}
