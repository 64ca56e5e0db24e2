// Manifests that we write: their headers must be Spark's to the letter, their entries must come back, and nothing
// that we do not know may get lost.
import { describe, expect, it } from "vitest";
import { newAvroFile, openAvroFile } from "../../src/iceberg/avro-container.ts";
import type { AvroField, AvroRecord, AvroSchema } from "../../src/iceberg/avro-schema.ts";
import { avroSchemaToJson } from "../../src/iceberg/avro-schema-json.ts";
import { type AvroValue, encodeValue, readAvroValues } from "../../src/iceberg/avro-value.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import type { ManifestEntry } from "../../src/iceberg/manifest.ts";
import { mergeCarried } from "../../src/iceberg/manifest-carried.ts";
import { addedEntry, deletedEntry, existingEntry, liveEntries } from "../../src/iceberg/manifest-live.ts";
import { type Manifest, readManifest } from "../../src/iceberg/manifest-read.ts";
import { sanitizeAvroName } from "../../src/iceberg/manifest-schema.ts";
import { type ManifestWriteOptions, writeManifest } from "../../src/iceberg/manifest-write.ts";
import { readPartitionFields } from "../../src/iceberg/partition-spec-json.ts";
import { readSchema } from "../../src/iceberg/schema-json.ts";
import type { FormatVersion } from "../../src/iceberg/table-metadata.ts";
import {
  CONTRACTORS,
  dataFile,
  EMPLOYEES,
  entry,
  EVENTS,
  kept,
  manifestFile,
  toolErrorOf,
  writeOptions,
} from "./manifest-support.ts";

const OF_SPARK = [
  ["v1 data", CONTRACTORS.data],
  ["v2 data", EMPLOYEES.data],
  ["v2 position deletes", EMPLOYEES.deletes],
  ["v3 data", EVENTS.data],
  ["v3 deletion vectors", EVENTS.vectors],
  ["v3 removed vectors", EVENTS.removedVectors],
] as const;

// What is needed to write the same manifest again.
function optionsOf(manifest: Manifest, formatVersion = manifest.header.formatVersion): ManifestWriteOptions {
  const { header, partitionColumns, carried } = manifest;
  return writeOptions({
    formatVersion: formatVersion === 1 || formatVersion === 3 ? formatVersion : 2,
    content: header.content ?? "data",
    schema: readSchema(parseJson(header.schemaText ?? '{"type":"struct","fields":[]}')),
    spec: { specId: header.partitionSpecId ?? 0, fields: readPartitionFields(parseJson(header.partitionSpecText ?? "[]")) },
    partitionColumns,
    carried,
  });
}

function headerOf(bytes: Uint8Array): Record<string, string> {
  const { metadata, schema } = openAvroFile(bytes, "x");
  const texts = [...metadata].map(([key, value]): [string, string] => [key, new TextDecoder().decode(value)]);
  return { ...Object.fromEntries(texts), "avro.schema": writeJson(avroSchemaToJson(schema)) };
}

describe("a manifest of Spark, written again", () => {
  it.each(OF_SPARK)("has Spark's header and the same entries: %s", (_, name) => {
    const manifest = readManifest(kept(name), name);
    const entries = [...manifest.entries()];
    const { bytes, record } = writeManifest(optionsOf(manifest), entries);
    const { "schema-id": schemaId, ...header } = headerOf(bytes);
    expect(header).toEqual(headerOf(kept(name)));
    expect(schemaId).toBe(String(readSchema(parseJson(header.schema ?? "")).schemaId));
    expect([...readManifest(bytes, name).entries()]).toEqual(entries);
    expect(record.lengthBytes).toBe(BigInt(bytes.length));
  });

  it("may be uncompressed, and is the same bytes each time", () => {
    const manifest = readManifest(kept(EMPLOYEES.data), "x");
    const plain = writeManifest({ ...optionsOf(manifest), codec: "null" }, manifest.entries());
    expect(openAvroFile(plain.bytes, "x").codec).toBe("null");
    expect([...readManifest(plain.bytes, "x").entries()]).toEqual([...manifest.entries()]);
    expect(writeManifest(optionsOf(manifest), manifest.entries()).bytes).toEqual(
      writeManifest(optionsOf(manifest), manifest.entries()).bytes,
    );
  });

  it.each([
    "uuid-partition.avro",
    "decimal-partition.avro",
    "impala-equality-deletes.avro",
    "pyiceberg-equality-deletes.avro",
    "big-query.avro",
  ])("and one of another writer keeps every value: %s", (name) => {
    const manifest = readManifest(kept(name), name);
    const content = name.includes("deletes") ? "deletes" : "data";
    for (const formatVersion of [2, 3] as const) {
      const { bytes } = writeManifest({ ...optionsOf(manifest), content, formatVersion }, manifest.entries());
      const again = readManifest(bytes, name);
      expect([...again.entries()]).toEqual([...manifest.entries()]);
      expect(again.partitionColumns).toEqual(manifest.partitionColumns);
    }
  });
});

