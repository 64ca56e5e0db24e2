// Commits applied to metadata end as in Iceberg Java, whose answers are in java-answers.json; and what Java
// leaves to its callers: clocks, the metadata log, nothing to do.
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { assignSchemaId, assignSortOrderId, assignSpecId } from "../../src/iceberg/apply/assign-id.ts";
import { sameSchema } from "../../src/iceberg/apply/same-schema.ts";
import { appliesNothing, applyUpdates } from "../../src/iceberg/apply-update.ts";
import { elements } from "../../src/iceberg/element-list.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../src/iceberg/json.ts";
import { arrayMember, objectAt, objectMember, stringMember } from "../../src/iceberg/json-fields.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { canonicalJson, writeJson } from "../../src/iceberg/json-write.ts";
import { writeMetadata } from "../../src/iceberg/metadata-json.ts";
import type { Snapshot } from "../../src/iceberg/snapshot.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field, Schema, Type } from "../../src/iceberg/type.ts";
import { readUpdate } from "../../src/iceberg/update-json.ts";
import { fileText, fromText, readFile, text } from "./metadata-support.ts";

const ANSWERS = objectAt(parseJson(fileText("java-answers.json")), "");
const BASES = objectMember(ANSWERS, "bases", "");
const CASES = arrayMember(ANSWERS, "cases", "").map((one) => objectAt(one, "cases"));
const NOW = 1_700_000_005_000;
const PREVIOUS = "s3://b/t/metadata/00007-b.metadata.json";

function base(name: string): TableMetadata {
  return fromText(writeJson(objectMember(BASES, name, "bases")));
}

/** The document with what clocks say and what readers take for the same left out. */
function comparable(document: JsonValue): string {
  const json = objectAt(document, "");
  return canonicalJson({
    ...json,
    "last-updated-ms": 0,
    "current-snapshot-id": json["current-snapshot-id"] === -1 ? null : (json["current-snapshot-id"] ?? null),
  });
}

function expectedDocument(one: JsonObject): JsonValue {
  const before = one["base"] === null ? {} : objectMember(BASES, stringMember(one, "base", ""), "bases");
  const gone: readonly JsonValue[] = isJsonObject(one) && one["gone"] !== undefined ? arrayMember(one, "gone", "") : [];
  const after = { ...before, ...objectMember(one, "changed", "") };
  return Object.fromEntries(Object.entries(after).filter(([key]) => !gone.includes(key)));
}

function apply(metadata: TableMetadata | null, ...updates: TableUpdate[]): TableMetadata {
  return applyUpdates(metadata, updates, { nowMs: NOW, previousMetadataLocation: metadata === null ? null : PREVIOUS });
}

