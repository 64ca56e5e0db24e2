// Random tables under random edits: every plan ends at the declaration, ids follow what was meant, a dropped id is
// never given to another field, and the next plan is empty (I1 to I4). Foreign columns are never lost. Partition and
// sort fields go with their columns. A failure prints the seed of its run.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { Evidence } from "../../src/iceberg/evidence.ts";
import type { PartitionSpec } from "../../src/iceberg/partition-spec.ts";
import { indexSchema } from "../../src/iceberg/schema-index.ts";
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { baseProperties } from "../../src/plan/base.ts";
import { planTable } from "../../src/plan/plan-table.ts";
import { declaredFieldIds, simulatedPair } from "../../src/plan/simulate.ts";
import type { PlanInput } from "../../src/plan/table-pair.ts";
import { Declaration } from "./declaration.ts";
import { PLAIN_EVIDENCE } from "./facts.ts";
import { Model, type ModelField } from "./model.ts";
import { inputOf, liveOf } from "./support.ts";

const edit = fc.record({ kind: fc.nat(1000), a: fc.nat(1000), b: fc.nat(1000) });
/** Every second one of partition or sort fields (declaration.ts). */
const layoutEdits = fc.array(
  fc.oneof(
    edit,
    edit.map((one) => ({ ...one, kind: 16 + (one.kind % 19) })),
  ),
  { minLength: 1, maxLength: 8 },
);
const edits = fc.array(edit, { minLength: 1, maxLength: 8 });

type Declared = Pick<Model, "levels" | "spec">;

function input(model: Declared, live: TableMetadata | null, dropped: readonly string[]): PlanInput {
  const base = inputOf("table: ns.t\ncolumns:\n  - { name: x, type: int }\n", null);
  return { ...base, spec: model.spec(dropped), live: live === null ? null : liveOf(live) };
}

/** Plans and applies; gives the metadata with floeplan's memory. */
function take(model: Declared, live: TableMetadata | null): TableMetadata {
  const { metadata, blockers } = tryTake(model, live, null);
  expect(blockers).toEqual([]);
  return metadata;
}

interface Taken {
  readonly metadata: TableMetadata;
  readonly blockers: readonly string[];
}

function tryTake(model: Declared, live: TableMetadata | null, evidence: Evidence | null): Taken {
  const dropped = live === null ? [] : droppedPaths(model, live);
  const one = { ...input(model, live, dropped), evidence };
  const { plan, change } = planTable(one);
  const blockers = plan.blockers.map(({ code }) => code);
  if (change === null && live !== null) return { metadata: live, blockers };
  if (change === null) throw new Error(`A new table is not planned: ${blockers.join(", ")}`);
  const after = simulatedPair(one, change);
  const metadata = after.live?.metadata;
  if (metadata === undefined) throw new Error("nothing is live");
  const { set } = baseProperties({
    fieldIds: declaredFieldIds(after),
    schemaId: metadata.currentSchemaId,
    specId: 0,
    sortOrderId: 0,
    properties: {},
    glueParameters: {},
    commit: null,
    plan: plan.fingerprint,
    environment: "prod",
    reason: null,
    attempt: "a",
  });
  const remembered = applyUpdates(metadata, [{ action: "set-properties", updates: set }], {
    nowMs: metadata.lastUpdatedMs,
    previousMetadataLocation: null,
  });
  return { metadata: remembered, blockers };
}

/** Live paths that the model no longer declares, told by the keys' ids. */
let idOfKey = new Map<number, number>();

function droppedPaths(model: Declared, live: TableMetadata): string[] {
  const index = indexSchema(currentSchema(live));
  const alive = new Set(allFields(model).map((field) => field.key));
  return [...idOfKey].flatMap(([key, id]) =>
    alive.has(key) || index.byId(id) === undefined ? [] : [index.segments(id).join(".")],
  );
}

function allFields(model: Declared): ModelField[] {
  return model.levels().flatMap((level) => level.fields);
}

/** Which id each key has now, by walking both trees by name. */
function idsNow(model: Declared, live: TableMetadata): Map<number, number> {
  const index = indexSchema(currentSchema(live));
  const ids = new Map<number, number>();
  for (const { fields, path } of model.levels()) {
    for (const field of fields) {
      const node = index.byPath([...path, field.name]);
      if (node === undefined) throw new Error(`"${[...path, field.name].join(".")}" is declared and not live`);
      ids.set(field.key, node.id);
    }
  }
  return ids;
}

/** Every key keeps its id, and no id goes to another key. */
function followIds(model: Declared, live: TableMetadata, owner: Map<number, number>): void {
  for (const [key, id] of idsNow(model, live)) {
    const before = idOfKey.get(key);
    if (before !== undefined) expect(id, `key ${key} keeps its id`).toBe(before);
    expect(owner.get(id) ?? key, `id ${id} has one owner`).toBe(key);
    owner.set(id, key);
    idOfKey.set(key, id);
  }
}

function foreign(live: TableMetadata, name: string): TableMetadata {
  const schema = currentSchema(live);
  const id = live.lastColumnId + 1;
  const field: Field = { id, name, required: false, type: { kind: "string" } };
  return applyUpdates(
    live,
    [
      { action: "add-schema", schema: { ...schema, fields: [...schema.fields, field] }, lastColumnId: id },
      { action: "set-current-schema", schemaId: -1 },
    ],
    { nowMs: live.lastUpdatedMs, previousMetadataLocation: null },
  );
}

