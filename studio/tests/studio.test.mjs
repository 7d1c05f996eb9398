// The studio in a real browser, by the simulation's own numbers.

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { validateBytes } from 'gltf-validator';
import { ask, launch, live, open, openStudio, startStudio } from './support.mjs';

/** @type {Awaited<ReturnType<typeof startStudio>>} */
let studio;
/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof openStudio>>} */
let opened;
/** @type {import('playwright-core').Page} */
let page;

before(async () => {
  studio = await startStudio();
  browser = await launch();
  opened = await openStudio(browser, studio.url);
  page = opened.page;
});
after(async () => {
  await browser?.close();
  await studio?.stop();
});

/** Where the first character is, and when. */
const now = () =>
  live(page, s => {
    const frame = /** @type {import('../src/live/frame').LiveFrame} */ (s.frame());
    const [lane] = frame.lanes;
    return {
      time: frame.time,
      com: [...lane.com],
      facing: lane.facing,
      push: lane.push,
      fingerprint: frame.fingerprint,
      past: frame.past,
      playing: frame.playing,
    };
  });

/** Waits until so much time of the world has passed. @param {number} seconds */
async function pass(seconds) {
  const { time } = await now();
  await page.waitForFunction(until => (window.studio?.frame()?.time ?? 0) >= until, time + seconds);
}

/** Begins again with a set-up, and waits until it is there. @param {unknown} setup */
async function begin(setup) {
  const before = await live(page, s => s.frame()?.generation ?? 0);
  await page.evaluate(setup => window.studio?.send(/** @type {any} */ ({ type: 'setup', setup })), setup);
  await page.waitForFunction(last => (window.studio?.frame()?.generation ?? 0) > last, before);
}

/** Asks for the last second as a file, and waits for it. @param {string} format */
async function download(format) {
  const before = await live(page, s => s.files());
  await page.evaluate(format => window.studio?.send({ type: 'download', format, seconds: 1 }), format);
  await page
    .waitForFunction(n => (window.studio?.files() ?? 0) > n, before)
    .catch(async () => {
      const { said, connected } = await live(page, s => ({ said: s.said(), connected: s.connected() }));
      assert.fail(`no ${format}; connected: ${connected}; said: ${said.slice(-6).join(' | ')}`);
    });
  const file = await page.evaluate(() => window.studio?.file());
  assert.equal(file?.name, `sinew.${format}`);
  return Buffer.from(file.base64, 'base64');
}

/** Drops a file on the page. @param {string} name @param {string} content */
async function dropFile(name, content) {
  const file = join(tmpdir(), name);
  writeFileSync(file, content);
  await page.locator('#pick').setInputFiles(file);
}

describe('a first visit', () => {
  test('it walks, with the keys on the screen and without a complaint', async () => {
    const before = await now();
    await pass(2);
    const after = await now();
    const speed = (after.com[0] - before.com[0]) / (after.time - before.time);
    assert.ok(speed > 0.5 && speed < 1.1, `${speed} m/s`);
    assert.ok(after.com[2] > 0.85);
    for (const id of ['key-w', 'key-a', 'key-s', 'key-d', 'hints']) {
      assert.ok(await page.locator(`#${id}`).isVisible(), id);
    }
    assert.match(await page.locator('#hints').innerText(), /drag.*push/s);
    assert.deepEqual(opened.complaints, []);
  });

  test('the page draws the character where the simulation has it', async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing === false);
    await page.waitForTimeout(300);
    const far = await live(page, s => {
      const poses = s.frame()?.lanes[0].poses ?? new Float32Array(7);
      const at = s.placement(0, 0);
      return Math.max(...[0, 1, 2].map(k => Math.abs(at[12 + k] - poses[k])));
    });
    assert.ok(far < 1e-6, `${far} m`);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing);
  });
});

