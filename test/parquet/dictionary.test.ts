// "Dictionary first": where it can stand for the new values, only the dictionary page is re-encoded. Where it
// cannot, pages are decoded; either way the rows and the exact bounds are right.
import { describe, expect, it } from "vitest";
import { chunkEncoder, SHORT_TRIAL_VALUES, TRIAL_VALUES } from "../../src/parquet/chunk-encoder.ts";
import { openChunk } from "../../src/parquet/chunk-pages.ts";
import { FAILED } from "../../src/parquet/column-rewrite.ts";
import { readFooter } from "../../src/parquet/footer.ts";
import { headerWithoutStatistics } from "../../src/parquet/page-header.ts";
import type { ColumnValue } from "../../src/parquet/physical.ts";
import { readDictionary } from "../../src/parquet/read-dictionary.ts";
import {
  listField,
  struct,
  structAt,
  structField,
  structsAt,
  THRIFT,
  withFields,
  withoutFields,
} from "../../src/parquet/thrift-tree.ts";
import { writeStruct } from "../../src/parquet/thrift-write.ts";
import { columnOf } from "./look.ts";
import {
  CONVERSIONS,
  DATE,
  keyOf,
  load,
  loadExpected,
  memorySource,
  plain,
  readRaw,
  TEXT,
  text,
  toDays,
  utf8,
  written,
} from "./support.ts";

const expected = loadExpected();

interface Page {
  readonly group: number;
  readonly body: string;
  readonly hasStatistics: boolean;
  readonly crc: number | null;
}

/** The column's data pages. */
async function pagesOf(bytes: Uint8Array, column: string): Promise<Page[]> {
  const source = memorySource(bytes);
  const footer = await readFooter(source);
  const index = footer.leaves.findIndex((leaf) => leaf.path.join(".") === column);
  const pages: Page[] = [];
  for (const [number, group] of footer.rowGroups.entries()) {
    const chunk = group.chunks[index];
    if (chunk === undefined) throw new Error("no chunk");
    for await (const page of openChunk(source, chunk).dataPages()) {
      const hasStatistics = headerWithoutStatistics(page.header) !== null;
      pages.push({ group: number, body: Buffer.from(page.body).toString("base64"), hasStatistics, crc: page.header.crc });
    }
  }
  return pages;
}

const numberOf = (value: ColumnValue): number => Number(text(value));

describe("index pages keep their compressed bytes", () => {
  it.each([
    ["dictionary-v1-snappy.parquet", "value", DATE, toDays],
    ["dictionary-v2-zstd.parquet", "value", { type: "INT64" }, (value: ColumnValue) => BigInt(text(value))],
    ["duckdb-v1-snappy.parquet", "value", { type: "INT32" }, (value: ColumnValue) => Number(text(value))],
    [
      "foreign/spark-employees.parquet",
      "leave_date",
      { type: "INT32" },
      (value: ColumnValue) => text(value).length + numberOf(utf8("0")),
    ],
  ] as const)("in %s", async (file, column, target, convert) => {
    const source = load(file);
    const { bytes, result } = await written(source, column, { target, convert });
    const [before, after] = [await pagesOf(source, column), await pagesOf(bytes, column)];
    expect(after.map((page) => page.body)).toEqual(before.map((page) => page.body));
    expect(after.map((page) => page.crc)).toEqual(before.map((page) => page.crc));
    expect(after.some((page) => page.hasStatistics)).toBe(false);
    expect(columnOf(bytes, column).map((chunk) => [chunk.encodings, chunk.encoding_stats])).toEqual(
      columnOf(source, column).map((chunk) => [chunk.encodings, chunk.encoding_stats]),
    );
    expect(result.decodedBytes).toBeLessThan(
      Number(columnOf(source, column).reduce((sum, chunk) => sum + chunk.total_compressed_size, 0n)),
    );
  });

  it("with the page statistics of the old type gone", async () => {
    // Arrow writes statistics into page headers when it writes no page index.
    const source = load("dictionary-dirty-gzip.parquet");
    expect((await pagesOf(source, "name")).some((page) => page.hasStatistics)).toBe(true);
    const { bytes } = await written(source, "name", { target: TEXT, convert: (value) => utf8(`${text(value)}!`) });
    expect((await pagesOf(bytes, "name")).some((page) => page.hasStatistics)).toBe(false);
    expect((await pagesOf(bytes, "name")).map((page) => page.body)).toEqual(
      (await pagesOf(source, "name")).map((page) => page.body),
    );
  });

  it("and pages that do not matter for the bounds are not decoded", async () => {
    const source = load("dictionary-v1-snappy.parquet");
    const { result } = await written(source, "value", { target: { type: "INT32" }, convert: () => 1 });
    const [pages, one] = [await pagesOf(source, "value"), result.decodedBytes];
    const size = (page: Page | undefined): number => Buffer.from(page?.body ?? "", "base64").length;
    const chunks = columnOf(source, "value");
    const dictionaries = chunks.reduce(
      (sum, chunk) => sum + Number(chunk.data_page_offset - (chunk.dictionary_page_offset ?? 0n)),
      0,
    );
    expect(pages.filter((page) => page.group === 0).length).toBeGreaterThan(1);
    // The dictionary and the first page of each of the two row groups.
    const first = (group: number): Page | undefined => pages.find((page) => page.group === group);
    expect(one).toBe(dictionaries + size(first(0)) + size(first(1)));
  });
});

