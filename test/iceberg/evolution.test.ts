import { describe, expect, it } from "vitest";
import { assignFreshIds } from "../../src/iceberg/assign-ids.ts";
import { type SchemaUpdate, startSchemaUpdate } from "../../src/iceberg/schema-update.ts";
import { updateByName } from "../../src/iceberg/schema-update-by-name.ts";
import type { Schema } from "../../src/iceberg/type.ts";
import { unionByName } from "../../src/iceberg/union-by-name.ts";
import { category, field, list, map, ok, schemaOf, struct, type } from "./evolution-build.ts";

const BASE: Schema = {
  ...schemaOf(
    field(1, "id!", "long"),
    field(2, "customer", "string", { doc: "who" }),
    field(3, "items", list(4, struct(field(5, "sku!", "string"), field(6, "qty", "int")))),
    field(7, "prices", map(8, struct(field(9, "currency!", "string")), 10, struct(field(11, "net", "float")))),
    field(12, "address!", struct(field(13, "street", "string"), field(14, "zip!", "string"))),
  ),
  schemaId: 7,
  identifierFieldIds: [1, 14],
  extra: { "x-note": "kept" },
};

function start(base = BASE, lastColumnId = 20): SchemaUpdate {
  return startSchemaUpdate(base, lastColumnId, { formatVersion: 3 });
}

function names(schema: Schema): string[] {
  return schema.fields.map((one) => `${one.id} ${one.name}`);
}

