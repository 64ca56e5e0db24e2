// Random nested schemas under random edits: what must hold of every update, whatever is asked of it.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { assignSchemaId } from "../../src/iceberg/apply/assign-id.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { assignFreshIds } from "../../src/iceberg/assign-ids.ts";
import { elements } from "../../src/iceberg/element-list.ts";
import { type EvolutionError, isEvolutionError } from "../../src/iceberg/evolution-error.ts";
import { createNameMapping, type NameMapping, updateNameMapping } from "../../src/iceberg/name-mapping.ts";
import { checkSchemaChange } from "../../src/iceberg/schema-check.ts";
import { allFieldIds, indexSchema } from "../../src/iceberg/schema-index.ts";
import { type SchemaUpdate, type SchemaUpdateResult, startSchemaUpdate } from "../../src/iceberg/schema-update.ts";
import { UNSORTED } from "../../src/iceberg/sort-order.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Schema, Type } from "../../src/iceberg/type.ts";
import { unionByName } from "../../src/iceberg/union-by-name.ts";
import { anyFields, anyType, category, schemaOf, type } from "./evolution-build.ts";

type Edit =
  | { readonly kind: "add"; readonly at: number; readonly name: string; readonly of: Type; readonly required: boolean }
  | { readonly kind: "drop" | "loosen" | "tighten" | "first"; readonly at: number }
  | { readonly kind: "rename"; readonly at: number; readonly name: string }
  | { readonly kind: "doc"; readonly at: number; readonly doc: string | null }
  | { readonly kind: "widen"; readonly at: number; readonly to: string }
  | { readonly kind: "after" | "before"; readonly at: number; readonly reference: number }
  | { readonly kind: "replace"; readonly at: number; readonly of: Type };

/** Most positions hit a field; some hit none. */
const at = fc.integer({ min: -1, max: 30 });
const name = fc.constantFrom("a", "b", "c", "d", "n1", "n2", "x.y", "");
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({ kind: fc.constant("add" as const), at, name, of: anyType, required: fc.boolean() }),
  fc.record({ kind: fc.constantFrom("drop" as const, "loosen" as const, "tighten" as const, "first" as const), at }),
  fc.record({ kind: fc.constant("rename" as const), at, name }),
  fc.record({ kind: fc.constant("doc" as const), at, doc: fc.option(fc.constantFrom("one", "two")) }),
  fc.record({ kind: fc.constant("widen" as const), at, to: fc.constantFrom("long", "double", "decimal(18,2)", "string") }),
  fc.record({ kind: fc.constantFrom("after" as const, "before" as const), at, reference: at }),
  fc.record({ kind: fc.constant("replace" as const), at, of: anyType }),
);
const base: fc.Arbitrary<Schema> = anyFields.map((fields) => assignFreshIds(schemaOf(...fields)).schema);
const edits = fc.array(edit, { maxLength: 12 });

function idAt(ids: readonly number[], position: number): number {
  return position < 0 ? 9999 : (ids[position % ids.length] ?? 9999);
}

function perform(update: SchemaUpdate, ids: readonly number[], one: Edit): number | EvolutionError | null {
  const id = idAt(ids, one.at);
  switch (one.kind) {
    case "add":
      return update.addField(one.at < 0 ? null : id, { name: one.name, type: one.of, required: one.required });
    case "drop":
      return update.dropField(id);
    case "loosen":
      return update.setOptional(id);
    case "tighten":
      return update.setRequired(id);
    case "first":
      return update.moveField(id, "first");
    case "rename":
      return update.renameField(id, one.name);
    case "doc":
      return update.setDoc(id, one.doc);
    case "widen":
      return update.updateType(id, type(one.to));
    case "after":
      return update.moveField(id, { after: idAt(ids, one.reference) });
    case "before":
      return update.moveField(id, { before: idAt(ids, one.reference) });
    case "replace":
      return update.replaceField(id, one.of);
  }
}

interface Run {
  readonly lastColumnId: number;
  readonly accepted: readonly Edit[];
  readonly result: SchemaUpdateResult | EvolutionError;
}

