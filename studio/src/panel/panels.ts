// The panels: their elements and actions. They read the session's state and send changes.

import type { LiveTheatre } from '../live/theatre';
import {
  copy,
  type Hello,
  type LaneSetup,
  type Param,
  type RequestKind,
  requestsOf,
  type Said,
  type Setup,
  type State,
  type System,
  systemOf,
} from '../live/messages';
import {
  type Piece,
  type SliderOptions,
  button,
  choices,
  heading,
  list,
  more,
  note,
  pair,
  slider,
  toggle,
} from './dom';

/** Actions of panels. */
export interface Hands {
  hello(): Hello;
  state(): State;
  theatre: LiveTheatre;
  /** A new world. */
  setup(setup: Setup): void;
  /** A change of a running character. */
  change(lane: number, setup: LaneSetup): void;
  /** Shows or hides. */
  show(what: keyof LiveTheatre['shows'], on: boolean): void;
  follow: { get(): boolean; set(on: boolean): void };
  look(view: 'corner' | 'side' | 'front'): void;
  theme: { get(): boolean; set(on: boolean): void };
  throwBox(): void;
  shove(side: number): void;
  /** A request with the values of its sliders. */
  ask(kind: RequestKind): void;
  /** Values of requests, by name of the request and of the value. */
  asked: Record<string, Record<string, Said>>;
  pick(): void;
  ghost(name: string | null): void;
  download(format: string, seconds: number): void;
  scenario(): void;
  link(): void;
  /** The character that panels act on. */
  lane: number;
  box: { mass: number };
  push: { strength: number };
  seconds: number;
}

export type PanelName = 'character' | 'walk' | 'world' | 'show' | 'compare' | 'save';

const PLANETS: [string, number][] = [
  ['Earth', 9.81],
  ['Mars', 3.71],
  ['Moon', 1.62],
];

export function buildPanel(name: PanelName, hands: Hands): Piece[] {
  switch (name) {
    case 'character':
      return [...laneChoice(hands), ...character(hands)];
    case 'walk':
      return [...laneChoice(hands), ...walk(hands)];
    case 'world':
      return world(hands);
    case 'show':
      return shows(hands);
    case 'compare':
      return compare(hands);
    case 'save':
      return save(hands);
  }
}

function present(hands: Hands): LaneSetup {
  const { lanes } = hands.state().setup;
  return lanes[Math.min(hands.lane, lanes.length - 1)];
}

/** Changes the character that panels act on. */
function edit(hands: Hands, act: (setup: LaneSetup) => void): void {
  const { lanes } = hands.state().setup;
  const lane = Math.min(hands.lane, lanes.length - 1);
  act(lanes[lane]);
  hands.change(lane, copy(lanes[lane]));
}

function laneChoice(hands: Hands): Piece[] {
  if (hands.state().setup.lanes.length < 2) return [];
  return [
    choices(
      'lane',
      ['A', 'B'],
      () => 'AB'[hands.lane],
      name => {
        hands.lane = name === 'A' ? 0 : 1;
      },
    ),
  ];
}

/** A number of the body, of one character or of all. */
function bodySlider(hands: Hands, name: string, change = edit): Piece[] {
  const about = hands.hello().body.find(s => s.name === name);
  if (!about) return [];
  return parameter(`body-${name}`, about, about.default, {
    get: () => present(hands).body[name] ?? about.default,
    set: value => change(hands, setup => (setup.body[name] = Number(value))),
  });
}

/** An element that shows and changes a parameter of any kind. */
function parameter(
  id: string,
  about: Param,
  usual: Said,
  bind: { get(): Said; set(value: Said): void },
): Piece[] {
  const piece = shown(id, about, usual, bind);
  if (piece) piece.element.title = about.about;
  return piece ? [piece] : [];
}

