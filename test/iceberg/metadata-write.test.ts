// What was not changed is written as it was read, byte for byte, in the place and style of the old file.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { unpackMetadataFile } from "../../src/iceberg/metadata-file.ts";
import { writeMetadata } from "../../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import { edited, fileBytes, fileText, fromText, readFile, text, VALID_FILES } from "./metadata-support.ts";

const options = (base: TableMetadata) => ({ nowMs: base.lastUpdatedMs + 1, previousMetadataLocation: null });

function commit(base: TableMetadata, ...updates: TableUpdate[]): string {
  return text(writeMetadata(applyUpdates(base, updates, options(base))));
}

/** The lines that differ between two texts of the same number of lines. */
function changedLines(before: string, after: string): string[] {
  const [left, right] = [before.split("\n"), after.split("\n")];
  const kept = new Set(left);
  return right.filter((line) => !kept.has(line));
}

describe("writeMetadata", () => {
  it.each(VALID_FILES)("gives back %s byte for byte", (name) => {
    const metadata = readFile(name);
    expect(text(writeMetadata(metadata))).toBe(text(unpackMetadataFile(fileBytes(name), name)));
  });

  it.each(VALID_FILES)("changes nothing but the one number in %s", (name) => {
    const metadata = readFile(name);
    const document = text(unpackMetadataFile(fileBytes(name), name));
    const written = text(writeMetadata({ ...metadata, lastUpdatedMs: 7 }));
    expect(written).toBe(document.replace(/("last-updated-ms"\s*:\s*)\d+/, "$17"));
  });

  it.each(VALID_FILES)("writes %s anew so that it reads the same", (name) => {
    const metadata = readFile(name);
    const anew = fromText(text(writeMetadata({ ...metadata, origin: null })));
    expect({ ...anew, origin: null, snapshots: [...anew.snapshots], snapshotLog: [...anew.snapshotLog], carried: null }).toEqual({
      ...metadata,
      origin: null,
      snapshots: [...metadata.snapshots],
      snapshotLog: [...metadata.snapshotLog],
      carried: null,
    });
  });

  it("keeps unknown members, odd blanks, odd order and number spellings", () => {
    const odd = fileText("v3-minimal.metadata.json")
      .replace("{", '\ufeff  {\r\n "x-unknown" :\t{"b": 1.50, "a":[ ]} ,')
      .replace(/\}\s*$/, ' , "x-last":1e3 }  \n');
    const metadata = fromText(odd);
    expect(text(writeMetadata(metadata))).toBe(odd.slice(1));
    const bytes = writeMetadata(applyUpdates(metadata, [{ action: "set-properties", updates: { a: "1" } }], options(metadata)));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    const written = text(bytes);
    expect(written.startsWith('  {\r\n "x-unknown" :\t{"b": 1.50, "a":[ ]} ,')).toBe(true);
    expect(written.endsWith(' , "x-last":1e3 }  \n')).toBe(true);
    expect(fromText(written).properties).toEqual({ a: "1" });
  });

  it("adds a snapshot to an indented file in the file's own style", () => {
    const base = readFile("v2-two-schemas.metadata.json");
    const snapshot = {
      snapshotId: 9007199254740993n,
      parentSnapshotId: base.currentSnapshotId,
      sequenceNumber: 35n,
      timestampMs: base.lastUpdatedMs,
      summary: { operation: "append" },
      manifestList: "s3://a/b/3.avro",
      schemaId: 1,
      firstRowId: null,
      addedRows: null,
      keyId: null,
    };
    const before = fileText("v2-two-schemas.metadata.json");
    const after = commit(base, { action: "add-snapshot", snapshot });
    expect(changedLines(before, after)).toEqual([
      '  "last-sequence-number": 35,',
      '  "last-updated-ms": 1602638573591,',
      '      "sequence-number": 35,',
      '      "snapshot-id": 9007199254740993,',
      '      "parent-snapshot-id": 3055729675574597004,',
      '      "timestamp-ms": 1602638573590,',
      '      "manifest-list": "s3://a/b/3.avro",',
    ]);
    expect(before.length).toBeLessThan(after.length);
    expect([...fromText(after).snapshots].length).toBe(3);
  });

  it("writes Jackson's own indentation so that it still parses and keeps the rest", () => {
    const base = readFile("v1-pretty.metadata.json");
    const after = commit(base, { action: "set-properties", updates: { owner: "ann" } });
    expect(fromText(after).properties["owner"]).toBe("ann");
    expect(changedLines(fileText("v1-pretty.metadata.json"), after).length).toBeLessThanOrEqual(3);
  });

  it("keeps the bytes of the schemas that stay", () => {
    const base = readFile("v2-spark-history.metadata.json");
    const [first] = base.schemas;
    if (first === undefined) throw new Error("the file has schemas");
    const schema = {
      ...first,
      fields: [...first.fields, { id: 999, name: "extra", required: false, type: { kind: "int" as const } }],
    };
    const after = commit(base, { action: "add-schema", schema, lastColumnId: 999 });
    const schemasOf = (document: string): string =>
      document.slice(document.indexOf('"schemas"'), document.indexOf('"default-spec-id"'));
    const before = schemasOf(fileText("v2-spark-history.metadata.json"));
    expect(schemasOf(after).startsWith(before.slice(0, before.lastIndexOf("]")))).toBe(true);
  });

  it("keeps the place and the spelling of properties and refs that stay", () => {
    const base = fromText(
      fileText("v3-minimal.metadata.json").replace("{", '{"properties": { "b" : "\\u00e9", "a":"1" ,"c": "2"},'),
    );
    const after = commit(
      base,
      { action: "set-properties", updates: { a: "9", d: "4" } },
      { action: "remove-properties", removals: ["c"] },
    );
    expect(after).toContain('"properties": { "b" : "\\u00e9", "a":"9", "d" : "4"}');
  });

  it("removes elements and keeps the others' bytes", () => {
    const base = readFile("v2-spark-history.metadata.json");
    const ids = [...base.snapshots].map((snapshot) => snapshot.snapshotId);
    const second = ids[1];
    if (second === undefined) throw new Error("the file has snapshots");
    const after = commit(base, { action: "remove-snapshots", snapshotIds: [second] });
    expect([...fromText(after).snapshots].map((snapshot) => snapshot.snapshotId)).toEqual(ids.filter((id) => id !== second));
    const raw = base.snapshots.rawAt(2);
    expect(raw === undefined ? "" : text(raw)).not.toBe("");
    expect(after).toContain(raw === undefined ? "?" : text(raw));
  });

  it("upgrades a version 1 file: lists come in, the old single members go", () => {
    const base = readFile("v1-fields-only.metadata.json");
    const after = commit(base, { action: "upgrade-format-version", formatVersion: 2 });
    expect(Object.keys(parseJson(after) ?? {})).toEqual([
      "format-version",
      "table-uuid",
      "location",
      "last-sequence-number",
      "last-updated-ms",
      "last-column-id",
      "current-schema-id",
      "schemas",
      "default-spec-id",
      "partition-specs",
      "last-partition-id",
      "default-sort-order-id",
      "sort-orders",
      "properties",
      "current-snapshot-id",
      "snapshots",
    ]);
  });

  it.each([2, 3] as const)("upgrades a file to version %i without members that had no meaning before", (formatVersion) => {
    const strays = { "last-sequence-number": 34, "next-row-id": 7 };
    const base = fromText(writeJson(edited("v1-fields-only.metadata.json", strays)));
    expect(text(writeMetadata(base))).toContain('"last-sequence-number":34');
    const after = fromText(commit(base, { action: "upgrade-format-version", formatVersion }));
    expect([after.lastSequenceNumber, after.nextRowId]).toEqual([0n, formatVersion === 3 ? 0n : null]);
  });

  it("keeps a version 1 file without lists as it is while its schema stays", () => {
    const base = readFile("v1-fields-only.metadata.json");
    const after = commit(base, { action: "set-properties", updates: { a: "1" } });
    expect(changedLines(fileText("v1-fields-only.metadata.json"), after).map((line) => line.trim())).toEqual([
      '"last-updated-ms": 1602638573875,',
      '"properties": {',
      '"a": "1"',
    ]);
  });

  it("adds no member that a file does without as long as its version stays", () => {
    const base = fromText(
      writeJson(
        edited("v1-pretty.metadata.json", {
          "partition-specs": [{ "spec-id": 0, fields: [] }],
          "default-spec-id": 0,
          "partition-spec": undefined,
        }),
      ),
    );
    expect(commit(base, { action: "set-properties", updates: { a: "1" } })).not.toContain('"partition-spec":');
  });

  it("writes a changed schema of version 1 in both places", () => {
    const base = readFile("v1-fields-only.metadata.json");
    const [first] = base.schemas;
    if (first === undefined) throw new Error("the file has a schema");
    const schema = { ...first, fields: first.fields.slice(0, 2) };
    const after = fromText(
      commit(base, { action: "add-schema", schema, lastColumnId: 3 }, { action: "set-current-schema", schemaId: -1 }),
    );
    expect(after.schemas.map((one) => one.fields.length)).toEqual([3, 2]);
    const document = parseJson(text(writeMetadata(after)));
    expect(document).toMatchObject({ schema: { "schema-id": 1, fields: [{ id: 1 }, { id: 2 }] }, "current-schema-id": 1 });
  });

  it("splices any property edits into any layout of the same document", () => {
    const key = fc.constantFrom("a", "b", 'q"', "é", "__proto__", "0");
    const map = fc.dictionary(key, fc.string(), { noNullPrototype: true });
    fc.assert(
      fc.property(map, map, fc.constantFrom("", " ", "\t", "    "), (before, after, indent) => {
        const document = writeJson(
          { ...(parseJson(fileText("v3-minimal.metadata.json")) as object), properties: before },
          { indent },
        );
        const base = fromText(document);
        expect(base.properties).toEqual(before);
        const written = text(writeMetadata({ ...base, properties: after }));
        expect(fromText(written).properties).toEqual(after);
        expect(fromText(text(writeMetadata({ ...fromText(written), properties: before }))).properties).toEqual(before);
      }),
    );
  });

  it("splices any list edits into any layout of the same document", () => {
    const entries = fc.array(fc.record({ timestampMs: fc.constant(1602638573590), metadataFile: fc.string() }), { maxLength: 5 });
    fc.assert(
      fc.property(
        entries,
        fc.array(fc.nat({ max: 9 }), { maxLength: 6 }),
        fc.constantFrom("", " ", "\t"),
        (log, picks, indent) => {
          const json = log.map((entry) => ({ "timestamp-ms": entry.timestampMs, "metadata-file": entry.metadataFile }));
          const base = fromText(
            writeJson({ ...(parseJson(fileText("v3-minimal.metadata.json")) as object), "metadata-log": json }, { indent }),
          );
          const next = picks.map((pick) => base.metadataLog[pick] ?? { timestampMs: 1602638573590, metadataFile: `new ${pick}` });
          const written = fromText(text(writeMetadata({ ...base, metadataLog: next })));
          expect(written.metadataLog).toEqual(next);
        },
      ),
    );
  });

  it("parses no snapshot that a commit does not look at, and copies it as it is", () => {
    const unreadable = (id: number): string => `{"snapshot-id": ${id}, "timestamp-ms": nonsense}`;
    const readable = (id: number): string => `{"snapshot-id": ${id}, "timestamp-ms": 1602638573590, "manifest-list": "s3://m"}`;
    const snapshots = Array.from({ length: 500 }, (_, index) =>
      index === 3 || index === 499 ? readable(index + 1) : unreadable(index + 1),
    );
    const list = `"snapshots":[${snapshots.join(" , ")}]`;
    const refs = '"current-snapshot-id":500,"refs":{"old":{"snapshot-id":4,"type":"tag"}},';
    const base = fromText(fileText("v3-minimal.metadata.json").replace("{", `{${refs}${list},`));
    const snapshot = {
      ...(base.snapshots.at(499) ?? fail()),
      snapshotId: 501n,
      sequenceNumber: 35n,
      firstRowId: 0n,
      addedRows: 1n,
    };
    const after = commit(
      base,
      { action: "add-snapshot", snapshot },
      { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: 501n, type: "branch" } },
    );
    expect(after).toContain(`${list.slice(0, -1)},{`);
    expect(fromText(after).currentSnapshotId).toBe(501n);
    expect(() => [...base.snapshots]).toThrow(ToolError);
  });
});

function fail(): never {
  throw new Error("there is no such snapshot");
}
