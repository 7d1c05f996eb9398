// Prints the report of the wasm32 build: node run.mjs sinew_wasm_check.wasm
import { readFileSync } from 'node:fs';

const { instance } = await WebAssembly.instantiate(readFileSync(process.argv[2]), {});
const { memory, report_start, report_length } = instance.exports;
const start = report_start();
process.stdout.write(Buffer.from(memory.buffer, start, report_length()));
