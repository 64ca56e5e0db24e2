// The rewrite of whole files by pyarrow, DuckDB, Spark, parquet-java and others, read back by hyparquet and
// compared with what Python worked out (test/data/parquet/make.py).
import { describe, expect, it } from "vitest";
import { FAILED } from "../../src/parquet/column-rewrite.ts";
import { columnOf, metadataOf } from "./look.ts";
import {
  chunkBytes,
  collectingSink,
  CONVERSIONS,
  DATE,
  footerOf,
  keyOf,
  load,
  loadExpected,
  memorySource,
  NEW_ID,
  plain,
  readRaw,
  rewriteColumn,
  TEXT,
  text,
  toDays,
  utf8,
  written,
} from "./support.ts";
import type { ColumnValue } from "../../src/parquet/physical.ts";
import { rewriteFile } from "../../src/parquet/rewrite-file.ts";
import { structsAt, type ThriftStruct } from "../../src/parquet/thrift-tree.ts";

const expected = loadExpected();
const cases = Object.entries(expected).flatMap(([file, one]) =>
  Object.keys(one.conversions).map((conversion) => ({ file, conversion, column: one.column ?? "value" })),
);

describe("a rewritten file", () => {
  it.each(cases)("holds the $conversion of $column in $file, all else unchanged", async ({ file, conversion, column }) => {
    const source = load(file);
    const change = CONVERSIONS[conversion];
    if (change === undefined) throw new Error(conversion);
    const { bytes, result } = await written(source, column, change);
    const wanted = expected[file]?.conversions[conversion] ?? [];
    const found = (await readRaw(bytes, column)).map((value) => plain(value, change.target));
    expect(found).toEqual(wanted);
    expect(await chunkBytes(bytes, column)).toEqual(await chunkBytes(source, column));
    expect(result.rows).toBe(BigInt(wanted.length));
    expect(result.sizeBytes).toBe(bytes.length);
    expect(result.columns[0]?.nulls).toBe(BigInt(wanted.filter((value) => value === null).length));
    expect(result.columns[0]?.values).toBe(BigInt(wanted.length));
  });

  it.each(cases.filter(({ conversion }) => ["days", "integer", "narrow", "widened"].includes(conversion)))(
    "has the exact bounds of the $conversion in $file",
    async ({ file, conversion, column }) => {
      const change = CONVERSIONS[conversion];
      if (change === undefined) throw new Error(conversion);
      const { result } = await written(load(file), column, change);
      const numbers = (expected[file]?.conversions[conversion] ?? []).flatMap((value) =>
        typeof value === "number" ? [value] : [],
      );
      const bound = (value: unknown): number | null => (value === null ? null : Number(value));
      expect(bound(result.columns[0]?.lower)).toEqual(numbers.length === 0 ? null : Math.min(...numbers));
      expect(bound(result.columns[0]?.upper)).toEqual(numbers.length === 0 ? null : Math.max(...numbers));
    },
  );

  it("gives the column its new id and type, and keeps its name, its place and the other fields", async () => {
    const source = load("dictionary-v1-snappy.parquet");
    const { bytes } = await written(source, "value", { target: DATE, convert: toDays });
    const [before, after] = [await footerOf(source), await footerOf(bytes)];
    expect(after.root.children.map((node) => node.name)).toEqual(before.root.children.map((node) => node.name));
    expect(after.root.children.map((node) => node.fieldId)).toEqual(
      before.root.children.map((node) => (node.name === "value" ? NEW_ID : node.fieldId)),
    );
    expect(after.leaves[2]).toMatchObject({ type: "INT32", annotation: "DATE", maxDefinition: 1 });
    expect(after.leaves.filter((_, index) => index !== 2)).toEqual(before.leaves.filter((_, index) => index !== 2));
  });

  it("has row groups whose sizes and offsets add up", async () => {
    for (const file of ["dictionary-v1-snappy.parquet", "foreign/spark-employees.parquet", "duckdb-v2-zstd.parquet"]) {
      const column = expected[file]?.column ?? "value";
      const { bytes, result } = await written(load(file), column, { target: TEXT, convert: (value) => value });
      for (const group of metadataOf(bytes).row_groups) {
        const chunks = group.columns.map((chunk) => chunk.meta_data);
        const sum = (of: (chunk: (typeof chunks)[number]) => bigint): bigint =>
          chunks.reduce((total, chunk) => total + of(chunk), 0n);
        expect(group.total_byte_size).toBe(sum((chunk) => chunk?.total_uncompressed_size ?? 0n));
        if (group.total_compressed_size !== undefined) {
          expect(group.total_compressed_size).toBe(sum((chunk) => chunk?.total_compressed_size ?? 0n));
        }
        const first = chunks[0];
        const start = first?.dictionary_page_offset || first?.data_page_offset;
        expect(result.splitOffsets).toContain(start);
        if (group.file_offset !== undefined) expect(group.file_offset).toBe(start);
      }
    }
  });

  it("moves the deprecated file_offset as its writer meant it, or sets it to zero", async () => {
    const offsets = (bytes: Uint8Array): (readonly (bigint | undefined)[])[] =>
      metadataOf(bytes).row_groups.flatMap((group) =>
        group.columns.map((chunk) => [
          chunk.file_offset,
          chunk.meta_data?.dictionary_page_offset,
          chunk.meta_data?.data_page_offset,
        ]),
      );
    const change = { target: TEXT, convert: (value: ColumnValue) => utf8(keyOf(value)) };
    // parquet-java before 1.15: the first data page, behind the dictionary where there is one.
    const java = await written(load("foreign/hadoop_lz4_compressed.parquet"), "c0", change);
    for (const [file, , data] of offsets(java.bytes)) expect(file).toBe(data);
    expect(offsets(java.bytes)[1]).not.toEqual(offsets(load("foreign/hadoop_lz4_compressed.parquet"))[1]);
    const stamps = await written(load("foreign/int96_from_spark.parquet"), "a", {
      target: { type: "INT32" },
      convert: (value) => keyOf(value).length,
    });
    for (const [file, dictionary, data] of offsets(stamps.bytes)) {
      expect(file).toBe(data);
      expect(dictionary).toBeLessThan(data ?? 0n);
    }
    // Arrow today: zero. Old parquet-cpp: a copy of the metadata behind the chunk.
    const arrow = await written(load("dictionary-v2-zstd.parquet"), "name", change);
    for (const [file] of offsets(arrow.bytes)) expect(file).toBe(0n);
    const cpp = await written(load("foreign/non_hadoop_lz4_compressed.parquet"), "c1", change);
    for (const [file] of offsets(cpp.bytes)) expect(file).toBe(0n);
  });

  it("orders the rewritten column by its type whatever order the old one had", async () => {
    // FLOAT and DOUBLE columns, half of them in IEEE 754 total order.
    const source = load("foreign/floating_orders_nan_count.parquet");
    const footer = await footerOf(source);
    const orders = (tree: ThriftStruct): readonly (number | undefined)[] =>
      structsAt(tree, 7, "orders").map((order) => order.fields[0]?.id);
    const before = orders(footer.tree);
    const index = before.indexOf(2);
    const name = footer.leaves[index]?.path[0] ?? "";
    const { bytes } = await written(source, name, { target: { type: "DOUBLE" }, convert: (value) => Number(value) || 0 });
    expect(orders((await footerOf(bytes)).tree)).toEqual(before.map((order, at) => (at === index ? 1 : order)));
  });

  it("keeps created_by, by which readers work around old writers", async () => {
    const source = load("foreign/spark-employees.parquet");
    const { bytes } = await written(source, "hire_date", { target: DATE, convert: toDays });
    expect(metadataOf(bytes).created_by).toBe(metadataOf(source).created_by);
  });

  it("copies stretches that lie together with one copy", async () => {
    const source = load("dictionary-v2-zstd.parquet");
    const { sink } = await written(source, "score", { target: { type: "FLOAT" }, convert: (value) => value });
    // Per row group all chunks before the last one; then bloom filters and column indexes.
    expect(sink.copies.filter(({ lengthBytes }) => lengthBytes > 1000).length).toBeLessThanOrEqual(4);
    expect(sink.copies[0]?.offset).toBe(4);
  });

  it("reads INT96 as its twelve bytes: nanoseconds of the day, then the Julian day", async () => {
    const micros: unknown[] = [];
    const convert = (value: ColumnValue): bigint => {
      const view = new DataView((value as Uint8Array).slice().buffer);
      micros.push((BigInt(view.getInt32(8, true)) - 2_440_588n) * 86_400_000_000n + view.getBigInt64(0, true) / 1000n);
      return 0n;
    };
    await written(load("foreign/int96_from_spark.parquet"), "a", { target: { type: "INT64" }, convert });
    // Told by the file's own page in apache/parquet-testing; the last one is beyond what INT96 holds.
    expect(micros.slice(0, 4)).toEqual([
      1_704_141_296_123_456n,
      1_704_070_800_000_000n,
      253_402_225_200_000_000n,
      1_735_599_600_000_000n,
    ]);
  });

  it("is made of the same bytes every time", async () => {
    const source = load("plain-v1-gzip.parquet");
    const change = { target: DATE, convert: toDays };
    expect((await written(source, "value", change)).bytes).toEqual((await written(source, "value", change)).bytes);
  });
});