describe("a schema update by id", () => {
  it("gives the base back when nothing changes", () => {
    const update = start();
    update.renameField(2, "customer");
    update.setDoc(2, "who");
    update.moveField(2, { after: 1 });
    update.setRequired(1);
    update.setOptional(2);
    update.updateType(6, type("int"));
    const result = ok(update.apply());
    expect(result.schema).toBe(BASE);
    expect(result).toMatchObject({ lastColumnId: 20, changes: { added: [], dropped: [], updated: [] } });
  });

  it("leaves untouched fields the objects that they were, and unknown keys in their place", () => {
    const base = schemaOf(
      field(1, "a", "int", { extra: { x: 1 } }),
      field(2, "s", struct(field(3, "b", "int"), field(4, "c", "int"))),
    );
    const update = start(base, 4);
    ok(update.renameField(3, "d"));
    ok(update.setDoc(1, "doc"));
    const { schema } = ok(update.apply());
    expect(schema.fields[0]).toEqual(field(1, "a", "int", { extra: { x: 1 }, doc: "doc" }));
    const inner = schema.fields[1]?.type;
    const before = base.fields[1]?.type;
    expect(inner?.kind === "struct" && inner.fields[1]).toBe(before?.kind === "struct" && before.fields[1]);
    expect(ok(start().apply()).schema.extra).toEqual({ "x-note": "kept" });
  });

  it("keeps the schema id for the metadata to assign and the unknown keys of the schema", () => {
    const update = start();
    ok(update.addField(null, { name: "n", type: type("int") }));
    expect(ok(update.apply()).schema).toMatchObject({ schemaId: 7, extra: { "x-note": "kept" }, identifierFieldIds: [1, 14] });
  });

  it("renames, widens, loosens, describes and moves one field at once", () => {
    const update = start();
    ok(update.renameField(6, "quantity"));
    ok(update.updateType(6, type("long")));
    ok(update.setDoc(6, "pieces"));
    ok(update.setWriteDefault(6, 1));
    ok(update.moveField(6, "first"));
    ok(update.setOptional(5));
    const { schema } = ok(update.apply());
    expect(schema.fields[2]?.type).toEqual(
      list(4, struct(field(6, "quantity", "long", { doc: "pieces", writeDefault: 1 }), field(5, "sku", "string"))),
    );
  });

  it("swaps two names, and moves what it swaps", () => {
    const update = start(schemaOf(field(1, "a", "int"), field(2, "b", "string")), 2);
    ok(update.renameField(1, "b"));
    ok(update.renameField(2, "a"));
    ok(update.moveField(2, "first"));
    expect(names(ok(update.apply()).schema)).toEqual(["2 a", "1 b"]);
  });

  it("drops a field and adds another of its name", () => {
    const update = start();
    ok(update.dropField(2));
    expect(update.addField(null, { name: "customer", type: type("long") })).toBe(21);
    ok(update.moveField(21, { after: 1 }));
    const { schema, changes } = ok(update.apply());
    expect(names(schema).slice(0, 2)).toEqual(["1 id", "21 customer"]);
    expect(changes).toMatchObject({ added: [21], dropped: [2] });
  });

  it("gives a name that a rename freed to a new field", () => {
    const update = start();
    ok(update.renameField(2, "client"));
    ok(update.addField(null, { name: "customer", type: type("long") }));
    expect(names(ok(update.apply()).schema)).toContain("21 customer");
  });

  it("refuses two fields of one name when it is applied, also where dots make them equal", () => {
    const twice = start();
    ok(twice.addField(null, { name: "customer", type: type("long") }));
    expect(category(twice.apply())).toBe("name_exists");
    const dotted = start();
    ok(dotted.addField(null, { name: "address.zip", type: type("long") }));
    expect(category(dotted.apply())).toBe("name_exists");
  });

  it("numbers a struct's fields before what is inside them (reference: locations 9, key 10, value 11, address 12 …)", () => {
    const update = start(schemaOf(field(1, "a", "int")), 8);
    const point = struct(field(0, "lat", "int"), field(0, "long", "int"));
    const place = struct(field(0, "address", "string"), field(0, "city", "string"));
    expect(update.addField(null, { name: "locations", type: map(0, place, 0, point) })).toBe(9);
    const { schema, lastColumnId } = ok(update.apply());
    expect(schema.fields[1]?.type).toEqual(
      map(
        10,
        struct(field(12, "address", "string"), field(13, "city", "string")),
        11,
        struct(field(14, "lat", "int"), field(15, "long", "int")),
      ),
    );
    expect(lastColumnId).toBe(15);
  });

  it("adds to the element of a list and the value of a map, by their own id or the container's", () => {
    const update = start();
    ok(update.addField(3, { name: "a", type: type("int") }));
    ok(update.addField(4, { name: "b", type: type("int") }));
    ok(update.addField(7, { name: "c", type: type("int") }));
    ok(update.addField(10, { name: "d", type: type("int") }));
    const { schema } = ok(update.apply());
    expect(schema.fields[2]?.type).toMatchObject({ element: { fields: [{ id: 5 }, { id: 6 }, { id: 21 }, { id: 22 }] } });
    expect(schema.fields[3]?.type).toMatchObject({ value: { fields: [{ id: 11 }, { id: 23 }, { id: 24 }] } });
  });

  it("adds into a struct that the same update added, and moves within it", () => {
    const update = start();
    const parent = ok(update.addField(null, { name: "s", type: struct(field(0, "a", "int")) }));
    const child = ok(update.addField(parent, { name: "b", type: type("int"), required: false }));
    ok(update.moveField(child, { before: parent + 1 }));
    ok(update.renameField(parent + 1, "z"));
    expect(ok(update.apply()).schema.fields.at(-1)?.type).toEqual(struct(field(23, "b", "int"), field(22, "z", "int")));
  });

  it("sets both defaults of an added field in their canonical form", () => {
    const update = start();
    ok(update.addField(null, { name: "h", type: type("binary"), required: true, default: "00FF" }));
    expect(ok(update.apply()).schema.fields.at(-1)).toEqual(
      field(21, "h!", "binary", { initialDefault: "00ff", writeDefault: "00ff" }),
    );
  });

  it("refuses a required field without default, and one more after it takes the same id", () => {
    const update = start();
    expect(category(update.addField(null, { name: "r", type: type("int"), required: true }))).toBe("incompatible_required");
    expect(update.addField(null, { name: "r", type: type("int") })).toBe(21);
    update.allowIncompatible();
    expect(update.addField(null, { name: "q", type: type("int"), required: true })).toBe(22);
  });

  it.each<[string, (update: SchemaUpdate) => unknown, string]>([
    ["an unknown field", (update) => update.dropField(99), "missing_column"],
    ["the root", (update) => update.dropField(-1), "missing_column"],
    ["an unknown parent", (update) => update.addField(99, { name: "x", type: type("int") }), "missing_parent"],
    ["a primitive parent", (update) => update.addField(1, { name: "x", type: type("int") }), "not_a_struct"],
    ["a field in a map key", (update) => update.addField(8, { name: "x", type: type("int") }), "map_key_change"],
    ["the name of a map key's field", (update) => update.renameField(9, "x"), "map_key_change"],
    ["the doc of a map key's field", (update) => update.setDoc(9, "x"), "map_key_change"],
    ["requiredness in a map key", (update) => update.setOptional(9), "map_key_change"],
    ["a map key", (update) => update.dropField(8), "map_key_change"],
    ["the conversion of a map key", (update) => update.replaceField(8, type("int")), "map_key_change"],
    ["a list element", (update) => update.dropField(4), "container_part_dropped"],
    ["a map value", (update) => update.dropField(10), "container_part_dropped"],
    ["the name of an element", (update) => update.renameField(4, "x"), "not_a_struct"],
    ["the doc of a value", (update) => update.setDoc(10, "x"), "not_a_struct"],
    ["a narrower type", (update) => update.updateType(1, type("int")), "illegal_type_change"],
    ["a struct as a primitive", (update) => update.updateType(12, type("int")), "illegal_type_change"],
    ["required over old rows", (update) => update.setRequired(2), "incompatible_nullability"],
    ["a wrong default", (update) => update.setWriteDefault(1, "x"), "invalid_default"],
    ["a default of a struct", (update) => update.setWriteDefault(12, {}), "invalid_default"],
    [
      "a wrong default of an added field",
      (update) => update.addField(null, { name: "x", type: type("int"), default: "x" }),
      "invalid_default",
    ],
    [
      "a required unknown",
      (update) => update.addField(null, { name: "x", type: struct(field(0, "u!", "unknown")) }),
      "unknown_must_be_optional",
    ],
    ["a place in another struct", (update) => update.moveField(13, { before: 1 }), "bad_move"],
    ["a place at itself", (update) => update.moveField(13, { after: 13 }), "bad_move"],
    ["the place of an element", (update) => update.moveField(4, "first"), "bad_move"],
    ["an unknown reference", (update) => update.moveField(13, { after: 99 }), "missing_column"],
    [
      "an id that was never given",
      (update) => update.addField(null, { name: "x", type: type("int"), id: 21 }),
      "conflicting_changes",
    ],
    ["an id that is live", (update) => update.addField(null, { name: "x", type: type("int"), id: 5 }), "conflicting_changes"],
  ])("refuses %s and changes nothing", (_, operation, expected) => {
    const update = start();
    expect(category(operation(update))).toBe(expected);
    const result = ok(update.apply());
    expect(result.schema).toBe(BASE);
    expect(result.lastColumnId).toBe(20);
  });

  it.each<[string, (update: SchemaUpdate) => unknown]>([
    ["changed after its drop", (update) => [update.dropField(2), update.renameField(2, "x")]],
    ["dropped after its change", (update) => [update.setDoc(2, "x"), update.dropField(2)]],
    ["dropped after its move", (update) => [update.moveField(2, "first"), update.dropField(2)]],
    ["dropped after another was put beside it", (update) => [update.moveField(3, { before: 2 }), update.dropField(2)]],
    [
      "dropped after an addition deep inside",
      (update) => [update.addField(4, { name: "x", type: type("int") }), update.dropField(3)],
    ],
    [
      "a parent of an addition after its drop",
      (update) => [update.dropField(3), update.addField(4, { name: "x", type: type("int") })],
    ],
    ["dropped after it was added", (update) => [update.addField(null, { name: "x", type: type("int") }), update.dropField(21)]],
    ["changed after it was replaced", (update) => [update.replaceField(2, type("date")), update.setDoc(2, "x")]],
    ["dropped after it was replaced", (update) => [update.replaceField(2, type("date")), update.dropField(2)]],
  ])("refuses a field that is %s", (_, operations) => {
    const results = operations(start());
    expect(Array.isArray(results) && category(results.at(-1))).toBe("conflicting_changes");
  });

  it("drops a field that its parent's drop took along without a word", () => {
    const update = start();
    ok(update.dropField(3));
    expect(update.dropField(5)).toBeNull();
    expect(update.isDropped(6)).toBe(true);
    expect(names(ok(update.apply()).schema)).not.toContain("3 items");
  });

  it("lets the default of a float follow its widening and keeps the initial default otherwise", () => {
    const base = schemaOf(field(1, "f", "float", { initialDefault: 0.1, writeDefault: 0.1 }));
    const update = start(base, 1);
    ok(update.updateType(1, type("double")));
    ok(update.setWriteDefault(1, 0.5));
    expect(ok(update.apply()).schema.fields[0]).toEqual(
      field(1, "f", "double", { initialDefault: 0.10000000149011612, writeDefault: 0.5 }),
    );
    const clearing = start(base, 1);
    ok(clearing.setWriteDefault(1, null));
    expect(ok(clearing.apply()).schema.fields[0]).toEqual(field(1, "f", "float", { initialDefault: 0.1 }));
  });

  it("makes an added field required if its initial default allows", () => {
    const update = start();
    const id = ok(update.addField(null, { name: "x", type: type("int"), default: 5 }));
    expect(update.setRequired(id)).toBeNull();
  });
});

