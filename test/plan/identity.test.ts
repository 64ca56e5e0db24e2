// What people approve stays the same as long as what is meant does: whatever the order of keys in a file, and however
// much is appended to the table meanwhile.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import type { Evidence } from "../../src/iceberg/evidence.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { PlannedTable } from "../../src/plan/plan-table.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "./facts.ts";
import { field, metadataOf, plan, schemaOf, stepsOf } from "./support.ts";

const YAML = `
table: ns.t
comment: Orders
columns:
  - { name: id, type: long, required: true, comment: key }
  - { name: total, type: "decimal(12,2)", renamed-from: [ sum, amount ] }
  - name: day
    type: date
    convert: { from: string, format: yyyyMMdd, on-error: set-null, trim: true }
  - name: items
    type: list<struct>
    fields:
      - { name: sku, type: string, comment: code }
      - { name: price, type: double }
  - name: tags
    type: map
    key: { type: string }
    value: { type: long, required: false }
  - { name: region, type: string }
dropped: [ { field: old, reason: unused } ]
identifier-fields: [ id ]
partition-by: [ "bucket(4, id) as shard", region ]
sort-by: [ region desc nulls last, id ]
properties: { write.b: 2, write.a: 1, write.c: null }
meta: { pii: false, sla: 4h }
`;
/** Everything at once: each kind of step that can go with the others. */
const STEPS = [
  "add-field items.element.price",
  "add-field region",
  "convert-type day",
  "drop-field old",
  "evolve-partition-spec partitioning",
  "move-field total",
  "rename-field total",
  "replace-sort-order sort order",
  "set-comment table comment",
  "set-doc id",
  "set-identifier-fields identifier fields",
  "set-optional tags.value",
  "set-properties write.a",
  "set-properties write.b",
  "widen-type total",
];
const items = {
  type: "list",
  "element-id": 7,
  "element-required": false,
  element: { type: "struct", fields: [field(8, "sku", "string", { doc: "code" })] },
};
const tags = { type: "map", "key-id": 9, key: "string", "value-id": 10, value: "long", "value-required": true };
const live = (more = {}): TableMetadata =>
  metadataOf(
    [
      schemaOf(
        field(1, "id", "long", { required: true }),
        field(2, "day", "string"),
        field(3, "amount", "decimal(9, 2)"),
        field(4, "old", "int"),
        field(5, "items", items),
        field(6, "tags", tags),
      ),
    ],
    { ...SNAPSHOT, ...more },
  );

const planned = (yaml: string, metadata: TableMetadata = live(), evidence: Evidence = PLAIN_EVIDENCE): PlannedTable =>
  plan(yaml, metadata, { evidence });

describe("a plan", () => {
  it("is the same whatever the order of keys in the file", () => {
    const first = planned(YAML);
    expect(stepsOf(first).sort()).toEqual(STEPS);
    const said = ({ plan: { steps, fingerprint, blockers }, change }: PlannedTable): unknown => ({
      steps: steps.map((step) => ({ ...step, place: null })),
      fingerprint,
      blockers,
      updates: change?.updates,
    });
    const document: unknown = parse(YAML);
    fc.assert(
      fc.property(fc.array(fc.nat(1000), { minLength: 100, maxLength: 100 }), (ranks) => {
        const numbers = ranks.values();
        const rank = (): number => {
          const { value } = numbers.next();
          if (value === undefined) throw new Error("the document has more keys than ranks");
          return value;
        };
        const text = stringify(shuffled(document, rank));
        expect(said(planned(text))).toEqual(said(first));
      }),
      { numRuns: 20 },
    );
  });

  it("keeps its fingerprint and the ids of its steps while rows are appended", () => {
    const [head] = SNAPSHOT.snapshots;
    const later = { ...head, "snapshot-id": 8, "parent-snapshot-id": 7, "sequence-number": 2, "timestamp-ms": 1_700_000_009_000 };
    const appended = live({
      "last-sequence-number": 2,
      "last-updated-ms": 1_700_000_009_000,
      "current-snapshot-id": 8,
      snapshots: [head, later],
    });
    const more: Evidence = {
      ...PLAIN_EVIDENCE,
      dataFiles: 7,
      records: 9000n,
      sizeBytes: 70_000n,
      fields: new Map([[2, { files: 7, values: 9000n, nulls: 3n, sizeBytes: 700n }]]),
      filesBySpec: new Map([[0, 7]]),
    };
    const [before, after] = [planned(YAML).plan, planned(YAML, appended, more).plan];
    expect(after.facts).not.toEqual(before.facts);
    expect(after.steps.map((step) => step.text)).not.toEqual(before.steps.map((step) => step.text));
    expect([after.fingerprint, after.steps.map((step) => step.id)]).toEqual([
      before.fingerprint,
      before.steps.map((step) => step.id),
    ]);
  });
});

function shuffled(value: unknown, rank: () => number): unknown {
  if (Array.isArray(value)) return value.map((one) => shuffled(one, rank));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([key, inner]) => ({ key, inner: shuffled(inner, rank), rank: rank() }));
  return Object.fromEntries(entries.sort((a, b) => a.rank - b.rank).map(({ key, inner }) => [key, inner]));
}
