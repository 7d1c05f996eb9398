// The page of a recorded run: stage, clock and controls put together.

import { Vector3 } from 'three';
import type { Run } from '../run/run';
import { Eye, type View } from '../stage/eye';
import { THEMES, type ThemeName } from '../stage/theme';
import { Theatre } from '../theatre';
import { Controls, byId } from './controls';
import { expose } from './debug';
import { Panel } from './panel';
import { Player } from './player';
import { type Measure, Plots } from './plots';
import { Strip } from './strip';
import { switchesOf } from './switches';

/** Greatest time that one picture may advance, s: after a pause of the page the run continues where it was. */
const LONGEST = 0.1;

const MEASURES: Measure[] = [
  { label: 'speed', unit: 'm/s', digits: 2, least: 1.5 },
  { label: 'COM height', unit: 'm', digits: 3, least: 1.2 },
  { label: 'contact force', unit: 'N', digits: 0, least: 100 },
  { label: 'greatest torque', unit: '% of limit', digits: 0, least: 100 },
];

export function openPage(run: Run): void {
  const canvas = byId('stage', HTMLCanvasElement);
  const theatre = new Theatre(canvas, run);
  const { stage } = theatre;
  const eye = new Eye(stage.camera, canvas, 1.95 * theatre.size, () => stage.ground);
  const strip = new Strip(byId('strip', HTMLCanvasElement), run);
  const panel = new Panel(run, theatre.forces.scale);
  let stale = true;
  const redraw = () => void (stale = true);
  const player = new Player(run.duration, run.rate, redraw);
  const totals = run.contactTotals();
  const values = [
    (frame: number) => Math.hypot(...run.velocity(frame)),
    (frame: number) => run.com[3 * frame + 2],
    (frame: number) => totals[frame],
    (frame: number) => 100 * run.effort(frame).reduce((a, b) => Math.max(a, b), 0),
  ];
  const plots = new Plots(
    byId('plots', HTMLElement),
    MEASURES,
    {
      count: () => run.frames,
      time: frame => frame / run.rate,
      values: (measure, frame) => [values[measure](frame)],
    },
    time => player.seek(time),
  );
  const switches = switchesOf(theatre, eye, plots.place);

  const look = (view: View) => {
    eye.look(view, run.aim(player.time));
    redraw();
  };
  const setTheme = (name: ThemeName) => {
    document.documentElement.dataset.theme = name;
    stage.setTheme(name);
    strip.draw(THEMES[name].contact, THEMES[name].push);
    redraw();
  };
  const turn = (azimuth: number, polar: number, zoom: number) => {
    eye.turn(azimuth, polar, zoom);
    redraw();
  };
  const toggleTheme = () => setTheme(stage.theme === 'light' ? 'dark' : 'light');
  const controls = new Controls({ player, switches, look, turn, toggleTheme, redraw });

  // the system's theme holds until the reader chooses another
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', () => setTheme(dark.matches ? 'dark' : 'light'));
  const resize = () => {
    const covered = byId('bar', HTMLElement).offsetHeight;
    stage.resize(window.innerWidth, window.innerHeight, Math.min(window.devicePixelRatio, 2), covered);
    setTheme(stage.theme);
  };
  window.addEventListener('resize', resize);
  setTheme(dark.matches ? 'dark' : 'light');
  resize();
  look('corner');

  const place = () => {
    const frame = theatre.show(player.time);
    eye.track(run.aim(player.time));
    panel.show(frame, run.frameAt(player.time));
    controls.show();
    plots.show(player.time, [0, Math.max(run.duration, 1e-3)], performance.now());
  };
  const draw = () => {
    stage.draw(new Vector3(...run.aim(player.time)));
    stale = false;
  };
  let before = performance.now();
  const tick = (now: number) => {
    player.advance(Math.min((now - before) / 1000, LONGEST));
    before = now;
    if (stale) place();
    if (eye.update() || stale) draw();
    requestAnimationFrame(tick);
  };
  place();
  draw();
  expose({ run, theatre, player, switches, place, draw });
  requestAnimationFrame(tick);
}