describe("the record of a written manifest", () => {
  const live = { snapshotId: 3n, fileSequenceNumber: 9n };
  const entries: readonly ManifestEntry[] = [
    entry({ status: "added", snapshotId: 7n, sequenceNumber: 5n, dataFile: dataFile({ recordCount: 11n, partition: ["NZ"] }) }),
    entry({ ...live, status: "existing", sequenceNumber: 4n, dataFile: dataFile({ recordCount: 20n, partition: [null] }) }),
    entry({ ...live, status: "deleted", sequenceNumber: 1n, dataFile: dataFile({ recordCount: 300n, partition: ["CL"] }) }),
    entry({ status: "added", snapshotId: 7n, dataFile: dataFile({ recordCount: 1n, partition: ["FI"] }) }),
  ];
  const options = writeOptions({
    spec: { specId: 2, fields: [{ sourceIds: [1], fieldId: 1000, transform: "identity", name: "country" }] },
    partitionColumns: [{ fieldId: 1000, name: "country", type: { kind: "string" } }],
  });

  it("counts files and rows by status, and sums up partitions of all", () => {
    const { record } = writeManifest(options, entries);
    expect(record).toMatchObject({
      path: "/t/metadata/m1.avro",
      partitionSpecId: 2,
      content: "data",
      sequenceNumber: null,
      addedSnapshotId: 7n,
      addedFilesCount: 2,
      existingFilesCount: 1,
      deletedFilesCount: 1,
      addedRowsCount: 12n,
      existingRowsCount: 20n,
      deletedRowsCount: 300n,
      firstRowId: null,
      keyMetadata: null,
    });
    expect(record.partitions).toHaveLength(1);
    expect(record.partitions?.[0]).toMatchObject({ containsNull: true, containsNaN: false });
    expect(new TextDecoder().decode(record.partitions?.[0]?.lowerBound ?? undefined)).toBe("CL");
    expect(new TextDecoder().decode(record.partitions?.[0]?.upperBound ?? undefined)).toBe("NZ");
  });

  it("has the lowest data sequence number of the live entries, deleted ones not counted", () => {
    expect(writeManifest(options, entries).record.minSequenceNumber).toBe(4n);
    expect(writeManifest(options, entries.slice(2)).record.minSequenceNumber).toBeNull();
    expect(writeManifest(options, []).record.minSequenceNumber).toBeNull();
  });
});