describe("nullability", () => {
  it.each(["required.parquet", "plain-v2-none.parquet"])("changes as asked in %s", async (file) => {
    const source = load(file);
    const convert = (value: Parameters<typeof text>[0]): number => text(value).length;
    for (const required of [true, false]) {
      const { bytes } = await written(source, "value", { target: { type: "INT32" }, convert, required });
      const footer = await footerOf(bytes);
      expect(footer.leaves[2]?.maxDefinition).toBe(required ? 0 : 1);
      expect(await readRaw(bytes, "value")).toEqual(
        (await readRaw(source, "value")).map((value) => (value as Uint8Array).length),
      );
    }
  });

  it("makes a required column optional where values become null", async () => {
    const { bytes, result } = await written(load("required.parquet"), "value", {
      target: { type: "INT32" },
      convert: (value) => (text(value) === "7" ? null : 1),
    });
    const sevens = expected["required.parquet"]?.conversions["integer"]?.filter((value) => value === 7).length ?? 0;
    expect(sevens).toBeGreaterThan(0);
    expect(result.columns[0]?.nulls).toBe(BigInt(sevens));
    expect((await readRaw(bytes, "value")).filter((value) => value === null)).toHaveLength(sevens);
  });

  it("is not broken: a null in a required column stops the rewrite", async () => {
    const change = { target: { type: "INT32" } as const, convert: () => null, required: true };
    for (const file of ["required.parquet", "dictionary-v1-snappy.parquet", "plain-v1-gzip.parquet"]) {
      const { answer } = await rewriteColumn(load(file), "value", change);
      expect(answer.state).toBe("null-in-required");
    }
  });
});

