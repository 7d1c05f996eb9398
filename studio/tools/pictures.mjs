// Pictures of every panel and mode, by day and by night, for the documentation: `npm run pictures` in `studio/`, after
// `cargo build --release`. `npm run pictures -- fall side-push` takes some only.
//
// A picture waits for what the world says of itself, never for time to pass: the world stands still while things are done to it and
// goes on by whole steps until it is where the picture wants it, however slow the machine. A picture that fails is named in the end.

import './program.mjs';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { given, launch, live, open, openStudio, startStudio } from '../tests/support.mjs';

/** @typedef {import('playwright-core').Page} Page */
/** @typedef {import('../src/live/debug').Studio} Studio */
/**
 * What is in a picture: the set-up, the time at which it begins, and what is done then; whether the world goes on while it is
 * taken; whether the page may complain. What `act` returns is the page to take.
 * @typedef {{ setup?: unknown, size?: { width: number, height: number }, at?: number, plays?: boolean, complains?: boolean,
 *   act?: (page: Page) => Promise<Page | void> }} Picture
 */

const root = new URL('../../', import.meta.url);
const folder = fileURLToPath(new URL('docs/images/studio/', root));
const scratch = mkdtempSync(join(tmpdir(), 'sinew-pictures-'));
const [WIDE, SMALL] = [
  { width: 1200, height: 750 },
  { width: 390, height: 720 },
];
const OVERLAYS = 'cmtkoi';
/** Steps of 1 ms between two looks at the world. */
const STRIDE = 16;
/** Longest time for one picture, ms. */
const PATIENCE = 180_000;

/** @param {Page} page @param {import('../src/live/messages').ClientMessage} message */
const send = (page, message) => page.evaluate(m => window.studio?.send(m), message);
/** @param {Page} page @param {string} keys */
const press = async (page, keys) => {
  for (const key of keys) await page.keyboard.press(key);
};
/** Waits until so many pictures are drawn. @param {Page} page */
const drawn = (page, count = 3) =>
  page.evaluate(async n => {
    for (let i = 0; i < n; i++) await new Promise(requestAnimationFrame);
  }, count);

/** Does something while nothing is drawn, which would take the processor. @template T @param {Page} page @param {() => Promise<T>} act */
async function blindly(page, act) {
  await live(page, s => s.workFromNow(false));
  const done = await act();
  await live(page, s => s.workFromNow(true));
  return done;
}

/**
 * Goes on by whole steps until something holds, at most so many seconds of the world; then it has failed. Without anything to wait
 * for it goes on for these seconds.
 * @param {Page} page @param {number} seconds @param {(studio: Studio) => boolean} [holds]
 */
async function go(page, seconds, holds) {
  const came = await blindly(page, () =>
    page.evaluate(`(async (studio, holds, steps) => {
      const end = studio.frame().time + ${seconds} - 1e-6;
      while (!holds(studio)) {
        const { time } = studio.frame();
        if (time >= end) return false;
        studio.send({ type: 'step', steps });
        while (studio.frame().time === time) await new Promise(next => setTimeout(next, 2));
      }
      return true;
    })(window.studio, ${holds ?? '() => false'}, ${STRIDE})`),
  );
  if (came || !holds) return;
  const now = await live(page, s => {
    const lane = s.frame()?.lanes[0];
    return { time: s.frame()?.time, com: [...(lane?.com ?? [])], velocity: [...(lane?.velocity ?? [])] };
  });
  throw new Error(`not within ${seconds} s of the world: ${holds}; it is at ${JSON.stringify(now)}`);
}

