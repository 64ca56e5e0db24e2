// Statistics, page indexes, bloom filters and sort marks of a rewritten file, read by hyparquet.
import { readColumnIndex, readOffsetIndex } from "hyparquet";
import { describe, expect, it } from "vitest";
import type { ColumnValue, PhysicalTarget } from "../../src/parquet/physical.ts";
import { compareSigned, compareUnsigned, valueOrder } from "../../src/parquet/value-order.ts";
import { readStruct } from "../../src/parquet/thrift-read.ts";
import { columnOf, metadataOf } from "./look.ts";
import { CONVERSIONS, DATE, load, loadExpected, readRaw, TEXT, text, toDays, utf8, wideNumber, written } from "./support.ts";

const expected = loadExpected();
const NUMBER = CONVERSIONS["number"] ?? { target: DATE, convert: toDays };

function statistics(bytes: Uint8Array): NonNullable<ReturnType<typeof columnOf>[number]["statistics"]>[] {
  return columnOf(bytes, "value").flatMap((chunk) => chunk.statistics ?? []);
}

describe("statistics", () => {
  it("hold bounds in the new type's order, exact and said to be so, without the deprecated ones", async () => {
    const { bytes } = await written(load("plain-v1-gzip.parquet"), "value", CONVERSIONS["integer"] ?? NUMBER);
    const values = expected["plain-v1-gzip.parquet"]?.conversions["integer"] ?? [];
    // Row groups of 180 and 120 rows.
    for (const [index, [from, to]] of [
      [0, 180],
      [180, 300],
    ].entries()) {
      const numbers = values.slice(from, to).flatMap((value) => (typeof value === "number" ? [value] : []));
      expect(statistics(bytes)[index]).toMatchObject({
        min_value: Math.min(...numbers),
        max_value: Math.max(...numbers),
        is_min_value_exact: true,
        is_max_value_exact: true,
        null_count: BigInt((to ?? 0) - (from ?? 0) - numbers.length),
      });
      expect(statistics(bytes)[index]).not.toHaveProperty("min", expect.anything());
      expect(statistics(bytes)[index]?.distinct_count).toBeUndefined();
    }
  });

  it.each(["dictionary-dirty-gzip.parquet", "plain-v2-none.parquet"])(
    "of doubles leave NaN out and take zero of both signs: %s",
    async (file) => {
      const { bytes, result } = await written(load(file), "value", {
        ...NUMBER,
        convert: (value) => {
          const number = NUMBER.convert(value);
          return number === 0 ? -0 : typeof number === "number" && number < 20 ? Math.min(number, 0) : number;
        },
      });
      const [column] = result.columns;
      expect(column?.nans).toBe(BigInt(expected[file]?.conversions["number"]?.filter((value) => value === "NaN").length ?? 0));
      expect(column?.nans).toBeGreaterThan(0n);
      expect(Object.is(column?.lower, -0)).toBe(true);
      expect(Object.is(column?.upper, 0)).toBe(true);
      for (const one of statistics(bytes)) {
        expect(Object.is(one.min_value, -0)).toBe(true);
        expect(Object.is(one.max_value, 0)).toBe(true);
      }
    },
  );

  it("have no bounds where every value is NaN or null", async () => {
    const { bytes, result } = await written(load("plain-v2-none.parquet"), "value", {
      target: { type: "DOUBLE" },
      convert: () => Number.NaN,
    });
    expect(result.columns[0]).toMatchObject({ lower: null, upper: null, nans: 300n });
    expect(statistics(bytes)[0]?.min_value).toBeUndefined();
    const none = await written(load("all-null.parquet"), "value", NUMBER);
    expect(none.result.columns[0]).toMatchObject({ lower: null, upper: null, nulls: 300n, nans: 0n });
  });

  it("leave bounds out that would swell the footer", async () => {
    const long = utf8("x".repeat(5000));
    const { bytes, result } = await written(load("plain-v1-gzip.parquet"), "value", { target: TEXT, convert: () => long });
    expect(result.columns[0]?.upper).toEqual(long);
    expect(statistics(bytes)[0]?.max_value).toBeUndefined();
  });

  it("of decimals in bytes are in signed order", async () => {
    const { result } = await written(load("dictionary-v2-zstd.parquet"), "value", CONVERSIONS["wide-cents"] ?? NUMBER);
    const bound = (value: ColumnValue | null | undefined): bigint => wideNumber(value as Uint8Array);
    expect([bound(result.columns[0]?.lower), bound(result.columns[0]?.upper)]).toEqual([-500n, 12_345_600n]);
  });

  it("are those of the rounded value in a column of floats", async () => {
    const { result } = await written(load("plain-v2-none.parquet"), "value", { target: { type: "FLOAT" }, convert: () => 0.1 });
    expect(result.columns[0]).toMatchObject({ lower: Math.fround(0.1), upper: Math.fround(0.1) });
  });
});

