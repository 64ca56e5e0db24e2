// Manifests of other writers as entries: values from what Spark, PyIceberg, Impala, DuckDB and BigQuery wrote
// (EXPECTED.json of the fixture tables and the writers' own calls say what).
import { describe, expect, it } from "vitest";
import { newAvroFile, openAvroFile } from "../../src/iceberg/avro-container.ts";
import { type AvroRecord, type AvroSchema, parseAvroSchema } from "../../src/iceberg/avro-schema.ts";
import { encodeValue, readAvroValues } from "../../src/iceberg/avro-value.ts";
import { type Manifest, readManifest } from "../../src/iceberg/manifest-read.ts";
import { partitionColumnsOf, partitionKey } from "../../src/iceberg/manifest-partition.ts";
import type { PartitionColumn } from "../../src/iceberg/manifest.ts";
import type { Schema } from "../../src/iceberg/type.ts";
import { bytesOf, CONTRACTORS, EMPLOYEES, EVENTS, hexOf, kept, toolErrorOf } from "./manifest-support.ts";

function open(name: string, partitionColumns?: readonly PartitionColumn[]): Manifest {
  return readManifest(kept(name), name, partitionColumns === undefined ? {} : { partitionColumns });
}

describe("a manifest of Spark", () => {
  it("in v1 has files without content, sequence numbers or row ids", () => {
    const manifest = open(CONTRACTORS.data);
    expect(manifest.header).toMatchObject({ formatVersion: 1, content: null, partitionSpecId: 0 });
    const entries = [...manifest.entries()];
    expect(entries).toHaveLength(1);
    expect(entries[0]).toMatchObject({
      status: "added",
      snapshotId: 5804171294410684697n,
      sequenceNumber: null,
      fileSequenceNumber: null,
      carried: null,
    });
    expect(entries[0]?.dataFile).toMatchObject({
      content: "data",
      fileFormat: "PARQUET",
      recordCount: 60n,
      fileSizeBytes: 2044n,
      partition: [],
    });
  });

  it("in v2 has the metrics and the partition that the table has", () => {
    const [entry] = [...open(EMPLOYEES.data).entries()];
    expect(entry?.dataFile.partition).toEqual(["NZ"]);
    expect(entry?.dataFile.filePath).toBe(
      "/tmp/floeplan-demo/warehouse/hr/employees/data/country=NZ/00000-7-b6f434e7-92e5-4d78-9036-8fcaa44137fd-00001.parquet",
    );
    expect([entry?.dataFile.recordCount, entry?.dataFile.fileSizeBytes]).toEqual([89n, 4867n]);
    expect(entry?.dataFile.valueCounts?.get(1)).toBe(89n);
    expect(entry?.dataFile.nanValueCounts?.size).toBe(0);
    expect(entry?.dataFile.splitOffsets).toEqual([4n]);
  });

  it("in v2 has position deletes with the path of their data file as bounds", () => {
    const entries = [...open(EMPLOYEES.deletes).entries()];
    expect(entries.map((entry) => [entry.dataFile.content, entry.dataFile.recordCount])).toEqual([
      ["position-deletes", 20n],
      ["position-deletes", 69n],
    ]);
    const bound = entries[0]?.dataFile.lowerBounds?.get(2147483546);
    expect(new TextDecoder().decode(bound)).toMatch(/^\/tmp\/floeplan-demo\/.*\.parquet$/);
  });

  it("in v3 has deletion vectors with their place in the Puffin file", () => {
    const files = [...open(EVENTS.vectors).entries()].map((entry) => entry.dataFile);
    expect(files).toHaveLength(6);
    expect(new Set(files.map((file) => file.filePath)).size).toBe(1);
    expect(new Set(files.map((file) => file.contentOffset)).size).toBe(6);
    // `added-files-size` of the snapshot that Spark wrote is the sum of the vectors.
    expect(files.reduce((sum, file) => sum + (file.contentSizeBytes ?? 0n), 0n)).toBe(636n);
    expect(files.every((file) => file.referencedDataFile?.endsWith(".parquet") === true && file.fileFormat === "PUFFIN")).toBe(
      true,
    );
  });

  it("gives the same with fewer columns, and reads over the others", () => {
    const whole = [...open(EMPLOYEES.data).entries()];
    const part = [...open(EMPLOYEES.data).project(["valueCounts"])];
    expect(part.map(({ dataFile }) => [dataFile.filePath, dataFile.partition, dataFile.valueCounts])).toEqual(
      whole.map(({ dataFile }) => [dataFile.filePath, dataFile.partition, dataFile.valueCounts]),
    );
    expect(part.map(({ dataFile }) => "lowerBounds" in dataFile && dataFile.lowerBounds)).toEqual([null]);
  });

  it("can be read twice at once", () => {
    const manifest = open(EVENTS.vectors);
    const one = manifest.entries();
    const two = manifest.entries();
    const pairs = Array.from({ length: 6 }, () => [
      one.next().value?.dataFile.contentOffset,
      two.next().value?.dataFile.contentOffset,
    ]);
    expect(pairs.every(([a, b]) => a === b)).toBe(true);
  });
});