describe("restoring a field", () => {
  it("gives the old ids back at every depth, numbers only what is new, and keeps the two defaults apart", () => {
    const update = start();
    const old = struct(field(16, "lat", "double"), field(0, "alt", "double"), field(18, "tags", list(19, "string")));
    const id = update.addField(null, { name: "place", type: old, id: 15, initialDefault: null, writeDefault: null });
    expect(id).toBe(15);
    const value = update.addField(null, { name: "v", type: type("int"), id: 17, initialDefault: 1, writeDefault: 2 });
    expect(value).toBe(17);
    const { schema, lastColumnId } = ok(update.apply());
    expect(schema.fields.slice(-2)).toEqual([
      field(15, "place", struct(field(16, "lat", "double"), field(21, "alt", "double"), field(18, "tags", list(19, "string")))),
      field(17, "v", "int", { initialDefault: 1, writeDefault: 2 }),
    ]);
    expect(lastColumnId).toBe(21);
  });

  it("refuses an id that stands twice in the restored type, and one dropped in the same update", () => {
    expect(
      category(start().addField(null, { name: "p", type: struct(field(16, "a", "int"), field(16, "b", "int")), id: 15 })),
    ).toBe("conflicting_changes");
    expect(category(start().addField(null, { name: "p", type: struct(field(15, "a", "int")), id: 15 }))).toBe(
      "conflicting_changes",
    );
    const update = start();
    ok(update.dropField(2));
    expect(category(update.addField(null, { name: "customer", type: type("string"), id: 2 }))).toBe("conflicting_changes");
  });
});

