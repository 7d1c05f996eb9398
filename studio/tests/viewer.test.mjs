// The exported page in a real browser: the numbers behind the picture, the controls, and that there is a picture.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { apart, ask, given, launch, open } from './support.mjs';

const folder = given('SINEW_RUNS');
const file = join(folder, 'run.html');
const expected = JSON.parse(readFileSync(join(folder, 'expected.json'), 'utf8'));
/** Places are kept to 2⁻¹⁵ m: half of that, and single precision. */
const ROUNDING = 0.5 / 32768 + 1e-6;

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof open>>} */
let opened;
/** @type {import('playwright-core').Page} */
let page;

before(async () => {
  browser = await launch();
  opened = await open(browser, file);
  page = opened.page;
});
after(() => browser?.close());

/** Presses keys one after the other. @param {string[]} keys */
async function press(...keys) {
  for (const key of keys) await page.keyboard.press(key);
}

/** How many different colours a screenshot of the stage has, coarsely. */
function colors() {
  return page.evaluate(() => {
    const stage = /** @type {HTMLCanvasElement} */ (document.getElementById('stage'));
    const small = document.createElement('canvas');
    [small.width, small.height] = [64, 48];
    const pen = small.getContext('2d');
    // in the same turn as the drawing, else the picture is gone
    window.sinew?.draw();
    pen?.drawImage(stage, 0, 0, 64, 48);
    const pixels = pen?.getImageData(0, 0, 64, 48).data ?? [];
    const seen = new Set();
    for (let i = 0; i < pixels.length; i += 4) {
      seen.add((pixels[i] >> 4) * 256 + (pixels[i + 1] >> 4) * 16 + (pixels[i + 2] >> 4));
    }
    return seen.size;
  });
}

describe('an exported run', () => {
  test('opens without a complaint and fetches nothing', () => {
    assert.deepEqual(opened.complaints, []);
    const foreign = opened.requests.filter(url => !/^(file|data|blob):/.test(url));
    assert.deepEqual(foreign, []);
    assert.equal(opened.requests.filter(url => url.startsWith('file:')).length, 1);
  });

  test('has every body and object', async () => {
    assert.deepEqual(await ask(page, s => s.bodies), expected.bodies);
    assert.deepEqual(await ask(page, s => s.objects), expected.objects);
    const last = expected.moments.at(-1).time;
    assert.ok(Math.abs((await ask(page, s => s.duration)) - last) < 1 / 60);
  });

  test('puts every part where the recording has it', async () => {
    const times = expected.moments.map((/** @type {{ time: number }} */ m) => m.time);
    const count = expected.bodies.length + expected.objects.length;
    const drawn = await page.evaluate(
      ([times, count]) =>
        times.map((/** @type {number} */ time) => {
          window.sinew?.seek(time);
          const parts = Array.from({ length: count }, (_, i) => window.sinew?.placement(i).position ?? []);
          return { parts, com: window.sinew?.com() ?? [] };
        }),
      /** @type {const} */ ([times, count]),
    );
    expected.moments.forEach((/** @type {any} */ moment, /** @type {number} */ i) => {
      const wanted = [...moment.bodies, ...moment.objects];
      assert.ok(apart(drawn[i].parts.flat(), wanted.flat()) < ROUNDING, `at ${moment.time} s`);
      assert.ok(apart(drawn[i].com, moment.com) < ROUNDING, `centre of mass at ${moment.time} s`);
    });
  });

  test('draws a rotation as a rotation', async () => {
    await page.evaluate(() => window.sinew?.seek(1.234));
    const m = await ask(page, s => s.placement(0).matrix);
    for (const [a, b] of [
      [0, 4],
      [4, 8],
      [0, 8],
    ]) {
      const dot = m[a] * m[b] + m[a + 1] * m[b + 1] + m[a + 2] * m[b + 2];
      assert.ok(Math.abs(dot) < 1e-6);
      assert.ok(Math.abs(Math.hypot(m[a], m[a + 1], m[a + 2]) - 1) < 1e-6);
    }
  });

  test('shows a picture, by day and by night', async () => {
    const byDay = await colors();
    assert.ok(byDay > 30, `${byDay} colours`);
    await press('l');
    assert.equal(await ask(page, s => s.theme()), 'dark');
    assert.ok((await colors()) > 20);
    await press('l');
    assert.equal(await ask(page, s => s.theme()), 'light');
  });
});