describe("a manifest of another writer", () => {
  it("may hold equality deletes", () => {
    const files = [...open("impala-equality-deletes.avro").entries()].map((entry) => entry.dataFile);
    expect(files.map((file) => file.content)).toEqual(["equality-deletes"]);
    expect(files[0]?.equalityIds).toEqual([2, 3]);
    expect(open("impala-equality-deletes.avro").header).toEqual({
      formatVersion: null,
      content: null,
      partitionSpecId: null,
      schemaText: null,
      partitionSpecText: null,
    });
  });

  it("of BigQuery may call everything optional, put columns in another order and leave out most", () => {
    const [entry] = [...open("big-query.avro").entries()];
    expect(entry).toMatchObject({ status: "added", snapshotId: null, sequenceNumber: null });
    expect(entry?.dataFile).toMatchObject({
      content: "data",
      recordCount: 2n,
      fileSizeBytes: 956n,
      columnSizes: null,
      partition: [],
    });
    expect([...(entry?.dataFile.valueCounts ?? [])]).toEqual([[1, 2n]]);
    expect(hexOf(entry?.dataFile.upperBounds?.get(1))).toBe("0200000000000000");
  });

  it("with PyIceberg's schema may have partition fields that are not optional and equality ids as longs", () => {
    const manifest = open("pyiceberg-equality-deletes.avro");
    expect(manifest.partitionColumns).toEqual([{ fieldId: 1000, name: "part", type: { kind: "long" } }]);
    const files = [...manifest.entries()].map((entry) => entry.dataFile);
    expect(files.map((file) => [file.content, file.partition, file.equalityIds])).toEqual([["equality-deletes", [0n], [2]]]);
  });
});

