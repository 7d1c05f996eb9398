// Pictures of every panel and mode, by day and by night, for the documentation: `npm run pictures` in `studio/`, after
// `cargo build --release`. `npm run pictures -- fall side-push` takes some only.

import './program.mjs';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launch, live, open, openStudio, startStudio } from '../tests/support.mjs';

/** @typedef {import('playwright-core').Page} Page */

const folder = fileURLToPath(new URL('../../docs/images/studio/', import.meta.url));
const scratch = mkdtempSync(join(tmpdir(), 'sinew-pictures-'));
const [WIDE, SMALL] = [
  { width: 1200, height: 750 },
  { width: 390, height: 720 },
];
const OVERLAYS = 'cmtkoi';

/** @param {Page} page @param {import('../src/live/messages').ClientMessage} message */
const send = (page, message) => page.evaluate(m => window.studio?.send(m), message);
/** Lets the page come to rest. @param {Page} page @param {number} ms */
const rest = (page, ms = 500) => page.waitForTimeout(ms);
/** Waits until something holds, without drawing meanwhile. @param {Page} page @param {(n: number) => unknown} holds @param {number} [n] */
async function until(page, holds, n = 0) {
  await live(page, s => s.workFromNow(false));
  await page.waitForFunction(holds, n, { polling: 5, timeout: 60_000 });
  await live(page, s => s.workFromNow(true));
}
/** Waits until the world has come to this time, s. @param {Page} page @param {number} seconds */
const time = (page, seconds) => until(page, t => (window.studio?.frame()?.time ?? 0) >= t, seconds);
/** Lets so much time of the world pass slowly, and stops. @param {Page} page @param {number} seconds */
async function pass(page, seconds) {
  await send(page, { type: 'speed', factor: 0.25 });
  await time(page, (await live(page, s => s.frame()?.time ?? 0)) + seconds);
  await send(page, { type: 'pause' });
}
/** Goes on slowly until something holds, and stops there. @param {Page} page @param {() => boolean} holds */
async function stopAt(page, holds) {
  await send(page, { type: 'speed', factor: 0.25 });
  await until(page, holds);
  await send(page, { type: 'pause' });
}

/**
 * What is in the pictures: the set-up, the time at which it is taken, and what is done before. What `act` returns is the page to take.
 * @type {Record<string, { setup?: unknown, size?: { width: number, height: number }, at?: number, act?: (page: Page) => Promise<Page | void> }>}
 */
