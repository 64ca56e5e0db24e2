// The smallest declaration and live table that bring each finding of a plan. Every plan is made by the real planner out
// of YAML text and a metadata document.
import type { PreflightCounts } from "../../../../src/conversion/preflight.ts";
import type { PLAN_CODES } from "../../../../src/diagnostics/codes/plan.ts";
import type { REWRITE_CODES } from "../../../../src/diagnostics/codes/rewrite.ts";
import { readTable } from "../../../../src/desired/declaration/read-table.ts";
import { parseYaml } from "../../../../src/desired/parse-yaml.ts";
import { sourceText } from "../../../../src/desired/yaml/source-text.ts";
import { applyUpdates } from "../../../../src/iceberg/apply-update.ts";
import type { Evidence } from "../../../../src/iceberg/evidence.ts";
import { glueState } from "../../../../src/iceberg/glue-state.ts";
import type { JsonObject } from "../../../../src/iceberg/json.ts";
import { currentSchema, type TableMetadata } from "../../../../src/iceberg/table-metadata.ts";
import type { Field } from "../../../../src/iceberg/type.ts";
import { conversionProperty } from "../../../../src/plan/base.ts";
import { simulate } from "../../../../src/plan/simulate.ts";
import { planTable } from "../../../../src/plan/plan-table.ts";
import type { PlanInput } from "../../../../src/plan/table-pair.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "../../../plan/facts.ts";
import { applied, field, inputOf, liveOf, metadataOf, schemaOf, type SpecOptions } from "../../../plan/support.ts";
import type { Picture } from "../wall.ts";

/** All but those of the engine, which finds them in data files. */
export type PlannedCode = Exclude<keyof typeof PLAN_CODES, "convert-file-unsupported" | "convert-no-field-ids">;

const FILE = "tables/t.yaml";
const A = "{ name: a, type: string }";
const B = "{ name: b, type: string }";
const DAY = "{ name: day, type: date, convert: { from: string, format: yyyyMMdd } }";
const X = "{ name: x, type: int }";
const drop = (name: string): string => `dropped: [ { field: ${name}, reason: unused } ]`;
const table = (columns: readonly string[], ...more: readonly string[]): string =>
  ["table: ns.t", "columns:", ...columns.map((one) => `  - ${one}`), ...more, ""].join("\n");

const ab = (more: JsonObject = {}): TableMetadata =>
  metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"))], more);
const day = (more: JsonObject = {}, column: JsonObject = {}): TableMetadata =>
  metadataOf([schemaOf(field(1, "day", "string", column), field(2, "x", "int"))], more);
