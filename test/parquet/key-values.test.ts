// What becomes of the footer's key-value pairs, by which some readers know the old type of a column.
import { describe, expect, it } from "vitest";
import { correctKeyValues, correctSparkRow } from "../../src/parquet/key-values.ts";
import type { PhysicalTarget } from "../../src/parquet/physical.ts";
import { binaryField, i32Field, listField, struct, THRIFT } from "../../src/parquet/thrift-tree.ts";
import { metadataOf } from "./look.ts";
import { DATE, load, TEXT, toDays, utf8, written } from "./support.ts";

const SPARK = "org.apache.spark.sql.parquet.row.metadata";

function pairsOf(bytes: Uint8Array): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries((metadataOf(bytes).key_value_metadata ?? []).map(({ key, value }) => [key, value]));
}

describe("key-value pairs", () => {
  it("correct Spark's row type, as Spark would have written it, and keep Spark's other pairs", async () => {
    const source = load("foreign/spark-without-ids.parquet");
    const { bytes } = await written(source, "hired", { target: DATE, convert: toDays, required: true });
    const [before, after] = [pairsOf(source), pairsOf(bytes)];
    const field = '{"name":"hired","type":"string","nullable":true,"metadata":{}}';
    expect(before[SPARK]).toContain(field);
    expect(after[SPARK]).toBe(before[SPARK]?.replace(field, '{"name":"hired","type":"date","nullable":false,"metadata":{}}'));
    expect(after["org.apache.spark.version"]).toBe(before["org.apache.spark.version"]);
  });

  it.each([
    ["foreign/spark-employees.parquet", "hire_date", "iceberg.schema"],
    ["foreign/data_index_bloom_encoding_stats.parquet", "String", "parquet.avro.schema"],
    ["foreign/dict-page-offset-zero.parquet", "l_partkey", "dremio.arrow.schema.2.1"],
    ["mixed-v1-zstd.parquet", "value", "ARROW:schema"],
  ])("of %s lose the copy of the old schema under %s: %s", async (file, column, key) => {
    const source = load(file);
    const { bytes } = await written(source, column, { target: TEXT, convert: (value) => utf8(String(value)) });
    expect(pairsOf(source)).toHaveProperty([key]);
    const { [key]: _, ...rest } = pairsOf(source);
    expect(pairsOf(bytes)).toEqual(rest);
  });

  it("are replaced by those that are added, unknown ones without a value stay", () => {
    const footer = struct(
      i32Field(1, 1),
      listField(5, THRIFT.struct, [
        struct(binaryField(1, utf8("writer.time.zone")), binaryField(2, utf8("UTC"))),
        struct(binaryField(1, utf8("flag"))),
        struct(binaryField(1, utf8("mine")), binaryField(2, utf8("old"))),
      ]),
    );
    const changed = [{ name: "c", target: DATE, isRequired: false }];
    expect(correctKeyValues(footer, changed, new Map([["mine", "new"]]))).toEqual(
      struct(
        i32Field(1, 1),
        listField(5, THRIFT.struct, [
          struct(binaryField(1, utf8("writer.time.zone")), binaryField(2, utf8("UTC"))),
          struct(binaryField(1, utf8("flag"))),
          struct(binaryField(1, utf8("mine")), binaryField(2, utf8("new"))),
        ]),
      ),
    );
  });

  it("are gone as a list when none is left", () => {
    const footer = struct(
      i32Field(1, 1),
      listField(5, THRIFT.struct, [struct(binaryField(1, utf8("pandas")), binaryField(2, utf8("{}")))]),
    );
    expect(correctKeyValues(footer, [{ name: "c", target: DATE, isRequired: false }], new Map())).toEqual(struct(i32Field(1, 1)));
  });
});

describe("Spark's row type", () => {
  const row = JSON.stringify({
    type: "struct",
    fields: [
      { name: "c", type: "string", nullable: true, metadata: { comment: "é" } },
      { name: "d", type: "long" },
    ],
  });
  const typeOf = (target: PhysicalTarget): unknown => {
    const text = correctSparkRow(row, [{ name: "c", target, isRequired: false }]);
    return text === null ? null : (JSON.parse(text) as { fields: { type: string }[] }).fields[0]?.type;
  };

  // Names of Spark's DataType.json.
  it.each([
    [{ type: "BOOLEAN" }, "boolean"],
    [{ type: "INT32" }, "integer"],
    [{ type: "INT64" }, "long"],
    [{ type: "FLOAT" }, "float"],
    [{ type: "DOUBLE" }, "double"],
    [{ type: "BYTE_ARRAY" }, "binary"],
    [TEXT, "string"],
    [DATE, "date"],
    [{ type: "INT64", logical: { kind: "decimal", precision: 18, scale: 2 } }, "decimal(18,2)"],
    [{ type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: true, unit: "micros" } }, "timestamp"],
    [{ type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: false, unit: "micros" } }, "timestamp_ntz"],
    [{ type: "INT64", logical: { kind: "timestamp", isAdjustedToUtc: true, unit: "nanos" } }, null],
    [{ type: "INT64", logical: { kind: "time", isAdjustedToUtc: false, unit: "micros" } }, null],
    [{ type: "FIXED_LEN_BYTE_ARRAY", typeLength: 16, logical: { kind: "uuid" } }, null],
  ] satisfies [PhysicalTarget, string | null][])("calls %j %s", (target, wanted) => {
    expect(typeOf(target)).toBe(wanted);
  });

  it("loses a dropped column, keeps the rest, and goes where it is not understood", () => {
    expect(correctSparkRow(row, [{ name: "c", target: null, isRequired: false }])).toBe(
      '{"type":"struct","fields":[{"name":"d","type":"long"}]}',
    );
    expect(correctSparkRow("not json", [])).toBeNull();
    expect(correctSparkRow('{"type":"struct"}', [])).toBeNull();
  });
});