function fault(run: () => unknown): ToolError {
  try {
    run();
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

const snapshot = (id: bigint, sequenceNumber: bigint, more: Partial<Snapshot> = {}): Snapshot => ({
  snapshotId: id,
  parentSnapshotId: null,
  sequenceNumber,
  timestampMs: NOW,
  summary: { operation: "append" },
  manifestList: "s3://b/m.avro",
  schemaId: 0,
  firstRowId: null,
  addedRows: null,
  keyId: null,
  ...more,
});

describe("applyUpdates", () => {
  it.each(CASES.map((one): [string, JsonObject] => [stringMember(one, "name", ""), one]))("ends as Java does: %s", (_, one) => {
    const run = (): TableMetadata => {
      const updates = arrayMember(one, "updates", "").map((update) => readUpdate(update));
      return apply(one["base"] === null ? null : base(stringMember(one, "base", "")), ...updates);
    };
    if (one["refused"] === undefined) {
      expect(comparable(parseJson(text(writeMetadata(run()))))).toBe(comparable(expectedDocument(one)));
    } else {
      const isRetryable = stringMember(one, "refused", "").startsWith("Retryable");
      expect(fault(run)).toMatchObject({ kind: isRetryable ? "conflict" : "refused", retryable: isRetryable });
    }
  });

  it("writes what was created so that it reads the same", () => {
    for (const one of CASES.filter(({ base: name, refused }) => name === null && refused === undefined)) {
      const updates = arrayMember(one, "updates", "").map((update) => readUpdate(update));
      const document = text(writeMetadata(apply(null, ...updates)));
      expect(text(writeMetadata(fromText(document)))).toBe(document);
    }
  });

  it("gives the base itself when nothing changes", () => {
    const metadata = base("v2-history");
    const updates: TableUpdate[] = [
      { action: "assign-uuid", uuid: (metadata.tableUuid ?? "").toUpperCase() },
      { action: "upgrade-format-version", formatVersion: 2 },
      {
        action: "add-schema",
        schema: metadata.schemas[0] ?? { schemaId: 0, identifierFieldIds: [], fields: [] },
        lastColumnId: 6,
      },
      { action: "set-current-schema", schemaId: 0 },
      { action: "set-location", location: `${metadata.location}/` },
      { action: "set-properties", updates: { owner: "ann" } },
      { action: "remove-properties", removals: ["not there"] },
      { action: "remove-snapshots", snapshotIds: [1n] },
      { action: "remove-snapshot-ref", refName: "none" },
    ];
    expect(apply(metadata, ...updates)).toBe(metadata);
    expect(appliesNothing(metadata, updates, { nowMs: NOW, previousMetadataLocation: PREVIOUS })).toBe(true);
    expect(
      appliesNothing(metadata, [{ action: "set-properties", updates: { owner: "bob" } }], {
        nowMs: NOW,
        previousMetadataLocation: PREVIOUS,
      }),
    ).toBe(false);
  });

  it("never sets the clock back", () => {
    const metadata = base("v2");
    const options = { nowMs: metadata.lastUpdatedMs - 5_000, previousMetadataLocation: PREVIOUS };
    expect(applyUpdates(metadata, [{ action: "set-properties", updates: { a: "1" } }], options).lastUpdatedMs).toBe(
      metadata.lastUpdatedMs,
    );
    expect(apply(metadata, { action: "set-properties", updates: { a: "1" } }).lastUpdatedMs).toBe(NOW);
  });

  it("logs the file before it with that file's own time, and lets the oldest go", () => {
    const metadata = base("v2");
    const next = apply(metadata, { action: "set-properties", updates: { a: "1" } });
    expect(next.metadataLog.at(-1)).toEqual({ timestampMs: metadata.lastUpdatedMs, metadataFile: PREVIOUS });
    const many = { ...metadata, metadataLog: [1, 2, 3].map((n) => ({ timestampMs: n, metadataFile: `f${n}` })) };
    const files = (properties: Record<string, string>): string[] =>
      apply({ ...many, properties }, { action: "set-location", location: "s3://b/x" }).metadataLog.map(
        (entry) => entry.metadataFile,
      );
    expect(files({ "write.metadata.previous-versions-max": "2" })).toEqual(["f3", PREVIOUS]);
    expect(files({ "write.metadata.previous-versions-max": "-1" })).toEqual([PREVIOUS]);
    expect(files({})).toEqual(["f1", "f2", "f3", PREVIOUS]);
    expect(fault(() => files({ "write.metadata.previous-versions-max": "ten" })).why).toContain(
      'is "ten", which is no whole number',
    );
    expect(
      applyUpdates(many, [{ action: "set-location", location: "s3://b/x" }], { nowMs: NOW, previousMetadataLocation: null })
        .metadataLog,
    ).toBe(many.metadataLog);
  });

  it("never stores reserved properties, and upgrades where one of them asks for it", () => {
    const next = apply(base("v2"), {
      action: "set-properties",
      updates: { "format-version": "3", "current-schema": "{}", uuid: "x", a: "1" },
    });
    expect(next.formatVersion).toBe(3);
    expect(Object.keys(next.properties).sort()).toEqual(["a", "owner", "write.metadata.previous-versions-max"]);
    expect(fault(() => apply(base("v2"), { action: "set-properties", updates: { "format-version": "1" } })).kind).toBe("refused");
    expect(fault(() => apply(base("v2"), { action: "set-properties", updates: { "format-version": "two" } })).kind).toBe(
      "refused",
    );
  });

  it("keeps properties named like members of objects apart", () => {
    const next = apply(base("v2"), {
      action: "set-properties",
      updates: JSON.parse('{"__proto__":"a","toString":"b"}') as Record<string, string>,
    });
    expect(Object.entries(next.properties).filter(([key]) => key === "__proto__" || key === "toString")).toEqual([
      ["__proto__", "a"],
      ["toString", "b"],
    ]);
    expect(fromText(text(writeMetadata(next))).properties).toEqual(next.properties);
  });

  it("does not give a table another uuid, and needs one for a new table", () => {
    expect(fault(() => apply(base("v2"), { action: "assign-uuid", uuid: "x" })).kind).toBe("refused");
    const updates = arrayMember(CASES[1] ?? {}, "updates", "").map((update) => readUpdate(update));
    expect(fault(() => apply(null, ...updates.filter(({ action }) => action !== "assign-uuid"))).why).toContain(
      "needs a table uuid",
    );
    expect(fault(() => apply(null, ...updates.filter(({ action }) => action !== "set-location"))).why).toBe(
      "The table has no location",
    );
    expect(
      fault(() => apply(null, ...updates.filter(({ action }) => action !== "add-schema" && action !== "set-current-schema"))).why,
    ).toContain("no current schema yet");
  });

  it("gives a version 1 table without a uuid one on the way to version 2", () => {
    const old = { ...base("v1"), tableUuid: null };
    expect(fault(() => apply(old, { action: "upgrade-format-version", formatVersion: 2 })).why).toContain("needs a table uuid");
    expect(
      apply(old, { action: "assign-uuid", uuid: "u" }, { action: "upgrade-format-version", formatVersion: 2 }),
    ).toMatchObject({ tableUuid: "u", formatVersion: 2 });
  });

  it("knows no format version beyond 3", () => {
    expect(fault(() => apply(base("v3"), { action: "upgrade-format-version", formatVersion: 4 })).kind).toBe("refused");
  });

  it("logs a rollback at the time of the commit and a new snapshot at its own", () => {
    const metadata = base("v2-history");
    const [first] = [...metadata.snapshots];
    const added = apply(
      metadata,
      { action: "add-snapshot", snapshot: snapshot(9n, 2n, { timestampMs: NOW + 30_000 }) },
      { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: 9n, type: "branch" } },
    );
    expect([...added.snapshotLog].at(-1)).toEqual({ snapshotId: 9n, timestampMs: NOW + 30_000 });
    const back = apply(added, {
      action: "set-snapshot-ref",
      refName: "main",
      ref: { snapshotId: first?.snapshotId ?? 0n, type: "branch" },
    });
    expect([...back.snapshotLog].at(-1)).toEqual({ snapshotId: first?.snapshotId, timestampMs: NOW });
    expect(back.currentSnapshotId).toBe(first?.snapshotId);
  });

  it("refuses times that would make the table unreadable for Java", () => {
    const metadata = base("v2-history");
    const at = (timestampMs: number) => () =>
      apply(
        metadata,
        { action: "add-snapshot", snapshot: snapshot(9n, 2n, { timestampMs }) },
        { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: 9n, type: "branch" } },
      );
    expect(fault(at(NOW + 60_001)).mend).toBe("Set the clock of this machine right");
    expect(fault(at(1_700_000_001_001 - 60_001)).why).toContain("before the last entry of the snapshot log");
    expect(at(NOW + 60_000)).not.toThrow();
  });

  it("keeps main a branch", () => {
    const ref = { snapshotId: base("v2-history").currentSnapshotId ?? 0n, type: "tag" as const };
    expect(fault(() => apply(base("v2-history"), { action: "set-snapshot-ref", refName: "main", ref })).why).toBe(
      '"main" must be a branch',
    );
  });

  it("drops the log up to a removed snapshot, and statistics with it", () => {
    const metadata = readFile("v2-spark-history.metadata.json");
    const ids = [...metadata.snapshotLog].map((entry) => entry.snapshotId);
    const [, second = 0n] = ids;
    const withStatistics = {
      ...metadata,
      carried: { ...metadata.carried, statistics: elements([{ snapshotId: second }, { snapshotId: 1n }]) },
    };
    const next = apply(withStatistics, { action: "remove-snapshots", snapshotIds: [second] });
    expect([...next.snapshotLog].map((entry) => entry.snapshotId)).toEqual(ids.slice(2));
    expect([...(next.carried["statistics"] ?? [])]).toEqual([{ snapshotId: 1n }]);
  });

  it("refuses a snapshot of version 1 with a sequence number, and of version 2 without a manifest list", () => {
    expect(fault(() => apply(base("v1"), { action: "add-snapshot", snapshot: snapshot(9n, 1n) })).kind).toBe("refused");
    expect(
      fault(() =>
        apply(base("v2"), { action: "add-snapshot", snapshot: snapshot(9n, 1n, { manifestList: null, manifests: [] }) }),
      ).kind,
    ).toBe("refused");
  });

  it("never lowers the last sequence number, as Java would for a snapshot without a parent", () => {
    const metadata = { ...base("v2-history"), lastSequenceNumber: 5n };
    expect(fault(() => apply(metadata, { action: "add-snapshot", snapshot: snapshot(9n, 4n) })).kind).toBe("conflict");
    expect(apply(metadata, { action: "add-snapshot", snapshot: snapshot(9n, 5n) }).lastSequenceNumber).toBe(5n);
  });

  it("says why a spec or schema in use stays", () => {
    expect(fault(() => apply(base("v2"), { action: "remove-partition-specs", specIds: [0] })).why).toBe("It is the default spec");
    expect(fault(() => apply(base("v2"), { action: "remove-schemas", schemaIds: [0] })).why).toBe("It is the current schema");
  });

  it("sorts and partitions by no struct, whatever the transform", () => {
    const field = { sourceIds: [4], transform: "void", direction: "asc" as const, nullOrder: "nulls-first" as const };
    expect(fault(() => apply(base("v2"), { action: "add-sort-order", sortOrder: { orderId: 9, fields: [field] } })).why).toBe(
      '"address" is a struct, which has no order',
    );
    const zorder = { sourceIds: [4], fieldId: 1001, transform: "zorder", name: "z" };
    expect(fault(() => apply(base("v2"), { action: "add-spec", spec: { specId: 9, fields: [zorder] } })).why).toContain(
      "a struct is no source",
    );
    expect(
      apply(base("v2"), { action: "add-spec", spec: { specId: 9, fields: [{ ...zorder, transform: "void" }] } }).partitionSpecs
        .length,
    ).toBe(2);
    expect(
      apply(base("v2"), { action: "add-spec", spec: { specId: 9, fields: [{ ...zorder, sourceIds: [1] }] } }).partitionSpecs
        .length,
    ).toBe(2);
  });

  it("does not touch the base", () => {
    const metadata = base("v2-history");
    const before = text(writeMetadata({ ...metadata, origin: null }));
    apply(
      metadata,
      { action: "set-properties", updates: { a: "1" } },
      { action: "add-snapshot", snapshot: snapshot(9n, 2n) },
      { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: 9n, type: "branch" } },
      { action: "upgrade-format-version", formatVersion: 2 },
    );
    expect(text(writeMetadata({ ...metadata, origin: null }))).toBe(before);
  });
});