const rows = (more: JsonObject = {}): TableMetadata => day({ ...SNAPSHOT, ...more });
const evidence = (more: Partial<Evidence>): { readonly evidence: Evidence } => ({ evidence: { ...PLAIN_EVIDENCE, ...more } });
const sortedBy = (id: number): JsonObject => ({
  "sort-orders": [
    { "order-id": 1, fields: [{ "source-id": id, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
  ],
  "default-sort-order-id": 1,
});
const partitionedBy = (id: number, name: string): JsonObject => ({
  "partition-specs": [
    { "spec-id": 0, fields: [{ "source-id": id, "field-id": 1000, transform: "identity", name }] },
    { "spec-id": 1, fields: [] },
  ],
  "default-spec-id": 1,
  "last-partition-id": 1000,
});
const refs = (others: Readonly<Record<string, string>>): JsonObject => ({
  ...SNAPSHOT,
  refs: Object.fromEntries(
    Object.entries({ main: "branch", ...others }).map(([name, type]) => [name, { "snapshot-id": 7, type }]),
  ),
});
const HEAD = SNAPSHOT.snapshots[0] ?? {};

const GLUE = { catalogState: glueState("t", null) };

type Options = SpecOptions & { readonly evidence?: Evidence };

function scene(yaml: string, live: TableMetadata | null, options: Options = {}, more: Partial<PlanInput> = {}): Picture {
  const { plan } = planTable({ ...inputOf(yaml, live, options), ...more });
  return { found: [...plan.blockers, ...plan.notes], sources: (file) => (file === FILE ? yaml : undefined) };
}

/** A foreign writer's commit: the same schema with other fields. */
function foreign(metadata: TableMetadata, change: (fields: readonly Field[]) => readonly Field[]): TableMetadata {
  const schema = currentSchema(metadata);
  return applyUpdates(
    metadata,
    [
      {
        action: "add-schema",
        schema: { ...schema, fields: change(schema.fields) },
        lastColumnId: Math.max(metadata.lastColumnId, ...change(schema.fields).map(({ id }) => id)),
      },
      { action: "set-current-schema", schemaId: -1 },
    ],
    { nowMs: metadata.lastUpdatedMs, previousMetadataLocation: null },
  );
}

/** With a conversion that apply remembered. */
function converted(value?: string): TableMetadata {
  const [key, written] = conversionProperty({
    newId: 3,
    retired: { id: 1, name: "day", required: false, type: { kind: "string" } },
    parentId: null,
    rule: { from: "string", format: "yyyyMMdd", onError: "fail", trim: false, emptyAsNull: false, writersStopped: false },
    before: { schemaId: 0, refs: { main: 7n } },
    after: { main: 8n },
  });
  return metadataOf([schemaOf(field(3, "day", "date"), field(2, "x", "int"))], {
    ...SNAPSHOT,
    properties: { [key]: value ?? written },
  });
}

function counted(onError: string): Picture {
  const counts: PreflightCounts = {
    values: 41_203_118n,
    nulls: 12n,
    becomeNull: 0n,
    failures: new Map([["impossible-date", 3n]]),
    losses: new Map([["leading-zeros", 2n]]),
    files: 1,
    bytesRead: 1,
  };
  const yaml = table([DAY.replace(" } }", `, on-error: ${onError} } }`), X]);
  return scene(yaml, rows(), evidence({}), { preflight: new Map([[1, counts]]) });
}

function convert(live: TableMetadata, more: Partial<Evidence> = {}, yaml = table([DAY, X])): Picture {
  return scene(yaml, live, evidence(more));
}

/** Of the file alone: the rule is read before any table is looked at. */
function rule(type: string, words: string): Picture {
  const yaml = table([`{ name: c, type: ${type}, convert: { from: string${words} } }`]);
  const parsed = parseYaml(sourceText(FILE, yaml));
  const found = readTable(parsed, { groups: new Map(), environments: ["prod"] }).diagnostics;
  return { found, sources: () => yaml };
}

export const PLAN_SCENES: Readonly<Record<PlannedCode, () => Picture>> = {
  "catalog-refuses": () => scene(table([A, B, `{ name: ${"c".repeat(256)}, type: int }`]), ab(), {}, GLUE),
  "catalog-shows": () => scene(table([A, B, `{ name: c, type: int, comment: "${"long ".repeat(60)}" }`]), ab(), {}, GLUE),
  "conversion-memory-unreadable": () => scene(table(["{ name: day, type: date }", X]), converted("{")),
  "conversion-loses": () => counted("set-null"),
  "conversion-reverted": () => scene(table(["{ name: day, type: string }", X]), converted()),
  "conversion-values-fail": () => counted("fail"),
  "convert-branches": () => convert(rows(refs({ audit: "branch" }))),
  "convert-delete-files": () => convert(rows(), { positionDeleteFiles: 2 }),
  "convert-encrypted": () => convert(rows(), { encryptedFiles: 1 }),
  "convert-file-format": () => convert(rows(), { formats: new Map([["ORC", 2]]) }),
  "convert-from-differs": () => convert(metadataOf([schemaOf(field(1, "day", "int"), field(2, "x", "int"))])),
  "convert-identifier": () =>
    convert(
      metadataOf([
        { fields: [field(1, "day", "string", { required: true }), field(2, "x", "int")], "identifier-field-ids": [1] },
      ]),
      {},
      table([DAY.replace("date,", "date, required: true,"), X]),
    ),
  "convert-nested": () =>
    scene(
      table([`{ name: s, type: struct, fields: [ ${DAY} ] }`]),
      metadataOf([schemaOf(field(1, "s", { type: "struct", fields: [field(2, "day", "string")] }))]),
    ),
  "convert-partition-source": () => convert(rows(partitionedBy(1, "day"))),
  "convert-required": () =>
    convert(day(SNAPSHOT, { required: true }), {}, table([DAY.replace("date,", "date, required: true,"), X])),
  "convert-row-lineage": () =>
    convert(rows({ "format-version": 3, "next-row-id": 10, snapshots: [{ ...HEAD, "first-row-id": 0, "added-rows": 10 }] })),
  "convert-sort-source": () => convert(rows(sortedBy(1))),
  "convert-staged": () =>
    convert(
      rows({
        "last-sequence-number": 2,
        refs: { main: { "snapshot-id": 7, type: "branch" } },
        snapshots: [HEAD, { ...HEAD, "snapshot-id": 8, "sequence-number": 2, summary: { operation: "append", "wap.id": "w" } }],
      }),
    ),
  "equality-delete-field-dropped": () =>
    scene(table([A], drop("b")), ab(SNAPSHOT), evidence({ equalityDeleteFiles: 1, equalityIds: new Set([2]) })),
  "field-conflict": () => {
    const base = applied(table(["{ name: a, type: string, comment: base }", B]), ab());
    const theirs = foreign(base, (fields) => fields.map((one) => (one.id === 1 ? { ...one, doc: "theirs" } : one)));
    return scene(table(["{ name: a, type: string, comment: ours }", B]), theirs);
  },
  "field-dropped-elsewhere": () => {
    const base = applied(table(["{ name: a, type: string, comment: x }", B]), ab());
    return scene(
      table([A, B]),
      foreign(base, (fields) => fields.filter(({ id }) => id !== 2)),
    );
  },
  "field-dropped-unacknowledged": () =>
    scene(table([A, "{ name: is_legacy, type: string }"]), applied(table([A, "{ name: legacy, type: string }"]), ab())),
  "first-memory": () =>
    scene(table([A, B, X]), ab(), {}, { catalog: { ...inputOf(table([A]), null).catalog, seenByAthena: true } }),
  "format-refuses": () =>
    scene(table([A, "{ name: b, type: int }"]), metadataOf([schemaOf(field(1, "a", "string", { "initial-default": "x" }))])),
  "format-version-lowered": () => scene(table([A, B], "format-version: 2"), ab({ "format-version": 3, "next-row-id": 0 })),
  "identifier-dropped": () =>
    scene(
      table([B], drop("a")),
      metadataOf([
        { fields: [field(1, "a", "string", { required: true }), field(2, "b", "string")], "identifier-field-ids": [1] },
      ]),
    ),
  "identifier-optional": () =>
    scene(
      table([A, B]),
      metadataOf([
        { fields: [field(1, "a", "string", { required: true }), field(2, "b", "string")], "identifier-field-ids": [1] },
      ]),
    ),
  "late-files": () =>
    scene(
      table([DAY, X]),
      converted(),
      evidence({ lateFiles: [{ retiredId: 1, newId: 3, files: 2, records: 20n, unclear: 0, equalityDeleteFiles: 0 }] }),
    ),
  "map-key-changed": () =>
    scene(
      table(['{ name: m, type: "map<long, string>" }']),
      metadataOf([
        schemaOf(
          field(1, "m", { type: "map", "key-id": 2, key: "int", "value-id": 3, value: "string", "value-required": false }),
        ),
      ]),
    ),
  "name-differs-in-case": () => scene(table(["{ name: A, type: string }", B]), ab()),
  "other-owner": () => scene(table([A, B]), ab({ properties: { "floeplan.owner": "billing" } }), { project: "sales" }),
  "partition-source-dropped": () =>
    scene(
      table([A], drop("b")),
      ab({ ...SNAPSHOT, ...partitionedBy(2, "b") }),
      evidence({
        specUsage: new Map([
          [0, { snapshots: 4, liveFiles: 2 }],
          [1, { snapshots: 3, liveFiles: 9 }],
        ]),
      }),
    ),
  "pinned-id-unknown": () => scene(table([A, B, "{ name: c, type: string, id: 99 }"]), ab()),
  "property-conflict": () => {
    const base = applied(table([A, B], "properties: { write.x: base }"), ab());
    const theirs = { ...base, properties: { ...base.properties, "write.x": "theirs" } };
    return scene(table([A, B], "properties: { write.x: ours }"), theirs);
  },
  "ref-readers": () => scene(table([A], drop("b")), ab(refs({ audit: "branch", v1: "tag" }))),
  "rename-ambiguous": () => scene(table(["{ name: b, type: string, renamed-from: a }"]), ab()),
  "rename-likely": () => scene(table(["{ name: a2, type: string }", B]), ab()),
  "renamed-from-not-found": () => scene(table([A, B, "{ name: c, type: string, renamed-from: [ bb ] }"]), ab()),
  "rename-cycle": () =>
    scene(table(["{ name: a, type: string, renamed-from: b }", "{ name: b, type: string, renamed-from: a }"]), ab()),
  "required-unproved": () =>
    scene(
      table([A.replace("string", "string, required: true"), B]),
      ab(SNAPSHOT),
      evidence({ fields: new Map([[1, { files: 1, values: 10n, nulls: 3n, sizeBytes: 100n }]]) }),
    ),
  "required-without-default": () => scene(table([A, B, "{ name: c, type: int, required: true }"]), ab()),
  "restored-field-required": () =>
    scene(table([A, B.replace("string", "string, required: true")]), applied(table([A], drop("b")), ab())),
  "rewrite-readers": () => convert(rows()),
  "rewrite-too-large": () =>
    scene(table([DAY, X]), rows(), {
      ...evidence({ fields: new Map([[1, { files: 1, values: 10n, nulls: 0n, sizeBytes: 3n * 1024n ** 3n }]]) }),
      policy: { maxRewriteBytes: 2 * 1024 ** 3 },
    }),
  "simulation-differs": () => {
    const declared = inputOf(table([A, B, X]), ab());
    const other = planTable(inputOf(table([A, B, "{ name: y, type: int }"]), ab())).change;
    return { found: other === null ? [] : simulate(declared, other).problems };
  },
  "sort-source-dropped": () => scene(table([A], drop("b")), ab(sortedBy(2))),
  "table-copied": () => {
    const yaml = table([DAY, X]);
    const live = { ...liveOf(rows()), metadataLocation: "/copy/ns/t/metadata/v1.metadata.json" };
    return scene(yaml, null, evidence({}), { live });
  },
  "table-looks-renamed": () => {
    const old = { ...liveOf(applied(table([A, B]), ab())), identifier: { namespace: ["ns"], name: "old" } };
    return scene(table([A, B]), null, {}, { lookalikes: [old] });
  },
  "type-change-refused": () => scene(table([A.replace("string", "date"), B]), ab()),
  "type-kind-changed": () => scene(table([A.replace("string", "list<string>"), B]), ab()),
  "unmanaged-fields": () => scene(table([A], 'unmanaged: [ "b*" ]'), ab()),
};

export const CONVERSION_SCENES: Readonly<Record<keyof typeof REWRITE_CODES, () => Picture>> = {
  "conversion-unknown": () => rule("uuid", ""),
  "conversion-argument-refused": () => rule("int", ', format: "000"'),
  "conversion-format-wrong": () => rule("date", ", format: yyyymmdd"),
  "conversion-zone-missing": () => rule("timestamptz", ", format: yyyyMMddHHmmss"),
  "conversion-zone-wrong": () => rule("timestamptz", ", format: yyyyMMddHHmmss, zone: Europe/Vienna"),
  "conversion-values-wrong": () => rule("boolean", ", true-values: [ y, J ], false-values: [ n, j ]"),
};
