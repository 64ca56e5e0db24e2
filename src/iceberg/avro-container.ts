// Avro object container files (Avro specification, "Object Container Files"): header, blocks, sync markers. Hands
// out blocks one at a time, decompressed; what is in them is read by decoders. Knows nothing of Iceberg.
import { createHash } from "node:crypto";
import { ToolError } from "../diagnostics/tool-error.ts";
import { compressBlock, type Decompress, decompressorFor, READ_CODECS, type WriteCodec } from "./avro-codec.ts";
import {
  type AvroCursor,
  cursorOver,
  failAt,
  nextItems,
  readBytes,
  readFixed,
  readLong,
  readSize,
  readString,
} from "./avro-cursor.ts";
import { type AvroSchema, parseAvroSchema } from "./avro-schema.ts";
import { avroSchemaToJson } from "./avro-schema-json.ts";
import { type AvroSink, newSink, takeBytes, writeBytes, writeInt, writeRaw, writeString } from "./avro-sink.ts";
import { writeJson } from "./json-write.ts";

const MAGIC = Uint8Array.of(0x4f, 0x62, 0x6a, 0x01);
const SYNC_BYTES = 16;
/** Entries are gathered up to this size before they are compressed, as Java's writer does. */
const BLOCK_BYTES = 64_000;
const UTF8 = new TextEncoder();

export interface AvroFile {
  readonly location: string;
  readonly schema: AvroSchema;
  readonly codec: string;
  /** Header entries but those of Avro itself. */
  readonly metadata: ReadonlyMap<string, Uint8Array>;
  /** Each block's objects, in file order: decode exactly `count` of them from `cursor`, then ask for the next. */
  blocks(): Generator<AvroBlock>;
}

interface AvroBlock {
  readonly count: number;
  readonly cursor: AvroCursor;
}

/** Reads the header; blocks are read when asked for. */
export function openAvroFile(bytes: Uint8Array, location: string): AvroFile {
  const cursor = cursorOver(bytes, location);
  if (bytes.byteLength < MAGIC.byteLength || !startsWith(readFixed(cursor, MAGIC.byteLength), MAGIC)) {
    failAt(cursor, "It is not an Avro object container file", 0);
  }
  const header = new Map<string, Uint8Array>();
  for (let left = nextItems(cursor); left > 0; left = nextItems(cursor)) {
    for (; left > 0; left--) header.set(readString(cursor), readBytes(cursor));
  }
  const sync = readFixed(cursor, SYNC_BYTES);
  const firstBlock = cursor.position;
  const schemaText = header.get("avro.schema") ?? failAt(cursor, "Its header has no schema");
  const codec = new TextDecoder().decode(header.get("avro.codec") ?? UTF8.encode("null"));
  const decompress = decompressorFor(codec) ?? failCodec(codec, location);

  function* blocks(): Generator<AvroBlock> {
    const file: AvroCursor = { ...cursor, position: firstBlock };
    while (file.position < file.end) {
      const block = openBlock(file, decompress);
      if (!startsWith(readFixed(file, SYNC_BYTES), sync)) failAt(file, "A block does not end with the file's sync marker");
      yield block;
      if (block.cursor.position !== block.cursor.end) failAt(block.cursor, "A block holds more than its objects");
    }
  }

  return {
    location,
    schema: parseAvroSchema(schemaText, location),
    codec,
    metadata: new Map([...header].filter(([key]) => !key.startsWith("avro."))),
    blocks,
  };
}

export interface AvroWriteOptions {
  readonly schema: AvroSchema;
  readonly codec: WriteCodec;
  /** Header entries beside Avro's own, as text. */
  readonly metadata: Readonly<Record<string, string>>;
}

export interface AvroFileWriter {
  /** Calls `encode` once to write one object. */
  append(encode: (sink: AvroSink) => void): void;
  /** The whole file. Nothing can be appended afterwards. */
  finish(): Uint8Array;
}

/** Writes a file in memory, compressed block by block. Equal input gives equal bytes: the sync marker is a hash of the header. */
export function newAvroFile(options: AvroWriteOptions): AvroFileWriter {
  const sink = newSink();
  const header: Readonly<Record<string, string>> = {
    "avro.schema": writeJson(avroSchemaToJson(options.schema)),
    "avro.codec": options.codec,
    ...options.metadata,
  };
  writeRaw(sink, MAGIC);
  writeInt(sink, Object.keys(header).length);
  for (const [key, value] of Object.entries(header)) {
    writeString(sink, key);
    writeString(sink, value);
  }
  writeInt(sink, 0);
  const headerBytes = takeBytes(sink);
  const sync = createHash("sha256").update(headerBytes).digest().subarray(0, SYNC_BYTES);
  const parts: Uint8Array[] = [headerBytes, sync];
  let count = 0;

  const endBlock = (): void => {
    if (count === 0) return;
    const data = compressBlock(options.codec, takeBytes(sink));
    writeInt(sink, count);
    writeBytes(sink, data);
    writeRaw(sink, sync);
    parts.push(takeBytes(sink));
    count = 0;
  };

  return {
    append(encode) {
      encode(sink);
      count++;
      if (sink.length >= BLOCK_BYTES) endBlock();
    },
    finish() {
      endBlock();
      return concatenate(parts);
    },
  };
}

function openBlock(file: AvroCursor, decompress: Decompress): AvroBlock {
  const blockOffset = file.position;
  const count = readLong(file);
  const data = readFixed(file, readSize(file, "The size of a block"));
  const dataOffset = file.position - data.byteLength;
  const plain = inflate(file, decompress, data, blockOffset);
  // An object of a manifest takes a byte at least.
  if (count < 0n || count > BigInt(plain.byteLength)) failAt(file, "A block has more objects than bytes", blockOffset);
  const baseOffset = plain === data ? dataOffset : null;
  return { count: Number(count), cursor: { ...cursorOver(plain, file.location), baseOffset, blockOffset } };
}

function inflate(file: AvroCursor, decompress: Decompress, data: Uint8Array, blockOffset: number): Uint8Array {
  try {
    return decompress(data);
  } catch (cause) {
    return failAt(file, "A block cannot be decompressed", blockOffset, cause);
  }
}

function failCodec(codec: string, location: string): never {
  throw new ToolError("unsupported", `Cannot read the Avro file "${location}"`, {
    why: `It is compressed with "${codec}"; only ${READ_CODECS.join(", ")} can be read`,
    context: { file: location },
  });
}

function startsWith(bytes: Uint8Array, start: Uint8Array): boolean {
  return start.every((byte, index) => bytes[index] === byte);
}

function concatenate(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.byteLength;
  }
  return whole;
}
