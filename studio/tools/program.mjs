// Which program and which browser the tools use, unless the environment says otherwise: the release build, and the one on the path.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const program = process.platform === 'win32' ? 'sinew.exe' : 'sinew';
process.env.SINEW ??= fileURLToPath(new URL(`../../target/release/${program}`, import.meta.url));

const browsers = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const folders = (process.env.PATH ?? '').split(delimiter);
process.env.SINEW_CHROMIUM ??= folders.flatMap(f => browsers.map(name => join(f, name))).find(existsSync);

if (!existsSync(process.env.SINEW))
  throw new Error(`${process.env.SINEW} is not there: cargo build --release`);