describe('hands on', () => {
  test('steering turns it', async () => {
    const before = await now();
    await page.keyboard.down('ArrowLeft');
    await pass(1.2);
    await page.keyboard.up('ArrowLeft');
    await pass(3);
    const turned = (await now()).facing - before.facing;
    assert.ok(turned > 0.5, `${turned} rad`);
  });

  test('keys change the speed, the pad too', async () => {
    await page.keyboard.down('s');
    await page.waitForFunction(() => (window.studio?.cruise() ?? 1) < 0.4);
    await page.keyboard.up('s');
    const pad = await page.locator('#pad').boundingBox();
    assert.ok(pad);
    await page.mouse.move(pad.x + pad.width / 2, pad.y + pad.height / 2);
    await page.mouse.down();
    await page.mouse.move(pad.x + pad.width / 2, pad.y + 0.4 * pad.height, { steps: 2 });
    await page.waitForFunction(() => (window.studio?.cruise() ?? 0) > 0.3);
    await page.mouse.up();
  });

  test('a drag pushes it by the impulse that the page says', async () => {
    // weightless and limp: what the hand gives is all the momentum there is
    await begin({ lanes: [{ controller: 'limp', body: { gravity: 0 } }] });
    await pass(0.3);
    const mass = 75.4;
    const at = await live(page, s => {
      const m = s.placement(0, 3);
      return s.screen([m[12], m[13], m[14]]);
    });
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(at.x + 20, at.y - 30, { steps: 3 });
    await page.waitForFunction(
      () => Math.hypot(...(window.studio?.frame()?.lanes[0].push.impulse ?? [0])) > 8,
    );
    const label = await page.locator('#push-label').innerText();
    assert.match(label, /\d+ N\s*·\s*\d+\.\d N·s/);
    await page.mouse.up();
    await pass(0.2);
    const { impulse, momentum } = await live(page, s => {
      const lane = /** @type {import('../src/live/frame').LiveFrame} */ (s.frame()).lanes[0];
      return { impulse: lane.push.impulse, momentum: [...lane.velocity] };
    });
    // upwards nothing holds it back
    const total = Math.hypot(...impulse);
    const off = Math.abs(momentum[2] * mass - impulse[2]);
    assert.ok(off < 0.08 * total, `${momentum[2] * mass} N·s up by ${impulse[2]} N·s`);
    const said = Number(/([\d.]+) N·s/.exec(await page.locator('#push-label').innerText())?.[1]);
    assert.ok(Math.abs(said - total) < 0.06, `${said} ${total}`);
  });

  test('a slider lengthens the legs and it walks on', async () => {
    await begin({});
    await pass(1);
    await page.locator('#tab-character').click();
    await page.locator('#body-legs').fill('1.15');
    await page.waitForFunction(() => window.studio?.state()?.setup.lanes[0].body.legs === 1.15);
    await pass(6);
    const { com } = await now();
    assert.ok(com[2] > 1.02, `${com[2]} m high`);
    await pass(2);
    assert.ok((await now()).com[0] > com[0] + 0.8);
    await page.keyboard.press('Escape');
  });

  test('controllers switch', async () => {
    await page.locator('#tab-walk').click();
    await page.locator('#controller-limp').click();
    await pass(2.5);
    assert.ok((await now()).com[2] < 0.6, 'a ragdoll lies');
    assert.equal(await page.locator('#stance-squat_depth').count(), 0);
    await page.locator('#controller-balancer').click();
    await page.waitForFunction(() => window.studio?.state()?.setup.lanes[0].controller === 'balancer');
    await begin({ lanes: [{ controller: 'balancer' }] });
    await page.locator('#stance-squat_depth').fill('0.3');
    await page.waitForFunction(() => (window.studio?.frame()?.lanes[0].com[2] ?? 1) < 0.8);
    await page.waitForFunction(() => (window.studio?.frame()?.lanes[0].com[2] ?? 0) > 0.9);
    await page.locator('#ask-jump').click();
    await page.waitForFunction(() => window.studio?.state()?.setup.lanes[0].controller === 'jumper');
    await page.waitForFunction(() => (window.studio?.frame()?.lanes[0].com[2] ?? 0) > 1.15);
    await page.locator('#controller-walker').click();
    await page.waitForFunction(() => window.studio?.state()?.setup.lanes[0].controller === 'walker');
    await page.keyboard.press('Escape');
  });

  test('it says why it fell, and begins again', async () => {
    await begin({});
    await pass(1);
    await page.evaluate(() => window.studio?.send({ type: 'push', impulse: [0, 260, 0], seconds: 0.2 }));
    await page.locator('#fall').waitFor();
    assert.match(await page.locator('#fall-why').innerText(), /capture point|slipped|limits/);
    const { time } = await now();
    await page.keyboard.press('r');
    await page.locator('#fall').waitFor({ state: 'hidden' });
    assert.ok((await now()).time < time);
  });

  test('a box is thrown', async () => {
    await pass(0.5);
    const parts = () => live(page, s => (s.frame()?.lanes[0].poses.length ?? 0) / 7);
    const before = await parts();
    await page.keyboard.press('b');
    await page.waitForFunction(n => (window.studio?.frame()?.lanes[0].poses.length ?? 0) / 7 > n, before);
  });
});