describe("replacing a field by another type", () => {
  it("keeps name, place, doc and requiredness under a new id that the identifier fields follow", () => {
    const update = start();
    ok(update.renameField(1, "order_id"));
    expect(update.replaceField(1, type("string"))).toBe(21);
    const { schema, changes, lastColumnId } = ok(update.apply());
    expect(schema.fields[0]).toEqual(field(21, "order_id!", "string"));
    expect(schema.identifierFieldIds).toEqual([14, 21]);
    expect(changes).toMatchObject({ added: [21], dropped: [1], updated: [] });
    expect([...changes.replaced]).toEqual([[1, 21]]);
    expect(lastColumnId).toBe(21);
  });

  it("works on list elements and map values, and several times in one update", () => {
    const base = schemaOf(
      field(1, "l", list(2, "string", true)),
      field(3, "m", map(4, "string", 5, "string")),
      field(6, "x", "int", { doc: "d" }),
    );
    const update = start(base, 6);
    expect(update.replaceField(2, type("date"))).toBe(7);
    expect(update.replaceField(5, type("int"))).toBe(8);
    expect(update.replaceField(6, type("string"), { writeDefault: "a" })).toBe(9);
    ok(update.moveField(9, "first"));
    expect(ok(update.apply()).schema.fields).toEqual([
      field(9, "x", "string", { doc: "d", writeDefault: "a" }),
      field(1, "l", list(7, "date", true)),
      field(3, "m", map(4, "string", 8, "int")),
    ]);
  });

  it("refuses a default that is not of the new type", () => {
    expect(category(start().replaceField(2, type("int"), { writeDefault: "x" }))).toBe("invalid_default");
  });
});