describe("entries of a rewrite", () => {
  const manifest = readManifest(kept(EVENTS.data), "x");
  const record = manifestFile({ sequenceNumber: 3n, addedSnapshotId: 99n, firstRowId: 1600n });
  const [first, second] = [...liveEntries(manifest, record)];
  if (first === undefined || second === undefined) throw new Error("the manifest has three entries");

  it("that stay carry every number explicitly", () => {
    expect(existingEntry(second)).toMatchObject({ status: "existing", sequenceNumber: 3n, fileSequenceNumber: 3n });
    const { bytes } = writeManifest(optionsOf(manifest), [existingEntry(first), existingEntry(second)]);
    const again = [...readManifest(bytes, "x").entries()];
    expect(again.map((one) => [one.status, one.snapshotId, one.sequenceNumber, one.dataFile.firstRowId])).toEqual([
      ["existing", first.snapshotId, 3n, 1600n],
      ["existing", second.snapshotId, 3n, 1600n + first.dataFile.recordCount],
    ]);
    expect(again.map((one) => one.dataFile.upperBounds)).toEqual([first.dataFile.upperBounds, second.dataFile.upperBounds]);
  });

  it("that go are deleted in the name of the new snapshot and keep their numbers", () => {
    expect(deletedEntry(first, 123n)).toMatchObject({
      status: "deleted",
      snapshotId: 123n,
      sequenceNumber: 3n,
      fileSequenceNumber: 3n,
    });
  });

  it("that are new inherit the file's number and keep the data's where they must", () => {
    expect(addedEntry(first.dataFile, 123n, 2n)).toMatchObject({ status: "added", sequenceNumber: 2n, fileSequenceNumber: null });
    expect(addedEntry(first.dataFile, 123n, null).sequenceNumber).toBeNull();
  });

  it("that exist or are deleted are not written without their numbers", () => {
    for (const status of ["existing", "deleted"] as const) {
      for (const lacking of [{ snapshotId: 1n }, { sequenceNumber: 1n }]) {
        const error = toolErrorOf(() => writeManifest(writeOptions(), [entry({ status, ...lacking })]));
        expect(error.message).toBe("An existing or deleted entry must carry its numbers explicitly");
      }
    }
    expect(() =>
      writeManifest(writeOptions({ formatVersion: 1 }), [entry({ status: "existing", snapshotId: 1n })]),
    ).not.toThrow();
  });

  it("never mix data and deletes, and v1 knows no deletes", () => {
    const deletes = entry({ dataFile: dataFile({ content: "equality-deletes", equalityIds: [1] }) });
    expect(toolErrorOf(() => writeManifest(writeOptions(), [deletes])).kind).toBe("internal");
    expect(toolErrorOf(() => writeManifest(writeOptions({ content: "deletes" }), [entry()])).kind).toBe("internal");
    expect(toolErrorOf(() => writeManifest(writeOptions({ content: "deletes", formatVersion: 1 }), [])).kind).toBe("internal");
    expect(() => writeManifest(writeOptions({ content: "deletes" }), [deletes])).not.toThrow();
  });
});

// A v3 manifest of a later writer: a column of a record type beside the data file, and two within it.
const EXTRA_ENTRY: AvroField = {
  name: "audit",
  schema: {
    kind: "record",
    name: "k117_v118",
    fields: [{ name: "who", schema: { kind: "string", attributes: {} }, attributes: { "field-id": 901 } }],
    attributes: {},
  },
  attributes: { "field-id": 900, doc: "who wrote it" },
};
const EXTRA_FILE: readonly AvroField[] = [
  { name: "relative", schema: { kind: "boolean", attributes: {} }, attributes: { "field-id": 950 } },
  {
    name: "stats",
    schema: {
      kind: "union",
      branches: [
        { kind: "array", items: { kind: "double", attributes: {} }, attributes: { "element-id": 952 } },
        { kind: "null", attributes: {} },
      ],
    },
    attributes: { "field-id": 951 },
  },
];

function extended(name: string): Uint8Array {
  const file = openAvroFile(kept(name), name);
  const extend = (schema: AvroSchema): AvroRecord => {
    if (schema.kind !== "record") throw new Error("a manifest is a record");
    const inner = schema.fields.map((field) =>
      field.name === "data_file" && field.schema.kind === "record"
        ? { ...field, schema: { ...field.schema, fields: [...field.schema.fields, ...EXTRA_FILE] } }
        : field,
    );
    return { ...schema, fields: [EXTRA_ENTRY, ...inner] };
  };
  const schema = extend(file.schema);
  const copy = newAvroFile({
    schema,
    codec: "null",
    metadata: Object.fromEntries([...file.metadata].map(([key, value]) => [key, new TextDecoder().decode(value)])),
  });
  let count = 0;
  for (const row of readAvroValues(file)) {
    const { data_file, ...rest } = row as Record<string, AvroValue>;
    const stats: AvroValue = count % 2 === 0 ? [1.5, -0] : null;
    copy.append((sink) =>
      encodeValue(sink, schema, {
        ...rest,
        audit: { who: `w${count}` },
        data_file: { ...(data_file as object), relative: true, stats },
      }),
    );
    count++;
  }
  return copy.finish();
}

