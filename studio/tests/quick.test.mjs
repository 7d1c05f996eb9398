// How long a visitor waits: from the start of the program to a character on the screen, and from picture to picture.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, live, newPage, openStudio, startStudio } from './support.mjs';

/** @type {import('playwright-core').Browser} */
let browser;
/** @type {Awaited<ReturnType<typeof startStudio>>} */
let studio;

before(async () => (browser = await launch()));
after(async () => {
  await browser?.close();
  await studio?.stop();
});

test('the character is on the screen two seconds after the start of the program', async t => {
  const waits = [];
  // what else the machine does only adds to it: the quickest of three counts
  for (let i = 0; i < 3 && !(Math.min(...waits) <= 2); i++) {
    await studio?.stop();
    // a visitor has a browser with an empty page before the clock runs
    const { page, complaints } = await newPage(browser);
    studio = await startStudio();
    await page.goto(studio.url);
    await page.waitForFunction(() => window.studio?.drawn());
    waits.push(((await live(page, s => s.drawn() ?? Infinity)) - studio.began) / 1000);
    assert.deepEqual(complaints, []);
    await page.close();
  }
  t.diagnostic(`figure: a character is on the screen after ${waits.map(s => s.toFixed(2)).join(', ')} s`);
  assert.ok(Math.min(...waits) <= 2, `${waits} s`);
});

test('the page itself takes less than 16 ms a picture, with all overlays and plots', async t => {
  const { page, complaints } = await openStudio(browser, studio.url);
  await page.keyboard.press('5');
  for (const key of 'cmtkoix') await page.keyboard.press(key);
  const shows = Object.entries(await live(page, s => s.shows()));
  assert.deepEqual(
    shows.filter(([, on]) => !on).map(([what]) => what),
    ['shapes'],
  );
  // the plots have something to show
  await page.waitForFunction(() => (window.studio?.frame()?.time ?? 0) > 10);
  await live(page, s => s.workFromNow(false));
  await page.waitForFunction(() => (window.studio?.work().pictures ?? 0) >= 600);
  const { pictures, median, p99, most } = await live(page, s => s.work());
  const figures = `${median.toFixed(2)} ms in the median, ${p99.toFixed(2)} at the 99th percentile, ${most.toFixed(2)} at most`;
  t.diagnostic(`figure: the page's own work: ${figures}, of ${pictures} pictures`);
  assert.ok(median < 16 && p99 < 16, figures);
  assert.ok(await live(page, s => (s.frame()?.lanes[0].com[2] ?? 0) > 0.85), 'it walks');
  await live(page, s => s.workFromNow(true));
  assert.deepEqual(complaints, []);
  await page.close();
});
