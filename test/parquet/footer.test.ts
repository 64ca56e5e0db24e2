// Footers are read whole, written again byte for byte, and refused where they break the format.
import { readdirSync } from "node:fs";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readFooter } from "../../src/parquet/footer.ts";
import { FILE_METADATA } from "../../src/parquet/format.ts";
import { readStruct } from "../../src/parquet/thrift-read.ts";
import {
  bigintAt,
  i32Field,
  i64Field,
  listField,
  struct,
  structAt,
  structField,
  structsAt,
  THRIFT,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "../../src/parquet/thrift-tree.ts";
import { writeStruct } from "../../src/parquet/thrift-write.ts";
import { load, memorySource, rewriteColumn, TEXT } from "./support.ts";

const FOLDER = resolve(import.meta.dirname, "../data/parquet");
const files = [...readdirSync(FOLDER), ...readdirSync(join(FOLDER, "foreign")).map((name) => `foreign/${name}`)].filter(
  (name) => name.endsWith(".parquet") && !name.includes("encrypted"),
);

function footerBytes(file: Uint8Array): Uint8Array {
  const length = new DataView(file.buffer).getUint32(file.length - 8, true);
  return file.subarray(file.length - 8 - length, file.length - 8);
}

function withFooter(file: Uint8Array, footer: Uint8Array): Uint8Array {
  const length = new DataView(file.buffer).getUint32(file.length - 8, true);
  const end = new Uint8Array(8);
  new DataView(end.buffer).setUint32(0, footer.length, true);
  end.set([0x50, 0x41, 0x52, 0x31], 4);
  return new Uint8Array(Buffer.concat([file.subarray(0, file.length - 8 - length), footer, end]));
}

describe("a footer", () => {
  it.each(files)("is written again byte for byte: %s", (name) => {
    const bytes = footerBytes(load(name));
    expect(Buffer.compare(writeStruct(readStruct(bytes).value), bytes)).toBe(0);
  });

  it("whose fields are out of order gets a changed one in the place of the old", () => {
    const tree = struct(i32Field(5, 1), i32Field(2, 1), i32Field(9, 1));
    expect(withFields(tree, i32Field(2, 7), i32Field(6, 8))).toEqual(
      struct(i32Field(5, 1), i32Field(2, 7), i32Field(6, 8), i32Field(9, 1)),
    );
  });

  it("whose column orders are no structs is refused by a rewrite, which writes them as structs", async () => {
    const file = load("required.parquet");
    const tree = readStruct(footerBytes(file)).value;
    const count = structsAt(tree, FILE_METADATA.columnOrders, "list of column orders").length;
    expect(count).toBeGreaterThan(0);
    const numbers = listField(
      FILE_METADATA.columnOrders,
      THRIFT.i32,
      Array.from({ length: count }, () => 1),
    );
    const broken = withFooter(file, writeStruct(withFields(tree, numbers)));
    const rewritten = rewriteColumn(broken, "value", { target: TEXT, convert: (value) => value });
    await expect(rewritten).rejects.toMatchObject({ kind: "corrupt", why: expect.stringContaining("column orders") });
  });

  it("keeps fields it does not know", () => {
    const unknown: ThriftStruct = struct(
      { id: 3, type: THRIFT.byte, value: -5 },
      { id: 40, type: THRIFT.i16, value: -300 },
      { id: 41, type: THRIFT.double, value: Uint8Array.of(1, 2, 3, 4, 5, 6, 7, 8) },
      { id: 42, type: THRIFT.boolean, value: false },
      {
        id: 900,
        type: THRIFT.map,
        value: { kind: "map", keyType: THRIFT.i64, valueType: THRIFT.binary, entries: [[-(2n ** 63n), Uint8Array.of(9)]] },
      },
      { id: 901, type: THRIFT.uuid, value: new Uint8Array(16).fill(7) },
      listField(902, THRIFT.boolean, [true, false]),
    );
    expect(readStruct(writeStruct(unknown)).value).toEqual(unknown);
  });

  it("holds every 32-bit and 64-bit integer exactly", () => {
    const integers = fc.tuple(
      fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
      fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    );
    fc.assert(
      fc.property(integers, ([small, large]) => {
        const tree = struct(i32Field(1, small), { id: 2, type: THRIFT.i64, value: large });
        expect(readStruct(writeStruct(tree)).value).toEqual(tree);
      }),
      { examples: [[[0, 2n ** 63n - 1n]], [[-1, -(2n ** 63n)]], [[2 ** 31 - 1, 0x40000000n]], [[-(2 ** 31), -0x40000001n]]] },
    );
  });

  it("changes by field, in order, without touching the others", () => {
    const tree = struct(i32Field(1, 1), i32Field(5, 5));
    expect(
      withFields(tree, i32Field(3, 3), i32Field(5, 6), i32Field(9, 9)).fields.map((field) => [field.id, field.value]),
    ).toEqual([
      [1, 1],
      [3, 3],
      [5, 6],
      [9, 9],
    ]);
    expect(withoutFields(tree, 1).fields).toEqual([i32Field(5, 5)]);
  });

  it("is read with one request where the file is small", async () => {
    const source = memorySource(load("required.parquet"));
    await readFooter(source);
    expect(source.reads).toHaveLength(1);
  });
});

describe("a file is refused", () => {
  const whole = load("required.parquet");
  const refused = async (bytes: Uint8Array): Promise<unknown> =>
    await readFooter(memorySource(bytes)).catch((error: unknown) => error);

  it.each([
    ["with fewer bytes than any Parquet file", whole.slice(0, 11), "corrupt"],
    ["without the magic at its end", whole.slice(0, -1), "corrupt"],
    ["whose footer would start before the file", withLength(whole, 1_000_000), "corrupt"],
    ["whose footer is cut off", withLength(whole, 40), "corrupt"],
    ["with an encrypted footer", load("foreign/encrypted-footer.parquet"), "unsupported"],
    ["with encrypted columns", load("foreign/encrypted-columns.parquet"), "unsupported"],
  ])("%s", async (_, bytes, kind) => {
    expect(await refused(bytes)).toMatchObject({ name: "ToolError", kind });
  });

  function withLength(file: Uint8Array, length: number): Uint8Array {
    const changed = file.slice();
    new DataView(changed.buffer).setUint32(changed.length - 8, length, true);
    return changed;
  }

  it("whose column chunks share bytes, as copying them would let the file grow without bound", async () => {
    const tree = readStruct(footerBytes(whole)).value;
    const groups = tree.fields.find((field) => field.id === 4)?.value;
    if (typeof groups !== "object" || !("kind" in groups) || groups.kind !== "list") throw new Error("no row groups");
    const rows = bigintAt(tree, 3) ?? 0n;
    const doubled = withFields(tree, listField(4, THRIFT.struct, [...groups.items, ...groups.items]), {
      id: 3,
      type: THRIFT.i64,
      value: rows * 2n,
    });
    const error = await refused(withFooter(whole, writeStruct(doubled)));
    expect(error).toMatchObject({ kind: "corrupt", why: expect.stringContaining("overlaps") });
  });

  it("whose column reaches into the footer", async () => {
    const tree = readStruct(footerBytes(whole)).value;
    const [first, ...groups] = structsAt(tree, 4, "row groups");
    if (first === undefined) throw new Error("no row group");
    const [chunk, ...chunks] = structsAt(first, 1, "chunks");
    const metadata = chunk === undefined ? undefined : structAt(chunk, 3);
    if (chunk === undefined || metadata === undefined) throw new Error("no chunk");
    const long = withFields(chunk, structField(3, withFields(metadata, i64Field(7, BigInt(whole.length)))));
    const changed = withFields(first, listField(1, THRIFT.struct, [long, ...chunks]));
    const error = await refused(
      withFooter(whole, writeStruct(withFields(tree, listField(4, THRIFT.struct, [changed, ...groups])))),
    );
    expect(error).toMatchObject({ kind: "corrupt", why: 'Column "id" lies outside the file' });
  });

  it("whose Thrift data nests without end", async () => {
    const nested = new Uint8Array(5000).fill(0x1c);
    expect(await refused(withFooter(whole, nested))).toMatchObject({ kind: "corrupt" });
  });

  // Of two fields of one id this reader would take the first and others the last.
  it.each([
    ["twice", struct(i32Field(1, 1), i32Field(1, 2))],
    ["twice, far apart and out of order", struct(i32Field(9, 1), i32Field(2, 1), i32Field(40, 1), i32Field(2, 2))],
    ["of an id beyond 16 bits", struct(i32Field(0x8000, 1))],
    ["of an id below 16 bits", struct(i32Field(-0x8001, 1))],
  ])("that has a field %s", async (_, tree) => {
    expect(await refused(withFooter(whole, writeStruct(tree)))).toMatchObject({ kind: "corrupt" });
  });

  it("whose fields stand in the order that is slowest to check, soon", async () => {
    const tree = struct(...Array.from({ length: 32_000 }, (_, index) => i32Field(0x7fff - index, 1)));
    const bytes = withFooter(whole, writeStruct(tree));
    const started = process.cpuUsage();
    expect(await refused(bytes)).toMatchObject({ kind: "corrupt" });
    expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
  });

  it("whose list claims more elements than there are bytes", async () => {
    const list = Uint8Array.of(0x29, 0xf5, 0xff, 0xff, 0xff, 0xff, 0x07, 0x00);
    expect(await refused(withFooter(whole, list))).toMatchObject({ kind: "corrupt" });
  });
});