describe('time', () => {
  test('scrubbing moves the figure', async () => {
    await page.evaluate(() => window.sinew?.seek(0));
    const start = await ask(page, s => s.placement(0).position);
    await page.locator('#scrub').fill('150');
    assert.equal(await ask(page, s => s.clock().time), 2.5);
    await page.waitForFunction(() => (document.getElementById('time')?.textContent ?? '').startsWith('2.50'));
    const later = await ask(page, s => s.placement(0).position);
    assert.ok(apart(start, later) > 0.1);
  });

  test('keys step, jump, change the speed and play', async () => {
    await press('Home');
    assert.equal(await ask(page, s => s.clock().time), 0);
    await press('ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowLeft');
    assert.ok(Math.abs((await ask(page, s => s.clock().time)) - 2 / 60) < 1e-9);
    await press('Shift+ArrowRight');
    assert.ok(Math.abs((await ask(page, s => s.clock().time)) - 1 - 2 / 60) < 1e-9);
    await press('End');
    assert.equal(await ask(page, s => s.clock().time), await ask(page, s => s.duration));
    await press('ArrowDown');
    assert.equal(await ask(page, s => s.clock().speed), 0.5);
    await press('ArrowUp');
    assert.equal(await ask(page, s => s.clock().speed), 1);

    // at the end, playing begins again
    await press(' ');
    assert.equal(await ask(page, s => s.clock().playing), true);
    await page.waitForFunction(() => (window.sinew?.clock().time ?? 0) > 0.3);
    assert.equal(await page.locator('#play').getAttribute('aria-label'), 'Pause');
    await press(' ');
    assert.equal(await ask(page, s => s.clock().playing), false);
  });
});

describe('what is shown', () => {
  test('contact forces and pushes come, and go with their switches', async () => {
    await page.evaluate(() => window.sinew?.seek(0.55));
    const arrows = await ask(page, s => s.arrows());
    assert.ok(arrows.contacts >= 4, 'both feet are on the ground');
    assert.equal(arrows.pushes, 1);
    await press('c', 'p');
    assert.deepEqual(await ask(page, s => s.arrows()), { contacts: 0, pushes: 0 });
    assert.equal(await page.locator('#switch-contacts').getAttribute('aria-pressed'), 'false');
    await page.locator('#switch-contacts').click();
    await page.locator('#switch-pushes').click();
    assert.deepEqual(await ask(page, s => s.arrows()), arrows);
  });

  test('the contact force on the panel is the one that carries the weight', async () => {
    // over a second of walking the ground carries the weight
    const said = [];
    for (let time = 0.4; time < 1.45; time += 0.1) {
      await page.evaluate(time => window.sinew?.seek(time), time);
      said.push((await page.locator('#force').textContent()) ?? '');
    }
    const weights = said.map(text => Number(/\((.*) × weight\)/.exec(text)?.[1]));
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;
    assert.ok(Math.abs(mean - 1) < 0.25, said.join(', '));
  });

  test('plots follow the time: speed, height, contact force, torque', async () => {
    await press('x');
    const shown = async (/** @type {number} */ seconds) => {
      await page.evaluate(seconds => window.sinew?.seek(seconds), seconds);
      // plots are drawn at most twenty times a second
      await page.waitForTimeout(120);
      await page.evaluate(seconds => window.sinew?.seek(seconds), seconds);
      return page.locator('#plots figcaption b').allTextContents();
    };
    const [speed, height, force, torque] = (await shown(0.4)).map(parseFloat);
    const { com, efforts } = await ask(page, s => ({ com: s.com(), efforts: s.efforts() }));
    assert.ok(Math.abs(height - com[2]) < 1e-3 && speed >= 0 && force > 100);
    assert.ok(Math.abs(torque - 100 * Math.max(...efforts)) <= 0.5 && torque > 0, `${torque}`);
    assert.notDeepEqual((await shown(1.2)).map(parseFloat), [speed, height, force, torque]);
    await press('x');
  });

  test('every switch turns by its key and by its button', async () => {
    const start = await ask(page, s => s.switches());
    for (const id of Object.keys(start)) {
      const button = page.locator(`#switch-${id}`);
      const key = (await button.getAttribute('aria-keyshortcuts')) ?? '';
      await press(key.toLowerCase());
      const turned = await ask(page, s => s.switches());
      assert.deepEqual(turned, { ...start, [id]: !start[id] });
      await button.click();
      assert.deepEqual(await ask(page, s => s.switches()), start);
    }
  });

  test('collision shapes replace the skin', async () => {
    const skin = await ask(page, s => (s.draw(), s.triangles()));
    await press('g');
    const shapes = await ask(page, s => (s.draw(), s.triangles()));
    assert.notEqual(skin, shapes);
    await press('g');
  });
});