describe("random edits", () => {
  it("keep ids, never reuse one, and leave an empty plan", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(
        fc.array(edits, { minLength: 1, maxLength: 4 }),
        fc.array(fc.boolean(), { minLength: 4, maxLength: 4 }),
        (rounds, strangers) => {
          const model = new Model();
          idOfKey = new Map();
          let live = take(model, null);
          idOfKey = idsNow(model, live);
          const owner = new Map([...idOfKey].map(([key, id]) => [id, key]));
          const foreignIds: number[] = [];
          rounds.forEach((round, number) => {
            if (strangers[number] === true) {
              live = foreign(live, `foreign${number}`);
              foreignIds.push(live.lastColumnId);
            }
            model.nextRound();
            for (const edit of round) model.edit(edit);
            live = take(model, live);
            followIds(model, live, owner);
            const again = planTable(input(model, live, droppedPaths(model, live)));
            expect(again.plan.steps).toEqual([]);
            expect(again.plan.blockers).toEqual([]);
            expect(new Set(again.plan.drift.map((drift) => drift.field?.id))).toEqual(new Set(foreignIds));
            for (const { fields, path } of model.levels()) {
              const names = liveNames(live, path).filter((name) => fields.some((field) => field.name === name));
              expect(names).toEqual(fields.map((field) => field.name));
            }
          });
        },
      ),
      { numRuns: Number(process.env["FLOEPLAN_RUNS"] ?? 100) },
    );
  });

  it("keep partition and sort fields with their columns, and a partition field id to one meaning", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(1, 2, 3),
        fc.boolean(),
        fc.array(layoutEdits, { minLength: 1, maxLength: 5 }),
        (version, areUnused, rounds) => {
          const declaration = new Declaration(version);
          const declared: Declared = { levels: () => declaration.model.levels(), spec: (dropped) => declaration.spec(dropped) };
          const owner = new Map<number, number>();
          const partitionOf = new Map<number, string>();
          idOfKey = new Map();
          let live: TableMetadata | null = null;
          for (const round of [[], ...rounds]) {
            declaration.model.nextRound();
            for (const edit of round) declaration.edit(edit);
            const { metadata, blockers }: Taken = tryTake(declared, live, areUnused ? unusedSpecs(live) : null);
            for (const code of blockers) expect(REFUSALS).toContain(code);
            if (blockers.length > 0) return;
            followIds(declared, metadata, owner);
            followLayout(declaration.spec([]), metadata, partitionOf);
            for (const spec of live?.partitionSpecs ?? []) {
              if (!areUnused || isWhole(spec, metadata)) expect(metadata.partitionSpecs).toContainEqual(spec);
            }
            const again = planTable(input(declared, metadata, droppedPaths(declared, metadata))).plan;
            expect([again.steps, again.blockers, again.drift]).toEqual([[], [], []]);
            live = metadata;
          }
        },
      ),
      { numRuns: Number(process.env["FLOEPLAN_RUNS"] ?? 60) },
    );
  });
});

/** Of what random declarations ask for: a source dropped that a used spec needs, or that the layout still names. */
const REFUSALS = ["partition-source-dropped", "format-refuses", "required-without-default", "restored-field-required"];

function unusedSpecs(live: TableMetadata | null): Evidence {
  const specUsage = (live?.partitionSpecs ?? []).map(({ specId }) => [specId, { snapshots: 0, liveFiles: 0 }] as const);
  return { ...PLAIN_EVIDENCE, specUsage: new Map(specUsage) };
}

function isWhole(spec: PartitionSpec, metadata: TableMetadata): boolean {
  const index = indexSchema(currentSchema(metadata));
  return spec.fields.every(({ sourceIds }) => sourceIds.every((id) => index.byId(id) !== undefined));
}

function followLayout(spec: TableSpec, after: TableMetadata, partitionOf: Map<number, string>): void {
  const index = indexSchema(currentSchema(after));
  const sourceOf = (path: string): number | undefined => index.byPath(path.split("."))?.id;
  const wanted = (spec.partitionBy ?? []).map(({ source, transform }) => `${transform}(${sourceOf(source)})`);
  const found = defaultSpec(after).fields.filter((one) => one.transform !== "void");
  expect(found.map(({ transform, sourceIds }) => `${transform}(${sourceIds[0]})`).sort()).toEqual(wanted.sort());
  const names = (spec.partitionBy ?? []).flatMap(({ name }) => (name === null ? [] : [name]));
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(names));
  expect(defaultSortOrder(after).fields).toMatchObject(
    (spec.sortBy ?? []).map(({ source, transform, direction, nullOrder }) => ({
      sourceIds: [sourceOf(source)],
      transform,
      direction,
      nullOrder,
    })),
  );
  for (const { fieldId, transform, sourceIds } of after.partitionSpecs.flatMap(({ fields }) => fields)) {
    if (transform === "void") continue;
    const text = `${transform}(${sourceIds[0]})`;
    expect(partitionOf.get(fieldId) ?? text, `partition field id ${fieldId} has one meaning`).toBe(text);
    partitionOf.set(fieldId, text);
    expect(fieldId).toBeLessThanOrEqual(after.lastPartitionId);
  }
}

function liveNames(live: TableMetadata, path: readonly string[]): string[] {
  if (path.length === 0) return currentSchema(live).fields.map((field) => field.name);
  const node = indexSchema(currentSchema(live)).byPath(path);
  return node?.type.kind === "struct" ? node.type.fields.map((field) => field.name) : [];
}