describe("sameSchema", () => {
  const [schema] = base("v2").schemas;
  if (schema === undefined) throw new Error("the table has a schema");

  it("does not compare schema ids", () => {
    expect(sameSchema(schema, { ...schema, schemaId: 9 })).toBe(true);
  });

  it("compares identifier fields as sets, both ways", () => {
    const [none, one, two] = [[], [1], [3, 1]].map((identifierFieldIds) => ({ ...schema, identifierFieldIds }));
    if (none === undefined || one === undefined || two === undefined) throw new Error("there are three");
    expect([sameSchema(none, one), sameSchema(one, none), sameSchema(one, two), sameSchema(two, one)]).toEqual([
      false,
      false,
      false,
      false,
    ]);
    expect(sameSchema(two, { ...schema, identifierFieldIds: [1, 3] })).toBe(true);
  });

  it("compares types with all that is inside, and defaults by value", () => {
    const field = (type: Type, more: Partial<Field> = {}): Schema => ({
      ...schema,
      fields: [{ id: 1, name: "a", required: false, type, ...more }],
    });
    const list = (element: Type, elementRequired = false, elementId = 2): Type => ({
      kind: "list",
      elementId,
      element,
      elementRequired,
    });
    const map = (valueRequired: boolean, keyId = 2): Type => ({
      kind: "map",
      keyId,
      key: { kind: "int" },
      valueId: 3,
      value: { kind: "int" },
      valueRequired,
    });
    const int: Type = { kind: "int" };
    const different: (readonly [Schema, Schema])[] = [
      [field(list(int)), field(list({ kind: "long" }))],
      [field(list(int)), field(list(int, true))],
      [field(list(int)), field(list(int, false, 3))],
      [field(list(int)), field(map(false))],
      [field(map(false)), field(map(true))],
      [field(map(false)), field(map(false, 4))],
      [field({ kind: "decimal", precision: 9, scale: 2 }), field({ kind: "decimal", precision: 9, scale: 3 })],
      [field(int, { initialDefault: 1 }), field(int)],
      [field(int, { writeDefault: 1 }), field(int, { writeDefault: 2 })],
      [field(int, { doc: "" }), field(int)],
    ];
    expect(different.map(([a, b]) => sameSchema(a, b) || sameSchema(b, a))).toEqual(different.map(() => false));
    expect(sameSchema(field({ kind: "geometry", crs: "OGC:CRS84" }), field({ kind: "geometry", crs: "ogc:crs84" }))).toBe(true);
  });
});