function shown(
  id: string,
  about: Param,
  usual: Said,
  { get, set }: { get(): Said; set(value: Said): void },
): Piece | null {
  const { label, unit } = about;
  switch (about.kind) {
    case 'number': {
      const { min, max, step } = about;
      // an infinite end of a range
      const number = (value: Said) => (typeof value === 'number' ? value : max);
      return slider({ id, label, min, max, step, unit, usual: number(usual), get: () => number(get()), set });
    }
    case 'flag':
      return toggle(id, label, '', 'var(--accent)', () => get() === true, set);
    case 'choice': {
      const names = about.names.map(value => ({ value, text: value }));
      return list(
        id,
        label,
        () => names,
        () => String(get()),
        set,
      );
    }
    case 'numbers':
      return null;
  }
}

function character(hands: Hands): Piece[] {
  const names = () => [
    ...hands.hello().characters.map(value => ({ value, text: value })),
    ...hands.state().uploaded.map(value => ({ value, text: `${value} (dropped)` })),
  ];
  const pick = (name: string) => {
    const setup = copy(hands.state().setup);
    setup.lanes[Math.min(hands.lane, setup.lanes.length - 1)].character = name;
    hands.setup(setup);
  };
  return [
    list('character', 'character', names, () => present(hands).character, pick),
    heading('The body grows while it walks'),
    ...['legs', 'arms', 'head', 'strength', 'load'].flatMap(name => bodySlider(hands, name)),
    heading('A body of your own'),
    note('Drop an MJCF file (.xml) anywhere on the page.'),
    button('open-file', 'Open a file…', () => hands.pick()),
  ];
}

function walk(hands: Hands): Piece[] {
  const hello = hands.hello();
  const system = systemOf(hello, present(hands));
  const about = (name: string) => hello.systems.find(s => s.name === name)?.about ?? '';
  return [
    heading('Controller'),
    choices(
      'controller',
      hello.systems.map(s => s.name),
      () => systemOf(hello, present(hands)).name,
      name => edit(hands, setup => become(hello, setup, name)),
      about,
    ),
    note(system.about),
    ...(system.styles.length > 0 ? [heading('Style'), styles('style', hands, system, edit)] : []),
    ...system.groups.flatMap(group => parameters(hands, system, group)),
    ...requestsOf(hello).flatMap(kind => request(hands, kind)),
  ];
}

/** Switches to another system; styles and values that it does not have are dropped. */
function become(hello: Hello, setup: LaneSetup, name: string): void {
  const system = hello.systems.find(s => s.name === name);
  if (!system || name === setup.controller) return;
  const paths = system.groups.flatMap(group => group.params.map(param => `${group.name}.${param.name}`));
  setup.controller = name;
  setup.style = system.styles.some(style => style.name === setup.style) ? setup.style : null;
  setup.values = Object.fromEntries(Object.entries(setup.values).filter(([path]) => paths.includes(path)));
}

/** The styles of a system. A style is a set of values and resets all others of the same groups. */
function styles(id: string, hands: Hands, system: System, change: typeof edit, get = present): Piece {
  const touched = new Set(system.styles.flatMap(style => style.changes.map(([path]) => path.split('.')[0])));
  const keep = ([path]: [string, Said]) => !touched.has(path.split('.')[0]);
  return choices(
    id,
    system.styles.map(style => style.name),
    () => get(hands).style ?? '',
    name =>
      change(hands, setup => {
        setup.style = name;
        setup.values = Object.fromEntries(Object.entries(setup.values).filter(keep));
      }),
  );
}

/** Sliders of a group, the main ones first. */
function parameters(hands: Hands, system: System, group: System['groups'][number]): Piece[] {
  const piece = (param: Param) => {
    const path = `${group.name}.${param.name}`;
    const style = system.styles.find(s => s.name === present(hands).style);
    const usual = style?.changes.find(([name]) => name === path)?.[1] ?? param.default;
    return parameter(`${group.name}-${param.name}`, param, usual, {
      get: () => present(hands).values[path] ?? usual,
      set: value => edit(hands, setup => (setup.values[path] = value)),
    });
  };
  const live = group.params.filter(param => param.stage !== 'prepare');
  const [main, others] = [live.filter(p => p.main), live.filter(p => !p.main)].map(l => l.flatMap(piece));
  const all = others.length > 0 ? [more(`all of ${group.name}`, others)] : [];
  return [heading(group.about), ...main, ...all];
}