describe('the camera', () => {
  test('orbits, zooms and takes set views by keys', async () => {
    await press('2');
    const side = await ask(page, s => s.camera());
    assert.ok(Math.abs(side.position[0] - side.aim[0]) < 1e-6, 'from the side');
    assert.ok(side.position[1] < side.aim[1]);
    await press('d');
    assert.ok(apart((await ask(page, s => s.camera())).position, side.position) > 0.05);
    await press('3', '-');
    const front = await ask(page, s => s.camera());
    assert.ok(front.position[0] - front.aim[0] > side.aim[1] - side.position[1], 'farther than before');
    await press('1');
  });

  test('orbits by the mouse', async () => {
    const start = (await ask(page, s => s.camera())).position;
    await page.mouse.move(400, 200);
    await page.mouse.down();
    await page.mouse.move(520, 220, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(
      from => Math.hypot(...(window.sinew?.camera().position ?? from).map((x, i) => x - from[i])) > 0.2,
      start,
    );
    await press('1');
  });

  test('follows, or stays', async () => {
    await page.evaluate(() => window.sinew?.seek(0));
    const start = (await ask(page, s => s.camera())).position;
    await page.evaluate(() => window.sinew?.seek(2.9));
    const followed = (await ask(page, s => s.camera())).position;
    assert.ok(apart(start, followed) > 0.05);
    await press('f');
    await page.evaluate(() => window.sinew?.seek(0));
    assert.ok(apart((await ask(page, s => s.camera())).position, followed) < 1e-6);
    await press('f', '1');
  });
});

describe('for everybody', () => {
  test('works by keyboard alone: every control has a name and can be reached', async () => {
    await page.evaluate(() => /** @type {HTMLElement} */ (document.activeElement)?.blur());
    const controls = page.locator('button:visible, input:visible, select:visible');
    const wanted = await controls.count();
    const reached = new Set();
    for (let i = 0; i < wanted + 3; i++) {
      await press('Tab');
      const name = await page.evaluate(() => {
        const at = document.activeElement;
        return at?.id ? `${at.id}: ${at.getAttribute('aria-label') ?? at.textContent?.trim()}` : '';
      });
      if (name) reached.add(name);
    }
    // the stage is one more
    assert.ok(reached.size >= wanted, [...reached].join('; '));
    for (const name of reached) assert.match(name, /: .+/);
  });

  test('the keys are written on the screen when asked', async () => {
    const help = page.locator('#help');
    assert.equal(await help.isVisible(), false);
    await press('?');
    assert.equal(await help.isVisible(), true);
    assert.ok((await help.locator('tr').count()) >= 20);
    await press('?');
  });

  test('fits a small window, and follows the system to the dark', async () => {
    const small = await open(browser, file, { width: 360, height: 560, colorScheme: 'dark' });
    assert.deepEqual(small.complaints, []);
    assert.equal(await ask(small.page, s => s.theme()), 'dark');
    const wide = await small.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    for (const id of ['panel', 'bar', 'play', 'scrub']) {
      const box = await small.page.locator(`#${id}`).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 360 && box.y + box.height <= 560, id);
    }
    await small.page.close();
  });

  test('no control made the page complain', () => assert.deepEqual(opened.complaints, []));
});
