// An hour of walking as fast as it goes, with all overlays and plots: does the memory of the server and of the page stay as it is?
// `npm run hour` in `studio/`, after `cargo build --release`; took 13 minutes on two busy cores. `npm run hour -- 10` walks ten minutes.

import './program.mjs';
import { readFileSync } from 'node:fs';
import { launch, live, openStudio, startStudio } from '../tests/support.mjs';

const minutes = Number(process.argv[2] ?? 60);
/** Memory is compared with that after so many minutes, when the past that can be gone back to is full. */
const WARM = Math.min(5, minutes / 2);
/** What may be more in the end, MB. */
const MORE = { server: 5, heap: 3 };

const studio = await startStudio();
const browser = await launch();
const { page, complaints } = await openStudio(browser, studio.url);
const inside = await page.context().newCDPSession(page);
await page.keyboard.press('5');
for (const key of 'cmtkoix') await page.keyboard.press(key);
await page.evaluate(() => window.studio?.send({ type: 'speed', factor: null }));

/** Memory at present, MB: what the server holds, what the page holds after it has tidied up, and how many things it has. */
async function sample() {
  await inside.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize = 0 } = await inside.send('Runtime.getHeapUsage');
  const { nodes } = await inside.send('Memory.getDOMCounters');
  const pages = Number(readFileSync(`/proc/${studio.pid}/statm`, 'utf8').split(' ')[1]);
  const { geometries, textures } = await live(page, s => s.kept());
  const heap = (usedSize + backingStorageSize) / 1e6;
  return { server: (pages * 4096) / 1e6, heap, nodes, geometries, textures };
}

const began = Date.now();
/** @type {Awaited<ReturnType<typeof sample>>[]} */
const samples = [];
console.log('simulated min   server MB   page MB   elements   shapes   textures');
for (let minute = 1; minute <= minutes; minute++) {
  await page.waitForFunction(until => (window.studio?.frame()?.time ?? 0) >= until, 60 * minute, {
    polling: 100,
  });
  const now = await sample();
  samples.push(now);
  const numbers = [now.server.toFixed(1), now.heap.toFixed(2), now.nodes, now.geometries, now.textures];
  console.log([minute, ...numbers].map((x, i) => String(x).padStart([13, 12, 10, 11, 9, 11][i])).join(''));
}
const fallen = !(await page.locator('#fall').isHidden());
const far = await live(page, s => s.frame()?.lanes[0].com[0] ?? 0);
console.log(
  `${(far / 1000).toFixed(2)} km in ${((Date.now() - began) / 60e3).toFixed(1)} min, fallen: ${fallen}`,
);
await browser.close();
await studio.stop();

const [warm, end] = [samples[Math.ceil(WARM) - 1], samples[samples.length - 1]];
const grown = { server: end.server - warm.server, heap: end.heap - warm.heap };
console.log(
  `since minute ${Math.ceil(WARM)}: server ${grown.server.toFixed(1)} MB, page ${grown.heap.toFixed(2)} MB more`,
);
if (complaints.length > 0) console.log(complaints.join('\n'));
const flat = grown.server <= MORE.server && grown.heap <= MORE.heap && end.nodes <= warm.nodes + 50;
process.exitCode = flat && !fallen && complaints.length === 0 ? 0 : 1;