describe('time', () => {
  test('rewinding shows the same state, bit by bit', async () => {
    await begin({});
    await pass(1);
    await page.evaluate(() => window.studio?.send({ type: 'push', impulse: [0, 15, 0], seconds: 0.2 }));
    await pass(1);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing === false);
    const then = await now();
    await page.keyboard.press(' ');
    await pass(1.5);
    await page.evaluate(time => window.studio?.send({ type: 'seek', time }), then.time);
    await page.waitForFunction(time => window.studio?.frame()?.time === time, then.time);
    const again = await now();
    assert.equal(again.fingerprint, then.fingerprint);
    assert.ok(again.past && !again.playing);
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing);
    assert.equal((await now()).past, false);
  });

  test('single steps, slow motion', async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing === false);
    const { time } = await now();
    await page.keyboard.press('.');
    await page.waitForFunction(t => (window.studio?.frame()?.time ?? 0) > t, time);
    assert.ok(Math.abs((await now()).time - time - 0.001) < 1e-9);
    await page.locator('#speed').selectOption('0.25');
    await page.keyboard.press(' ');
    await page.waitForFunction(() => Math.abs((window.studio?.frame()?.rate ?? 0) - 0.25) < 0.1);
    await page.locator('#speed').selectOption('1');
    await page.waitForFunction(() => (window.studio?.frame()?.rate ?? 0) > 0.6);
  });
});

