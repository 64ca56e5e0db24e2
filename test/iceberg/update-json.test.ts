// Updates and requirements in the REST spec's JSON form, both ways; old keys are read too.
import { describe, expect, it } from "vitest";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { writeJson } from "../../src/iceberg/json-write.ts";
import { readRequirement, writeRequirement } from "../../src/iceberg/requirement-json.ts";
import { readUpdate, writeUpdate } from "../../src/iceberg/update-json.ts";

// Texts as Java's MetadataUpdateParser and UpdateRequirementParser write them.
const UPDATES = [
  '{"action":"assign-uuid","uuid":"9510c070-5e6d-4b40-bf40-a8915bb76e5d"}',
  '{"action":"upgrade-format-version","format-version":2}',
  '{"action":"add-schema","schema":{"type":"struct","schema-id":0,"fields":[{"id":1,"name":"id","required":true,"type":"long"},{"id":2,"name":"x","required":false,"type":"double","write-default":1.0}]},"last-column-id":2}',
  '{"action":"set-current-schema","schema-id":-1}',
  '{"action":"add-spec","spec":{"spec-id":1,"fields":[{"name":"id_bucket","transform":"bucket[8]","source-id":1,"field-id":1000}]}}',
  '{"action":"set-default-spec","spec-id":4}',
  '{"action":"add-sort-order","sort-order":{"order-id":3,"fields":[{"transform":"identity","source-id":1,"direction":"desc","null-order":"nulls-last"}]}}',
  '{"action":"set-default-sort-order","sort-order-id":2}',
  '{"action":"add-snapshot","snapshot":{"sequence-number":9223372036854775807,"snapshot-id":9007199254740993,"parent-snapshot-id":9007199254740995,"timestamp-ms":1700000000000,"summary":{"operation":"append","files":"4"},"manifest-list":"s3://b/m.avro","schema-id":1,"first-row-id":9007199254740997,"added-rows":3,"key-id":"k"}}',
  '{"action":"set-snapshot-ref","ref-name":"audit","snapshot-id":9007199254740993,"type":"branch","min-snapshots-to-keep":2,"max-snapshot-age-ms":3,"max-ref-age-ms":4}',
  '{"action":"set-snapshot-ref","ref-name":"hourly","snapshot-id":1,"type":"tag"}',
  '{"action":"remove-snapshots","snapshot-ids":[2,9007199254740993]}',
  '{"action":"remove-snapshot-ref","ref-name":"audit"}',
  '{"action":"set-location","location":"s3://b/t"}',
  '{"action":"set-properties","updates":{"prop1":"val1","prop2":""}}',
  '{"action":"remove-properties","removals":["prop1","prop2"]}',
  '{"action":"remove-partition-specs","spec-ids":[1,2]}',
  '{"action":"remove-schemas","schema-ids":[1]}',
];

const REQUIREMENTS = [
  '{"type":"assert-create"}',
  '{"type":"assert-table-uuid","uuid":"2cc52516-5e73-41f2-b139-545d41a4e151"}',
  '{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":9007199254740993}',
  '{"type":"assert-ref-snapshot-id","ref":"main","snapshot-id":null}',
  '{"type":"assert-last-assigned-field-id","last-assigned-field-id":12}',
  '{"type":"assert-current-schema-id","current-schema-id":4}',
  '{"type":"assert-last-assigned-partition-id","last-assigned-partition-id":1004}',
  '{"type":"assert-default-spec-id","default-spec-id":5}',
  '{"type":"assert-default-sort-order-id","default-sort-order-id":10}',
];

describe("updates", () => {
  it.each(UPDATES)("read and write %s", (text) => {
    expect(writeJson(writeUpdate(readUpdate(parseJson(text))))).toBe(text);
  });

  it("know every action once", () => {
    expect(new Set(UPDATES.map((text) => /"action":"([^"]+)"/.exec(text)?.[1])).size).toBe(17);
  });

  it("keep ids exact", () => {
    expect(readUpdate(parseJson('{"action":"remove-snapshots","snapshot-ids":[9007199254740993,5]}'))).toEqual({
      action: "remove-snapshots",
      snapshotIds: [9007199254740993n, 5n],
    });
  });

  it("are read with the keys of older writers; where both stand, the newer counts", () => {
    expect(readUpdate({ action: "set-properties", updated: { a: "1" } })).toMatchObject({ updates: { a: "1" } });
    expect(readUpdate({ action: "remove-properties", removed: ["a"] })).toMatchObject({ removals: ["a"] });
    expect(readUpdate({ action: "set-properties", updated: { a: "1" }, updates: { b: "2" } })).toMatchObject({
      updates: { b: "2" },
    });
  });

  it("without a last column id take the schema's highest", () => {
    const schema = {
      type: "struct",
      fields: [
        { id: 3, name: "a", required: false, type: { type: "list", "element-id": 7, element: "int", "element-required": false } },
      ],
    };
    expect(readUpdate({ action: "add-schema", schema })).toMatchObject({ lastColumnId: 7 });
  });

  it("read an age of for ever, and write it within 64 bits", () => {
    const text = '{"action":"set-snapshot-ref","ref-name":"a","snapshot-id":1,"type":"tag","max-ref-age-ms":9223372036854775807}';
    expect(writeJson(writeUpdate(readUpdate(parseJson(text))))).toBe(text);
  });

  it("read the action in any case, and refuse what they do not know", () => {
    expect(readUpdate({ action: "Set-Location", location: "x" })).toEqual({ action: "set-location", location: "x" });
    const unknown = expect.objectContaining({ kind: "unsupported", why: 'The table update "add-view-version" is not known' });
    expect(() => readUpdate({ action: "add-view-version" })).toThrow(unknown);
    expect(() => readUpdate({ action: "toString" })).toThrow(expect.objectContaining({ kind: "unsupported" }));
  });

  it.each([
    [{}, "update.action"],
    [{ action: "set-location" }, "update.location"],
    [{ action: "remove-snapshots", "snapshot-ids": ["1"] }, "update.snapshot-ids[0]"],
    [{ action: "set-properties", updates: { a: null } }, "update.updates.a"],
    [{ action: "remove-properties", removals: [1] }, "update.removals[0]"],
    [{ action: "set-snapshot-ref", "ref-name": "a", "snapshot-id": 1, type: "twig" }, "update.type"],
    [{ action: "add-snapshot", snapshot: { "snapshot-id": 1, "timestamp-ms": 1 } }, "update.snapshot.manifests"],
  ])("refuse %j with the path", (json, path) => {
    expect(() => readUpdate(json)).toThrow(expect.objectContaining({ kind: "corrupt", message: `Cannot read "${path}"` }));
  });
});

describe("requirements", () => {
  it.each(REQUIREMENTS)("read and write %s", (text) => {
    expect(writeJson(writeRequirement(readRequirement(parseJson(text))))).toBe(text);
  });

  it("take an absent snapshot id for null, and refuse types that they do not know", () => {
    expect(readRequirement({ type: "assert-ref-snapshot-id", ref: "a" })).toEqual({
      type: "assert-ref-snapshot-id",
      ref: "a",
      snapshotId: null,
    });
    expect(() => readRequirement({ type: "assert-view-uuid", uuid: "x" })).toThrow(
      expect.objectContaining({ kind: "unsupported" }),
    );
  });
});
