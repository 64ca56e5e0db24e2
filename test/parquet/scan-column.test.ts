// The preflight's walk: exact counts of the values that matter, and no byte more than that takes.
import { describe, expect, it } from "vitest";
import { inspectColumns } from "../../src/parquet/inspect-columns.ts";
import { type ColumnVisitor, scanColumn } from "../../src/parquet/scan-column.ts";
import { columnOf } from "./look.ts";
import { footerOf, keyOf, load, loadExpected, memorySource, readRaw, text } from "./support.ts";

const expected = loadExpected();

async function scan(
  file: string,
  counts: ColumnVisitor["counts"],
  column?: string,
): Promise<{ readonly answer: Awaited<ReturnType<typeof scanColumn>>; readonly rows: Readonly<Record<string, number>> }> {
  const bytes = load(file);
  const footer = await footerOf(bytes);
  const name = column ?? expected[file]?.column ?? "value";
  const node = footer.root.children.find((child) => child.name === name);
  const rows: Record<string, number> = {};
  const answer = await scanColumn(memorySource(bytes), footer, node?.fieldId ?? -1, {
    counts,
    found: (value, times) => {
      const key = keyOf(value);
      rows[key] = (rows[key] ?? 0) + times;
    },
  });
  return { answer, rows };
}

describe("a scan", () => {
  it.each(
    Object.entries(expected)
      .filter(([file]) => !file.startsWith("foreign/int96"))
      .map(([file, one]) => [file, one.rows] as const),
  )("counts every value of %s when asked to", async (file, total) => {
    const { answer, rows } = await scan(file, () => true);
    const raw = await readRaw(load(file), expected[file]?.column ?? "value");
    const wanted: Record<string, number> = {};
    for (const value of raw) {
      if (value === null) continue;
      const key = keyOf(value);
      wanted[key] = (wanted[key] ?? 0) + 1;
    }
    expect(rows).toEqual(wanted);
    expect(answer).toMatchObject({
      state: "scanned",
      rows: BigInt(total),
      nulls: BigInt(raw.filter((value) => value === null).length),
    });
  });

  it.each(["dictionary-dirty-gzip.parquet", "plain-v2-none.parquet"])("counts only what matters: %s", async (file) => {
    const { rows } = await scan(file, (value) => !/^[0-9]+$/.test(text(value as Uint8Array)));
    const wanted = expected[file]?.conversions["integer"]?.filter((value) => value === null).length ?? 0;
    const failed = Object.entries(rows).filter(([value]) => !/^[+-]?[0-9]+$/.test(value));
    expect(failed.reduce((sum, [, count]) => sum + count, 0)).toBe(wanted);
    expect(Object.keys(rows).sort()).toEqual(["", "+1", "-0", "NaN", "bad"].sort());
  });

  it("of a dictionary asks once an entry and opens no page where no entry matters", async () => {
    let asked = 0;
    const { answer, rows } = await scan("dictionary-v1-snappy.parquet", () => ++asked < 0);
    expect(rows).toEqual({});
    expect(asked).toBeLessThan(300);
    expect(answer).toMatchObject({ state: "scanned", nulls: 108n });
  });

  it("does not count entries that no row uses", async () => {
    const { rows } = await scan("unused-entries.parquet", () => true);
    expect(rows).toEqual({ "10": 100, "20": 100, "30": 100 });
  });

  it("reads the column's bytes at most", async () => {
    for (const file of ["dictionary-v2-zstd.parquet", "plain-v1-gzip.parquet"]) {
      const { answer } = await scan(file, () => false);
      const size = columnOf(load(file), "value").reduce((sum, chunk) => sum + Number(chunk.total_compressed_size), 0);
      if (answer.state !== "scanned") throw new Error(answer.state);
      expect(answer.bytesRead).toBeLessThanOrEqual(size);
    }
  });

  it("says what it cannot do", async () => {
    expect((await scan("required.parquet", () => true, "no-such-column")).answer).toEqual({ state: "absent" });
    expect((await scan("required.parquet", () => true, "tags")).answer).toEqual({
      state: "unsupported",
      column: "tags",
      why: "it is not of a primitive type",
    });
  });
});

describe("an inspection", () => {
  it("tells of each top-level field what the footer knows", async () => {
    const bytes = load("dictionary-v1-snappy.parquet");
    const columns = inspectColumns(await footerOf(bytes));
    expect(columns.map((column) => [column.fieldId, column.name, column.type, column.annotation])).toEqual([
      [1, "id", "INT64", null],
      [2, "name", "BYTE_ARRAY", "STRING"],
      [3, "value", "BYTE_ARRAY", "STRING"],
      [4, "tags", null, null],
      [6, "place", null, null],
      [9, "score", "DOUBLE", null],
    ]);
    const size = (of: "total_compressed_size" | "total_uncompressed_size"): bigint =>
      columnOf(bytes, "value").reduce((sum, chunk) => sum + chunk[of], 0n);
    expect(columns[2]).toMatchObject({
      isRequired: false,
      encodings: ["PLAIN", "RLE", "RLE_DICTIONARY"],
      codecs: ["SNAPPY"],
      sizeBytes: size("total_compressed_size"),
      uncompressedBytes: size("total_uncompressed_size"),
      values: 300n,
      nulls: 108n,
    });
    expect(columns[4]).toMatchObject({ type: null, values: null, nulls: null });
  });

  it("knows that a required column has no nulls, and says so where nobody counted", async () => {
    const required = inspectColumns(await footerOf(load("required.parquet")));
    expect(required[2]).toMatchObject({ isRequired: true, nulls: 0n });
    const uncounted = inspectColumns(await footerOf(load("foreign/int96_from_spark.parquet")));
    expect(uncounted[0]?.nulls === null || uncounted[0]?.nulls === 1n).toBe(true);
  });
});
