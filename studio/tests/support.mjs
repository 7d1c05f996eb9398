// What the tests share: the browser, and pages in it that must not complain.

import assert from 'node:assert/strict';
import { pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

/** A file or folder that the caller of the tests names in the environment. @param {string} name */
export function given(name) {
  const value = process.env[name];
  assert.ok(value, `${name} is not set; these tests are run by \`cargo xtask test --only browser\``);
  return value;
}

export function launch() {
  const args = ['--enable-unsafe-swiftshader'];
  // as root Chromium's sandbox refuses to start
  if (process.getuid?.() === 0) args.push('--no-sandbox');
  return chromium.launch({ executablePath: given('SINEW_CHROMIUM'), args });
}

/**
 * Opens an exported page and waits until it shows the run.
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 * @param {{ width?: number, height?: number, colorScheme?: 'light' | 'dark' }} [options]
 */
export async function open(browser, file, { width = 800, height = 480, colorScheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme });
  // a busy machine without a graphics card takes its time
  page.setDefaultTimeout(120_000);
  /** @type {string[]} */
  const complaints = [];
  /** @type {string[]} */
  const requests = [];
  page.on('console', message => {
    // a software renderer is slow to read pixels back, and says so
    if (
      message.type() === 'error' ||
      (message.type() === 'warning' && !message.text().includes('ReadPixels'))
    ) {
      complaints.push(message.text());
    }
  });
  page.on('pageerror', error => complaints.push(error.message));
  page.on('request', request => requests.push(request.url()));
  await page.goto(pathToFileURL(file).href);
  await page.waitForFunction(() => window.sinew);
  return { page, complaints, requests };
}

/**
 * What the page says of itself.
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {(sinew: import('../src/page/debug').Debug) => T} ask
 * @returns {Promise<T>}
 */
export function ask(page, ask) {
  return page.evaluate(`(${ask})(window.sinew)`);
}

/**
 * Greatest difference between two lists of numbers.
 * @param {number[]} a
 * @param {number[]} b
 */
export function apart(a, b) {
  assert.equal(a.length, b.length);
  return Math.max(...a.map((x, i) => Math.abs(x - b[i])));
}
