// Wide and deep schemas: everything stays linear, and nesting never meets the limit of a call stack.
import { describe, expect, it } from "vitest";
import { assignFreshIds } from "../../src/iceberg/assign-ids.ts";
import { checkSchemaChange } from "../../src/iceberg/schema-check.ts";
import { fieldPath, indexSchema } from "../../src/iceberg/schema-index.ts";
import { startSchemaUpdate } from "../../src/iceberg/schema-update.ts";
import { UNSORTED } from "../../src/iceberg/sort-order.ts";
import type { Schema, Type } from "../../src/iceberg/type.ts";
import { unionByName } from "../../src/iceberg/union-by-name.ts";
import { walkTogether } from "../../src/iceberg/walk.ts";
import { field, list, ok, schemaOf, struct, type } from "./evolution-build.ts";

const TABLE = {
  formatVersion: 2,
  partitionSpecs: [{ specId: 0, fields: [] }],
  defaultSpecId: 0,
  sortOrders: [UNSORTED],
  defaultSortOrderId: 0,
} as const;
const COUNT = 10_000;
/** Far above what is needed, far below what a quadratic step would take. */
const LIMIT_MS = 8000;

function wide(): Schema {
  return schemaOf(...Array.from({ length: COUNT }, (_, index) => field(index + 1, `c${index + 1}`, "int")));
}

function deep(depth: number): Schema {
  let inner: Type = type("int");
  for (let level = depth; level > 0; level--) {
    inner = level % 2 === 0 ? list(level * 2, inner) : struct(field(level * 2, `f${level}`, inner));
  }
  return schemaOf(field(1, "top", inner));
}

function millis(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

describe("a schema of 10,000 columns", () => {
  it("takes a rename, a move, a doc and a widening of every column in one update", () => {
    const base = wide();
    const spent = millis(() => {
      const update = startSchemaUpdate(base, COUNT, { formatVersion: 2 });
      for (let id = 1; id <= COUNT; id++) {
        ok(update.moveField(id, "first"));
        ok(update.renameField(id, `d${id}`));
        ok(update.updateType(id, type("long")));
        ok(update.setDoc(id, "text"));
      }
      const { schema } = ok(update.apply());
      expect(schema.fields[0]).toEqual(field(COUNT, `d${COUNT}`, "long", { doc: "text" }));
      expect(checkSchemaChange(base, schema, TABLE)).toEqual([]);
    });
    expect(spent).toBeLessThan(LIMIT_MS);
  });

  it("takes 10,000 drops, additions and replacements", () => {
    const base = wide();
    const spent = millis(() => {
      const update = startSchemaUpdate(base, COUNT, { formatVersion: 2 });
      for (let id = 1; id <= COUNT; id += 2) ok(update.dropField(id));
      for (let id = 2; id <= COUNT; id += 2) ok(update.replaceField(id, type("string")));
      for (let id = 1; id <= COUNT; id++) ok(update.addField(null, { name: `n${id}`, type: type("int") }));
      expect(ok(update.apply())).toMatchObject({ lastColumnId: 2.5 * COUNT, schema: { fields: { length: 1.5 * COUNT } } });
    });
    expect(spent).toBeLessThan(LIMIT_MS);
  });

  it("is looked up by path, name and id in no time once it is indexed", () => {
    const index = indexSchema(wide());
    const spent = millis(() => {
      for (let id = 1; id <= COUNT; id++) {
        expect(index.byPath([`c${id}`])?.id === id && index.byName(`c${id}`)?.id === id && index.fullName(id) === `c${id}`).toBe(
          true,
        );
      }
      expect(index.byNameIgnoringCase("C77").found?.id).toBe(77);
    });
    expect(spent).toBeLessThan(LIMIT_MS);
  });

  it("is united with another of its size", () => {
    const update = startSchemaUpdate(wide(), COUNT, { formatVersion: 2 });
    const incoming = schemaOf(...Array.from({ length: COUNT }, (_, index) => field(0, `c${index + 5001}`, "long")));
    expect(millis(() => ok(unionByName(update, incoming, { formatVersion: 2 })))).toBeLessThan(LIMIT_MS);
    expect(ok(update.apply()).lastColumnId).toBe(COUNT + 5000);
  });
});

describe("a schema nested 2,000 deep", () => {
  const DEPTH = 2000;

  it("is indexed, walked, numbered and changed at its bottom", () => {
    const base = deep(DEPTH);
    const bottom = indexSchema(base).nodes.at(-1);
    expect(bottom?.id).toBe(DEPTH * 2);
    expect(fieldPath(base, DEPTH * 2)?.split(".")).toHaveLength(DEPTH + 1);
    const update = startSchemaUpdate(base, DEPTH * 2, { formatVersion: 2 });
    ok(update.updateType(DEPTH * 2, type("long")));
    ok(update.addField(DEPTH * 2 - 4, { name: "beside", type: type("int") }));
    const { schema } = ok(update.apply());
    expect(indexSchema(schema).byId(DEPTH * 2)?.type).toEqual(type("long"));
    expect([...walkTogether(base.fields, schema.fields, "id")]).toHaveLength(DEPTH + 2);
    expect(checkSchemaChange(base, schema, TABLE)).toEqual([]);
    expect(assignFreshIds(base).lastColumnId).toBe(DEPTH + 1);
    expect(unionByName(startSchemaUpdate(base, DEPTH * 2, { formatVersion: 2 }), schema, { formatVersion: 2 })).toBeNull();
  });

  it("is dropped whole", () => {
    const base = schemaOf(field(1_000_000, "stays", "int"), ...deep(DEPTH).fields);
    const update = startSchemaUpdate(base, 1_000_000, { formatVersion: 2 });
    ok(update.dropField(1));
    expect(ok(update.apply()).schema.fields).toHaveLength(1);
  });
});
