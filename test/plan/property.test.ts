// Random tables under random edits: every plan ends at the declaration, ids follow what was meant, a dropped id is
// never given to another field, and the next plan is empty (I1 to I4). Foreign columns are never lost.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { indexSchema } from "../../src/iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { baseProperties } from "../../src/plan/base.ts";
import { planTable } from "../../src/plan/plan-table.ts";
import { declaredFieldIds, simulatedPair } from "../../src/plan/simulate.ts";
import type { PlanInput } from "../../src/plan/table-pair.ts";
import { Model, type ModelField } from "./model.ts";
import { inputOf, liveOf } from "./support.ts";

const edits = fc.array(fc.record({ kind: fc.nat(1000), a: fc.nat(1000), b: fc.nat(1000) }), { minLength: 1, maxLength: 8 });

function input(model: Model, live: TableMetadata | null, dropped: readonly string[]): PlanInput {
  const base = inputOf("table: ns.t\ncolumns:\n  - { name: x, type: int }\n", null);
  return { ...base, spec: model.spec(dropped), live: live === null ? null : liveOf(live) };
}

/** Plans and applies; gives the metadata with floeplan's memory. */
function take(model: Model, live: TableMetadata | null): TableMetadata {
  const dropped = live === null ? [] : droppedPaths(model, live);
  const one = input(model, live, dropped);
  const { plan, change } = planTable(one);
  expect(plan.blockers).toEqual([]);
  if (change === null && live !== null) return live;
  if (change === null) throw new Error("nothing was planned for a new table");
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
  return applyUpdates(metadata, [{ action: "set-properties", updates: set }], {
    nowMs: metadata.lastUpdatedMs,
    previousMetadataLocation: null,
  });
}

/** Live paths that the model no longer declares, told by the keys' ids. */
let idOfKey = new Map<number, number>();

function droppedPaths(model: Model, live: TableMetadata): string[] {
  const index = indexSchema(currentSchema(live));
  const alive = new Set(allFields(model).map((field) => field.key));
  return [...idOfKey].flatMap(([key, id]) =>
    alive.has(key) || index.byId(id) === undefined ? [] : [index.segments(id).join(".")],
  );
}

function allFields(model: Model): ModelField[] {
  return model.levels().flatMap((level) => level.fields);
}

/** Which id each key has now, by walking both trees by name. */
function idsNow(model: Model, live: TableMetadata): Map<number, number> {
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
            const now = idsNow(model, live);
            for (const [key, id] of now) {
              const before = idOfKey.get(key);
              if (before !== undefined) expect(id, `key ${key} keeps its id`).toBe(before);
              expect(owner.get(id) ?? key, `id ${id} has one owner`).toBe(key);
              owner.set(id, key);
              idOfKey.set(key, id);
            }
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
});

function liveNames(live: TableMetadata, path: readonly string[]): string[] {
  if (path.length === 0) return currentSchema(live).fields.map((field) => field.name);
  const node = indexSchema(currentSchema(live)).byPath(path);
  return node?.type.kind === "struct" ? node.type.fields.map((field) => field.name) : [];
}