describe('another controller in the middle of a run', () => {
  // the one prefers 20 000 steps a second on springs, the other 1000 on rigid ground
  const pause = async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing === false);
  };
  const play = async () => {
    await page.keyboard.press(' ');
    await page.waitForFunction(() => window.studio?.frame()?.playing);
  };
  /** How long one step takes, s. */
  const step = async () => {
    await pause();
    const { time } = await now();
    await page.keyboard.press('.');
    await page.waitForFunction(t => (window.studio?.frame()?.time ?? 0) > t, time);
    const took = (await now()).time - time;
    await play();
    return took;
  };
  /** Another controller from this moment on: neither time nor body moves. @param {string} name */
  const become = async name => {
    await pause();
    const before = await now();
    await page.locator(`#controller-${name}`).click();
    await page.waitForFunction(n => window.studio?.state()?.setup.lanes[0].controller === n, name);
    await page.waitForTimeout(200);
    const after = await now();
    assert.equal(after.time, before.time);
    assert.equal(after.fingerprint, before.fingerprint);
    await play();
  };

  test('time, events, rewinding and plots stay right', async () => {
    await begin({});
    await page.locator('#tab-walk').click();
    await pass(2);
    assert.ok(Math.abs((await step()) - 0.001) < 1e-9);
    await become('simbicon');
    assert.ok(Math.abs((await step()) - 5e-5) < 1e-9);
    await pass(1);
    // a push lasts as long as it is asked to, whatever the step
    const before = await now();
    await page.evaluate(() => window.studio?.send({ type: 'push', impulse: [0, 12, 0], seconds: 0.2 }));
    await page.waitForFunction(
      n => (window.studio?.frame()?.lanes[0].push.count ?? 0) > n,
      before.push.count,
    );
    await pass(0.4);
    const pushed = await now();
    assert.ok(Math.abs(Math.hypot(...pushed.push.impulse) - 12) < 1e-3, `${pushed.push.impulse} N·s`);
    await pause();
    const then = await now();
    await play();
    await pass(0.5);
    await become('walker');
    assert.ok(Math.abs((await step()) - 0.001) < 1e-9);
    await pass(2);
    assert.ok((await now()).com[2] > 0.85, 'it walks on');
    // back over the switch, and once more the same future: the bits are those of then
    await page.evaluate(time => window.studio?.send({ type: 'seek', time }), then.time);
    await page.waitForFunction(
      time => Math.abs((window.studio?.frame()?.time ?? 0) - time) < 1e-9,
      then.time,
    );
    const again = await now();
    assert.equal(again.fingerprint, then.fingerprint);
    assert.ok(again.past);
    // plots: times rise, and no moment of the run is missing
    const times = await live(page, s => s.times());
    const gaps = times.slice(1).map((t, i) => t - times[i]);
    assert.ok(
      Math.min(...gaps) > 0 && Math.max(...gaps) < 1,
      `${Math.min(...gaps)} to ${Math.max(...gaps)} s`,
    );
    assert.ok(times[0] < 1 && times[times.length - 1] > then.time + 1.5, `${times[0]} … ${times.at(-1)} s`);
    await play();
    await page.keyboard.press('Escape');
    await begin({});
  });
});

describe('files', () => {
  test('a dropped motion plays as a ghost on the chosen body', async () => {
    await pass(1.1); // a download holds the last second
    await dropFile('mine.bvh', (await download('bvh')).toString());
    await page.waitForFunction(() => window.studio?.ghost().name === 'mine.bvh');
    const ghost = await live(page, s => s.ghost());
    assert.ok(ghost.frames >= 55, `${ghost.frames} frames`);
    await pass(0.3);
    assert.notEqual((await live(page, s => s.ghost())).at, ghost.at);
  });

  test('a bad file gives a message that can be read', async () => {
    await dropFile('broken.bvh', 'HIERARCHY\nROOT a {\n');
    await page.waitForFunction(() => window.studio?.said().some(text => text.includes('broken.bvh')));
    await dropFile('broken.xml', '<mujoco><worldbody><body></worldbody></mujoco>');
    await page.waitForFunction(() => window.studio?.said().some(text => text.includes('broken.xml')));
    assert.ok(await page.locator('.toast.problem').first().isVisible());
  });

  test('downloads are valid', async () => {
    const report = await validateBytes(new Uint8Array(await download('glb')));
    assert.equal(report.issues.numErrors, 0, JSON.stringify(report.issues.messages.slice(0, 3)));
    assert.equal((await download('npz')).subarray(0, 2).toString(), 'PK');
    const file = join(tmpdir(), 'sinew-downloaded.html');
    writeFileSync(file, await download('html'));
    const viewer = await open(browser, file);
    assert.ok((await ask(viewer.page, s => s.frames)) >= 55);
    assert.ok(Math.max(...(await ask(viewer.page, s => s.efforts()))) > 0.01, 'it works for its walk');
    assert.deepEqual(viewer.complaints, []);
    await viewer.page.close();
  });

  test('the set-up is a scenario and a link', async () => {
    await page.evaluate(() => window.studio?.send({ type: 'scenario' }));
    await page.waitForFunction(() => (window.studio?.scenario() ?? '').includes('character = "human"'));
    const setup = { terrain: { kind: 'uphill' }, lanes: [{ character: 'child', style: 'fast' }] };
    const other = await openStudio(browser, `${studio.url}#${encodeURIComponent(JSON.stringify(setup))}`);
    await other.page.waitForFunction(() => window.studio?.state()?.setup.lanes[0].character === 'child');
    assert.equal(await live(other.page, s => s.state()?.setup.terrain.kind), 'uphill');
    assert.deepEqual(other.complaints, []);
    await other.page.close();
  });
});

