// What a catalog answered is held against what it was sent, and taken back: in what the commit touched, and no more.
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { commitDifferences } from "../../src/iceberg/rest-differences.ts";
import { inverseCommit } from "../../src/iceberg/rest-inverse.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { LAST_ADDED, type TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { LARGEST_ID, newTableCommit, setProperty, snapshot, UPDATE_CASES } from "../conformance/table-commits.ts";

const base = applyUpdates(null, newTableCommit("s3://lake/t", { kept: "1" }).updates, {
  nowMs: 1,
  previousMetadataLocation: null,
});
const after = (updates: readonly TableUpdate[], from = base): TableMetadata =>
  applyUpdates(from, updates, { nowMs: 2, previousMetadataLocation: "s3://lake/t/1.json" });
const live = { identifier: { namespace: ["a"], name: "t" }, metadata: base, metadataLocation: "s3://lake/t/1.json", token: null };
const withFields = (...more: readonly Field[]): readonly TableUpdate[] => {
  const fields = base.schemas[0]?.fields ?? [];
  return [
    { action: "add-schema", schema: { schemaId: 0, identifierFieldIds: [], fields: [...fields, ...more] }, lastColumnId: 9 },
    { action: "set-current-schema", schemaId: LAST_ADDED },
  ];
};
const channel: Field = { id: 4, name: "channel", required: false, type: { kind: "string" }, doc: "Where it came from" };

describe("differences", () => {
  it("are none between what was sent and what that makes", () => {
    for (const [name, { before = [], updates }] of Object.entries(UPDATE_CASES)) {
      let state = base;
      for (const step of before) state = after(step({ ...live, metadata: state }), state);
      const all = updates({ ...live, metadata: state });
      const made = after(all, state);
      expect(commitDifferences(all, made, made), name).toEqual({ content: [], ids: [] });
    }
  });

  it("leave out what others did beside", () => {
    const updates = [setProperty("ours", "1")];
    const found = after([...updates, setProperty("theirs", "1"), ...withFields(channel)]);
    expect(commitDifferences(updates, after(updates), found)).toEqual({ content: [], ids: [] });
  });

  it.each([
    ["a lost doc", { ...channel, doc: undefined }, 'the doc of "channel" is missing'],
    ["another type", { ...channel, type: { kind: "int" } }, 'the field "channel" is int, not string'],
    ["another id", { ...channel, id: 5 }, 'the field "channel" has the id 5, not 4'],
    ["another name", { ...channel, name: "Channel" }, 'the field "channel" is missing'],
    ["required", { ...channel, required: true }, 'the field "channel" is optional'],
  ] as const)("name the field: %s", (_, { doc, ...kept }, told) => {
    const found = after(withFields({ ...kept, ...(doc === undefined ? {} : { doc }) }));
    const { content } = commitDifferences(withFields(channel), after(withFields(channel)), found);
    expect(content).toContain(told === 'the field "channel" is optional' ? 'the field "channel" is required' : told);
  });

  it("take a name mapping for what it means, not for how it is written", () => {
    const key = "schema.name-mapping.default";
    const sent = [setProperty(key, '[{"field-id":1,"names":["a","b"]},{"field-id":2,"names":["c"],"fields":[]}]')];
    const answer = (text: string): readonly string[] =>
      commitDifferences(sent, after(sent), after([setProperty(key, text)])).content;
    expect(answer('[ {"names": ["c"], "field-id": 2}, {"names": ["b", "a"], "field-id": 1} ]')).toEqual([]);
    expect(answer('[{"field-id":1,"names":["a"]},{"field-id":2,"names":["c"]}]')).toEqual([
      `the property "${key}" has another value`,
    ]);
    expect(answer("[")).toHaveLength(1);
  });
});

describe("the way back", () => {
  const there: readonly TableUpdate[] = [
    ...withFields(channel),
    { action: "add-snapshot", snapshot: snapshot(live, LARGEST_ID, null) },
    { action: "set-snapshot-ref", refName: "main", ref: { snapshotId: LARGEST_ID, type: "branch" } },
    setProperty("kept", "2"),
    setProperty("ours", "1"),
    { action: "set-location", location: "s3://lake/moved" },
  ];

  it("brings back all that a commit set, and needs the table to be as the commit left it", () => {
    const made = after(there);
    const inverse = inverseCommit(there, base, made);
    if (inverse === null) throw new Error("There is a way back");
    const back = after(inverse.updates, made);
    expect(commitDifferences(there, base, back)).toEqual({ content: [], ids: [] });
    expect([back.currentSnapshotId, [...back.snapshots], back.properties, back.location]).toEqual([
      null,
      [],
      { kept: "1" },
      "s3://lake/t",
    ]);
    expect(inverse.requirements).toContainEqual({ type: "assert-ref-snapshot-id", ref: "main", snapshotId: LARGEST_ID });
    expect(inverse.requirements).toContainEqual({ type: "assert-current-schema-id", currentSchemaId: made.currentSchemaId });
  });

  it("is none where something is gone for good, or nothing is to bring back", () => {
    const upgrade: readonly TableUpdate[] = [{ action: "upgrade-format-version", formatVersion: 3 }, setProperty("a", "1")];
    expect(inverseCommit(upgrade, base, after(upgrade))).toBeNull();
    expect(inverseCommit([setProperty("a", "1")], base, base)).toBeNull();
  });
});