describe("the order of values", () => {
  it("is signed for decimals of any length and unsigned for other bytes", () => {
    const decimals = [
      Uint8Array.of(0x80, 0),
      Uint8Array.of(0xff),
      Uint8Array.of(0xff, 0xff, 0xff),
      Uint8Array.of(0),
      Uint8Array.of(0, 1),
      Uint8Array.of(1, 0),
    ];
    const numbers = decimals.map(wideNumber);
    for (const [i, a] of decimals.entries()) {
      for (const [j, b] of decimals.entries()) {
        const wanted = (numbers[i] ?? 0n) < (numbers[j] ?? 0n) ? -1 : (numbers[i] ?? 0n) > (numbers[j] ?? 0n) ? 1 : 0;
        expect(Math.sign(compareSigned(a, b))).toBe(wanted);
        expect(Math.sign(compareUnsigned(a, b))).toBe(Math.sign(Buffer.compare(a, b)));
      }
    }
  });

  it("refuses a value of another kind than the type's", () => {
    const int: PhysicalTarget = { type: "INT32" };
    expect(() => valueOrder(int).toBytes(5n)).toThrow(expect.objectContaining({ kind: "internal" }));
  });
});

describe("a value that the type cannot hold is a bug, not rounded", () => {
  it.each([
    [{ type: "INT32" }, 2 ** 31],
    [{ type: "INT32" }, 1.5],
    [{ type: "INT64" }, 2n ** 63n],
    [{ type: "INT64" }, 1],
    [{ type: "FIXED_LEN_BYTE_ARRAY", typeLength: 4 }, new Uint8Array(5)],
    [{ type: "BYTE_ARRAY" }, 1],
  ] as const)("%j %s", async (target, value) => {
    for (const file of ["plain-v1-gzip.parquet", "dictionary-v2-zstd.parquet"]) {
      await expect(written(load(file), "value", { target, convert: () => value })).rejects.toMatchObject({ kind: "internal" });
    }
  });
});

interface Indexed {
  readonly columnIndex: ReturnType<typeof readColumnIndex> | null;
  readonly offsetIndex: ReturnType<typeof readOffsetIndex> | null;
}

/** The page indexes of a column a row group. */
function indexesOf(bytes: Uint8Array, path: string): Indexed[] {
  const metadata = metadataOf(bytes);
  const element = metadata.schema.find((one) => one.name === path);
  const reader = (offset: bigint | undefined): { view: DataView; offset: number } => ({
    view: new DataView(bytes.slice().buffer),
    offset: Number(offset),
  });
  return metadata.row_groups.flatMap((group) =>
    group.columns
      .filter((chunk) => chunk.meta_data?.path_in_schema.join(".") === path)
      .map((chunk) => ({
        columnIndex:
          chunk.column_index_offset === undefined || element === undefined
            ? null
            : readColumnIndex(reader(chunk.column_index_offset), element),
        offsetIndex: chunk.offset_index_offset === undefined ? null : readOffsetIndex(reader(chunk.offset_index_offset)),
      })),
  );
}