function extrasOf(bytes: Uint8Array): unknown[] {
  return [...readAvroValues(openAvroFile(bytes, "x"))].map((row) => {
    const { audit, data_file } = row as { audit?: unknown; data_file: { relative?: unknown; stats?: unknown } };
    return [audit, data_file.relative, data_file.stats];
  });
}

describe("columns that this version does not know", () => {
  const bytes = extended(EVENTS.data);
  const manifest = readManifest(bytes, "x");

  it("are found at both levels and do not disturb the others", () => {
    expect(manifest.carried.entry.map((field) => field.name)).toEqual(["audit"]);
    expect(manifest.carried.dataFile.map((field) => field.name)).toEqual(["relative", "stats"]);
    const known = [...manifest.entries()].map((one) => ({ ...one, carried: null, dataFile: { ...one.dataFile, carried: null } }));
    expect(known).toEqual([...readManifest(kept(EVENTS.data), "x").entries()]);
  });

  it("are written again with their values, and rows without them get null", () => {
    const stranger = entry({ dataFile: dataFile({ partition: [null] }) });
    const once = writeManifest(optionsOf(manifest), [...manifest.entries(), stranger]).bytes;
    const expected = [
      [{ who: "w0" }, true, [1.5, -0]],
      [{ who: "w1" }, true, null],
      [{ who: "w2" }, true, [1.5, -0]],
      [null, null, null],
    ];
    expect(extrasOf(once)).toEqual(expected);
    const second = readManifest(once, "x");
    expect(extrasOf(writeManifest(optionsOf(second), second.entries()).bytes)).toEqual(expected);
    const field = openAvroFile(once, "x").schema;
    expect(writeJson(avroSchemaToJson(field))).toContain('"name":"audit","type":["null",{"type":"record","name":"k117_v118_2"');
  });

  it("of several manifests stand in one", () => {
    const other = readManifest(extended(EVENTS.firstData), "y");
    const carried = {
      entry: mergeCarried([manifest.carried.entry, other.carried.entry]),
      dataFile: mergeCarried([manifest.carried.dataFile, other.carried.dataFile]),
    };
    expect(carried.entry).toHaveLength(1);
    const merged = writeManifest({ ...optionsOf(manifest), carried }, [...manifest.entries(), ...other.entries()]).bytes;
    expect(extrasOf(merged)).toEqual([...extrasOf(bytes), ...extrasOf(extended(EVENTS.firstData))]);
    expect(
      toolErrorOf(() => mergeCarried([[EXTRA_ENTRY], [{ ...EXTRA_ENTRY, schema: { kind: "int", attributes: {} } }]])).kind,
    ).toBe("unsupported");
  });

  it("are never dropped without a word", () => {
    const { carried, ...options } = optionsOf(manifest);
    expect(carried?.entry).toHaveLength(1);
    expect(toolErrorOf(() => writeManifest(options, manifest.entries())).message).toBe(
      "An entry carries a column that its manifest is not told of",
    );
  });

  it("that the spec has given up are dropped", () => {
    const v1 = readManifest(kept(CONTRACTORS.data), "x");
    expect(v1.carried).toEqual({ entry: [], dataFile: [] });
    const [row] = [...readAvroValues(openAvroFile(writeManifest(optionsOf(v1), v1.entries()).bytes, "x"))];
    expect(row).toMatchObject({ data_file: { block_size_in_bytes: 67108864n } });
  });
});