/** The parameters of a request, and a button for it. */
function request(hands: Hands, kind: RequestKind): Piece[] {
  const said = (hands.asked[kind.name] ??= {});
  const pieces = kind.params.flatMap(param =>
    parameter(`${kind.name}-${param.name}`, param, param.default, {
      get: () => said[param.name] ?? param.default,
      set: value => (said[param.name] = value),
    }),
  );
  const key = kind.key?.toUpperCase();
  return [
    heading(kind.name),
    note(kind.from_standing ? `${kind.about}; a walking character stops first.` : `${kind.about}.`),
    ...pieces,
    button(`ask-${kind.name}`, kind.name, () => hands.ask(kind), key),
  ];
}

function world(hands: Hands): Piece[] {
  const hello = hands.hello();
  const terrain = () => hands.state().setup.terrain;
  const easy = (kind: string) => hello.terrains.find(t => t.name === kind)?.difficulty ?? 0.1;
  const again = (act: (plan: Setup['terrain']) => void) => {
    const setup = copy(hands.state().setup);
    act(setup.terrain);
    hands.setup(setup);
  };
  return [
    heading('Ground'),
    choices(
      'terrain',
      hello.terrains.map(t => t.name),
      () => terrain().kind,
      kind => again(plan => Object.assign(plan, { kind, difficulty: easy(kind) })),
    ),
    slider({
      id: 'difficulty',
      label: 'difficulty',
      min: 0,
      max: 1,
      step: 0.05,
      unit: '',
      usual: easy(terrain().kind),
      get: () => terrain().difficulty,
      set: value => again(plan => (plan.difficulty = value)),
    }),
    button('seed', 'Another random variant', () => again(plan => (plan.seed += 1))),
    heading('Gravity and friction'),
    choices(
      'planet',
      PLANETS.map(([name]) => name),
      () =>
        PLANETS.find(([, g]) => Math.abs(g - (present(hands).body.gravity ?? PLANETS[0][1])) < 0.005)?.[0] ??
        '',
      name => {
        const gravity = PLANETS.find(p => p[0] === name)?.[1] ?? 9.81;
        everybody(hands, setup => (setup.body.gravity = gravity));
      },
    ),
    ...['gravity', 'friction'].flatMap(name => bodySlider(hands, name, everybody)),
    heading('Disturb it'),
    own(hands.push, 'strength', {
      id: 'push-strength',
      label: 'shove',
      min: 5,
      max: 150,
      step: 5,
      unit: 'N·s',
      usual: 30,
    }),
    pair(
      button('shove-left', '← from the right', () => hands.shove(1)),
      button('shove-right', 'from the left →', () => hands.shove(-1)),
    ),
    own(hands.box, 'mass', { id: 'box-mass', label: 'box', min: 1, max: 30, step: 1, unit: 'kg', usual: 4 }),
    button('throw', 'Throw a box', () => hands.throwBox(), 'B'),
  ];
}

/** A slider of a number that the session does not store. */
function own<K extends string>(
  of: Record<K, number>,
  key: K,
  about: Omit<SliderOptions, 'get' | 'set'>,
): Piece {
  return slider({ ...about, get: () => of[key], set: value => (of[key] = value) });
}

/** The same change for all characters: they share the world. */
function everybody(hands: Hands, act: (setup: LaneSetup) => void): void {
  hands.state().setup.lanes.forEach((setup, lane) => {
    act(setup);
    hands.change(lane, copy(setup));
  });
}

/** Overlays: id, label, key, colour. */
export const OVERLAYS: [keyof LiveTheatre['shows'], string, string, string][] = [
  ['contacts', 'contact forces', 'C', 'var(--contact)'],
  ['pushes', 'pushes', '', 'var(--push)'],
  ['com', 'centre of mass', 'M', 'var(--com)'],
  ['trail', 'its path', 'T', 'var(--com)'],
  ['capture', 'capture point', 'K', 'var(--accent)'],
  ['support', 'support polygon', 'O', 'var(--good)'],
  ['pressure', 'centre of pressure', 'I', 'var(--contact)'],
  ['torques', 'torques as colours', 'X', '#e03131'],
  ['shapes', 'collision shapes', 'G', 'var(--soft)'],
];