/** Every page location points to a page header of the size it states. */
function checkLocations(bytes: Uint8Array, path: string): void {
  for (const { offsetIndex } of indexesOf(bytes, path)) {
    for (const location of offsetIndex?.page_locations ?? []) {
      const { value, end } = readStruct(bytes, Number(location.offset));
      const compressed = Number(value.fields.find((field) => field.id === 3)?.value);
      expect(end - Number(location.offset) + compressed).toBe(location.compressed_page_size);
    }
  }
}

describe("page indexes", () => {
  it.each(["dictionary-v1-snappy.parquet", "plain-v1-gzip.parquet"])(
    "of untouched columns point to their pages still: %s",
    async (file) => {
      const source = load(file);
      const { bytes } = await written(source, "value", { target: { type: "INT32" }, convert: (value) => text(value).length });
      for (const path of ["id", "name", "score", "element", "zip"]) {
        const [before, after] = [indexesOf(source, path), indexesOf(bytes, path)];
        expect(after.map((one) => one.columnIndex)).toEqual(before.map((one) => one.columnIndex));
        const rows = (list: readonly Indexed[]): unknown =>
          list.map((one) => one.offsetIndex?.page_locations.map((location) => location.first_row_index));
        expect(rows(after)).toEqual(rows(before));
        checkLocations(bytes, path);
      }
    },
  );

  it("of the rewritten column are new: every page in the offset index, bounds a page in the column index", async () => {
    const source = load("plain-v1-gzip.parquet");
    const { bytes } = await written(source, "value", CONVERSIONS["integer"] ?? NUMBER);
    checkLocations(bytes, "value");
    const values = expected["plain-v1-gzip.parquet"]?.conversions["integer"] ?? [];
    let groupStart = 0;
    for (const [group, { columnIndex, offsetIndex }] of indexesOf(bytes, "value").entries()) {
      const groupEnd = group === 0 ? 180 : 300;
      const starts = (offsetIndex?.page_locations ?? []).map((location) => groupStart + Number(location.first_row_index));
      expect(starts.length).toBeGreaterThan(2);
      expect(starts.length).toBe(indexesOf(source, "value")[group]?.offsetIndex?.page_locations.length);
      for (const [page, start] of starts.entries()) {
        const rows = values.slice(start, starts[page + 1] ?? groupEnd);
        const numbers = rows.flatMap((value) => (typeof value === "number" ? [value] : []));
        expect(columnIndex?.null_pages[page]).toBe(numbers.length === 0);
        expect(columnIndex?.null_counts?.[page]).toBe(BigInt(rows.length - numbers.length));
        if (numbers.length > 0) {
          expect([columnIndex?.min_values[page], columnIndex?.max_values[page]]).toEqual([
            Math.min(...numbers),
            Math.max(...numbers),
          ]);
        }
      }
      groupStart = groupEnd;
    }
  });

  it("say that sorted pages are sorted", async () => {
    const { bytes } = await written(load("required.parquet"), "id", { target: { type: "INT32" }, convert: Number });
    expect(indexesOf(bytes, "id").map((one) => one.columnIndex?.boundary_order)).toEqual(["ASCENDING", "ASCENDING"]);
    const back = await written(load("required.parquet"), "id", { target: { type: "INT32" }, convert: (value) => -Number(value) });
    expect(indexesOf(back.bytes, "id").map((one) => one.columnIndex?.boundary_order)).toEqual(["DESCENDING", "DESCENDING"]);
  });

  it("have bounds a page only where pages were decoded: kept index pages get an offset index alone", async () => {
    const { bytes } = await written(load("dictionary-v1-snappy.parquet"), "value", { target: DATE, convert: toDays });
    checkLocations(bytes, "value");
    for (const { columnIndex, offsetIndex } of indexesOf(bytes, "value")) {
      expect(columnIndex).toBeNull();
      expect(offsetIndex?.page_locations.length).toBeGreaterThan(2);
    }
  });

  it("have no column index where a page holds NaN alone (parquet.thrift, TYPE_ORDER)", async () => {
    const { bytes } = await written(load("plain-v1-gzip.parquet"), "value", {
      target: { type: "DOUBLE" },
      convert: () => Number.NaN,
    });
    expect(indexesOf(bytes, "value").map((one) => [one.columnIndex, one.offsetIndex === null])).toEqual([
      [null, false],
      [null, false],
    ]);
  });

  it("are not made up where the source has none", async () => {
    const { bytes } = await written(load("plain-v2-none.parquet"), "value", {
      target: { type: "INT32" },
      convert: (value) => text(value).length,
    });
    expect(indexesOf(bytes, "value")).toEqual([
      { columnIndex: null, offsetIndex: null },
      { columnIndex: null, offsetIndex: null },
    ]);
  });
});