describe("a file that is not rewritten", () => {
  it("has no such column", async () => {
    const { answer, bytes } = await rewriteColumn(load("required.parquet"), "no-such-column", { target: DATE, convert: toDays });
    expect(answer).toEqual({ state: "nothing-to-rewrite" });
    expect(bytes).toHaveLength(0);
  });

  it("has the new column already", async () => {
    const { bytes } = await written(load("dictionary-v1-snappy.parquet"), "value", { target: DATE, convert: toDays });
    const { answer } = await rewriteColumn(bytes, "value", { target: DATE, convert: (value) => value });
    expect(answer).toEqual({ state: "nothing-to-rewrite" });
  });

  it("has the column nested, or no primitive one", async () => {
    const { answer, bytes } = await rewriteColumn(load("required.parquet"), "place", { target: DATE, convert: toDays });
    expect(answer).toEqual({ state: "unsupported", column: "place", why: "it is not of a primitive type" });
    expect(bytes).toHaveLength(0);
    const footer = await footerOf(load("foreign/spark-employees.parquet"));
    const nested = footer.root.children.find((node) => node.name === "department")?.children[0]?.fieldId ?? -1;
    const rewrite = { retiredFieldId: nested, newFieldId: NEW_ID, target: DATE, required: false, convert: toDays };
    const source = load("foreign/spark-employees.parquet");
    const deep = await rewriteFile(memorySource(source), collectingSink(source), footer, [rewrite]);
    expect(deep).toEqual({ state: "unsupported", column: "code", why: "it is nested in another column" });
  });

  it("comes from a writer that stored wrong lengths", async () => {
    const { answer } = await rewriteColumn(
      load("foreign/nation.dict-malformed.parquet"),
      "nation_key",
      CONVERSIONS["widened"] ?? fail(),
    );
    expect(answer.state).toBe("unsupported");
  });

  it.each(["dictionary-v1-snappy.parquet", "plain-v1-gzip.parquet", "delta-v2-lz4.parquet", "delta-longs.parquet"])(
    "has a value that does not convert: %s",
    async (file) => {
      const [first] = (await readRaw(load(file), "value")).filter((value) => value !== null);
      const bad = keyOf(first ?? 0);
      const convert = (value: ColumnValue): number | typeof FAILED => (keyOf(value) === bad ? FAILED : 1);
      const { answer } = await rewriteColumn(load(file), "value", { target: { type: "INT32" }, convert });
      expect(answer).toEqual({ state: "value-failed", retiredFieldId: 3 });
    },
  );
});

describe("several changes at once", () => {
  it("rewrite two columns, drop another and add a footer pair", async () => {
    const source = load("dictionary-v2-zstd.parquet");
    const footer = await footerOf(source);
    const sink = collectingSink(source);
    const answer = await rewriteFile(
      memorySource(source),
      sink,
      footer,
      [
        {
          retiredFieldId: 3,
          newFieldId: 20,
          target: { type: "INT32" },
          required: false,
          convert: (value) => Number(text(value)),
        },
        {
          retiredFieldId: 1,
          newFieldId: 21,
          target: TEXT,
          required: false,
          convert: (value) => new TextEncoder().encode(`#${keyOf(value)}`),
        },
      ],
      { droppedFieldIds: [2, 6], keyValues: new Map([["floeplan.encoder", "1"]]) },
    );
    expect(answer.state).toBe("written");
    const bytes = sink.bytes();
    expect((await footerOf(bytes)).root.children.map((node) => [node.name, node.fieldId])).toEqual([
      ["id", 21],
      ["value", 20],
      ["tags", 4],
      ["score", 9],
    ]);
    const wanted = expected["dictionary-v2-zstd.parquet"]?.conversions["integer"];
    expect(await readRaw(bytes, "value")).toEqual(wanted);
    expect((await readRaw(bytes, "id")).slice(0, 2).map((value) => text(value as Uint8Array))).toEqual(["#0", "#1"]);
    expect(await readRaw(bytes, "score")).toEqual(await readRaw(source, "score"));
    expect(metadataOf(bytes).key_value_metadata).toContainEqual({ key: "floeplan.encoder", value: "1" });
    expect(columnOf(bytes, "score")).toHaveLength(2);
  });
});

function fail(): never {
  throw new Error("no such conversion");
}
