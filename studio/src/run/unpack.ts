// Reading an exported run: base64, perhaps deflated, of a header and columns of whole numbers. The writer is `pack.rs`,
// whose header describes the layout.

import type { Scene } from './scene';

const VERSION = 3;

export interface Column {
  name: string;
  step: number;
  width: number;
  rows: number;
  bytes: number;
}

interface Header extends Scene {
  version: number;
  start: number;
  rate: number;
  frames: number;
  /** The parts that the skin covers. */
  skinned: number[];
  columns: Column[];
}

/** A table of numbers, row after row. */
export interface Table {
  width: number;
  rows: number;
  data: Float32Array;
}

export interface Packed {
  header: Header;
  tables: Map<string, Table>;
}

/** The bytes of base64 text. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  const binary = atob(text);
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

/** Undoes deflation (zlib's form). */
export async function inflate(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

/** Header and tables of inflated bytes. */
export function unpack(bytes: Uint8Array): Packed {
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0, true);
  const header = JSON.parse(new TextDecoder().decode(bytes.subarray(4, 4 + length))) as Header;
  if (header.version !== VERSION) {
    throw new Error(
      `the data has format ${header.version}, this page reads format ${VERSION}; export the run again`,
    );
  }
  return { header, tables: readTables(bytes.subarray(4 + length), header.columns) };
}

/** The tables of columns one after the other, by name. */
export function readTables(bytes: Uint8Array, columns: Column[]): Map<string, Table> {
  const tables = new Map<string, Table>();
  let at = 0;
  for (const column of columns) {
    tables.set(column.name, readTable(bytes.subarray(at, at + column.bytes), column));
    at += column.bytes;
  }
  if (at !== bytes.length) throw new Error('the data is cut short; export the run again');
  return tables;
}

function readTable(bytes: Uint8Array, column: Column): Table {
  const { width, rows, step } = column;
  const data = new Float32Array(width * rows);
  const above = new Float64Array(width);
  let at = 0;
  for (let i = 0; i < data.length; i++) {
    // groups of seven bits, least first; products instead of shifts: numbers may exceed 32 bits
    let whole = 0;
    for (let unit = 1; ; unit *= 128) {
      const byte = bytes[at++];
      whole += (byte & 0x7f) * unit;
      if (byte < 0x80) break;
    }
    const difference = whole % 2 === 0 ? whole / 2 : -(whole + 1) / 2;
    const k = i % width;
    above[k] += difference;
    data[i] = above[k] * step;
  }
  return { width, rows, data };
}