/** @type {Record<string, Picture>} */
const PICTURES = {
  first: { plays: true },
  character: panel('character'),
  walk: panel('walk'),
  world: panel('world'),
  show: panel('show'),
  plots: { at: 8, plays: true, act: page => page.keyboard.press('5') },
  compare: { setup: { lanes: [{}, { style: 'sneaky' }] }, ...panel('compare') },
  save: panel('save'),
  overlays: { at: 4.2, act: page => press(page, OVERLAYS) },
  torques: { act: page => press(page, 'x') },
  shapes: { act: page => press(page, 'g') },
  help: { act: page => page.keyboard.press('?') },
  drag: {
    async act(page) {
      const at = await live(page, s => {
        const trunk = s.placement(0, 3);
        return s.screen([trunk[12], trunk[13], trunk[14] - 0.12]);
      });
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 120, at.y - 30, { steps: 3 });
      await go(page, 1, s => Math.hypot(...(s.frame()?.lanes[0].push.impulse ?? [0])) > 12);
    },
  },
  box: {
    async act(page) {
      await page.keyboard.press('b');
      // it comes from where the camera stood, and is better seen from elsewhere
      await press(page, 'vv');
      // the box comes after the bodies
      await go(page, 1, s => {
        const lane = s.frame()?.lanes[0];
        if (!lane) return false;
        const box = lane.poses.slice(-7, -4);
        return lane.poses.length > 7 && Math.hypot(...box.map((x, k) => x - lane.com[k])) < 0.6;
      });
    },
  },
  ghost: {
    async act(page) {
      await send(page, { type: 'ghost', name: 'dance' });
      await page.waitForFunction(
        () => (window.studio?.ghost().frames ?? 0) > 0 && window.studio?.ghost().name,
      );
      await go(page, 1.5);
    },
  },
  jump: {
    async act(page) {
      await page.keyboard.press('2');
      await page.locator('#jump-legs').selectOption('split');
      await page.locator('#ask-jump').click();
      // it stops, stands, crouches and leaves the ground; then the highest point
      await go(page, 15, s => (s.frame()?.lanes[0].com[2] ?? 0) > 1.15);
      await go(page, 1, s => (s.frame()?.lanes[0].velocity[2] ?? 1) < 0.1);
    },
  },
  balance: {
    setup: {
      lanes: [{ controller: 'balancer', values: { 'stance.squat_depth': 0.35, 'stance.squat_period': 3 } }],
    },
    async act(page) {
      await page.keyboard.press('2');
      await press(page, 'moi');
      await go(page, 6, s => (s.frame()?.lanes[0].com[2] ?? 1) < 0.72);
    },
  },
  ragdoll: {
    setup: { lanes: [{ controller: 'limp' }] },
    at: 0.05,
    async act(page) {
      await page.keyboard.press('2');
      await go(page, 2, s => (s.frame()?.lanes[0].com[2] ?? 1) < 0.72);
    },
  },
  side: { setup: { lanes: [{}, { style: 'sneaky' }] }, at: 5.2 },
  'side-push': {
    setup: { lanes: [{}, { style: 'sneaky' }] },
    at: 4,
    async act(page) {
      await page.keyboard.press('p');
      await go(page, 1, s => Math.hypot(...(s.frame()?.lanes[0].push.impulse ?? [0])) > 20);
    },
  },
  fall: { act: fall },
  rewound: {
    async act(page) {
      await fall(page);
      await page.keyboard.press('z');
      await page.waitForFunction(() => window.studio?.frame()?.past);
    },
  },
  uphill: { setup: { terrain: { kind: 'uphill', difficulty: 0.4 } }, at: 6 },
  stairs: { setup: { terrain: { kind: 'stairs', difficulty: 0.4 } }, at: 6.5 },
  ostrich: { setup: { lanes: [{ character: 'ostrich' }] }, at: 5 },
  download: {
    at: 6,
    async act(page) {
      await page.keyboard.press('7');
      await page.locator('#download-html').click();
      await page.waitForFunction(() => window.studio?.files() === 1);
    },
  },
  exported: {
    at: 6,
    async act(page) {
      await send(page, { type: 'download', format: 'html', seconds: 5 });
      await page.waitForFunction(() => window.studio?.files() === 1);
      const content = await live(page, s => s.file()?.base64 ?? '');
      return exported(page, Buffer.from(content, 'base64'), 3.1, 'xu');
    },
  },
  drop: {
    act: page =>
      page.evaluate(() => {
        const dataTransfer = new DataTransfer();
        dataTransfer.items.add(new File(['HIERARCHY'], 'walk.bvh'));
        document.dispatchEvent(new DragEvent('dragenter', { dataTransfer }));
      }),
  },
  broken: {
    async act(page) {
      const file = join(scratch, 'broken.bvh');
      writeFileSync(file, 'HIERARCHY\nROOT a {\n');
      await page.locator('#pick').setInputFiles(file);
      await page.locator('.toast.problem').waitFor();
    },
  },
  lost: {
    complains: true,
    async act(page) {
      await page.context().setOffline(true);
      await live(page, s => s.drop());
      await page.locator('#lost').waitFor();
    },
  },
  small: { size: SMALL, plays: true },
  'small-panel': { size: SMALL, ...panel('character') },
  'small-plots': { size: SMALL, at: 8, plays: true, act: page => page.keyboard.press('5') },
  'small-fall': { size: SMALL, act: fall },
  // of the page about looking at runs
  '../viewer': { act: page => exported(page, sampleRun(), 0.66, '') },
};

/** @param {string} name @returns {Picture} */
function panel(name) {
  return { act: page => page.locator(`#tab-${name}`).click() };
}