describe("partition values", () => {
  it("have the type that they are stored with", () => {
    const manifest = open("uuid-partition.avro");
    expect(manifest.partitionColumns).toEqual([
      { fieldId: 1000, name: "id", type: { kind: "uuid" } },
      { fieldId: 1001, name: "amount", type: { kind: "decimal", precision: 9, scale: 2 } },
      { fieldId: 1002, name: "code", type: { kind: "fixed", length: 4 } },
      { fieldId: 1003, name: "at_hour", type: { kind: "int" } },
      { fieldId: 1004, name: "ratio", type: { kind: "double" } },
    ]);
    expect([...manifest.entries()].map((entry) => entry.dataFile.partition)).toEqual([
      [bytesOf("f79c3e09677c4bbda4793f349cb785e7"), -123456789n, bytesOf("00010203"), -1, Number.NaN],
      [null, 1n, null, 474312, -0],
    ]);
  });

  it("of 36 digits are exact", () => {
    const manifest = open("decimal-partition.avro");
    expect(manifest.partitionColumns[0]?.type).toEqual({ kind: "decimal", precision: 36, scale: 23 });
    expect([...manifest.entries()].map((entry) => entry.dataFile.partition[0])).toEqual(
      [...readAvroValues(openAvroFile(kept("decimal-partition.avro"), "x"))].map((row) => fastDecimal(row)),
    );
  });

  // The two's complement of the stored bytes, the slow way.
  function fastDecimal(row: unknown): bigint {
    const { data_file } = row as { data_file: { partition: { partition_col: Uint8Array } } };
    return BigInt.asIntN(128, BigInt(`0x${hexOf(data_file.partition.partition_col)}`));
  }

  it("are read as the type that the table has now, in the order of its spec", () => {
    const columns: readonly PartitionColumn[] = [
      { fieldId: 1003, name: "at_hour", type: { kind: "long" } },
      { fieldId: 1009, name: "new", type: { kind: "string" } },
      { fieldId: 1000, name: "id", type: { kind: "unknown" } },
      { fieldId: 1001, name: "amount", type: { kind: "decimal", precision: 18, scale: 2 } },
      { fieldId: 1002, name: "code", type: { kind: "fixed", length: 4 } },
      { fieldId: 1004, name: "ratio", type: { kind: "double" } },
    ];
    const manifest = open("uuid-partition.avro", columns);
    expect(manifest.partitionColumns).toEqual(
      columns.map((column) => (column.fieldId === 1000 ? { ...column, type: { kind: "uuid" } } : column)),
    );
    const [, second] = [...manifest.entries()];
    expect(second?.dataFile.partition).toEqual([474312n, null, null, 1n, null, -0]);
  });

  it("that cannot be read as the table's type, or belong to no field of the spec, are refused", () => {
    const named = (type: PartitionColumn["type"]) => [{ fieldId: 1000, name: "part", type }];
    expect(toolErrorOf(() => open("pyiceberg-equality-deletes.avro", named({ kind: "date" }))).why).toMatch(
      /a value that is read as date/,
    );
    const scaled = named({ kind: "decimal", precision: 38, scale: 22 });
    expect(toolErrorOf(() => open("decimal-partition.avro", scaled)).why).toMatch(/a value that is read as decimal/);
    expect(toolErrorOf(() => open("pyiceberg-equality-deletes.avro", [])).why).toMatch(/a field of the partition spec/);
  });

  it("take their types from the spec and the newest schema that has the source", () => {
    const schema = (schemaId: number, ...fields: Schema["fields"]): Schema => ({ schemaId, identifierFieldIds: [], fields });
    const old = schema(
      0,
      { id: 1, name: "a", required: false, type: { kind: "int" } },
      { id: 2, name: "gone", required: false, type: { kind: "string" } },
    );
    const older = schema(-1, { id: 2, name: "gone", required: false, type: { kind: "binary" } });
    const now = schema(1, { id: 1, name: "a", required: false, type: { kind: "long" } });
    const spec = {
      specId: 4,
      fields: ["identity", "bucket[4]", "void"].map((transform, index) => ({
        sourceIds: [1],
        fieldId: 1000 + index,
        transform,
        name: `a${index}`,
      })),
    };
    expect(partitionColumnsOf(spec, now, [older, old, now]).map((column) => column.type.kind)).toEqual(["long", "int", "long"]);
    const gone = { specId: 5, fields: [{ sourceIds: [2], fieldId: 1003, transform: "truncate[3]", name: "gone_trunc" }] };
    expect(partitionColumnsOf(gone, now, [older, old, now])[0]?.type).toEqual({ kind: "string" });
    expect(partitionColumnsOf(gone, now, [now])[0]?.type).toEqual({ kind: "unknown" });
    const strange = { specId: 6, fields: [{ sourceIds: [1], fieldId: 1003, transform: "zorder[3]", name: "z" }] };
    expect(partitionColumnsOf(strange, now, [])[0]?.type).toEqual({ kind: "unknown" });
  });

  it("have one key only when they are equal", () => {
    const keys = [
      partitionKey(["a", "b"]),
      partitionKey(["a,1:b"]),
      partitionKey([null, "b"]),
      partitionKey(["", "b"]),
      partitionKey([0]),
      partitionKey([-0]),
      partitionKey([bytesOf("0a")]),
      partitionKey([]),
    ];
    expect(new Set(keys).size).toBe(keys.length);
    expect(partitionKey([1n, "x"])).toBe(partitionKey([1n, "x"]));
  });
});

// A manifest's Avro schema with one thing changed, and one row of zeros under it.
function altered(change: (record: AvroRecord) => AvroRecord): Uint8Array {
  const { schema } = openAvroFile(kept("uuid-partition.avro"), "x");
  if (schema.kind !== "record") throw new Error("a manifest is a record");
  return newAvroFile({ schema: change(schema), codec: "null", metadata: {} }).finish();
}

function withFile(record: AvroRecord, change: (file: AvroRecord) => AvroRecord): AvroRecord {
  const fields = record.fields.map((field) =>
    field.schema.kind === "record" ? { ...field, schema: change(field.schema) } : field,
  );
  return { ...record, fields };
}