describe("nulls", () => {
  it("are counted in the pages where no statistics tell them", async () => {
    const source = await withoutStatistics(load("dictionary-v1-snappy.parquet"));
    const { bytes, result } = await written(source, "value", { target: DATE, convert: toDays });
    expect(result.columns[0]?.nulls).toBe(108n);
    expect((await pagesOf(bytes, "value")).map((page) => page.body)).toEqual(
      (await pagesOf(source, "value")).map((page) => page.body),
    );
    expect(columnOf(bytes, "value").map((chunk) => chunk.statistics?.null_count)).toEqual([88n, 20n]);
  });
});

/** The file with a footer that has no statistics. */
async function withoutStatistics(bytes: Uint8Array): Promise<Uint8Array> {
  const { tree } = await readFooter(memorySource(bytes));
  const groups = structsAt(tree, 4, "row groups").map((group) => {
    const chunks = structsAt(group, 1, "chunks").map((chunk) => {
      const metadata = structAt(chunk, 3) ?? struct();
      return withFields(chunk, structField(3, withoutFields(metadata, 12)));
    });
    return withFields(group, listField(1, THRIFT.struct, chunks));
  });
  const footer = writeStruct(withFields(tree, listField(4, THRIFT.struct, groups)));
  const length = new DataView(bytes.buffer, bytes.byteOffset).getUint32(bytes.length - 8, true);
  const end = Buffer.alloc(8, "\0\0\0\0PAR1");
  end.writeUInt32LE(footer.length);
  return new Uint8Array(Buffer.concat([bytes.subarray(0, bytes.length - 8 - length), footer, end]));
}