function shows(hands: Hands): Piece[] {
  const { theatre, follow, theme } = hands;
  return [
    ...OVERLAYS.map(([id, words, key, tone]) =>
      toggle(
        `show-${id}`,
        words,
        key,
        tone,
        () => theatre.shows[id],
        on => hands.show(id, on),
      ),
    ),
    heading('Camera'),
    toggle('follow', 'follow the character', 'F', 'var(--accent)', follow.get, follow.set),
    choices(
      'view',
      ['corner', 'side', 'front'],
      () => '',
      view => hands.look(view as 'corner' | 'side' | 'front'),
    ),
    heading('Page'),
    toggle('dark', 'dark', 'L', 'var(--ink)', theme.get, theme.set),
  ];
}

function compare(hands: Hands): Piece[] {
  const two = () => hands.state().setup.lanes.length > 1;
  const set = (on: boolean) => {
    const setup = copy(hands.state().setup);
    setup.lanes = on ? [setup.lanes[0], copy(setup.lanes[0])] : [setup.lanes[0]];
    hands.lane = on ? 1 : 0;
    hands.setup(setup);
  };
  const other = (act: (setup: LaneSetup) => void, again: boolean) => {
    const setup = copy(hands.state().setup);
    if (setup.lanes.length < 2) return;
    act(setup.lanes[1]);
    if (again) hands.setup(setup);
    else hands.change(1, setup.lanes[1]);
  };
  const b = () => hands.state().setup.lanes[1] ?? hands.state().setup.lanes[0];
  const hello = hands.hello();
  return [
    note(
      'Two set-ups side by side under the same commands and pushes. Dragging one applies the same force to the other.',
    ),
    toggle('compare', 'side by side', 'N', 'var(--accent)', two, set),
    heading('B'),
    list(
      'character-b',
      'character',
      () => hello.characters.map(value => ({ value, text: value })),
      () => b().character,
      name => other(setup => (setup.character = name), true),
    ),
    choices(
      'controller-b',
      hello.systems.map(s => s.name),
      () => (two() ? b().controller : ''),
      name => other(setup => become(hello, setup, name), false),
    ),
    styles(
      'style-b',
      hands,
      systemOf(hello, b()),
      (_, act) => other(act, false),
      () => b(),
    ),
    note('The sliders of “character” and “walk” change A or B, as chosen there.'),
  ];
}

function save(hands: Hands): Piece[] {
  const hello = hands.hello();
  const { ghost } = hands.theatre;
  const motions = () => [
    { value: '', text: 'none' },
    ...hello.motions.map(value => ({ value, text: value })),
    ...(ghost.name && !hello.motions.includes(ghost.name) ? [{ value: ghost.name, text: ghost.name }] : []),
  ];
  return [
    heading('Download the last seconds'),
    choices(
      'seconds',
      ['5 s', '10 s', '30 s', '60 s'],
      () => `${hands.seconds} s`,
      text => (hands.seconds = parseInt(text)),
    ),
    button('download-glb', 'GLB: skinned, for Blender, Unity, …', () => hands.download('glb', hands.seconds)),
    button('download-bvh', 'BVH: skeleton', () => hands.download('bvh', hands.seconds)),
    button('download-html', 'HTML: an offline page with plots', () => hands.download('html', hands.seconds)),
    button('download-npz', 'NPZ: every step, forces included', () => hands.download('npz', hands.seconds)),
    heading('Share the set-up'),
    pair(
      button('copy-link', 'Copy link', () => hands.link()),
      button('copy-scenario', 'Copy scenario', () => hands.scenario()),
    ),
    heading('Ghost'),
    list(
      'ghost',
      'motion',
      motions,
      () => hands.state().ghost ?? '',
      name => hands.ghost(name || null),
    ),
    toggle(
      'ghost-beside',
      'beside the character',
      '',
      'var(--accent)',
      () => ghost.beside,
      on => (ghost.beside = on),
    ),
    note('Or drop a motion (.bvh) anywhere on the page.'),
    button('open-file', 'Open a file…', () => hands.pick()),
  ];
}
