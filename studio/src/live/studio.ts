// The page of the studio: connection, stage, clock, hands and panels put together.

import { Vector3 } from 'three';
import { byId } from '../page/controls';
import { type Key, listen, writeHelp } from '../page/keys';
import { Plots } from '../page/plots';
import { Drawer } from '../panel/drawer';
import { type Hands, OVERLAYS } from '../panel/panels';
import { Eye, rises, type View } from '../stage/eye';
import type { ThemeName } from '../stage/theme';
import { Clock } from './clock';
import { expose, type Files } from './debug';
import { Dragger } from './drag';
import { readLink, writeLink } from './address';
import { saveFile } from './files';
import { watchDrops } from './drop';
import type { LiveFrame } from './frame';
import { Link } from './link';
import { type Hello, requestsOf, type ServerMessage, type Setup, type State } from './messages';
import { Quality } from './quality';
import { Readout } from './readout';
import { MEASURES, Samples } from './samples';
import { Steering } from './steering';
import { LiveTheatre } from './theatre';
import { Timeline } from './timeline';
import { Toasts } from './toasts';
import { Work } from './work';

/** Greatest time that one picture may advance, s. */
const LONGEST = 0.1;
/** Waiting time for a character before the page draws the empty stage, ms. */
const PATIENCE = 3000;
const TURN = 0.09;
const ZOOM = 1.12;

