// An exported run: the data is in the page itself. `#sheet=12` in the address asks for a contact sheet instead of the player.

import { openPage } from './page/page';
import { Run } from './run/run';
import { fromBase64, inflate, unpack } from './run/unpack';
import { openSheet, sheetAsked } from './sheet/sheet';
import './style.css';

function open(bytes: Uint8Array): void {
  const run = new Run(unpack(bytes));
  const sheet = sheetAsked(location.hash);
  if (sheet) openSheet(run, sheet);
  else openPage(run);
}

/** Shows an error to the reader, and its details in the console. */
function tell(problem: unknown): void {
  console.error(problem);
  const place = document.getElementById('problem');
  if (!place) return;
  place.hidden = false;
  place.textContent = `This run cannot be shown: ${problem instanceof Error ? problem.message : String(problem)}`;
}

const data = document.getElementById('sinew-run');
const bytes = fromBase64(data?.textContent?.trim() ?? '');
try {
  if (bytes.length === 0)
    throw new Error('the page holds no run; it is made by `sinew export run.npz --to run.html`');
  // plain data is shown before the page counts as loaded: the contact sheet relies on it
  if (data?.dataset.storage === 'deflated') inflate(bytes).then(open).catch(tell);
  else open(bytes);
} catch (problem) {
  tell(problem);
}