describe("names of partition fields in Avro", () => {
  // Cases of the reference implementation's TestSchemaConversions, and its rules.
  it.each([
    ["9x", "_9x"],
    ["x_", "x_"],
    ["a.b", "a_x2Eb"],
    ["☃", "_x2603"],
    ["a#b", "a_x23b"],
    ["order date", "order_x20date"],
    ["straße", "straße"],
    ["😀", "_xD83D_xDE00"],
  ])("%s becomes %s", (name, wanted) => {
    expect(sanitizeAvroName(name)).toBe(wanted);
  });

  it("keep the original beside and come back with it", () => {
    const columns = [{ fieldId: 1000, name: "order date", type: { kind: "date" } }] as const;
    for (const formatVersion of [1, 2, 3] as readonly FormatVersion[]) {
      const { bytes } = writeManifest(writeOptions({ formatVersion, partitionColumns: columns }), [
        entry({ snapshotId: 1n, dataFile: dataFile({ partition: [19_000] }) }),
      ]);
      const manifest = readManifest(bytes, "x");
      expect(manifest.partitionColumns).toEqual(columns);
      expect([...manifest.entries()].map((one) => one.dataFile.partition)).toEqual([[19_000]]);
    }
  });
});

describe("partition values of every type", () => {
  it("are written as the spec's Avro appendix says and come back", () => {
    const columns = [
      { fieldId: 1000, name: "b", type: { kind: "boolean" } },
      { fieldId: 1001, name: "i", type: { kind: "int" } },
      { fieldId: 1002, name: "l", type: { kind: "long" } },
      { fieldId: 1003, name: "f", type: { kind: "float" } },
      { fieldId: 1004, name: "d", type: { kind: "double" } },
      { fieldId: 1005, name: "dec", type: { kind: "decimal", precision: 38, scale: 10 } },
      { fieldId: 1006, name: "day", type: { kind: "date" } },
      { fieldId: 1007, name: "t", type: { kind: "time" } },
      { fieldId: 1008, name: "ts", type: { kind: "timestamp" } },
      { fieldId: 1009, name: "tz", type: { kind: "timestamptz" } },
      { fieldId: 1010, name: "ns", type: { kind: "timestamp_ns" } },
      { fieldId: 1011, name: "tzns", type: { kind: "timestamptz_ns" } },
      { fieldId: 1012, name: "s", type: { kind: "string" } },
      { fieldId: 1013, name: "u", type: { kind: "uuid" } },
      { fieldId: 1014, name: "fx", type: { kind: "fixed", length: 2 } },
      { fieldId: 1015, name: "bin", type: { kind: "binary" } },
      { fieldId: 1016, name: "n", type: { kind: "unknown" } },
    ] as const;
    const two = Uint8Array.of(0, 255);
    const values = [
      true,
      -5,
      2n ** 62n,
      1.5,
      -0,
      -(10n ** 37n),
      -719162,
      1n,
      -1n,
      2n,
      3n,
      4n,
      "ü",
      new Uint8Array(16).fill(9),
      two,
      new Uint8Array(0),
      null,
    ];
    const nulls = columns.map(() => null);
    const rows = [values, nulls].map((partition) => entry({ dataFile: dataFile({ partition }) }));
    const { bytes, record } = writeManifest(writeOptions({ partitionColumns: columns }), rows);
    const manifest = readManifest(bytes, "x");
    expect(manifest.partitionColumns).toEqual(columns);
    expect([...manifest.entries()].map((one) => one.dataFile.partition)).toEqual([values, nulls]);
    const raw = [...readAvroValues(openAvroFile(bytes, "x"))][0] as { data_file: { partition: { dec: Uint8Array } } };
    // 38 digits take 16 bytes (spec Appendix A, "Avro", decimal).

    expect(raw.data_file.partition.dec.length).toBe(16);
    expect(record.partitions?.at(-1)).toEqual({ containsNull: true, containsNaN: false, lowerBound: null, upperBound: null });
  });

  it("of another form than their type are refused", () => {
    const columns = [{ fieldId: 1000, name: "u", type: { kind: "uuid" } }] as const;
    for (const partition of [["text"], [new Uint8Array(3)], [5], [5n], [], [null, null]]) {
      expect(
        toolErrorOf(() =>
          writeManifest(writeOptions({ partitionColumns: columns }), [entry({ dataFile: dataFile({ partition }) })]),
        ).kind,
      ).toBe("internal");
    }
  });
});
