// Damaged files: cut off, bits turned, bytes replaced. Each ends in a clean ToolError or in an answer, soon and
// without large memory; nothing is asked of the source or the sink that lies outside the file.
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { ByteSink, ByteSource } from "../../src/parquet/file-io.ts";
import { assignFieldIds } from "../../src/parquet/assign-field-ids.ts";
import { readFooter } from "../../src/parquet/footer.ts";
import { inspectColumns } from "../../src/parquet/inspect-columns.ts";
import type { ColumnValue } from "../../src/parquet/physical.ts";
import { rewriteFile } from "../../src/parquet/rewrite-file.ts";
import { scanColumn } from "../../src/parquet/scan-column.ts";
import { IS_LONG } from "../long.ts";
import { load, TEXT } from "./support.ts";

const FILES = [
  "dictionary-v1-snappy.parquet",
  "dictionary-v2-zstd.parquet",
  "plain-v1-gzip.parquet",
  "plain-v2-none.parquet",
  "mixed-v1-zstd.parquet",
  "delta-v2-lz4.parquet",
  "delta-length-v1-brotli.parquet",
  "delta-longs.parquet",
  "split-doubles.parquet",
  "run-booleans.parquet",
  "duckdb-v2-zstd.parquet",
  "foreign/spark-employees.parquet",
  "foreign/hadoop_lz4_compressed.parquet",
];
/** Of six kinds of damage. */
const ROUNDS = IS_LONG ? 18 : 6;

/** Numbers below 1 from a seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

function damage(file: Uint8Array, round: number, next: () => number): Uint8Array {
  if (round % 6 === 0) return file.subarray(0, Math.floor(next() * file.length));
  const bytes = file.slice();
  const footer = bytes.length - 8 - new DataView(bytes.buffer).getUint32(bytes.length - 8, true);
  const [from, to] = round % 6 < 3 ? [footer, bytes.length - 8] : [0, footer];
  for (let left = 1 + Math.floor(next() * 4); left > 0; left--) {
    const at = from + Math.floor(next() * (to - from));
    bytes[at] = round % 2 === 0 ? Math.floor(next() * 256) : (bytes[at] ?? 0) ^ (1 << Math.floor(next() * 8));
  }
  return bytes;
}

async function use(bytes: Uint8Array): Promise<void> {
  const inside = (offset: number, length: number): void => {
    if (offset < 0 || length < 0 || offset + length > bytes.length)
      throw new RangeError(`outside the file: ${offset} + ${length}`);
  };
  const source: ByteSource = {
    sizeBytes: bytes.length,
    read: async (offset, length) => {
      inside(offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
  const sink: ByteSink = { write: async () => {}, copy: async (offset, length) => inside(offset, length) };
  const plain = await readFooter(source);
  inspectColumns(plain);
  const names = plain.root.children.map((node) => node.name);
  const footer = assignFieldIds(plain, (path) => (path.length === 1 ? names.indexOf(path[0] ?? "") + 1 : undefined));
  const convert = (value: ColumnValue): ColumnValue =>
    value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
  for (const node of footer.root.children) {
    if (node.leaf === null || node.fieldId === null) continue;
    const rewrite = { retiredFieldId: node.fieldId, newFieldId: 90_000, target: TEXT, required: false, convert };
    await allowed(
      async () => await scanColumn(source, footer, rewrite.retiredFieldId, { counts: (value) => value !== 1, found: () => {} }),
    );
    await allowed(async () => await rewriteFile(source, sink, footer, [rewrite]));
  }
}

async function allowed(run: () => Promise<unknown>): Promise<"done" | "refused"> {
  try {
    await run();
    return "done";
  } catch (error) {
    if (error instanceof ToolError && (error.kind === "corrupt" || error.kind === "unsupported")) return "refused";
    throw error;
  }
}

describe("a damaged file", () => {
  it.each(FILES)("does no harm: %s", async (file) => {
    const whole = load(file);
    const next = random(file.length);
    const ends = { done: 0, refused: 0 };
    for (let round = 0; round < ROUNDS; round++) {
      const bytes = damage(whole, round, next);
      ends[await allowed(async () => await use(bytes))]++;
    }
    expect(ends.done).toBeGreaterThan(0);
    expect(ends.refused).toBeGreaterThan(0);
  });

  it("is found by its page checksums", async () => {
    const whole = load("dictionary-v1-snappy.parquet");
    const footer = await readFooter({
      sizeBytes: whole.length,
      read: async (offset, length) => whole.subarray(offset, offset + length),
    });
    const chunk = footer.rowGroups[0]?.chunks[2];
    if (chunk === undefined) throw new Error("no chunk");
    const bytes = whole.slice();
    const last = chunk.offset + chunk.compressedBytes - 1;
    bytes[last] = (bytes[last] ?? 0) ^ 1;
    const source = {
      sizeBytes: bytes.length,
      read: async (offset: number, length: number) => bytes.subarray(offset, offset + length),
    };
    const sink = { write: async () => {}, copy: async () => {} };
    const rewrite = { retiredFieldId: 3, newFieldId: 77, target: TEXT, required: false, convert: (value: ColumnValue) => value };
    await expect(rewriteFile(source, sink, footer, [rewrite])).rejects.toMatchObject({
      kind: "corrupt",
      why: expect.stringContaining("checksum"),
    });
  });
});