describe("identifier fields", () => {
  it("follow renames at any depth, where the reference implementation loses them", () => {
    const update = updateByName(start());
    ok(update.renameColumn("address", "place"));
    ok(update.renameColumn("address.zip", "postcode"));
    expect(ok(update.apply()).schema.identifierFieldIds).toEqual([1, 14]);
  });

  it("forbid the drop of themselves and of what holds them, until the set lets go", () => {
    const refused = start();
    ok(refused.dropField(12));
    expect(category(refused.apply())).toBe("identifier_dropped");
    const allowed = start();
    ok(allowed.dropField(12));
    allowed.setIdentifierFieldIds([1]);
    expect(ok(allowed.apply()).schema.identifierFieldIds).toEqual([1]);
  });

  it("are looked up in the changed schema when they are set by name", () => {
    const update = updateByName(start());
    update.setIdentifierFields(["id"]);
    ok(update.renameColumn("id", "number"));
    expect(ok(update.apply()).schema.identifierFieldIds).toEqual([1]);
    const renamed = updateByName(start());
    ok(renamed.renameColumn("id", "number"));
    renamed.setIdentifierFields(["number"]);
    expect(ok(renamed.apply()).schema.identifierFieldIds).toEqual([1]);
    const gone = updateByName(start());
    ok(gone.renameColumn("id", "number"));
    gone.setIdentifierFields(["id"]);
    expect(category(gone.apply())).toBe("invalid_identifier");
    const dropped = updateByName(start());
    ok(dropped.dropColumn("id"));
    dropped.setIdentifierFields(["id"]);
    expect(category(dropped.apply())).toBe("identifier_dropped");
  });

  it("refuse an optional struct around them", () => {
    const update = start();
    ok(update.setOptional(12));
    expect(category(update.apply())).toBe("invalid_identifier");
  });
});

describe("a schema update by name", () => {
  it("finds fields by full and short names, added ones by their full names, as the reference implementation does", () => {
    const update = updateByName(start());
    ok(update.addColumn({ name: "price", type: type("int"), parent: "items" }));
    expect(category(update.moveColumn("items.price", { before: "items.sku" }))).toBe("missing_column");
    ok(update.moveColumn("items.element.price", { before: "items.sku" }));
    ok(update.updateColumnDoc("items.element.price", "net"));
    ok(update.renameColumn("prices.net", "gross"));
    expect(ok(update.apply()).schema.fields[2]?.type).toMatchObject({
      element: { fields: [{ name: "price", doc: "net" }, {}, {}] },
    });
  });

  it("still counts a name that a rename frees in the same update as taken, as the reference implementation does", () => {
    const update = updateByName(start());
    ok(update.renameColumn("customer", "client"));
    expect(category(update.addColumn({ name: "customer", type: type("int") }))).toBe("name_exists");
  });

  it("says when names differ only in case and case is to be ignored", () => {
    const update = updateByName(start(schemaOf(field(1, "a", "int"), field(2, "A", "int")), 2));
    expect(update.renameColumn("A", "b")).toBeNull();
    update.ignoreCase();
    expect(category(update.dropColumn("a"))).toBe("ambiguous_name");
  });
});

