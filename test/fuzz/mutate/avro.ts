// An Avro container file taken apart, changed in one of its parts, and put together so that the rest of it still holds:
// header entries, the writer's schema, counts, sizes, codecs and the values inside the blocks.
import { deflateRawSync } from "node:zlib";
import { decompressorFor } from "../../../src/iceberg/avro-codec.ts";
import { cursorOver, readBlockCount, readBytes, readFixed, readLong, readString } from "../../../src/iceberg/avro-cursor.ts";
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import type { Random } from "../random.ts";
import { hostileVarint, joined, mutateBytes, randomBytes } from "./bytes.ts";
import { NAMES } from "./hostile.ts";
import { mutateTree } from "./json.ts";
import { mutateWords } from "./text.ts";
import { printJson, type Tree, treeOf } from "./tree.ts";

interface Block {
  readonly count: Uint8Array;
  /** Decompressed. */
  readonly data: Uint8Array;
}

export interface AvroParts {
  readonly header: readonly (readonly [string, Uint8Array])[];
  readonly schema: Tree;
  readonly sync: Uint8Array;
  readonly blocks: readonly Block[];
  readonly whole: Uint8Array;
}

const MAGIC_BYTES = 4;
const SYNC_BYTES = 16;

/** Null for a file that is no whole container. */
export function takeApart(whole: Uint8Array): AvroParts | null {
  try {
    const cursor = cursorOver(whole, "seed");
    readFixed(cursor, MAGIC_BYTES);
    const header: [string, Uint8Array][] = [];
    for (let { count } = readBlockCount(cursor); count > 0; { count } = readBlockCount(cursor)) {
      for (let left = count; left > 0; left--) header.push([readString(cursor), readBytes(cursor).slice()]);
    }
    const sync = readFixed(cursor, SYNC_BYTES).slice();
    const named = new Map(header);
    const codec = new TextDecoder().decode(named.get("avro.codec") ?? new TextEncoder().encode("null"));
    const blocks: Block[] = [];
    while (cursor.position < cursor.end) {
      const count = varint(readLong(cursor));
      blocks.push({ count, data: decompressorFor(codec)?.(readBytes(cursor)) ?? new Uint8Array() });
      readFixed(cursor, SYNC_BYTES);
    }
    const schema = treeOf(parseJson(named.get("avro.schema") ?? new Uint8Array()));
    return { header, schema, sync, blocks, whole };
  } catch {
    return null;
  }
}

export function mutateAvro(parts: AvroParts, random: Random, other: AvroParts): Uint8Array {
  switch (random.below(8)) {
    case 0:
      return mutateBytes(parts.whole, random, other.whole);
    case 1: {
      const schema = new TextEncoder().encode(printJson(mutateTree(parts.schema, random, other.schema)));
      return together(
        parts.header.map(([key, value]) => [key, key === "avro.schema" ? schema : value]),
        parts.sync,
        parts.blocks,
        random,
      );
    }
    case 2:
      return together(changedHeader(parts, random, other), parts.sync, parts.blocks, random);
    case 3:
      return mutateBytes(together(parts.header, parts.sync, parts.blocks, random), random, other.whole, 2);
    default:
      return together(parts.header, parts.sync, changedBlocks(parts, random, other), random);
  }
}

type Header = AvroParts["header"];

function changedHeader(parts: AvroParts, random: Random, other: AvroParts): Header {
  const at = random.below(parts.header.length);
  const [key, value] = parts.header[at] ?? ["", new Uint8Array()];
  switch (random.below(5)) {
    case 0:
      return parts.header.toSpliced(at, 1);
    case 1:
      return [...parts.header, random.pick(other.header)];
    case 2:
      return parts.header.with(at, [random.pick(NAMES), value]);
    default: {
      const text = mutateWords(new TextDecoder().decode(value), random, random.pick(NAMES));
      return parts.header.with(at, [key, new TextEncoder().encode(text)]);
    }
  }
}

function changedBlocks(parts: AvroParts, random: Random, other: AvroParts): readonly Block[] {
  const { blocks } = parts;
  const at = random.below(Math.max(1, blocks.length));
  const block = blocks[at] ?? { count: varint(1n), data: new Uint8Array() };
  switch (random.below(10)) {
    case 0:
      return blocks.toSpliced(at, 1, { ...block, count: hostileVarint(random) });
    case 1:
      return blocks.toSpliced(at, 0, block);
    case 2:
      return blocks.toSpliced(at, 1, ...other.blocks);
    case 3:
      return blocks.toSpliced(at, 1, { ...block, data: joined([block.data, block.data]), count: varint(2n) });
    default:
      return blocks.toSpliced(at, 1, { ...block, data: mutateBytes(block.data, random, other.blocks[0]?.data ?? block.data, 3) });
  }
}

/** Compressed anew, so that a changed block is still one; now and then with a codec or a size that lies. */
function together(header: Header, sync: Uint8Array, blocks: readonly Block[], random: Random): Uint8Array {
  const codec = random.pick(["null", "null", "null", "deflate"]);
  const told = random.once(40)
    ? random.pick(["snappy", "zstandard", "bzip2", "xz", "", "__proto__", "constructor", "null"])
    : codec;
  const entries = header.filter(([key]) => key !== "avro.codec");
  const parts: Uint8Array[] = [Uint8Array.of(0x4f, 0x62, 0x6a, 1), varint(BigInt(entries.length + 1))];
  for (const [key, value] of [...entries, ["avro.codec", new TextEncoder().encode(told)] as const]) {
    parts.push(...lengthAnd(new TextEncoder().encode(key)), ...lengthAnd(value));
  }
  parts.push(varint(0n), sync);
  for (const { count, data } of blocks) {
    const stored = codec === "deflate" ? new Uint8Array(deflateRawSync(data)) : data;
    const [length = new Uint8Array(), bytes = new Uint8Array()] = lengthAnd(stored);
    parts.push(
      count,
      random.once(60) ? hostileVarint(random) : length,
      bytes,
      random.once(100) ? randomBytes(random, SYNC_BYTES) : sync,
    );
  }
  return joined(parts);
}

function lengthAnd(bytes: Uint8Array): readonly Uint8Array[] {
  return [varint(BigInt(bytes.length)), bytes];
}

function varint(value: bigint): Uint8Array {
  const bytes: number[] = [];
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  for (; rest > 0x7fn; rest >>= 7n) bytes.push(Number(rest & 0x7fn) | 0x80);
  return Uint8Array.from([...bytes, Number(rest)]);
}
