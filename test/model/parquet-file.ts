// A small Parquet file as a foreign writer leaves it: optional columns, structs, PLAIN pages without compression, field
// ids. Written from the format's own documents, so that the product's encoders are not held against themselves.
import {
  binaryField,
  i32Field,
  i64Field,
  listField,
  struct,
  structField,
  THRIFT,
  type ThriftStruct,
} from "../../src/parquet/thrift-tree.ts";
import { writeStruct } from "../../src/parquet/thrift-write.ts";
import type { Primitive } from "./declaration.ts";

/** Canonical text of a value: numbers as JavaScript prints them, dates in ISO form. */
export type Value = string | null;

export interface Leaf {
  readonly kind: "leaf";
  readonly id: number;
  readonly name: string;
  readonly type: Primitive;
  readonly values: readonly Value[];
}

export interface Group {
  readonly kind: "group";
  readonly id: number;
  readonly name: string;
  /** At least one. */
  readonly children: readonly Node[];
}

export type Node = Leaf | Group;

/** parquet.thrift: Type. */
const PHYSICAL: Readonly<Record<Primitive, number>> = { int: 1, date: 1, long: 2, float: 4, double: 5, string: 6 };
const OPTIONAL = 1;
/** parquet.thrift: ConvertedType. */
const CONVERTED: Readonly<Partial<Record<Primitive, number>>> = { string: 0, date: 6 };
const [PLAIN, RLE] = [0, 3];
const UNCOMPRESSED = 0;
const DATA_PAGE = 0;
const DAY_MS = 86_400_000;
const MAGIC = Buffer.from("PAR1");

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

export function parquetFile(rows: number, columns: readonly Node[]): Uint8Array {
  const pieces: Uint8Array[] = [MAGIC];
  let position = MAGIC.length;
  const chunks: ThriftStruct[] = [];
  for (const { leaf, path } of leavesOf(columns, [])) {
    const { header, body } = page(leaf, path.length);
    const sizeBytes = header.length + body.length;
    chunks.push(columnChunk(leaf, path, position, sizeBytes, rows));
    pieces.push(header, body);
    position += sizeBytes;
  }
  const rowGroup = struct(
    listField(1, THRIFT.struct, chunks),
    i64Field(2, BigInt(position - MAGIC.length)),
    i64Field(3, BigInt(rows)),
  );
  const root = struct(binaryField(4, text("table")), i32Field(5, columns.length));
  const footer = writeStruct(
    struct(
      i32Field(1, 1),
      listField(2, THRIFT.struct, [root, ...columns.flatMap(schemaElements)]),
      i64Field(3, BigInt(rows)),
      listField(4, THRIFT.struct, [rowGroup]),
      binaryField(6, text("a foreign writer")),
    ),
  );
  const length = new Uint8Array(4);
  new DataView(length.buffer).setInt32(0, footer.length, true);
  return new Uint8Array(Buffer.concat([...pieces, footer, length, MAGIC]));
}

function leavesOf(nodes: readonly Node[], above: readonly string[]): { leaf: Leaf; path: readonly string[] }[] {
  return nodes.flatMap((node) => {
    const path = [...above, node.name];
    return node.kind === "leaf" ? [{ leaf: node, path }] : leavesOf(node.children, path);
  });
}

function schemaElements(node: Node): ThriftStruct[] {
  const common = [i32Field(3, OPTIONAL), binaryField(4, text(node.name))] as const;
  if (node.kind === "group")
    return [struct(...common, i32Field(5, node.children.length), i32Field(9, node.id)), ...node.children.flatMap(schemaElements)];
  const converted = CONVERTED[node.type];
  return [
    struct(
      i32Field(1, PHYSICAL[node.type]),
      ...common,
      converted === undefined ? null : i32Field(6, converted),
      i32Field(9, node.id),
    ),
  ];
}

function columnChunk(leaf: Leaf, path: readonly string[], offset: number, sizeBytes: number, rows: number): ThriftStruct {
  const metadata = struct(
    i32Field(1, PHYSICAL[leaf.type]),
    listField(2, THRIFT.i32, [PLAIN, RLE]),
    listField(3, THRIFT.binary, path.map(text)),
    i32Field(4, UNCOMPRESSED),
    i64Field(5, BigInt(rows)),
    i64Field(6, BigInt(sizeBytes)),
    i64Field(7, BigInt(sizeBytes)),
    i64Field(9, BigInt(offset)),
  );
  return struct(i64Field(2, BigInt(offset)), structField(3, metadata));
}

/** All structs are there in all rows: only the leaf itself may be null. */
function page(leaf: Leaf, depth: number): { readonly header: Uint8Array; readonly body: Uint8Array } {
  const levels = definitionLevels(leaf.values.map((value) => (value === null ? depth - 1 : depth)));
  const values = leaf.values.flatMap((value) => (value === null ? [] : [plain(leaf.type, value)]));
  const body = new Uint8Array(Buffer.concat([levels, ...values]));
  const data = struct(i32Field(1, leaf.values.length), i32Field(2, PLAIN), i32Field(3, RLE), i32Field(4, RLE));
  const header = writeStruct(
    struct(i32Field(1, DATA_PAGE), i32Field(2, body.length), i32Field(3, body.length), structField(5, data)),
  );
  return { header, body };
}

/** Encodings.md "RLE": runs of equal levels, each one byte wide, behind their length. */
function definitionLevels(levels: readonly number[]): Uint8Array {
  const runs: number[] = [];
  for (let start = 0; start < levels.length; ) {
    let end = start;
    while (levels[end] === levels[start]) end++;
    let header = (end - start) << 1;
    for (; header > 0x7f; header >>>= 7) runs.push((header & 0x7f) | 0x80);
    runs.push(header, levels[start] ?? 0);
    start = end;
  }
  const bytes = Buffer.alloc(4 + runs.length);
  bytes.writeInt32LE(runs.length, 0);
  Buffer.from(runs).copy(bytes, 4);
  return bytes;
}

function plain(type: Primitive, value: string): Uint8Array {
  const bytes = Buffer.alloc(type === "int" || type === "date" || type === "float" ? 4 : 8);
  switch (type) {
    case "string": {
      const utf8 = Buffer.from(value);
      const length = Buffer.alloc(4);
      length.writeInt32LE(utf8.length, 0);
      return Buffer.concat([length, utf8]);
    }
    case "int":
      bytes.writeInt32LE(Number(value), 0);
      return bytes;
    case "date":
      bytes.writeInt32LE(Date.parse(`${value}T00:00:00Z`) / DAY_MS, 0);
      return bytes;
    case "long":
      bytes.writeBigInt64LE(BigInt(value), 0);
      return bytes;
    case "float":
      bytes.writeFloatLE(Number(value), 0);
      return bytes;
    case "double":
      bytes.writeDoubleLE(Number(value), 0);
      return bytes;
  }
}
