// Pictures of the studio: the page about it links every one that there is, and none that there is not.

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';

const docs = new URL('../../docs/', import.meta.url);

test('every picture of the studio is in its documentation', () => {
  const text = readFileSync(new URL('studio.md', docs), 'utf8');
  const linked = new Set([...text.matchAll(/\(images\/studio\/([^)]+)\)/g)].map(([, file]) => file));
  assert.deepEqual([...linked].sort(), readdirSync(new URL('images/studio/', docs)).sort());
});

test('every picture is there by day and by night', () => {
  const files = readdirSync(new URL('images/studio/', docs));
  const days = files.filter(file => !file.endsWith('-dark.jpg'));
  const nights = days.map(file => file.replace('.jpg', '-dark.jpg'));
  assert.deepEqual([...days, ...nights].sort(), files.sort());
});