describe("pages are decoded", () => {
  it("where a used entry becomes null", async () => {
    const source = load("dictionary-dirty-gzip.parquet");
    const change = CONVERSIONS["integer"];
    if (change === undefined) throw new Error("no conversion");
    const { bytes, result } = await written(source, "value", change);
    expect((await readRaw(bytes, "value")).map((value) => plain(value, change.target))).toEqual(
      expected["dictionary-dirty-gzip.parquet"]?.conversions["integer"],
    );
    expect(result.decodedBytes).toBe(
      Number(columnOf(source, "value").reduce((sum, chunk) => sum + chunk.total_compressed_size, 0n)),
    );
  });

  it("where two entries of a text column become one: some readers take every entry for another value", async () => {
    const source = load("dictionary-dirty-gzip.parquet");
    const convert = (value: ColumnValue): Uint8Array =>
      utf8(
        text(value)
          .replace("+", "")
          .replace(/^0(?=1)/, ""),
      );
    const { bytes } = await written(source, "value", { target: TEXT, convert });
    const wanted = (await readRaw(source, "value")).map((value) => text(convert(value as Uint8Array)));
    expect((await readRaw(bytes, "value")).map((value) => text(value as Uint8Array))).toEqual(wanted);
    for (const chunk of columnOf(bytes, "value")) expect(chunk.encodings).toContain("RLE_DICTIONARY");
    const dictionaries = await dictionariesOf(bytes);
    expect(dictionaries).toHaveLength(2);
    for (const entries of dictionaries) expect([...entries].sort()).toEqual([...new Set(wanted)].sort());
  });

  it("but not where two entries of a number column do", async () => {
    const source = load("dictionary-v2-zstd.parquet");
    const { bytes } = await written(source, "value", { target: { type: "INT32" }, convert: (value) => numberOf(value) % 2 });
    expect((await pagesOf(bytes, "value")).map((page) => page.body)).toEqual(
      (await pagesOf(source, "value")).map((page) => page.body),
    );
  });

  it("for booleans, of which no reader has dictionaries", async () => {
    const { bytes } = await written(
      load("dictionary-v2-zstd.parquet"),
      "value",
      CONVERSIONS["even"] ?? { target: DATE, convert: toDays },
    );
    for (const chunk of columnOf(bytes, "value")) expect(chunk.encodings).toEqual(["RLE", "PLAIN"]);
  });

  it("for brotli, which is not written", async () => {
    const { bytes } = await written(load("delta-length-v1-brotli.parquet"), "name", { target: TEXT, convert: (value) => value });
    expect(columnOf(bytes, "name").map((chunk) => chunk.codec)).toEqual(["ZSTD", "ZSTD"]);
    expect(columnOf(bytes, "value").map((chunk) => chunk.codec)).toEqual(["BROTLI", "BROTLI"]);
  });
});

/** Entries of the column's dictionaries, a row group each. */
async function dictionariesOf(bytes: Uint8Array): Promise<readonly (readonly string[])[]> {
  const source = memorySource(bytes);
  const footer = await readFooter(source);
  const index = footer.leaves.findIndex((leaf) => leaf.path[0] === "value");
  const found: (readonly string[])[] = [];
  for (const group of footer.rowGroups) {
    const chunk = group.chunks[index];
    const page = chunk === undefined ? null : await openChunk(source, chunk).dictionary();
    if (chunk !== undefined && page !== null) found.push(readDictionary(chunk, page).map(keyOf));
  }
  return found;
}

describe("entries that no row uses", () => {
  const source = load("unused-entries.parquet");
  const used = ["10", "20", "30"];

  it("are in the file under test", async () => {
    expect(await dictionariesOf(source)).toEqual([["9999", "20", "bad", "10", "0", "30"]]);
  });

  it("neither fail nor become null nor widen the bounds", async () => {
    const convert = (value: ColumnValue): number | typeof FAILED => (text(value) === "bad" ? FAILED : numberOf(value));
    const { bytes, result } = await written(source, "value", { target: { type: "INT32" }, convert });
    expect(result.columns[0]).toMatchObject({ lower: 10, upper: 30, nulls: 0n });
    expect(await readRaw(bytes, "value")).toEqual(expected["unused-entries.parquet"]?.conversions["integer"]);
    expect((await pagesOf(bytes, "value")).map((page) => page.body)).toEqual(
      (await pagesOf(source, "value")).map((page) => page.body),
    );
  });

  it("do not widen the bounds where all of them convert", async () => {
    const convert = (value: ColumnValue): number => (used.includes(text(value)) ? numberOf(value) : -numberOf(utf8("5")));
    const { result } = await written(source, "value", { target: { type: "INT32" }, convert });
    expect(result.columns[0]).toMatchObject({ lower: 10, upper: 30 });
  });

  it("do not count as NaN", async () => {
    const convert = (value: ColumnValue): number => Number(text(value));
    const { result } = await written(source, "value", { target: { type: "DOUBLE" }, convert });
    expect(result.columns[0]).toMatchObject({ nans: 0n, lower: 10, upper: 30 });
  });
});

