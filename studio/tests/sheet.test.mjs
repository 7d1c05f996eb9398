// `sinew sheet` and pages that cannot be shown.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'node:test';
import { given, launch } from './support.mjs';

const folder = given('SINEW_RUNS');

/** Width and height in the header of a PNG file. @param {Buffer} png */
function size(png) {
  assert.equal(png.subarray(1, 4).toString(), 'PNG');
  return [png.readUInt32BE(16), png.readUInt32BE(20)];
}

test('a contact sheet is a picture of the right size, the same each time', () => {
  const draw = (/** @type {string} */ name, /** @type {string} */ frames) => {
    const out = join(folder, name);
    execFileSync(given('SINEW'), ['sheet', join(folder, 'run.npz'), '--out', out, '--frames', frames]);
    return readFileSync(out);
  };
  const two = draw('two.png', '2');
  assert.deepEqual(size(two), [648, 786]);
  assert.ok(two.length > 50_000, 'figures take room');
  assert.ok(draw('again.png', '2').equals(two), 'the same run gives the same picture');
  // seven frames: bands of four and three, not of six and one
  assert.deepEqual(size(draw('seven.png', '7')), [1264, 1508]);
});

test('damaged data is told, not shown', async () => {
  const html = readFileSync(join(folder, 'run.html'), 'utf8');
  const file = join(folder, 'damaged.html');
  writeFileSync(file, html.replace(/(data-storage="deflated">.{40}).{8}/, '$1AAAAAAAA'));
  const browser = await launch();
  try {
    const page = await browser.newPage();
    await page.goto(pathToFileURL(file).href);
    await page.locator('#problem').waitFor({ state: 'visible' });
    assert.match((await page.locator('#problem').textContent()) ?? '', /cannot be shown/);
  } finally {
    await browser.close();
  }
});