/** A push that is too much, until it lies. @param {Page} page */
async function fall(page) {
  await send(page, { type: 'push', impulse: [0, 260, 0], seconds: 0.2 });
  await go(page, 6, () => document.getElementById('fall')?.hidden === false);
  await go(page, 1.2);
}

/** The page of a run, opened as the studio is, at a time and with some keys pressed. @param {Page} page @param {Buffer} content @param {number} seconds @param {string} keys */
async function exported(page, content, seconds, keys) {
  const file = join(scratch, 'run.html');
  writeFileSync(file, content);
  const colorScheme = (await live(page, s => s.theme())) === 'dark' ? 'dark' : 'light';
  const browser = page.context().browser();
  if (!browser) throw new Error('the page has no browser');
  const viewer = await open(browser, file, { ...WIDE, colorScheme });
  await viewer.page.evaluate(at => window.sinew?.seek(at), seconds);
  await press(viewer.page, keys);
  return viewer.page;
}

/** The page of the run to try things with. */
function sampleRun() {
  const [run, html] = ['sample.npz', 'sample.html'].map(name => join(scratch, name));
  const example = ['run', '--release', '--quiet', '-p', 'sinew-app', '--example', 'sample_run', '--', run];
  execFileSync('cargo', example, { cwd: root, stdio: 'ignore' });
  execFileSync(given('SINEW'), ['export', run, '--to', html], { stdio: 'ignore' });
  return readFileSync(html);
}

/** @param {string} name @param {string} scheme */
const fileOf = (name, scheme) => `${name}${scheme === 'dark' ? '-dark' : ''}.jpg`;

/** @param {import('playwright-core').Browser} browser @param {string} url @param {string} name @param {'light' | 'dark'} colorScheme */
async function take(browser, url, name, colorScheme) {
  const { setup = {}, size = WIDE, at = 4.1, plays = false, complains = false, act } = PICTURES[name];
  const link = `${url}#${encodeURIComponent(JSON.stringify(setup))}`;
  const { page, complaints } = await openStudio(browser, link, { ...size, colorScheme });
  await live(page, s => s.sharp());
  await blindly(page, async () => {
    await page.waitForFunction(t => (window.studio?.frame()?.time ?? 0) >= t, at, { polling: 5 });
    await send(page, { type: 'pause' });
    await page.waitForFunction(() => window.studio?.frame()?.playing === false, null, { polling: 5 });
    // back to exactly its time; one more stride, and what came after it is gone
    const before = at - STRIDE / 1000;
    await send(page, { type: 'seek', time: before });
    await page.waitForFunction(t => (window.studio?.frame()?.time ?? 0) < t + 1e-6, before, { polling: 5 });
  });
  await go(page, STRIDE / 1000);
  const taken = (await act?.(page)) ?? page;
  if (plays) {
    await send(page, { type: 'play' });
    await blindly(page, () => page.waitForFunction(() => (window.studio?.frame()?.rate ?? 0) > 0.9));
  }
  await drawn(taken);
  await taken.screenshot({ type: 'jpeg', quality: 78, path: join(folder, fileOf(name, colorScheme)) });
  if (complaints.length > 0 && !complains) throw new Error(complaints.join('\n'));
}

/** What is not done within its time has failed. @template T @param {Promise<T>} promise */
function patiently(promise) {
  let timer = setTimeout(() => {}, 0);
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${PATIENCE / 1000} s`)), PATIENCE);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

const all = process.argv.length <= 2;
const names = all ? Object.keys(PICTURES) : process.argv.slice(2);
const unknown = names.filter(name => !(name in PICTURES));
if (unknown.length > 0) throw new Error(`no such picture: ${unknown}; there are ${Object.keys(PICTURES)}`);
/** @type {string[]} */
const failed = [];
const studio = await startStudio();
const browser = await launch();
try {
  for (const name of names) {
    for (const scheme of /** @type {const} */ (['light', 'dark'])) {
      const file = fileOf(name, scheme);
      try {
        await patiently(take(browser, studio.url, name, scheme));
        console.log(file);
      } catch (error) {
        console.error(`${file} FAILED: ${error instanceof Error ? error.message : error}`);
        failed.push(file);
      }
      for (const context of browser.contexts()) await context.close();
    }
  }
} finally {
  await browser.close();
  await studio.stop();
  rmSync(scratch, { recursive: true });
}
const known = Object.keys(PICTURES).flatMap(name => [fileOf(name, 'light'), fileOf(name, 'dark')]);
const strays = readdirSync(folder).filter(file => !known.includes(file));
if (strays.length > 0) console.error(`nothing takes these: ${strays.join(', ')}`);
if (failed.length > 0) console.error(`${failed.length} failed: ${failed.join(', ')}`);
process.exitCode = failed.length + strays.length > 0 ? 1 : 0;
