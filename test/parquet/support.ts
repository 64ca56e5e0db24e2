// Files in memory, the conversions of test/data/parquet/expected.json in TypeScript, and a reader that is not
// ours (hyparquet, told to give physical values) for the Parquet tests.
import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { decompress, init } from "@bokuweb/zstd-wasm";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { assignFieldIds, hasFieldIds } from "../../src/parquet/assign-field-ids.ts";
import type { ColumnRewrite } from "../../src/parquet/column-rewrite.ts";
import { hadoopLz4Decompress } from "../../src/parquet/codecs/lz4-hadoop.ts";
import { lz4Decompress } from "../../src/parquet/codecs/lz4.ts";
import type { ByteSink, ByteSource } from "../../src/parquet/file-io.ts";
import { type Footer, readFooter } from "../../src/parquet/footer.ts";
import type { ColumnValue, PhysicalTarget } from "../../src/parquet/physical.ts";
import { type FileRewriteAnswer, rewriteFile, type RewriteOptions } from "../../src/parquet/rewrite-file.ts";

const FOLDER = resolve(import.meta.dirname, "../data/parquet");

export function load(name: string): Uint8Array {
  return new Uint8Array(readFileSync(join(FOLDER, name)));
}

export type Plain = string | number | boolean | null;

export interface Expected {
  readonly rows: number;
  readonly conversions: Readonly<Record<string, readonly Plain[]>>;
  readonly column?: string;
}

export function loadExpected(): Readonly<Record<string, Expected>> {
  return JSON.parse(readFileSync(join(FOLDER, "expected.json"), "utf8")) as Record<string, Expected>;
}

export interface CountingSource extends ByteSource {
  readonly reads: { readonly offset: number; readonly lengthBytes: number }[];
}

export function memorySource(bytes: Uint8Array): CountingSource {
  const reads: { readonly offset: number; readonly lengthBytes: number }[] = [];
  return {
    sizeBytes: bytes.length,
    reads,
    read: async (offset, lengthBytes) => {
      reads.push({ offset, lengthBytes });
      return bytes.subarray(offset, offset + lengthBytes);
    },
  };
}

export interface CollectingSink extends ByteSink {
  bytes(): Uint8Array;
  readonly copies: { readonly offset: number; readonly lengthBytes: number }[];
}

export function collectingSink(source: Uint8Array): CollectingSink {
  const parts: Uint8Array[] = [];
  const copies: { readonly offset: number; readonly lengthBytes: number }[] = [];
  return {
    copies,
    write: async (bytes) => {
      parts.push(bytes.slice());
    },
    copy: async (offset, lengthBytes) => {
      copies.push({ offset, lengthBytes });
      parts.push(source.slice(offset, offset + lengthBytes));
    },
    bytes: () => new Uint8Array(Buffer.concat(parts)),
  };
}

export async function footerOf(bytes: Uint8Array): Promise<Footer> {
  const footer = await readFooter(memorySource(bytes));
  if (hasFieldIds(footer)) return footer;
  // Files without ids get their position, as a name mapping would give them theirs.
  const names = footer.root.children.map((child) => child.name);
  return assignFieldIds(footer, (path) => (path.length === 1 ? names.indexOf(path[0] ?? "") + 1 : undefined));
}

export const NEW_ID = 77;

export interface Rewritten {
  readonly answer: FileRewriteAnswer;
  readonly bytes: Uint8Array;
  readonly sink: CollectingSink;
}

/** Rewrites one column by name. */
export async function rewriteColumn(
  source: Uint8Array,
  column: string,
  change: Pick<ColumnRewrite, "target" | "convert"> & Partial<ColumnRewrite>,
  options: RewriteOptions = {},
): Promise<Rewritten> {
  const footer = await footerOf(source);
  const node = footer.root.children.find((child) => child.name === column);
  const sink = collectingSink(source);
  const rewrite: ColumnRewrite = { retiredFieldId: node?.fieldId ?? -1, newFieldId: NEW_ID, required: false, ...change };
  const answer = await rewriteFile(memorySource(source), sink, footer, [rewrite], options);
  return { answer, bytes: sink.bytes(), sink };
}

/** The rewritten file and its result; fails the test where it was not written. */
export async function written(...parameters: Parameters<typeof rewriteColumn>): Promise<{
  readonly bytes: Uint8Array;
  readonly result: Extract<FileRewriteAnswer, { state: "written" }>["result"];
  readonly sink: CollectingSink;
}> {
  const { answer, bytes, sink } = await rewriteColumn(...parameters);
  if (answer.state !== "written") throw new Error(`not written: ${JSON.stringify(answer)}`);
  return { bytes, result: answer.result, sink };
}

/** Physical values of a top-level column, as hyparquet reads them. */
export async function readRaw(bytes: Uint8Array, column: string): Promise<readonly (ColumnValue | null)[]> {
  await loadZstdOnce();
  const buffer = new Uint8Array(bytes).buffer;
  const metadata = parquetMetadata(buffer);
  for (const element of metadata.schema) {
    delete element.converted_type;
    delete element.logical_type;
  }
  const rows = await parquetReadObjects({
    file: { byteLength: buffer.byteLength, slice: (start, end) => buffer.slice(start, end) },
    metadata,
    columns: [column],
    utf8: false,
    compressors: {
      ZSTD: (input, size) => decompress(input, { defaultHeapSize: Math.max(1, size) }),
      GZIP: (input) => new Uint8Array(gunzipSync(input)),
      BROTLI: (input) => new Uint8Array(brotliDecompressSync(input)),
      LZ4_RAW: (input, size) => lz4Decompress(input, size),
      LZ4: (input, size) => hadoopLz4Decompress(input, size),
    },
  });
  return rows.map((row) => stored(row[column]));
}

