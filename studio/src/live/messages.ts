// Messages between page and session; `protocol/` of the Rust crate `sinew-studio` is their other half.

import type { SkinData } from '../figure/skin';
import type { Part, Shape } from '../run/scene';
import { type Column, fromBase64, readTables } from '../run/unpack';

/** A value of a parameter: a number, true or false, a name, numbers; null: an infinite end of a range. */
export type Said = number | boolean | string | number[] | null;

/** A parameter, as its system declares it. */
export type Param = {
  name: string;
  label: string;
  about: string;
  unit: string;
  /** Whether it is shown at first. */
  main: boolean;
  stage: 'live' | 'build' | 'prepare';
  default: Said;
} & (
  | { kind: 'number'; min: number; max: number; step: number }
  | { kind: 'flag' | 'numbers' }
  | { kind: 'choice'; names: string[] }
);

/** A request that a system takes. */
export interface RequestKind {
  name: string;
  about: string;
  key: string | null;
  /** Whether a walking character must stop for it. */
  from_standing: boolean;
  params: Param[];
}

/** A kind of controller. */
export interface System {
  name: string;
  about: string;
  paper: string;
  groups: { name: string; about: string; params: Param[] }[];
  styles: { name: string; changes: [string, Said][] }[];
  requests: RequestKind[];
  signals: { name: string; unit: string; about: string }[];
}

export interface LaneSetup {
  character: string;
  controller: string;
  style: string | null;
  /** Parameters by their paths. */
  values: Record<string, Said>;
  /** Changes relative to the body's file. */
  body: Record<string, number>;
  /** Everything else, as the text of a scenario. */
  scenario: string;
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
  systems: System[];
  terrains: { name: string; difficulty: number }[];
  /** The name for a scenario's own ground. */
  own_terrain: string;
  body: Param[];
  motions: string[];
}

/** A skin as columns in base64. */
export interface SkinMessage {
  parts: number[];
  columns: Column[];
  data: string;
}

/** Its columns as tables. */
export function skinOf({ parts, columns, data }: SkinMessage): SkinData {
  const tables = readTables(fromBase64(data), columns);
  const none = { width: 0, rows: 0, data: new Float32Array(0) };
  return { parts, table: name => tables.get(`skin_${name}`) ?? none };
}

export interface LaneScene {
  character: string;
  mass: number;
  gravity: number;
  /** Default speed over that of the human. */
  pace: number;
  bodies: Part[];
  skin: SkinMessage;
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
  /** Forward, left, turn; null: the scenario's commands hold. */
  steering: [number, number, number] | null;
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
  skin: SkinMessage;
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
  | { type: 'pong'; id: number }
  | { type: 'full' | 'taken' };

export type ClientMessage =
  | { type: 'setup'; setup: Setup }
  | { type: 'change'; lane: number; setup: LaneSetup }
  | { type: 'steer'; forward: number; left: number; turn: number }
  | { type: 'drag'; lane: number; body: number; point: number[]; target: number[] }
  | { type: 'release' | 'play' | 'pause' | 'reset' }
  | { type: 'scenario'; lane?: number }
  | { type: 'push'; impulse: number[]; seconds: number }
  | { type: 'throw'; from: number[]; velocity: number[]; mass: number; half: number }
  | { type: 'ask'; name: string; values: Record<string, Said> }
  | { type: 'step'; steps: number }
  | { type: 'speed'; factor: number | null }
  | { type: 'seek'; time: number }
  | { type: 'ghost'; name: string | null }
  | { type: 'download'; format: string; seconds: number }
  | { type: 'ping'; id: number };

/** The system that moves a character. */
export function systemOf(hello: Hello, lane: LaneSetup): System {
  return hello.systems.find(system => system.name === lane.controller) ?? hello.systems[0];
}

/** All requests, each once. */
export function requestsOf(hello: Hello): RequestKind[] {
  const all = hello.systems.flatMap(system => system.requests);
  return all.filter((kind, k) => all.findIndex(other => other.name === kind.name) === k);
}

/** A deep copy of plain data. */
export function copy<T>(data: T): T {
  return structuredClone(data);
}