function run(schema: Schema, all: readonly Edit[]): Run {
  const lastColumnId = Math.max(0, ...allFieldIds(schema));
  const ids = allFieldIds(schema);
  const update = startSchemaUpdate(schema, lastColumnId, { formatVersion: 3, allowIncompatible: true });
  const accepted: Edit[] = [];
  for (const one of all) {
    const before = JSON.stringify(update.preview());
    const outcome = perform(update, ids, one);
    if (isEvolutionError(outcome)) expect(JSON.stringify(update.preview())).toBe(before);
    else accepted.push(one);
    if (typeof outcome === "number") ids.push(outcome);
  }
  return { lastColumnId, accepted, result: update.apply() };
}

describe("any update of any schema", () => {
  it("refuses without a trace, keeps ids, never gives one twice, and never lowers the last column id", () => {
    fc.assert(
      fc.property(base, edits, (schema, all) => {
        const { lastColumnId, result } = run(schema, all);
        if (isEvolutionError(result)) {
          expect(result.category).toBe("name_exists");
          return;
        }
        const after = indexSchema(result.schema);
        const before = indexSchema(schema);
        const ids = allFieldIds(result.schema);
        expect(new Set(ids).size).toBe(ids.length);
        expect(result.lastColumnId).toBeGreaterThanOrEqual(Math.max(lastColumnId, ...ids));
        for (const node of after.nodes) {
          const old = before.byId(node.id);
          if (old === undefined) {
            expect(node.id).toBeGreaterThan(lastColumnId);
          } else {
            // A field that is still there is under the same parent, in the same role, of the same kind or widened.
            expect([node.parent?.id, node.role]).toEqual([old.parent?.id, old.role]);
            if (node.type.kind !== old.type.kind)
              expect([old.type.kind, node.type.kind].join(" ")).toMatch(/^(int long|float double)$/);
          }
        }
        for (const [retired, taken] of result.changes.replaced) {
          expect(after.byId(retired)).toBeUndefined();
          expect(taken).toBeGreaterThan(lastColumnId);
        }
      }),
      { numRuns: 400 },
    );
  });

  it("puts siblings where a plain list of moves puts them (reference implementation, SchemaUpdate.moveFields)", () => {
    const moves = fc.array(
      fc.oneof(
        fc.record({ kind: fc.constantFrom("after" as const, "before" as const), at: fc.nat(7), reference: fc.nat(7) }),
        fc.record({ kind: fc.constant("first" as const), at: fc.nat(7) }),
      ),
      { maxLength: 20 },
    );
    fc.assert(
      fc.property(moves, (all) => {
        const schema = assignFreshIds(
          schemaOf(
            ...Array.from({ length: 8 }, (_, index) => ({ id: 0, name: `f${index}`, required: false, type: type("int") })),
          ),
        ).schema;
        const ids = allFieldIds(schema);
        const update = startSchemaUpdate(schema, 8, { formatVersion: 2 });
        let order = [...ids];
        for (const one of all) {
          const moved = idAt(ids, one.at);
          if (perform(update, ids, one) !== null) continue;
          const rest = order.filter((id) => id !== moved);
          const place = one.kind === "first" ? 0 : rest.indexOf(idAt(ids, one.reference)) + (one.kind === "after" ? 1 : 0);
          order = [...rest.slice(0, place), moved, ...rest.slice(place)];
        }
        const result = update.apply();
        expect(isEvolutionError(result) ? [] : allFieldIds(result.schema)).toEqual(order);
      }),
    );
  });

  it("is what the metadata takes exactly if the checks find nothing", () => {
    fc.assert(
      fc.property(
        base,
        edits,
        fc.constantFrom(1 as const, 2 as const, 3 as const),
        fc.nat(20),
        (schema, all, formatVersion, source) => {
          const { result } = run(schema, all);
          if (isEvolutionError(result)) return;
          const table = tableOf(schema, formatVersion, idAt(allFieldIds(schema), source));
          if (checkSchemaChange(null, schema, table).length > 0) return;
          const problems = checkSchemaChange(schema, result.schema, table);
          const commit = (): TableMetadata =>
            applyUpdates(
              table,
              [
                { action: "add-schema", schema: result.schema, lastColumnId: result.lastColumnId },
                { action: "set-current-schema", schemaId: assignSchemaId(table, result.schema).id },
              ],
              { nowMs: 1, previousMetadataLocation: null },
            );
          if (problems.length === 0) expect(commit().schemas.length).toBeGreaterThan(0);
          else expect(commit).toThrow();
        },
      ),
      { numRuns: 200 },
    );
  });

  it("keeps the name mapping readable: no name twice at one level, every live field has its name", () => {
    fc.assert(
      fc.property(base, edits, (schema, all) => {
        const { result } = run(schema, all);
        if (isEvolutionError(result)) return;
        const mapping = updateNameMapping(createNameMapping(schema), result.schema, result.changes);
        checkLevel(mapping);
        expect(mappedNames(mapping)).toEqual(
          expect.arrayContaining(indexSchema(result.schema).nodes.map((node) => `${node.id} ${node.name}`)),
        );
      }),
    );
  });
});

