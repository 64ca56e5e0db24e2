// Writes Avro's binary primitives into a buffer that grows. The mirror of avro-cursor.ts; knows no schemas.
import { bug } from "../diagnostics/tool-error.ts";

export interface AvroSink {
  bytes: Uint8Array;
  view: DataView;
  length: number;
}

const FIRST_SIZE = 0x1_0000;
const LONG_MIN = -(2n ** 63n);
const LONG_MAX = 2n ** 63n - 1n;
const INT_MIN = -0x8000_0000;
const INT_MAX = 0x7fff_ffff;
/** Longs within these bounds are written with double arithmetic, which is much quicker than BigInt's. */
const FAST_MIN = -(2n ** 50n);
const FAST_MAX = 2n ** 50n;
const UTF8 = new TextEncoder();
/** UTF-8 takes at most this many bytes for a UTF-16 unit. */
const UTF8_PER_UNIT = 3;
const MAX_VARINT_BYTES = 10;

export function newSink(): AvroSink {
  const bytes = new Uint8Array(FIRST_SIZE);
  return { bytes, view: new DataView(bytes.buffer), length: 0 };
}

/** The bytes written so far, as a copy; the sink is empty afterwards and keeps its room. */
export function takeBytes(sink: AvroSink): Uint8Array {
  const taken = sink.bytes.slice(0, sink.length);
  sink.length = 0;
  return taken;
}

export function writeLong(sink: AvroSink, value: bigint): void {
  if (value > FAST_MIN && value < FAST_MAX) {
    const small = Number(value);
    writeVarint(sink, small < 0 ? -2 * small - 1 : 2 * small);
    return;
  }
  if (value < LONG_MIN || value > LONG_MAX) throw bug(`A long is outside of 64 bits: ${value}`);
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  makeRoom(sink, MAX_VARINT_BYTES);
  for (; rest >= 0x80n; rest >>= 7n) sink.bytes[sink.length++] = Number(rest & 0x7fn) | 0x80;
  sink.bytes[sink.length++] = Number(rest);
}

export function writeInt(sink: AvroSink, value: number): void {
  if (!(Number.isInteger(value) && value >= INT_MIN && value <= INT_MAX)) throw bug(`An int is outside of 32 bits: ${value}`);
  writeVarint(sink, value < 0 ? -2 * value - 1 : 2 * value);
}

export function writeBoolean(sink: AvroSink, value: boolean): void {
  makeRoom(sink, 1);
  sink.bytes[sink.length++] = value ? 1 : 0;
}

export function writeFloat(sink: AvroSink, value: number): void {
  makeRoom(sink, 4);
  sink.view.setFloat32(sink.length, value, true);
  sink.length += 4;
}

export function writeDouble(sink: AvroSink, value: number): void {
  makeRoom(sink, 8);
  sink.view.setFloat64(sink.length, value, true);
  sink.length += 8;
}

export function writeBytes(sink: AvroSink, value: Uint8Array): void {
  writeInt(sink, value.byteLength);
  writeRaw(sink, value);
}

/** Bytes as they are: a fixed value, or one that is encoded already. */
export function writeRaw(sink: AvroSink, value: Uint8Array): void {
  makeRoom(sink, value.byteLength);
  sink.bytes.set(value, sink.length);
  sink.length += value.byteLength;
}

export function writeString(sink: AvroSink, value: string): void {
  const most = value.length * UTF8_PER_UNIT;
  makeRoom(sink, most + MAX_VARINT_BYTES);
  // The length stands before the text and its own size depends on it: write the text where it will most likely
  // be, behind a length of the same size as that of the unit count, and move it when the guess was wrong.
  const start = sink.length;
  const guess = varintSize(2 * value.length);
  const { written } = UTF8.encodeInto(value, sink.bytes.subarray(start + guess));
  const size = varintSize(2 * written);
  if (size !== guess) sink.bytes.copyWithin(start + size, start + guess, start + guess + written);
  writeInt(sink, written);
  sink.length = start + size + written;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 0x80; rest = Math.floor(rest / 0x80)) size++;
  return size;
}

function writeVarint(sink: AvroSink, value: number): void {
  makeRoom(sink, MAX_VARINT_BYTES);
  let rest = value;
  for (; rest >= 0x80; rest = Math.floor(rest / 0x80)) sink.bytes[sink.length++] = (rest % 0x80) | 0x80;
  sink.bytes[sink.length++] = rest;
}

function makeRoom(sink: AvroSink, size: number): void {
  const needed = sink.length + size;
  if (needed <= sink.bytes.byteLength) return;
  const bytes = new Uint8Array(Math.max(needed, 2 * sink.bytes.byteLength));
  bytes.set(sink.bytes.subarray(0, sink.length));
  sink.bytes = bytes;
  sink.view = new DataView(bytes.buffer);
}