describe("bloom filters", () => {
  it("move with untouched columns, byte for byte, and go with the rewritten one", async () => {
    const source = load("dictionary-v1-snappy.parquet");
    const { bytes } = await written(source, "value", { target: DATE, convert: toDays });
    const filters = (file: Uint8Array, path: string): string[] =>
      columnOf(file, path).map((chunk) => {
        const start = Number(chunk.bloom_filter_offset);
        return Buffer.from(file.subarray(start, start + Number(chunk.bloom_filter_length))).toString("base64");
      });
    expect(filters(source, "name")[0]?.length).toBeGreaterThan(40);
    expect(filters(bytes, "name")).toEqual(filters(source, "name"));
    for (const chunk of columnOf(bytes, "value")) {
      expect(chunk.bloom_filter_offset).toBeUndefined();
      expect(chunk.bloom_filter_length).toBeUndefined();
    }
  });

  it("are found by their own header where the footer states no length", async () => {
    const source = load("foreign/data_index_bloom_encoding_stats.parquet");
    const [chunk] = columnOf(source, "String");
    expect(chunk?.bloom_filter_offset).toBeDefined();
    expect(chunk?.bloom_filter_length).toBeUndefined();
    const { bytes } = await written(source, "String", { target: TEXT, convert: (value) => value });
    expect(columnOf(bytes, "String")[0]?.bloom_filter_offset).toBeUndefined();
    expect(await readRaw(bytes, "String")).toEqual(await readRaw(source, "String"));
  });
});

describe("sorting columns", () => {
  const convert = (value: ColumnValue): number => Number(text(value));
  const sorting = (bytes: Uint8Array): unknown[] =>
    metadataOf(bytes).row_groups.map((group) => group.sorting_columns?.map((one) => one.column_idx));

  it("stay where the conversion keeps the order, and end before the column where it does not", async () => {
    const source = load("sorted.parquet");
    expect(sorting(source)).toEqual([
      [2, 0],
      [2, 0],
    ]);
    const kept = await written(source, "value", { target: { type: "INT32" }, convert, keepsOrder: true });
    expect(sorting(kept.bytes)).toEqual([
      [2, 0],
      [2, 0],
    ]);
    const lost = await written(source, "value", { target: { type: "INT32" }, convert });
    expect(sorting(lost.bytes)).toEqual([undefined, undefined]);
    const later = await written(source, "id", { target: { type: "INT32" }, convert: Number });
    expect(sorting(later.bytes)).toEqual([[2], [2]]);
  });

  it("go where a value became null in between", async () => {
    const change = {
      target: { type: "INT32" } as const,
      keepsOrder: true,
      convert: (value: ColumnValue) => (text(value) === "000030" ? null : convert(value)),
    };
    expect(sorting((await written(load("sorted.parquet"), "value", change)).bytes)).toEqual([undefined, [2, 0]]);
  });

  it("count columns anew where one before them is dropped", async () => {
    const dropped = await written(
      load("sorted.parquet"),
      "score",
      { target: { type: "FLOAT" }, convert: Number },
      { droppedFieldIds: [2] },
    );
    expect(sorting(dropped.bytes)).toEqual([
      [1, 0],
      [1, 0],
    ]);
  });
});