describe("union by name", () => {
  it("of a schema with itself changes nothing; a second union with the same schema changes nothing more", () => {
    fc.assert(
      fc.property(base, anyFields, (schema, incoming) => {
        const itself = startSchemaUpdate(schema, 500, { formatVersion: 3 });
        expect(unionByName(itself, schema, { formatVersion: 3 })).toBeNull();
        expect(itself.preview()).toBe(schema);
        const first = startSchemaUpdate(schema, 500, { formatVersion: 3 });
        if (unionByName(first, schemaOf(...incoming), { formatVersion: 3 }) !== null) return;
        const united = first.apply();
        if (isEvolutionError(united)) return;
        const second = startSchemaUpdate(united.schema, united.lastColumnId, { formatVersion: 3 });
        expect(unionByName(second, schemaOf(...incoming), { formatVersion: 3 })).toBeNull();
        expect(second.preview()).toBe(united.schema);
        for (const node of indexSchema(schema).nodes) expect(indexSchema(united.schema).byId(node.id)?.name).toBe(node.name);
      }),
    );
  });
});

it("restores a dropped field with all its ids", () => {
  fc.assert(
    fc.property(base, fc.nat(5), (schema, position) => {
      const dropped = schema.fields[position % schema.fields.length];
      const last = Math.max(...allFieldIds(schema));
      const drop = startSchemaUpdate(schema, last, { formatVersion: 3 });
      if (dropped === undefined || drop.dropField(dropped.id) !== null) return;
      const without = drop.apply();
      if (isEvolutionError(without)) return;
      const back = startSchemaUpdate(without.schema, without.lastColumnId, { formatVersion: 3, allowIncompatible: true });
      expect(back.addField(null, { name: dropped.name, type: dropped.type, required: dropped.required, id: dropped.id })).toBe(
        dropped.id,
      );
      const restored = back.apply();
      expect(category(restored)).toBeNull();
      if (!isEvolutionError(restored)) {
        expect(restored.schema.fields.at(-1)).toEqual(dropped);
        expect(restored.lastColumnId).toBe(last);
      }
    }),
  );
});

function tableOf(schema: Schema, formatVersion: 1 | 2 | 3, sourceId: number): TableMetadata {
  return {
    formatVersion,
    tableUuid: "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    location: "file:/table",
    lastSequenceNumber: 0n,
    lastUpdatedMs: 0,
    lastColumnId: Math.max(...allFieldIds(schema)),
    schemas: [schema],
    currentSchemaId: 0,
    partitionSpecs: [
      {
        specId: 0,
        fields: [
          { fieldId: 1000, sourceIds: [sourceId], transform: "identity", name: indexSchema(schema).fullName(sourceId) ?? "p" },
        ],
      },
      { specId: 1, fields: [] },
    ],
    defaultSpecId: sourceId % 2,
    lastPartitionId: 1000,
    sortOrders: [UNSORTED],
    defaultSortOrderId: 0,
    properties: {},
    currentSnapshotId: null,
    refs: {},
    snapshots: elements([]),
    snapshotLog: elements([]),
    metadataLog: [],
    nextRowId: formatVersion < 3 ? null : 0n,
    carried: {},
    origin: null,
  };
}

function checkLevel(level: NameMapping): void {
  const names = level.flatMap((one) => one.names);
  expect(new Set(names).size).toBe(names.length);
  for (const one of level) if (one.fields !== null) checkLevel(one.fields);
}

function mappedNames(level: NameMapping): string[] {
  return level.flatMap((one) => [...one.names.map((each) => `${one.fieldId} ${each}`), ...mappedNames(one.fields ?? [])]);
}