describe("ids before the commit", () => {
  it("are those that the commit then gives", () => {
    const metadata = base("v2");
    const schema = {
      schemaId: 77,
      identifierFieldIds: [],
      fields: [{ id: 9, name: "z", required: false, type: { kind: "int" as const } }],
    };
    expect(assignSchemaId(metadata, schema)).toEqual({ id: 1, isKnown: false });
    expect(assignSchemaId(metadata, { ...(metadata.schemas[0] ?? schema), schemaId: 5 })).toEqual({ id: 0, isKnown: true });
    expect(assignSpecId(metadata, { specId: 5, fields: [] })).toEqual({ id: 1, isKnown: false });
    expect(assignSpecId(metadata, { ...(metadata.partitionSpecs[0] ?? { fields: [] }), specId: 9 })).toEqual({
      id: 0,
      isKnown: true,
    });
    expect(
      assignSortOrderId(metadata, {
        orderId: 4,
        fields: [{ sourceIds: [3], transform: "identity", direction: "asc", nullOrder: "nulls-first" }],
      }),
    ).toEqual({ id: 2, isKnown: false });
    expect(assignSortOrderId(metadata, { orderId: 4, fields: [] })).toEqual({ id: 0, isKnown: false });
    expect(assignSortOrderId(base("v1"), { orderId: 4, fields: [] })).toEqual({ id: 0, isKnown: true });
  });
});