describe("a dictionary of our own", () => {
  it("holds the entries that its pages use and no more, where later pages went on without it", () => {
    const encoder = chunkEncoder({
      target: { type: "INT32" },
      isRequired: true,
      compress: (page) => page,
      namesPlainDictionary: false,
      trialValues: TRIAL_VALUES,
    });
    for (let row = 0; row < 4000; row++) encoder.append(row % 10);
    encoder.endPage(1, false);
    // More distinct values than a dictionary may hold.
    for (let row = 0; row < 300_000; row++) encoder.append(row);
    encoder.endPage(1, false);
    for (let row = 0; row < 100; row++) encoder.append(row % 10);
    encoder.endPage(1, false);
    const { dictionary, pages, bounds } = encoder.finish();
    expect(dictionary?.body).toHaveLength(40);
    expect(pages.map((page) => page.encoding)).toEqual(["RLE_DICTIONARY", "PLAIN", "PLAIN"]);
    expect(pages[1]?.body).toHaveLength(4 * 300_000);
    expect(bounds).toMatchObject({ lower: 0, upper: 299_999 });
  });

  it.each([
    ["more than a mebibyte", 840_000, (row: number) => Math.floor(row / 3), "PLAIN"],
    ["just less than a mebibyte", 750_000, (row: number) => Math.floor(row / 3), "RLE_DICTIONARY"],
    ["distinct values at first", 500_000, (row: number) => (row < 9000 ? row : row % 10), "PLAIN"],
    ["few distinct values at first", 500_000, (row: number) => (row < 9000 ? row % 10 : row % 9000), "RLE_DICTIONARY"],
  ] as const)("is kept or given up by its size and by what it saves: %s", (_, rows, valueOf, encoding) => {
    const encoder = chunkEncoder({
      target: { type: "INT32" },
      isRequired: true,
      compress: (page) => page,
      namesPlainDictionary: false,
      trialValues: TRIAL_VALUES,
    });
    for (let row = 0; row < rows; row++) encoder.append(valueOf(row));
    encoder.endPage(1, false);
    expect(encoder.finish().pages.map((page) => page.encoding)).toEqual([encoding]);
  });

  it("is tried for a shorter time after a chunk of mostly distinct values", () => {
    const trial = (trialValues: number): readonly [string | undefined, boolean] => {
      const settings = {
        target: { type: "INT32" },
        isRequired: true,
        compress: (page: Uint8Array) => page,
        namesPlainDictionary: false,
      } as const;
      const encoder = chunkEncoder({ ...settings, trialValues });
      for (let row = 0; row < 100_000; row++) encoder.append(row < 2000 ? row : row % 10);
      encoder.endPage(1, false);
      const { pages, isDistinct } = encoder.finish();
      return [pages[0]?.encoding, isDistinct];
    };
    expect(trial(TRIAL_VALUES)).toEqual(["RLE_DICTIONARY", false]);
    expect(trial(SHORT_TRIAL_VALUES)).toEqual(["PLAIN", true]);
  });

  it("is given up where it does not pay", async () => {
    const { bytes } = await written(load("plain-v1-gzip.parquet"), "value", {
      target: { type: "INT64" },
      convert: (value) => BigInt(numberOf(value)),
    });
    for (const chunk of columnOf(bytes, "value")) expect(chunk.encodings).toEqual(["RLE", "PLAIN"]);
  });

  it("is made where plain pages repeat few values", async () => {
    const { bytes } = await written(load("plain-v2-none.parquet"), "value", {
      target: { type: "INT32" },
      convert: (value) => text(value).length,
    });
    for (const chunk of columnOf(bytes, "value")) {
      expect(chunk.encodings).toEqual(["RLE", "PLAIN", "RLE_DICTIONARY"]);
      expect(chunk.dictionary_page_offset).toBeLessThan(chunk.data_page_offset);
    }
  });
});
