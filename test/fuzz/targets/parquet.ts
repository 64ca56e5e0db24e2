// Parquet files: footer, pages, levels, dictionaries and indexes through the surgical rewrite of each column. A file that
// is written keeps the bytes of all other columns, and another reader reads from it what it read before.
import { isDeepStrictEqual } from "node:util";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { assignFieldIds } from "../../../src/parquet/assign-field-ids.ts";
import type { ByteSink, ByteSource } from "../../../src/parquet/file-io.ts";
import { type Footer, readFooter } from "../../../src/parquet/footer.ts";
import { inspectColumns } from "../../../src/parquet/inspect-columns.ts";
import type { ColumnValue, PhysicalTarget } from "../../../src/parquet/physical.ts";
import { rewriteFile } from "../../../src/parquet/rewrite-file.ts";
import { scanColumn } from "../../../src/parquet/scan-column.ts";
import { readRaw } from "../../parquet/support.ts";
import { mutateParquet, type ParquetParts, takeApart } from "../mutate/parquet.ts";
import { ACCEPTED, type FuzzTarget, type Outcome, refused, WrongAcceptance } from "../target.ts";

/** An input is the number of the leaf to look at, a line end, and the file. */
export const parquet: FuzzTarget = {
  name: "parquet",
  about: "Parquet footers and pages: all encodings and codecs through the surgical rewrite",
  isSeed: ({ path, bytes }) => /\.parq(?:uet)?$/.test(path) && bytes.length < 20_000,
  open: async (seeds) => {
    const parts: ParquetParts[] = [];
    for (const { bytes } of seeds) {
      const taken = await takeApart(bytes);
      if (taken !== null) parts.push(taken);
    }
    return {
      make: (random) => {
        const { bytes, leaf } = mutateParquet(random.pick(parts), random, random.pick(parts));
        return new Uint8Array(Buffer.concat([Buffer.from(`${leaf}\n`), bytes]));
      },
      use: async (input) => {
        const end = Math.max(0, input.indexOf(10));
        return await useFile(input.slice(end + 1), Number(new TextDecoder().decode(input.subarray(0, end))));
      },
    };
  },
};

const TARGET: PhysicalTarget = { type: "BYTE_ARRAY", logical: { kind: "string" } };
const NEW_ID = 90_000;
/** hyparquet takes longer than all the rest: it reads one in so many. */
const ANOTHER_READER = 4;

async function useFile(input: Uint8Array, leaf: number): Promise<Outcome> {
  const source = sourceOf(input);
  const plain = await readFooter(source);
  inspectColumns(plain);
  const names = plain.root.children.map((node) => node.name);
  const footer = assignFieldIds(plain, (path) => (path.length === 1 ? names.indexOf(path[0] ?? "") + 1 : undefined));
  const column = footer.root.children.find((node) => node.leaf?.index === leaf);
  if (column === undefined || column.fieldId === null) return refused("no such column");
  await scanColumn(source, footer, column.fieldId, { counts: (value) => value !== 1, found: () => {} });
  return (await rewriteOne(input, source, footer, column.fieldId, column.name)) ? ACCEPTED : refused("not rewritten");
}

async function rewriteOne(input: Uint8Array, source: ByteSource, footer: Footer, id: number, name: string): Promise<boolean> {
  const sink = sinkOf(input);
  const rewrite = { retiredFieldId: id, newFieldId: NEW_ID, target: TARGET, required: false, convert: toText };
  const answer = await rewriteFile(source, sink, footer, [rewrite]);
  if (answer.state !== "written") return false;
  const output = new Uint8Array(Buffer.concat(sink.parts));
  let again: Footer;
  try {
    again = await readFooter(sourceOf(output));
  } catch (error) {
    throw new WrongAcceptance(
      `The file written for column "${name}" is not read: ${String(error)}, ${error instanceof ToolError ? (error.why ?? "") : ""}`,
    );
  }
  const kept = footer.leaves.filter((leaf) => leaf.path.length > 1 || leaf.path[0] !== name);
  for (const leaf of kept) {
    const [before, after] = [bytesOf(input, footer, leaf.index), bytesOf(output, again, leaf.index)];
    if (!before.equals(after))
      throw new WrongAcceptance(`The bytes of column "${leaf.path.join(".")}" are others after "${name}" was written`);
  }
  const other = kept[input.length % Math.max(1, kept.length)];
  const isLookedAt = input.length % ANOTHER_READER === 0;
  if (isLookedAt && other !== undefined && other.path.length === 1) await readAlike(input, output, other.path[0] ?? "", name);
  return true;
}

function bytesOf(bytes: Uint8Array, footer: Footer, leaf: number): Buffer {
  return Buffer.concat(
    footer.rowGroups.flatMap(({ chunks }) => {
      const chunk = chunks[leaf];
      return chunk === undefined ? [] : [bytes.subarray(chunk.offset, chunk.offset + chunk.compressedBytes)];
    }),
  );
}

/** Where the other reader reads the source, it reads the same from what was written. */
async function readAlike(input: Uint8Array, output: Uint8Array, column: string, rewritten: string): Promise<void> {
  let before: unknown;
  try {
    before = await readRaw(input, column);
  } catch {
    return;
  }
  let after: unknown;
  try {
    after = await readRaw(output, column);
  } catch (error) {
    throw new WrongAcceptance(`hyparquet does not read "${column}" after "${rewritten}" was written: ${String(error)}`);
  }
  if (!isDeepStrictEqual(before, after))
    throw new WrongAcceptance(`hyparquet reads "${column}" otherwise after "${rewritten}" was written`);
}

function toText(value: ColumnValue): ColumnValue {
  return value instanceof Uint8Array ? value : new TextEncoder().encode(String(value));
}

function sourceOf(bytes: Uint8Array): ByteSource {
  return {
    sizeBytes: bytes.length,
    read: async (offset, length) => {
      inside(bytes, offset, length);
      return bytes.subarray(offset, offset + length);
    },
  };
}

function sinkOf(source: Uint8Array): ByteSink & { readonly parts: Uint8Array[] } {
  const parts: Uint8Array[] = [];
  return {
    parts,
    write: async (bytes) => void parts.push(bytes.slice()),
    copy: async (offset, length) => {
      inside(source, offset, length);
      parts.push(source.subarray(offset, offset + length));
    },
  };
}

function inside(bytes: Uint8Array, offset: number, length: number): void {
  if (offset < 0 || length < 0 || offset + length > bytes.length) throw new RangeError(`outside the file: ${offset} + ${length}`);
}