export function openStudio(): void {
  const canvas = byId('stage', HTMLCanvasElement);
  const theatre = new LiveTheatre(canvas);
  const { stage } = theatre;
  const eye = new Eye(stage.camera, canvas, 2.25 * 1.8, () => stage.ground);
  const clock = new Clock();
  const samples = new Samples();
  const toasts = new Toasts();
  const readout = new Readout();
  const work = new Work();
  let hello: Hello | null = null;
  let state: State | null = null;
  let looked = '';
  let linked: Setup | null = readLink();

  const link: Link = new Link({
    hear: work.part.bind(work),
    message,
    frame,
    file: (name, content) => {
      saveFile(name, content);
      files.count++;
      files.last = { name, content };
      toasts.say('info', `${name} is in your downloads (${(content.length / 1e6).toFixed(1)} MB)`);
    },
    poses: (bodies, poses) => theatre.ghost.take(bodies, poses),
    connected: on => {
      byId('lost', HTMLElement).hidden = on;
      if (on) steering.repeat();
    },
    turnedAway: why => {
      byId('lost', HTMLElement).hidden = true;
      const text =
        why === 'full'
          ? 'The studio has as many visitors as it can serve. Click here to take the place of the quietest page.'
          : 'Another page took the place of this one. Click here to take a place again.';
      toasts.stay(text, () => link.takeOver());
    },
  });
  const files: Files = { count: 0, last: null };
  const send = link.send.bind(link);
  const timeline = new Timeline(samples, send);
  const steering = new Steering(steer => send({ type: 'steer', ...steer }));
  const plots = new Plots(byId('plots', HTMLElement), MEASURES, samples.source, time => timeline.seek(time));
  const dragger = new Dragger(canvas, theatre, send, on => {
    eye.controls.enabled = !on;
    theatre.actors.forEach(actor => (actor.pulled = on || actor.pulled));
  });

  function message(told: ServerMessage): void {
    switch (told.type) {
      case 'hello':
        hello = told;
        nameRequests(told);
        if (linked) send({ type: 'setup', setup: linked });
        else if (!told.resumed && state) send({ type: 'setup', setup: state.setup });
        linked = null;
        break;
      case 'scene':
        theatre.setScene(told);
        eye.distance = 2.25 * theatre.size * (told.lanes.length > 1 ? 1.3 : 1);
        lookAnew();
        steering.setPace(told.lanes[0].character, told.lanes[0].pace);
        break;
      case 'stretch':
        theatre.stretch(told.lane, told.maps);
        break;
      case 'state':
        state = told;
        timeline.state(told.playing, told.speed);
        readout.who(told.setup, hello);
        steering.follow(told.steering === null && told.setup.lanes.some(lane => lane.scenario !== ''));
        drawer.sync();
        break;
      case 'fell':
        timeline.fell(told);
        readout.fell(told, state?.setup.lanes.length ?? 1);
        break;
      case 'ghost':
        theatre.ghost.set(told.name, told.rate, told.bodies, told.skin);
        break;
      case 'notice':
        toasts.say(told.level, told.text);
        break;
      case 'progress':
        if (told.what) toasts.doing(`${told.what}…`);
        break;
      case 'scenario':
        void navigator.clipboard?.writeText(told.text).then(
          () => toasts.say('info', 'The scenario is in the clipboard; save it as a .toml file'),
          () => saveFile('studio.toml', new TextEncoder().encode(told.text)),
        );
        scenario = told.text;
        break;
      case 'pong':
      case 'full':
      case 'taken':
        break;
    }
  }
  let scenario = '';

  /** Resets the camera for another subject, and for ground that needs another view. */
  function lookAnew(): void {
    const start = new Vector3(0, 0, 0.55 * theatre.size);
    const subject = `${theatre.subject} ${rises([start], eye.distance, stage.ground)}`;
    if (looked === subject) return;
    looked = subject;
    eye.look('corner', [start.x, start.y, start.z]);
  }

  let seen: LiveFrame | null = null;
  function frame(next: LiveFrame): void {
    if (seen && next.time < seen.time && !next.past && next.newest < seen.newest - 1) {
      // a new world, or another future
      if (next.newest < 1) timeline.clear();
    }
    seen = next;
    clock.push(next);
    samples.push(next);
    theatre.note(next);
    if (next.time < (readout.fallTime ?? Infinity)) readout.rise();
  }

  const setTheme = (name: ThemeName) => {
    document.documentElement.dataset.theme = name;
    stage.setTheme(name);
    drawer.sync();
  };
  const look = (view: View) => eye.look(view, theatre.aim);
  const forward = () =>
    new Vector3(Math.cos(seen?.lanes[0]?.facing ?? 0), Math.sin(seen?.lanes[0]?.facing ?? 0), 0);
  const hands: Hands = {
    hello: () => must(hello),
    state: () => must(state),
    theatre,
    setup: setup => {
      steering.repeat();
      readout.rise();
      send({ type: 'setup', setup });
    },
    change: (lane, setup) => {
      send({ type: 'change', lane, setup });
      drawer.sync();
    },
    show: (what, on) => {
      theatre.set(what, on);
      drawer.sync();
    },
    follow: {
      get: () => eye.follow,
      set: on => {
        eye.follow = on;
        drawer.sync();
      },
    },
    look,
    theme: { get: () => stage.theme === 'dark', set: on => setTheme(on ? 'dark' : 'light') },
    throwBox: () => {
      const aim = new Vector3().fromArray(seen?.lanes[0]?.com ?? [0, 0, 1]);
      const ahead = forward().multiplyScalar(
        0.35 * (seen?.lanes[0] ? Math.hypot(...seen.lanes[0].velocity) : 0),
      );
      // from where the camera stands, but near, and not from below
      const from = stage.camera.position
        .clone()
        .sub(aim)
        .setZ(0)
        .setLength(2.2)
        .add(aim)
        .add(new Vector3(0, 0, 0.25));
      const flight = 0.35;
      const velocity = aim.clone().add(ahead).sub(from).divideScalar(flight);
      velocity.z += 0.5 * 9.81 * flight;
      const half = 0.07 * Math.cbrt(hands.box.mass);
      send({ type: 'throw', from: from.toArray(), velocity: velocity.toArray(), mass: hands.box.mass, half });
    },
    shove: side => {
      theatre.actors.forEach(actor => (actor.pulled = false));
      const left = new Vector3(0, 0, 1).cross(forward()).multiplyScalar(side * hands.push.strength);
      send({ type: 'push', impulse: left.toArray(), seconds: 0.15 });
    },
    ask: kind => {
      if (kind.from_standing) {
        steering.stop();
        steering.advance(0);
      }
      send({ type: 'ask', name: kind.name, values: hands.asked[kind.name] ?? {} });
    },
    asked: {},
    pick: () => byId('pick', HTMLInputElement).click(),
    ghost: name => send({ type: 'ghost', name }),
    download: (format, seconds) => {
      const [from, to] = [seen?.oldest ?? 0, seen?.time ?? 0];
      send({ type: 'download', format, seconds: Math.max(0.1, Math.min(seconds, to - from)) });
    },
    scenario: () => send({ type: 'scenario', lane: hands.lane }),
    link: () => {
      const address = writeLink(must(state).setup);
      history.replaceState(null, '', address);
      void navigator.clipboard?.writeText(address).then(
        () => toasts.say('info', 'The link is in the clipboard'),
        () => toasts.say('info', 'The link is in the address bar'),
      );
    },
    lane: 0,
    box: { mass: 4 },
    push: { strength: 30 },
    seconds: 10,
  };
  const quality = new Quality(() => resize());
  const resize = () => {
    const [width, height] = [window.innerWidth, window.innerHeight];
    let [below, above] = [byId('bar', HTMLElement).offsetHeight + 40, 0];
    // an element as wide as most of the window covers everything above or below it
    for (const card of [plots.place, byId('drawer', HTMLElement), fallen]) {
      const box = card.getBoundingClientRect();
      if (box.width < 0.6 * width) continue;
      if (box.top < height / 3) above = Math.max(above, box.bottom);
      else below = Math.max(below, height - box.top);
    }
    const ratio = Math.min(window.devicePixelRatio, 2) * quality.share;
    stage.resize(width, height, ratio, below, above);
  };
  const fallen = byId('fall', HTMLElement);
  new MutationObserver(resize).observe(fallen, { attributes: true, attributeFilter: ['hidden'] });
  const drawer = new Drawer(hands, plots.place, resize);
  watchDrops(link, toasts);

  const table = keys();
  writeHelp(byId('keys', HTMLElement), table);
  listen(table);
  /** Requests have keys of their own, as their systems say. */
  function nameRequests(hello: Hello): void {
    const free = requestsOf(hello).filter(kind => kind.key && !table.some(k => k.keys.includes(kind.key!)));
    const more = free.map(kind => ({
      keys: [kind.key!],
      shown: kind.key!.toUpperCase(),
      does: kind.from_standing ? `stop and ${kind.name}` : kind.name,
      act: () => hands.ask(kind),
    }));
    table.push(...more);
    writeHelp(byId('keys', HTMLElement), more);
  }
  const toggleHelp = () => {
    const help = byId('help', HTMLElement);
    help.hidden = !help.hidden;
    byId('help-button', HTMLButtonElement).setAttribute('aria-expanded', String(!help.hidden));
  };
  byId('help-button', HTMLButtonElement).addEventListener('click', toggleHelp);
  byId('fall-reset', HTMLButtonElement).addEventListener('click', () => timeline.reset());
  byId('fall-rewind', HTMLButtonElement).addEventListener('click', rewindFall);
  byId('fall-close', HTMLButtonElement).addEventListener('click', () => readout.hideFall());
  function rewindFall(): void {
    timeline.seek((readout.fallTime ?? seen?.time ?? 0) - 1.5);
  }

  // after a click on a button, keys go to the stage again, also when its panel was rebuilt; a button pressed by a key keeps the focus
  document.addEventListener('click', event => {
    const button = event.target instanceof Element ? event.target.closest('button') : null;
    const focused = document.activeElement;
    if (event.detail > 0 && button && focused instanceof HTMLButtonElement) focused.blur();
  });
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => setTheme(dark.matches ? 'dark' : 'light'));
  window.addEventListener('resize', resize);
  setTheme(dark.matches ? 'dark' : 'light');
  resize();

  let before = performance.now();
  let drawn: number | null = null;
  let draws = true;
  const tick = (now: number) => {
    // the browser asks for the next picture when it has taken the last one
    if (theatre.shown) drawn ??= Date.now();
    quality.note(now - before);
    const seconds = Math.min((now - before) / 1000, LONGEST);
    before = now;
    work.part(() => place(seconds, now));
    // the page's own work ends where the renderer's begins
    work.done();
    // do not draw an empty stage while a character may still arrive
    if (draws && (theatre.shown || now > PATIENCE)) stage.draw(eye.aim);
    requestAnimationFrame(tick);
  };
  /** Puts everything where it is at this time. */
  function place(seconds: number, now: number): void {
    steering.advance(seconds);
    const between = clock.advance(seconds);
    if (between && theatre.actors.length > 0) {
      theatre.show(between, clock.time);
      eye.track(theatre.aim);
    }
    eye.update();
    // place labels for this picture, not the last one
    stage.camera.updateMatrixWorld();
    if (between && theatre.actors.length > 0) {
      dragger.pull();
      readout.show(between.b, theatre, dragger, now);
      timeline.show(between.b, now);
      plots.show(between.b.time, timeline.range, now);
    }
  }
  requestAnimationFrame(tick);
  expose({
    theatre,
    clock,
    samples,
    link,
    toasts,
    files,
    steering,
    eye,
    frame: () => seen,
    state: () => state,
    scenario: () => scenario,
    work,
    drawn: () => drawn,
    setDraws: on => (draws = on),
    sharp: () => quality.sharp(),
  });

  function keys(): Key[] {
    const flip = (what: (typeof OVERLAYS)[number][0]) => hands.show(what, !theatre.shows[what]);
    const none = () => {};
    return [
      { keys: [], shown: 'W S ↑ ↓', does: 'faster, slower, backwards', act: none },
      { keys: [], shown: 'A D ← →', does: 'turn', act: none },
      { keys: [], shown: 'Q E', does: 'step aside', act: none },
      { keys: [' '], shown: 'Space', does: 'pause, go on', act: () => timeline.toggle() },
      {
        keys: ['p'],
        shown: 'P',
        does: 'push to the left (Shift: right)',
        act: e => hands.shove(e.shiftKey ? -1 : 1),
      },
      { keys: ['b'], shown: 'B', does: 'throw a box', act: hands.throwBox },
      { keys: ['r'], shown: 'R', does: 'begin again', act: () => timeline.reset() },
      {
        keys: ['z'],
        shown: 'Z',
        does: 'two seconds back, or to before the fall',
        act: () => (readout.fallTime === null ? timeline.jump(-2) : rewindFall()),
      },
      { keys: ['.'], shown: '.', does: 'one step on', act: () => timeline.step(1) },
      { keys: [','], shown: ',', does: 'one frame back', act: () => timeline.step(-1) },
      { keys: ['['], shown: '[', does: 'slower', act: () => timeline.shift(-1) },
      { keys: [']'], shown: ']', does: 'faster time', act: () => timeline.shift(1) },
      {
        keys: ['ArrowLeft'],
        shown: 'Shift ←',
        does: 'orbit left',
        act: e => e.shiftKey && eye.turn(-TURN, 0, 1),
      },
      {
        keys: ['ArrowRight'],
        shown: 'Shift →',
        does: 'orbit right',
        act: e => e.shiftKey && eye.turn(TURN, 0, 1),
      },
      {
        keys: ['ArrowUp'],
        shown: 'Shift ↑',
        does: 'look from higher',
        act: e => e.shiftKey && eye.turn(0, -TURN, 1),
      },
      {
        keys: ['ArrowDown'],
        shown: 'Shift ↓',
        does: 'look from lower',
        act: e => e.shiftKey && eye.turn(0, TURN, 1),
      },
      { keys: ['+', '='], shown: '+', does: 'nearer', act: () => eye.turn(0, 0, 1 / ZOOM) },
      { keys: ['-', '_'], shown: '−', does: 'farther', act: () => eye.turn(0, 0, ZOOM) },
      { keys: ['v'], shown: 'V', does: 'view from the corner, side, front', act: () => look(nextView()) },
      { keys: ['f'], shown: 'F', does: 'follow', act: () => hands.follow.set(!eye.follow) },
      ...OVERLAYS.filter(([, , key]) => key).map(([what, words, key]) => ({
        keys: [key.toLowerCase()],
        shown: key,
        does: words,
        act: () => flip(what),
      })),
      { keys: ['n'], shown: 'N', does: 'two side by side', act: () => byIdOrPanel('compare') },
      {
        keys: ['l'],
        shown: 'L',
        does: 'light or dark',
        act: () => setTheme(stage.theme === 'light' ? 'dark' : 'light'),
      },
      {
        keys: ['1', '2', '3', '4', '5', '6', '7'],
        shown: '1 … 7',
        does: 'panels',
        act: e => drawer.nth(Number(e.key)),
      },
      { keys: ['Escape'], shown: 'Esc', does: 'close', act: () => drawer.close() },
      { keys: ['?', 'h'], shown: '?', does: 'these keys', act: () => toggleHelp() },
    ];
  }
  function byIdOrPanel(name: 'compare'): void {
    if (drawer.open !== name) drawer.toggle(name);
    document.getElementById(name)?.click();
  }
  let view = 0;
  function nextView(): View {
    return (['corner', 'side', 'front'] as const)[++view % 3];
  }
}

function must<T>(value: T | null): T {
  if (value === null) throw new Error('the session has sent no state yet');
  return value;
}