describe("unionByName", () => {
  const union = (incoming: Schema, base = BASE, ignoresCase = false): unknown => {
    const update = start(base);
    const error = unionByName(update, incoming, { formatVersion: 3, ignoresCase });
    return error ?? update.apply();
  };

  it("adds deep before shallow, loosens, widens, describes, and leaves the rest", () => {
    const incoming = schemaOf(
      field(0, "fresh!", struct(field(0, "in!", "int"))),
      field(0, "items", list(0, struct(field(0, "qty", "long"), field(0, "sku", "string"), field(0, "lot", "string")))),
      field(0, "customer", "string", { doc: "buyer" }),
    );
    const result = union(incoming);
    expect(result).toMatchObject({ lastColumnId: 23, schema: { fields: { length: 6 } } });
    expect(result).toMatchObject({
      schema: {
        fields: [
          { id: 1 },
          { id: 2, doc: "buyer" },
          {
            id: 3,
            type: {
              element: {
                fields: [
                  { id: 5, required: false },
                  { id: 6, type: { kind: "long" } },
                  { id: 21, name: "lot" },
                ],
              },
            },
          },
          { id: 7 },
          { id: 12 },
          { id: 22, name: "fresh", required: false, type: { fields: [{ id: 23, name: "in", required: true }] } },
        ],
      },
    });
  });

  it("ignores what is narrower and refuses what fits in no way", () => {
    expect(union(schemaOf(field(0, "id!", "int")))).toMatchObject({ schema: BASE });
    expect(category(union(schemaOf(field(0, "id", "string"))))).toBe("illegal_type_change");
    expect(category(union(schemaOf(field(0, "id", struct()))))).toBe("illegal_type_change");
    expect(category(union(schemaOf(field(0, "items", map(0, "string", 0, "string")))))).toBe("illegal_type_change");
    expect(category(union(schemaOf(field(0, "address", "string"))))).toBe("illegal_type_change");
    expect(category(union(schemaOf(field(0, "prices", map(0, "string", 0, struct())))))).toBe("illegal_type_change");
  });

  it("matches names without case when asked", () => {
    expect(union(schemaOf(field(0, "CUSTOMER", "string")), BASE, true)).toMatchObject({ schema: BASE });
    expect(union(schemaOf(field(0, "CUSTOMER", "string")))).toMatchObject({ schema: { fields: { length: 6 } } });
  });
});

describe("assignFreshIds", () => {
  it("numbers level by level within each branch and leads old ids to new ones", () => {
    const given: Schema = {
      ...schemaOf(
        field(50, "s!", struct(field(51, "a!", "int"), field(52, "l", list(53, struct(field(54, "x", "int")))))),
        field(60, "b", "int"),
      ),
      identifierFieldIds: [51],
    };
    const { schema, lastColumnId, newIds } = assignFreshIds(given);
    expect(schema).toEqual({
      schemaId: 0,
      identifierFieldIds: [3],
      fields: [
        field(1, "s!", struct(field(3, "a!", "int"), field(4, "l", list(5, struct(field(6, "x", "int")))))),
        field(2, "b", "int"),
      ],
    });
    expect(lastColumnId).toBe(6);
    expect(newIds.get(54)).toBe(6);
  });
});
