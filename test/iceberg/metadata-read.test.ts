// Metadata files of several writers, versions and faults: what is read, what stays unparsed, what is refused.
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { JsonValue } from "../../src/iceberg/json.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { edited, fileBytes, fileText, fromText, readFile, text, VALID_FILES } from "./metadata-support.ts";

function fault(read: () => unknown): ToolError {
  try {
    read();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const whyOf = (name: string, values: Readonly<Record<string, JsonValue | undefined>>): string | undefined =>
  fault(() => fromText(writeJson(edited(name, values)))).why;

describe("readMetadata", () => {
  it("reads a version 1 file without lists by the rules of the spec", () => {
    const metadata = readFile("v1-fields-only.metadata.json");
    expect(metadata).toMatchObject({
      formatVersion: 1,
      tableUuid: "d20125c8-7284-442c-9aea-15fee620737c",
      location: "s3://bucket/test/location",
      lastSequenceNumber: 0n,
      lastUpdatedMs: 1602638573874,
      lastColumnId: 3,
      currentSchemaId: 0,
      partitionSpecs: [{ specId: 0, fields: [{ sourceIds: [1], fieldId: 1000, transform: "identity", name: "x" }] }],
      defaultSpecId: 0,
      lastPartitionId: 1000,
      sortOrders: [{ orderId: 0, fields: [] }],
      defaultSortOrderId: 0,
      properties: {},
      currentSnapshotId: null,
      refs: {},
      metadataLog: [],
      nextRowId: null,
    });
    expect(metadata.schemas.map((schema) => schema.fields.map((field) => field.name))).toEqual([["x", "y", "z"]]);
  });

  it("reads an unpartitioned version 1 file without a last partition id as 999", () => {
    expect(fromText(writeJson(edited("v1-fields-only.metadata.json", { "partition-spec": [] }))).lastPartitionId).toBe(999);
  });

  it("reads version 2 with its lists and exact ids", () => {
    const metadata = readFile("v2-two-schemas.metadata.json");
    expect(metadata).toMatchObject({
      formatVersion: 2,
      lastSequenceNumber: 34n,
      currentSchemaId: 1,
      defaultSortOrderId: 3,
      lastPartitionId: 1000,
    });
    expect(metadata.schemas.map((schema) => schema.identifierFieldIds)).toEqual([[], [1, 2]]);
    expect(metadata.currentSnapshotId).toBe(3055729675574597004n);
    expect([...metadata.snapshots].map((snapshot) => snapshot.snapshotId)).toEqual([3051729675574597004n, 3055729675574597004n]);
    expect(metadata.snapshots.at(1)).toEqual({
      snapshotId: 3055729675574597004n,
      parentSnapshotId: 3051729675574597004n,
      sequenceNumber: 1n,
      timestampMs: 1555100955770,
      summary: { operation: "append" },
      manifestList: "s3://a/b/2.avro",
      schemaId: 1,
      firstRowId: null,
      addedRows: null,
      keyId: null,
    });
    expect([...metadata.snapshotLog]).toEqual([
      { snapshotId: 3051729675574597004n, timestampMs: 1515100955770 },
      { snapshotId: 3055729675574597004n, timestampMs: 1555100955770 },
    ]);
  });

  it("takes main from the current snapshot where the file has no refs", () => {
    expect(readFile("v2-two-schemas.metadata.json").refs).toEqual({ main: { snapshotId: 3055729675574597004n, type: "branch" } });
  });

  it("reads version 3 with row lineage and defaults", () => {
    const lineage = readFile("v3-spark-lineage.metadata.json");
    expect(lineage).toMatchObject({ formatVersion: 3, nextRowId: 2000n });
    expect(lineage.snapshots.at(0)).toMatchObject({ firstRowId: 0n });
    expect(readFile("v3-minimal.metadata.json").schemas[0]?.fields[0]).toMatchObject({ initialDefault: 1, writeDefault: 1 });
  });

  it("reads what it only carries with the snapshot it belongs to", () => {
    expect([...(readFile("v2-statistics.metadata.json").carried["statistics"] ?? [])]).toEqual([
      { snapshotId: 3055729675574597004n },
    ]);
  });

  it("takes absent, null and -1 for no current snapshot", () => {
    for (const value of [undefined, null, -1]) {
      expect(
        fromText(writeJson(edited("v1-fields-only.metadata.json", { "current-snapshot-id": value }))).currentSnapshotId,
      ).toBeNull();
    }
  });

  it("reads gzip by its name and by its first bytes", () => {
    expect(readFile("v1-packed.gz.metadata.json").formatVersion).toBe(1);
    const packed = gzipSync(fileBytes("v3-minimal.metadata.json"));
    for (const name of ["v1.metadata.json", "v1.gz.metadata.json", "v1.metadata.json.gz"]) {
      expect(readMetadata(packed, name).formatVersion).toBe(3);
    }
  });

  it("refuses gzip that is none, and that is broken", () => {
    expect(fault(() => readMetadata(fileBytes("v3-minimal.metadata.json"), "v1.gz.metadata.json")).why).toContain("says gzip");
    expect(
      fault(() => readMetadata(fileBytes("v1-packed.gz.metadata.json").subarray(0, 300), "v1.gz.metadata.json")),
    ).toMatchObject({
      kind: "corrupt",
      why: "Its gzip stream is broken",
    });
  });

  it("strips trailing slashes of the location", () => {
    expect(fromText(writeJson(edited("v3-minimal.metadata.json", { location: "s3://bucket/t//" }))).location).toBe(
      "s3://bucket/t",
    );
  });

  it("does not parse snapshots until they are asked for", () => {
    const broken = fileText("v2-two-schemas.metadata.json").replace(
      '"snapshot-id": 3051729675574597004,',
      '"snapshot-id": oops,',
    );
    const metadata = fromText(broken);
    expect(metadata.snapshots.at(1)?.snapshotId).toBe(3055729675574597004n);
    const error = fault(() => metadata.snapshots.at(0));
    expect(error.message).toBe('Cannot read metadata file "s3://bucket/table/metadata/00000-x.metadata.json"');
    const lines = broken.slice(0, broken.indexOf("oops")).split("\n");
    expect(error.why).toBe(`Expected a value, found "o" at line ${lines.length}, column ${(lines.at(-1) ?? "").length + 1}`);
  });

  it.each([
    [
      "wrong-unsupported-version",
      "unsupported",
      'At "format-version": Format version 42 is newer than 3, the newest that floeplan knows',
    ],
    ["wrong-v1-missing-schema-type", "corrupt", 'At "schema.type": A schema must have the type "struct"'],
    ["wrong-v2-current-schema-not-found", "corrupt", 'At "current-schema-id": "schemas" does not hold 2; it holds 0, 1'],
    ["wrong-v2-missing-last-partition-id", "corrupt", 'At "last-partition-id": It is missing; format version 2 requires it'],
    ["wrong-v2-missing-partition-specs", "corrupt", 'At "partition-specs": It is missing; format version 2 requires it'],
    ["wrong-v2-missing-schemas", "corrupt", 'At "schemas": It is missing; format version 2 requires it'],
    ["wrong-v2-missing-sort-order", "corrupt", 'At "sort-orders": It is missing; format version 2 requires it'],
  ])("refuses Iceberg's own wrong file %s with its reason", (name, kind, why) => {
    expect(fault(() => readFile(`${name}.metadata.json`))).toMatchObject({
      kind,
      message: `Cannot read metadata file "${name}.metadata.json"`,
      why,
    });
  });

  it.each<[string, string, Readonly<Record<string, JsonValue | undefined>>, string]>([
    [
      "a default spec that is not there",
      "v2-two-schemas",
      { "default-spec-id": 4 },
      'At "default-spec-id": "partition-specs" does not hold 4; it holds 0',
    ],
    [
      "a default sort order that is not there",
      "v2-two-schemas",
      { "default-sort-order-id": 1 },
      'At "default-sort-order-id": "sort-orders" does not hold 1; it holds 3',
    ],
    [
      "a current snapshot that is not there",
      "v2-two-schemas",
      { "current-snapshot-id": 5 },
      'At "current-snapshot-id": "snapshots" does not hold 5',
    ],
    [
      "a ref to a snapshot that is not there",
      "v2-two-schemas",
      { refs: { old: { "snapshot-id": 7, type: "tag" } } },
      'At "refs.old": "snapshots" does not hold 7',
    ],
    [
      "main elsewhere than the current snapshot",
      "v2-two-schemas",
      { refs: { main: { "snapshot-id": 3051729675574597004n, type: "branch" } } },
      'At "refs.main": It points to snapshot 3051729675574597004 and "current-snapshot-id" to 3055729675574597004',
    ],
    [
      "main without a current snapshot",
      "v2-two-schemas",
      { "current-snapshot-id": -1, refs: { main: { "snapshot-id": 3051729675574597004n, type: "branch" } } },
      'At "refs.main": It points to snapshot 3051729675574597004 and "current-snapshot-id" to none',
    ],
    [
      "a schema id twice",
      "v3-minimal",
      {
        schemas: [
          { type: "struct", "schema-id": 0, fields: [] },
          { type: "struct", "schema-id": 0, fields: [] },
        ],
      },
      'At "schemas": The id 0 stands twice',
    ],
    [
      "no uuid in version 2",
      "v2-two-schemas",
      { "table-uuid": undefined },
      'At "table-uuid": It is missing; format version 2 requires it',
    ],
    ["no location", "v2-two-schemas", { location: undefined }, 'At "location": It is missing; a text is required'],
    [
      "no next row id in version 3",
      "v3-minimal",
      { "next-row-id": undefined },
      'At "next-row-id": It is missing; a 64-bit integer is required',
    ],
    ["version 0", "v3-minimal", { "format-version": 0 }, 'At "format-version": Format version 0 does not exist'],
    ["a property that is no text", "v3-minimal", { properties: { a: 1 } }, 'At "properties.a": A text is required, found 1'],
    ["snapshots that are no array", "v3-minimal", { snapshots: {} }, 'At "snapshots": An array is required'],
    [
      "a clock behind the metadata log",
      "v2-two-schemas",
      { "metadata-log": [{ "timestamp-ms": 1602638633591, "metadata-file": "s3://x" }] },
      'At "last-updated-ms": 1602638573590 is more than a minute before the last entry of "metadata-log", 1602638633591',
    ],
    [
      "a metadata log out of order",
      "v2-two-schemas",
      {
        "metadata-log": [
          { "timestamp-ms": 1602638573590, "metadata-file": "s3://x" },
          { "timestamp-ms": 1602638513589, "metadata-file": "s3://y" },
        ],
      },
      'At "metadata-log[1]": It is more than a minute older than the entry before it',
    ],
    [
      "an id beyond 64 bits",
      "v2-two-schemas",
      { "current-snapshot-id": 9876543210123456789n },
      'At "current-snapshot-id": A 64-bit integer is required, found 9876543210123456789',
    ],
  ])("refuses %s", (_, name, values, why) => {
    expect(whyOf(`${name}.metadata.json`, values)).toBe(why);
  });

  it("bears clocks that differ by a minute", () => {
    const log = [{ "timestamp-ms": 1602638633590, "metadata-file": "s3://x" }];
    expect(() => fromText(writeJson(edited("v2-two-schemas.metadata.json", { "metadata-log": log })))).not.toThrow();
  });

  it("refuses a snapshot from beyond the last sequence number when it is looked at", () => {
    const metadata = fromText(fileText("v2-two-schemas.metadata.json").replace('"sequence-number": 0', '"sequence-number": 35'));
    expect(metadata.snapshots.at(1)?.sequenceNumber).toBe(1n);
    expect(fault(() => metadata.snapshots.at(0)).why).toContain('has the sequence number 35, above "last-sequence-number" 34');
  });

  it("refuses a snapshot of version 1 with a sequence number, which no upgrade could keep", () => {
    const snapshots = [{ "snapshot-id": 1, "sequence-number": 5, "timestamp-ms": 1602638573590, "manifest-list": "s3://x" }];
    const metadata = fromText(writeJson(edited("v1-fields-only.metadata.json", { snapshots })));
    expect(fault(() => metadata.snapshots.at(0)).why).toContain('has the sequence number 5, above "last-sequence-number" 0');
  });

  it("refuses a member that stands twice: readers differ in which of the two counts", () => {
    const twice = fileText("v3-minimal.metadata.json").replace("{", '{"location": "s3://elsewhere",');
    expect(fault(() => fromText(twice)).why).toBe('At "location": It stands twice in the file');
  });

  it("refuses what is no document", () => {
    for (const source of ["", "[]", "null", "{", "{}}", '{"a":1}\n{"a":2}'])
      expect(fault(() => fromText(source)).kind).toBe("corrupt");
  });

  it("leaves a default spec over a dropped column to the planner", () => {
    const schemas = [{ type: "struct", "schema-id": 0, fields: [{ id: 9, name: "other", required: false, type: "int" }] }];
    expect(() => fromText(writeJson(edited("v3-minimal.metadata.json", { schemas })))).not.toThrow();
  });

  it("takes damage for corruption or for what it says, and never fails otherwise", () => {
    const damage = fc.array(
      fc.record({
        at: fc.nat(),
        drop: fc.nat({ max: 40 }),
        put: fc.constantFrom("", '"', "{", "}", "[", "]", ",", ":", "null", "-1", "1e9", "true", '"x"', "\\", "\u0000", "é"),
      }),
      { minLength: 1, maxLength: 3 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...VALID_FILES.filter((name) => !name.includes(".gz."))), damage, (name, spots) => {
        const damaged = spots.reduce((source, { at, drop, put }) => {
          const start = at % source.length;
          return source.slice(0, start) + put + source.slice(start + drop);
        }, fileText(name));
        try {
          const metadata = fromText(damaged);
          expect([...metadata.snapshots, ...metadata.snapshotLog].length).toBe(
            metadata.snapshots.length + metadata.snapshotLog.length,
          );
          expect(text(writeMetadata(metadata))).toBe(damaged);
        } catch (error) {
          if (!(error instanceof ToolError)) throw error;
          expect(["corrupt", "unsupported"]).toContain(error.kind);
        }
      }),
      { numRuns: 400 },
    );
  });
});
