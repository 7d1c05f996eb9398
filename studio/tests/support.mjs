// What the tests share: the browser, and pages in it that must not complain.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
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
 * A new page of this size, and the list of all that it will complain of.
 * @param {import('playwright-core').Browser} browser
 * @param {{ width?: number, height?: number, colorScheme?: 'light' | 'dark' }} [options]
 */
export async function newPage(browser, { width = 480, height = 340, colorScheme = 'light' } = {}) {
  const page = await browser.newPage({ viewport: { width, height }, colorScheme, acceptDownloads: true });
  // a busy machine without a graphics card takes its time
  page.setDefaultTimeout(120_000);
  /** @type {string[]} */
  const complaints = [];
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
  return { page, complaints };
}

/**
 * Opens an exported page and waits until it shows the run.
 * @param {import('playwright-core').Browser} browser
 * @param {string} file
 * @param {{ width?: number, height?: number, colorScheme?: 'light' | 'dark' }} [options]
 */
export async function open(browser, file, { width = 800, height = 480, colorScheme = 'light' } = {}) {
  const { page, complaints } = await newPage(browser, { width, height, colorScheme });
  /** @type {string[]} */
  const requests = [];
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

/** Starts the studio on a free port; the caller stops it. `began`: when, ms since 1970. */
export async function startStudio() {
  const began = Date.now();
  const child = spawn(given('SINEW'), ['studio', '--no-open', '--port', '0'], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  const url = await new Promise((resolve, reject) => {
    child.stdout.on('data', data => {
      text += data;
      const found = /http:\/\/\S+/.exec(text);
      if (found) resolve(found[0]);
    });
    child.on('exit', code => reject(new Error(`the studio ended with ${code}: ${text}`)));
  });
  /** Ctrl-C; gives the exit code. */
  const stop = () =>
    new Promise(resolve => {
      child.removeAllListeners('exit');
      child.on('exit', (code, signal) => resolve(signal ?? code));
      child.kill('SIGINT');
    });
  return { url: /** @type {string} */ (url), stop, began, pid: /** @type {number} */ (child.pid) };
}

/**
 * Opens the studio and waits until the world is there.
 * @param {import('playwright-core').Browser} browser
 * @param {string} url
 * @param {{ width?: number, height?: number, colorScheme?: 'light' | 'dark' }} [options]
 */
export async function openStudio(browser, url, options) {
  const { page, complaints } = await newPage(browser, options);
  await page.goto(url);
  await page.waitForFunction(() => (window.studio?.frame()?.time ?? 0) > 0);
  return { page, complaints };
}

/**
 * What the live page says of itself.
 * @template T
 * @param {import('playwright-core').Page} page
 * @param {(studio: import('../src/live/debug').Studio) => T} ask
 * @returns {Promise<T>}
 */
export function live(page, ask) {
  return page.evaluate(`(${ask})(window.studio)`);
}
