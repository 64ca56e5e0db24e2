// Writes a Thrift tree in the compact protocol, the mirror of thrift-read.ts: a tree that was read gives the
// same bytes again. Knows no field of Parquet.
import { THRIFT, type ThriftStruct, type ThriftType, type ThriftValue } from "./thrift-tree.ts";

interface Output {
  bytes: Uint8Array;
  position: number;
}

export function writeStruct(value: ThriftStruct): Uint8Array {
  const output = { bytes: new Uint8Array(256), position: 0 };
  putStruct(output, value);
  return output.bytes.slice(0, output.position);
}

function reserve(output: Output, lengthBytes: number): void {
  const needed = output.position + lengthBytes;
  if (needed <= output.bytes.length) return;
  const grown = new Uint8Array(Math.max(needed, output.bytes.length * 2));
  grown.set(output.bytes.subarray(0, output.position));
  output.bytes = grown;
}

function putByte(output: Output, value: number): void {
  reserve(output, 1);
  output.bytes[output.position++] = value;
}

function putBytes(output: Output, value: Uint8Array): void {
  reserve(output, value.length);
  output.bytes.set(value, output.position);
  output.position += value.length;
}

function putVarint(output: Output, value: number): void {
  let rest = value >>> 0;
  while (rest > 0x7f) {
    putByte(output, (rest & 0x7f) | 0x80);
    rest >>>= 7;
  }
  putByte(output, rest);
}

function putZigzag32(output: Output, value: number): void {
  putVarint(output, (value << 1) ^ (value >> 31));
}

function putZigzag64(output: Output, value: bigint): void {
  if (value >= -0x40000000n && value < 0x40000000n) {
    putZigzag32(output, Number(value));
    return;
  }
  let rest = BigInt.asUintN(64, (value << 1n) ^ (value >> 63n));
  while (rest > 0x7fn) {
    putByte(output, Number(rest & 0x7fn) | 0x80);
    rest >>= 7n;
  }
  putByte(output, Number(rest));
}

function putStruct(output: Output, value: ThriftStruct): void {
  let lastId = 0;
  for (const field of value.fields) {
    const code = field.type === THRIFT.boolean && field.value === false ? 2 : field.type;
    const delta = field.id - lastId;
    if (delta > 0 && delta <= 15) putByte(output, (delta << 4) | code);
    else {
      putByte(output, code);
      putZigzag32(output, field.id);
    }
    if (field.type !== THRIFT.boolean) putValue(output, field.type, field.value);
    lastId = field.id;
  }
  putByte(output, 0);
}

function putValue(output: Output, type: ThriftType, value: ThriftValue): void {
  if (typeof value === "boolean") putByte(output, value ? 1 : 2);
  else if (typeof value === "bigint") putZigzag64(output, value);
  else if (typeof value === "number") {
    if (type === THRIFT.byte) putByte(output, value & 0xff);
    else putZigzag32(output, value);
  } else if (value instanceof Uint8Array) {
    if (type === THRIFT.binary) putVarint(output, value.length);
    putBytes(output, value);
  } else if (value.kind === "struct") putStruct(output, value);
  else if (value.kind === "list") {
    const count = value.items.length;
    putByte(output, (Math.min(count, 15) << 4) | value.elementType);
    if (count >= 15) putVarint(output, count);
    for (const item of value.items) putValue(output, value.elementType, item);
  } else {
    putVarint(output, value.entries.length);
    if (value.entries.length === 0) return;
    putByte(output, (value.keyType << 4) | value.valueType);
    for (const [key, item] of value.entries) {
      putValue(output, value.keyType, key);
      putValue(output, value.valueType, item);
    }
  }
}