const PICTURES = {
  first: {},
  character: panel('character'),
  walk: panel('walk'),
  world: panel('world'),
  show: panel('show'),
  compare: panel('compare'),
  save: panel('save'),
  plots: { at: 8, act: page => page.keyboard.press('5') },
  overlays: { act: page => press(page, OVERLAYS) },
  torques: { act: page => press(page, 'x') },
  shapes: { act: page => press(page, 'g') },
  help: { act: page => page.keyboard.press('?') },
  drag: {
    async act(page) {
      await send(page, { type: 'speed', factor: 0.1 });
      await rest(page, 1500);
      const at = await live(page, s => {
        const trunk = s.placement(0, 3);
        return s.screen([trunk[12], trunk[13], trunk[14] + 0.1]);
      });
      await page.mouse.move(at.x, at.y);
      await page.mouse.down();
      await page.mouse.move(at.x + 80, at.y - 40, { steps: 3 });
      await rest(page, 900);
    },
  },
  box: {
    async act(page) {
      await send(page, { type: 'speed', factor: 0.25 });
      await page.keyboard.press('b');
      await pass(page, 0.32);
    },
  },
  ghost: {
    async act(page) {
      await send(page, { type: 'ghost', name: 'dance' });
      await page.waitForFunction(
        () => (window.studio?.ghost().frames ?? 0) > 0 && window.studio?.ghost().name,
      );
      await rest(page, 1500);
    },
  },
  jump: {
    async act(page) {
      await page.keyboard.press('2');
      await page.locator('#jump-split').click();
      await stopAt(page, () => {
        const lane = window.studio?.frame()?.lanes[0];
        return lane !== undefined && lane.com[2] > 1.2 && lane.velocity[2] < 0.4;
      });
    },
  },
  balance: {
    setup: { lanes: [{ controller: 'balancer', stance: { squat_depth: 0.35, squat_period: 3 } }] },
    async act(page) {
      await page.keyboard.press('2');
      await press(page, 'moi');
      await stopAt(page, () => (window.studio?.frame()?.lanes[0].com[2] ?? 1) < 0.72);
    },
  },
  side: { setup: { lanes: [{}, { style: 'sneaky' }] }, at: 6 },
  'side-push': {
    setup: { lanes: [{}, { style: 'sneaky' }] },
    at: 4,
    async act(page) {
      await send(page, { type: 'speed', factor: 0.25 });
      await page.keyboard.press('p');
      await pass(page, 0.2);
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
  uphill: { setup: { terrain: { kind: 'uphill' } }, at: 6 },
  stairs: { setup: { terrain: { kind: 'stairs' } }, at: 5 },
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
      const file = join(scratch, 'walk.html');
      writeFileSync(file, Buffer.from(content, 'base64'));
      const dark = (await live(page, s => s.theme())) === 'dark';
      const browser = page.context().browser();
      if (!browser) throw new Error('the page has no browser');
      const viewer = await open(browser, file, { ...WIDE, colorScheme: dark ? 'dark' : 'light' });
      await viewer.page.evaluate(() => window.sinew?.seek(3.1));
      await press(viewer.page, 'xu');
      return viewer.page;
    },
  },
  broken: {
    async act(page) {
      const file = join(scratch, 'broken.bvh');
      writeFileSync(file, 'HIERARCHY\nROOT a {\n');
      await page.locator('#pick').setInputFiles(file);
      await page.locator('.toast.problem').waitFor();
    },
  },
  small: { size: SMALL },
  'small-panel': { size: SMALL, act: page => page.locator('#tab-character').click() },
  'small-plots': { size: SMALL, at: 8, act: page => page.keyboard.press('5') },
  'small-fall': { size: SMALL, act: fall },
};

/** @param {string} name */
function panel(name) {
  return { act: (/** @type {Page} */ page) => page.locator(`#tab-${name}`).click() };
}

/** @param {Page} page @param {string} keys */
async function press(page, keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** A push that is too much. @param {Page} page */
async function fall(page) {
  await send(page, { type: 'push', impulse: [0, 260, 0], seconds: 0.2 });
  await page.locator('#fall').waitFor();
  await rest(page, 1500);
}

/** @param {import('playwright-core').Browser} browser @param {string} url @param {string} name @param {'light' | 'dark'} colorScheme */
async function take(browser, url, name, colorScheme) {
  const { setup = {}, size = WIDE, at = 3.5, act } = PICTURES[name];
  const link = `${url}#${encodeURIComponent(JSON.stringify(setup))}`;
  const { page, complaints } = await openStudio(browser, link, { ...size, colorScheme });
  await live(page, s => s.sharp());
  await time(page, at);
  const taken = (await act?.(page)) ?? page;
  await rest(taken, 700);
  const file = `${name}${colorScheme === 'dark' ? '-dark' : ''}.jpg`;
  await taken.screenshot({ type: 'jpeg', quality: 78, path: join(folder, file) });
  console.log(file, ...complaints);
  if (taken !== page) await taken.close();
  await page.close();
}

const names = process.argv.length > 2 ? process.argv.slice(2) : Object.keys(PICTURES);
const studio = await startStudio();
const browser = await launch();
try {
  for (const name of names) {
    await take(browser, studio.url, name, 'light');
    await take(browser, studio.url, name, 'dark');
  }
} finally {
  await browser.close();
  await studio.stop();
  rmSync(scratch, { recursive: true });
}
