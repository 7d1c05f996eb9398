// Runs Khronos's validator on .glb files. Exit code 1 when it has anything to say but hints.
//
//   node tools/validate_gltf.mjs FILE.glb...
//
// The validator is among the packages of studio/.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const { validateBytes } = createRequire(new URL('../studio/package.json', import.meta.url))('gltf-validator');
const files = process.argv.slice(2);
let failed = files.length === 0;
for (const file of files) {
  const { issues, info } = await validateBytes(new Uint8Array(readFileSync(file)), { uri: file });
  const { numErrors, numWarnings, numInfos } = issues;
  console.log(
    `${file}: ${numErrors} errors, ${numWarnings} warnings, ${numInfos} infos;`,
    `${info.totalVertexCount} vertices, ${info.totalTriangleCount} triangles, ${info.animationCount} animations`,
  );
  for (const { code, message, pointer } of issues.messages) console.log(`  ${code} ${pointer}: ${message}`);
  failed ||= numErrors + numWarnings + numInfos > 0;
}
process.exit(failed ? 1 : 0);