describe("a file that is no manifest", () => {
  const TEXT: AvroSchema = { kind: "string", attributes: {} };
  it.each([
    [
      "status",
      (record: AvroRecord) => ({ ...record, fields: record.fields.filter((field) => field.name !== "status") }),
      /"status".*a column of that name or id/,
    ],
    [
      "data_file",
      (record: AvroRecord) => ({ ...record, fields: record.fields.filter((field) => field.name !== "data_file") }),
      /"data_file".*a record/,
    ],
    [
      "status as text",
      (record: AvroRecord) => ({
        ...record,
        fields: record.fields.map((field) => (field.name === "status" ? { ...field, schema: TEXT } : field)),
      }),
      /"status".*an int/,
    ],
    [
      "file_path",
      (record: AvroRecord) =>
        withFile(record, (file) => ({ ...file, fields: file.fields.filter((field) => field.name !== "file_path") })),
      /"file_path".*a column of that name or id/,
    ],
    [
      "the path twice",
      (record: AvroRecord) =>
        withFile(record, (file) => ({
          ...file,
          fields: [...file.fields, { name: "again", schema: TEXT, attributes: { "field-id": 100 } }],
        })),
      /"file_path".*one column only/,
    ],
  ])("is refused: %s is missing or wrong", (_, change, why) => {
    const error = toolErrorOf(() => readManifest(altered(change), "/t/m.avro"));
    expect(error.kind).toBe("corrupt");
    expect(error.why).toMatch(why);
  });

  it("is refused when it is a manifest list or another record", () => {
    expect(toolErrorOf(() => open(EMPLOYEES.list)).why).toMatch(/"data_file".*a record/);
    const other = newAvroFile({ schema: parseAvroSchema('"int"', "x"), codec: "null", metadata: {} }).finish();
    expect(toolErrorOf(() => readManifest(other, "x")).why).toMatch(/"manifest_entry".*a record/);
  });

  it("is refused when its header names another content", () => {
    const { schema } = openAvroFile(kept(CONTRACTORS.data), "x");
    const bytes = newAvroFile({ schema, codec: "null", metadata: { content: "views" } }).finish();
    expect(toolErrorOf(() => readManifest(bytes, "x")).why).toMatch(/"views"/);
  });

  it("is refused at an entry whose status means nothing", () => {
    const file = openAvroFile(kept(CONTRACTORS.data), "x");
    const [row] = [...readAvroValues(file)];
    const copy = newAvroFile({ schema: file.schema, codec: "null", metadata: {} });
    copy.append((sink) => encodeValue(sink, file.schema, { ...(row as object), status: 3 }));
    expect(toolErrorOf(() => [...readManifest(copy.finish(), "x").entries()]).why).toBe(
      'The column "status" holds a number without a meaning',
    );
  });
});

describe("columns that the spec has given up", () => {
  it.each([
    [106, "file_ordinal"],
    [111, "distinct_counts"],
  ])("are read over and not carried: %i", (id, name) => {
    const file = openAvroFile(kept(CONTRACTORS.data), "x");
    if (file.schema.kind !== "record") throw new Error("a manifest is a record");
    const old = { name, schema: { kind: "int", attributes: {} }, attributes: { "field-id": id } } as const;
    const schema = withFile(file.schema, (inner) => ({ ...inner, fields: [...inner.fields, old] }));
    const copy = newAvroFile({ schema, codec: "null", metadata: {} });
    for (const row of readAvroValues(file)) {
      const { data_file, ...rest } = row as { data_file: object };
      copy.append((sink) => encodeValue(sink, schema, { ...rest, data_file: { ...data_file, [name]: 3 } }));
    }
    const manifest = readManifest(copy.finish(), "x");
    expect(manifest.carried).toEqual({ entry: [], dataFile: [] });
    expect([...manifest.entries()]).toEqual([...open(CONTRACTORS.data).entries()]);
  });
});

describe("columns without field ids", () => {
  it("are found by name", () => {
    const file = openAvroFile(kept(CONTRACTORS.data), "x");
    const stripped = (schema: AvroSchema): AvroSchema => {
      if (schema.kind === "union") return { ...schema, branches: schema.branches.map(stripped) };
      if (schema.kind !== "record") return schema;
      const fields = schema.fields.map((field) => ({ name: field.name, schema: stripped(field.schema), attributes: {} }));
      return { ...schema, fields };
    };
    const schema = stripped(file.schema);
    const copy = newAvroFile({ schema, codec: "null", metadata: {} });
    for (const row of readAvroValues(file)) copy.append((sink) => encodeValue(sink, schema, row));
    const entries = [...readManifest(copy.finish(), "x").entries()];
    expect(entries).toEqual([...open(CONTRACTORS.data).entries()]);
  });
});