function stored(value: unknown): ColumnValue | null {
  if (value === null || value === undefined) return null;
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "bigint" || value instanceof Uint8Array)
    return value;
  throw new TypeError(`hyparquet gave ${typeof value}`);
}

/** A value as a key that tells it from others. */
export function keyOf(value: ColumnValue): string {
  return value instanceof Uint8Array ? Buffer.from(value).toString("latin1") : String(value);
}

let loading: Promise<void> | null = null;
async function loadZstdOnce(): Promise<void> {
  loading ??= init();
  await loading;
}

const decoder = new TextDecoder();
const encoder = new TextEncoder();

export function text(value: ColumnValue): string {
  if (!(value instanceof Uint8Array)) throw new TypeError("not bytes");
  return decoder.decode(value);
}

export function utf8(value: string): Uint8Array {
  return encoder.encode(value);
}

function whole(value: ColumnValue): bigint | null {
  const digits = text(value);
  return /^[+-]?[0-9]+$/.test(digits) ? BigInt(digits) : null;
}

export function toDays(value: ColumnValue): number | null {
  const match = /^([0-9]{4})([0-9]{2})([0-9]{2})$/.exec(text(value));
  if (match === null) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  // Date.UTC takes years below 100 for those of the twentieth century.
  const time = new Date(Date.UTC(2000, month - 1, day)).setUTCFullYear(year, month - 1, day);
  const back = new Date(time);
  return back.getUTCMonth() === month - 1 && back.getUTCDate() === day ? time / 86_400_000 : null;
}

/** Sixteen bytes, big-endian two's complement. */
function wideBytes(value: bigint): Uint8Array {
  const bytes = new Uint8Array(16);
  let rest = BigInt.asUintN(128, value);
  for (let index = 15; index >= 0; index--) {
    bytes[index] = Number(rest & 0xffn);
    rest >>= 8n;
  }
  return bytes;
}

export function wideNumber(bytes: Uint8Array): bigint {
  let value = 0n;
  for (const byte of bytes) value = (value << 8n) | BigInt(byte);
  return BigInt.asIntN(8 * bytes.length, value);
}

export interface TestConversion {
  readonly target: PhysicalTarget;
  readonly convert: (value: ColumnValue) => ColumnValue | null;
}

export const DATE: PhysicalTarget = { type: "INT32", logical: { kind: "date" } };
export const TEXT: PhysicalTarget = { type: "BYTE_ARRAY", logical: { kind: "string" } };

export const CONVERSIONS: Readonly<Record<string, TestConversion>> = {
  days: { target: DATE, convert: toDays },
  integer: { target: { type: "INT32" }, convert: (value) => nullable(whole(value), Number) },
  long: { target: { type: "INT64" }, convert: whole },
  cents: {
    target: { type: "INT64", logical: { kind: "decimal", precision: 18, scale: 2 } },
    convert: (value) => nullable(whole(value), (number) => number * 100n),
  },
  "wide-cents": {
    target: { type: "FIXED_LEN_BYTE_ARRAY", typeLength: 16, logical: { kind: "decimal", precision: 38, scale: 2 } },
    convert: (value) => nullable(whole(value), (number) => wideBytes(number * 100n)),
  },
  number: {
    target: { type: "DOUBLE" },
    convert: (value) => {
      if (text(value) === "NaN") return Number.NaN;
      return text(value) === "-0" ? -0 : nullable(whole(value), (number) => Number(number) / 4);
    },
  },
  even: { target: { type: "BOOLEAN" }, convert: (value) => nullable(whole(value), (number) => number % 2n === 0n) },
  narrow: {
    target: { type: "INT32" },
    convert: (value) => (typeof value === "bigint" && BigInt.asIntN(32, value) === value ? Number(value) : null),
  },
  bits: {
    target: { type: "INT64" },
    convert: (value) => {
      const view = new DataView(new ArrayBuffer(8));
      view.setFloat64(0, Number(value));
      return view.getBigInt64(0);
    },
  },
  "zero-one": { target: { type: "INT32" }, convert: Number },
  hex: { target: TEXT, convert: (value) => utf8(Buffer.from(value instanceof Uint8Array ? value : []).toString("hex")) },
  text: { target: TEXT, convert: (value) => utf8(String(value)) },
  widened: { target: { type: "INT64" }, convert: (value) => BigInt(Number(value)) },
};

function nullable<T>(value: bigint | null, then: (value: bigint) => T): T | null {
  return value === null ? null : then(value);
}

/** A value that was read, in the form of expected.json. */
export function plain(value: unknown, target: PhysicalTarget): Plain {
  if (value === null || value === undefined) return null;
  if (value instanceof Uint8Array)
    return target.logical?.kind === "decimal" ? plain(wideNumber(value), target) : decoder.decode(value);
  if (typeof value === "bigint") return BigInt.asIntN(32, value) === value ? Number(value) : String(value);
  if (typeof value === "number") return Number.isNaN(value) ? "NaN" : Object.is(value, -0) ? "-0" : value;
  if (typeof value === "boolean") return value;
  throw new TypeError(`unexpected ${typeof value}`);
}

/** Stored bytes of every chunk but those of one column, by row group and path. */
export async function chunkBytes(bytes: Uint8Array, except: string): Promise<Readonly<Record<string, string>>> {
  const footer = await readFooter(memorySource(bytes));
  const found: Record<string, string> = {};
  for (const [index, group] of footer.rowGroups.entries()) {
    for (const chunk of group.chunks) {
      const path = chunk.leaf.path.join(".");
      if (path === except) continue;
      found[`${index} ${path}`] = Buffer.from(bytes.subarray(chunk.offset, chunk.offset + chunk.compressedBytes)).toString(
        "base64",
      );
    }
  }
  return found;
}