describe('side by side', () => {
  test('two set-ups feel the same push', async () => {
    await begin({ lanes: [{}, { style: 'proud' }] });
    await pass(0.5);
    await page.keyboard.press('p');
    await page.waitForFunction(() => window.studio?.frame()?.lanes.every(lane => lane.push.count > 0));
    await pass(0.3);
    const [a, b] = await live(page, s => s.frame()?.lanes.map(lane => lane.push.impulse) ?? []);
    assert.ok(Math.hypot(...a) > 20 && Math.hypot(...a.map((x, i) => x - b[i])) < 1e-4);
    await begin({});
  });
});

describe('for everybody', () => {
  test('a lost connection is told, and the same world goes on', async () => {
    await pass(1);
    const before = await now();
    await page.evaluate(() => window.studio?.drop());
    await page.locator('#lost').waitFor();
    await page.locator('#lost').waitFor({ state: 'hidden' });
    await pass(0.2);
    const after = await now();
    assert.ok(after.time > before.time && after.com[0] > before.com[0] - 0.05);
    opened.complaints.length = 0;
  });

  test('every control has a name and can be reached by keys', async () => {
    for (const panel of ['character', 'walk', 'world', 'show', 'compare', 'save']) {
      await page.locator(`#tab-${panel}`).focus();
      await page.keyboard.press('Enter');
      const nameless = await page.evaluate(() =>
        [...document.querySelectorAll('button, input, select')]
          .filter(e => /** @type {HTMLElement} */ (e).offsetParent !== null)
          .filter(e => {
            const labels = /** @type {HTMLInputElement} */ (e).labels;
            return !e.getAttribute('aria-label') && !e.textContent?.trim() && !labels?.length;
          })
          .map(e => e.outerHTML.slice(0, 80)),
      );
      assert.deepEqual(nameless, [], panel);
      await page.keyboard.press('Escape');
    }
    await page.keyboard.press('?');
    assert.ok((await page.locator('#help tr').count()) > 25);
    await page.keyboard.press('?');
  });

  test('fits a small window, in the dark', async () => {
    const small = await openStudio(browser, studio.url, { width: 360, height: 600, colorScheme: 'dark' });
    assert.equal(await live(small.page, s => s.theme()), 'dark');
    const wide = await small.page.evaluate(() => document.documentElement.scrollWidth);
    assert.ok(wide <= 360, `${wide} pixels wide`);
    for (const id of ['rail', 'bar', 'pad', 'hints', 'play']) {
      const box = await small.page.locator(`#${id}`).boundingBox();
      assert.ok(box && box.x >= 0 && box.x + box.width <= 361 && box.y + box.height <= 601, id);
    }
    assert.deepEqual(small.complaints, []);
    await small.page.close();
  });

  test('nothing made the page complain', () => assert.deepEqual(opened.complaints, []));

  test('Ctrl-C ends the studio cleanly', async () => {
    const other = await startStudio();
    const response = await fetch(other.url, { headers: { origin: 'http://evil.example' } });
    assert.equal(response.status, 403);
    assert.equal((await fetch(other.url)).status, 200);
    assert.equal(await other.stop(), 0);
  });
});
