// A Parquet file taken apart into footer, chunks and pages, changed in one of them, and put together with offsets, sizes
// and checksums that hold, so that the change is met where it stands and not at the first checksum.
import { deflateSync, gzipSync } from "node:zlib";
import { compressor, decompressor, loadCodecs, writtenCodec } from "../../../src/parquet/codecs/codec.ts";
import type { ColumnChunk } from "../../../src/parquet/column-chunk.ts";
import { crc32 } from "../../../src/parquet/crc32.ts";
import { type Footer, readFooter } from "../../../src/parquet/footer.ts";
import { CODECS, COLUMN_CHUNK, COLUMN_METADATA, FILE_METADATA, PAGE_HEADER, ROW_GROUP } from "../../../src/parquet/format.ts";
import { parsePageHeader } from "../../../src/parquet/page-header.ts";
import { readStruct } from "../../../src/parquet/thrift-read.ts";
import {
  i32Field,
  i64Field,
  listField,
  structField,
  THRIFT,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "../../../src/parquet/thrift-tree.ts";
import { writeStruct } from "../../../src/parquet/thrift-write.ts";
import type { Random } from "../random.ts";
import { joined, mutateBytes } from "./bytes.ts";
import { mutateStruct } from "./thrift.ts";

export interface ParquetParts {
  readonly whole: Uint8Array;
  readonly footer: Footer;
  /** Where the footer starts. */
  readonly end: number;
  readonly chunks: readonly Chunk[];
}

interface Chunk {
  readonly chunk: ColumnChunk;
  readonly group: number;
  readonly pages: readonly Page[];
}

interface Page {
  readonly header: ThriftStruct;
  readonly body: Uint8Array;
}

const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** Null for a file whose footer is not read here. */
export async function takeApart(whole: Uint8Array): Promise<ParquetParts | null> {
  try {
    const source = { sizeBytes: whole.length, read: async (from: number, length: number) => whole.subarray(from, from + length) };
    const footer = await readFooter(source);
    const end = whole.length - 8 - new DataView(whole.buffer, whole.byteOffset).getUint32(whole.length - 8, true);
    await loadCodecs(["ZSTD"]);
    const chunks = footer.rowGroups.flatMap((group, index) =>
      group.chunks.map((chunk): Chunk => ({ chunk, group: index, pages: pagesOf(whole, chunk) })),
    );
    return { whole, footer, end, chunks: chunks.sort((a, b) => a.chunk.offset - b.chunk.offset) };
  } catch {
    return null;
  }
}

function pagesOf(whole: Uint8Array, chunk: ColumnChunk): Page[] {
  const pages: Page[] = [];
  const end = chunk.offset + chunk.compressedBytes;
  for (let at = chunk.offset; at < end; ) {
    const { value, end: bodyAt } = readStruct(whole, at);
    const { compressedBytes } = parsePageHeader(value);
    pages.push({ header: value, body: whole.subarray(bodyAt, bodyAt + compressedBytes) });
    at = bodyAt + compressedBytes;
  }
  return pages;
}

export interface MutatedParquet {
  readonly bytes: Uint8Array;
  /** The leaf whose chunk was changed; any other where the footer was. */
  readonly leaf: number;
}

export function mutateParquet(parts: ParquetParts, random: Random, other: ParquetParts): MutatedParquet {
  if (random.once(2)) {
    const target = random.below(Math.max(1, parts.chunks.length));
    const leaf = parts.chunks[target]?.chunk.leaf.index ?? 0;
    return { bytes: withChangedPage(parts, target, random, other), leaf };
  }
  return { bytes: withChangedFooter(parts, random, other), leaf: random.below(Math.max(1, parts.footer.leaves.length)) };
}

function withChangedFooter(parts: ParquetParts, random: Random, other: ParquetParts): Uint8Array {
  switch (random.below(4)) {
    case 0:
      return mutateBytes(parts.whole, random, other.whole);
    case 1:
    case 2: {
      let tree = parts.footer.tree;
      for (let left = random.few(4); left > 0; left--) tree = mutateStruct(tree, random);
      return withFooter(parts.whole.subarray(0, parts.end), writeStruct(tree), random);
    }
    default: {
      const bytes = mutateBytes(parts.whole.subarray(parts.end, parts.whole.length - 8), random, other.whole, 2);
      return withFooter(parts.whole.subarray(0, parts.end), bytes, random);
    }
  }
}

function withFooter(before: Uint8Array, footer: Uint8Array, random: Random): Uint8Array {
  const end = new Uint8Array(8);
  const lie = random.once(60) ? random.pick([-1, 1, 100, 0x7fff_ffff]) : 0;
  new DataView(end.buffer).setUint32(0, footer.length + lie, true);
  end.set(MAGIC, 4);
  return joined([before, footer, end]);
}

function withChangedPage(parts: ParquetParts, target: number, random: Random, other: ParquetParts): Uint8Array {
  const written: Uint8Array[] = [MAGIC];
  let position = MAGIC.length;
  const trees = parts.footer.rowGroups.map((group) => group.chunks.map((chunk) => chunk.tree));
  for (const [index, { chunk, group, pages }] of parts.chunks.entries()) {
    const changed = index === target ? changedChunk(chunk, pages, random, other) : { pages, codec: null };
    const bytes = joined(changed.pages.flatMap((page) => [writeStruct(page.header), page.body]));
    const moved = movedTree(chunk, position, bytes.length, changed.codec);
    trees[group] = (trees[group] ?? []).with(chunk.leaf.index, moved);
    written.push(bytes);
    position += bytes.length;
  }
  // Indexes stay where they were told to be, which is a lie from here on.
  const groups = parts.footer.rowGroups.map((group, index) =>
    withFields(group.tree, listField(ROW_GROUP.columns, THRIFT.struct, trees[index] ?? [])),
  );
  let tree = withFields(parts.footer.tree, listField(FILE_METADATA.rowGroups, THRIFT.struct, groups));
  if (random.once(10)) tree = mutateStruct(tree, random);
  return withFooter(joined(written), writeStruct(tree), random);
}

function movedTree(chunk: ColumnChunk, position: number, size: number, codec: number | null): ThriftStruct {
  const hasDictionary = chunk.metadata.fields.some((field) => field.id === COLUMN_METADATA.dictionaryPageOffset);
  const metadata = withFields(
    hasDictionary ? withFields(chunk.metadata, i64Field(COLUMN_METADATA.dictionaryPageOffset, BigInt(position))) : chunk.metadata,
    i64Field(COLUMN_METADATA.dataPageOffset, BigInt(position)),
    i64Field(COLUMN_METADATA.compressed, BigInt(size)),
    ...(codec === null ? [] : [i32Field(COLUMN_METADATA.codec, codec)]),
  );
  return withFields(chunk.tree, structField(COLUMN_CHUNK.metadata, metadata));
}

interface ChangedChunk {
  readonly pages: readonly Page[];
  /** Null: its own. */
  readonly codec: number | null;
}

function changedChunk(chunk: ColumnChunk, pages: readonly Page[], random: Random, other: ParquetParts): ChangedChunk {
  const at = random.below(Math.max(1, pages.length));
  const page = pages[at];
  if (page === undefined) return { pages, codec: null };
  const put = (...changed: readonly Page[]): ChangedChunk => ({ pages: pages.toSpliced(at, 1, ...changed), codec: null });
  const theirs = other.chunks.length === 0 ? pages : random.pick(other.chunks).pages;
  switch (random.below(12)) {
    case 0:
      return put();
    case 1:
      return put(page, page);
    case 2:
      return put(...theirs.slice(0, 1));
    case 3:
      return { pages, codec: random.below(CODECS.length + 1) };
    case 4:
      return put({ ...page, body: bomb(page.body, random) });
    case 5:
      return put({ ...page, body: mutateBytes(page.body, random, theirs[0]?.body ?? page.body, 3) });
    case 6:
    case 7:
      return put(withoutCrc({ ...page, header: mutateStruct(page.header, random) }));
    default:
      return put(withChangedValues(chunk, page, random));
  }
}

/** What grows beyond measure when it is unpacked. */
function bomb(body: Uint8Array, random: Random): Uint8Array {
  const zeros = new Uint8Array(random.pick([1 << 16, 1 << 20, 1 << 22]));
  return random.pick([
    () => new Uint8Array(gzipSync(zeros)),
    () => new Uint8Array(deflateSync(zeros)),
    () => compressor("ZSTD")(zeros),
    () => compressor("SNAPPY")(zeros.subarray(0, 1 << 16)),
    () => body.slice(0, random.below(body.length + 1)),
  ])();
}

/** Changed after it was decompressed, with the levels, widths and headers at its start before all else. */
function withChangedValues(chunk: ColumnChunk, page: Page, random: Random): Page {
  const header = parsePageHeader(page.header);
  const levels = header.type === "data" && header.version === 2 ? header.repetitionBytes + header.definitionBytes : 0;
  let plain: Uint8Array;
  try {
    plain = decompressor(chunk.codec)(page.body.subarray(levels), header.uncompressedBytes - levels);
  } catch {
    return { ...page, body: mutateBytes(page.body, random, page.body, 3) };
  }
  const start = page.body.slice(0, levels);
  const near = Math.min(plain.length, random.pick([4, 8, 16, 32, 64, plain.length]));
  const isInLevels = levels > 0 && random.once(2);
  const changedLevels = isInLevels ? mutateBytes(start, random, start, 2) : start;
  const changed = isInLevels ? plain : joined([mutateBytes(plain.subarray(0, near), random, plain, 3), plain.subarray(near)]);
  const stored = writtenCodec(chunk.codec) === chunk.codec ? compressor(chunk.codec)(changed) : changed;
  const body = joined([changedLevels, stored]);
  const sizes = withFields(
    page.header,
    i32Field(PAGE_HEADER.uncompressed, changedLevels.length + changed.length),
    i32Field(PAGE_HEADER.compressed, body.length),
  );
  return withoutCrc({ header: random.once(4) ? mutateStruct(sizes, random) : sizes, body });
}

function withoutCrc(page: Page): Page {
  const hasCrc = page.header.fields.some((field) => field.id === PAGE_HEADER.crc);
  if (!hasCrc) return page;
  const header =
    page.body.length % 2 === 0
      ? withoutFields(page.header, PAGE_HEADER.crc)
      : withFields(page.header, i32Field(PAGE_HEADER.crc, crc32(page.body)));
  return { ...page, header };
}
