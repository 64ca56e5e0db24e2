import { describe, expect, it } from "vitest";
import { isEvolutionError } from "../../src/iceberg/evolution-error.ts";
import type { PartitionField, PartitionSpec } from "../../src/iceberg/partition-spec.ts";
import {
  type PartitionBase,
  type PartitionSpecUpdate,
  startPartitionSpecUpdate,
} from "../../src/iceberg/partition-spec-update.ts";
import { updateSpecByName } from "../../src/iceberg/partition-spec-update-by-name.ts";
import {
  checkFormatUpgrade,
  checkFormatVersion,
  checkPartitionSpecs,
  checkSchema,
  checkSchemaChange,
  type SchemaSurroundings,
} from "../../src/iceberg/schema-check.ts";
import { UNSORTED } from "../../src/iceberg/sort-order.ts";
import { buildSortOrder, defaultNullOrder, type NewSortField } from "../../src/iceberg/sort-order-update.ts";
import { parseTransform } from "../../src/iceberg/transform.ts";
import { category, field, list, map, ok, schemaOf, struct } from "./evolution-build.ts";

const SCHEMA = schemaOf(
  field(1, "id!", "long"),
  field(2, "ts!", "timestamptz"),
  field(3, "region", "string"),
  field(4, "tags", list(5, "string")),
  field(6, "place", struct(field(7, "city", "string"))),
);

function part(fieldId: number, sourceId: number, transform: string, name: string): PartitionField {
  return { fieldId, sourceIds: [sourceId], transform, name };
}

function spec(specId: number, ...fields: PartitionField[]): PartitionSpec {
  return { specId, fields };
}

function start(specs: readonly PartitionSpec[], more: Partial<PartitionBase> = {}): PartitionSpecUpdate {
  const fieldIds = specs.flatMap((one) => one.fields.map((each) => each.fieldId));
  return ok(
    startPartitionSpecUpdate({
      formatVersion: 2,
      schema: SCHEMA,
      spec: specs[specs.length - 1] ?? spec(0),
      specs,
      lastPartitionId: Math.max(999, ...fieldIds),
      ...more,
    }),
  );
}

const add = (update: PartitionSpecUpdate, sourceId: number, transform: string, name?: string): unknown =>
  update.addField({ sourceId, transform: parseTransform(transform), ...(name === undefined ? {} : { name }) });

describe("a partition spec update by id", () => {
  it("gives new ids, default names by full column name, and the next spec id", () => {
    const update = start([spec(0)]);
    expect(add(update, 2, "day")).toBe(1000);
    expect(add(update, 7, "bucket[8]")).toBe(1001);
    expect(ok(update.apply())).toEqual({
      spec: spec(1, part(1000, 2, "day", "ts_day"), part(1001, 7, "bucket[8]", "place.city_bucket_8")),
      lastPartitionId: 1001,
    });
  });

  it("finds the equal spec that the table had before", () => {
    const update = start([spec(0, part(1000, 3, "identity", "region")), spec(3)]);
    expect(add(update, 3, "Identity")).toBe(1000);
    expect(ok(update.apply())).toEqual({ spec: spec(0, part(1000, 3, "identity", "region")), lastPartitionId: 1000 });
  });

  it("takes the newest of several old names when none is given, and a new id for another name", () => {
    const specs = [spec(0, part(1000, 3, "identity", "old")), spec(1, part(1000, 3, "identity", "newer")), spec(2)];
    const unnamed = start(specs);
    expect(add(unnamed, 3, "identity")).toBe(1000);
    expect(ok(unnamed.apply()).spec.specId).toBe(1);
    expect(add(start(specs), 3, "identity", "newest")).toBe(1001);
  });

  it("never puts one id into a spec twice, as old v1 tables could make it", () => {
    const update = start([spec(0, part(1000, 1, "bucket[4]", "b")), spec(1, part(1000, 3, "identity", "region"))]);
    expect(add(update, 1, "bucket[4]")).toBe(1001);
    expect(ok(update.apply()).spec.fields.map((one) => one.fieldId)).toEqual([1000, 1001]);
  });

  it("cancels a removal when the field comes back, under its name or another", () => {
    const base = [spec(0, part(1000, 2, "day", "d"))];
    const same = start(base);
    expect(same.removeField(1000)).toBeNull();
    expect(add(same, 2, "day")).toBe(1000);
    expect(ok(same.apply()).spec.specId).toBe(0);
    const other = start(base);
    expect(other.removeField(1000)).toBeNull();
    expect(add(other, 2, "day", "e")).toBe(1000);
    expect(ok(other.apply()).spec).toEqual(spec(1, part(1000, 2, "day", "e")));
  });

  it("swaps two names", () => {
    const update = start([spec(0, part(1000, 1, "bucket[2]", "a"), part(1001, 2, "day", "b"))]);
    expect(update.renameField(1000, "b")).toBeNull();
    expect(update.renameField(1001, "a")).toBeNull();
    expect(ok(update.apply()).spec.fields.map((one) => one.name)).toEqual(["b", "a"]);
  });

  it("sets void fields of v1 aside whose name is wanted, also twice over", () => {
    const fields = [part(1000, 2, "void", "d"), part(1001, 1, "bucket[2]", "b")];
    const update = start([spec(0, ...fields)], { formatVersion: 1 });
    expect(update.renameField(1001, "d")).toBeNull();
    expect(ok(update.apply()).spec.fields.map((one) => one.name)).toEqual(["d_1000", "d"]);
    const adding = start([spec(0, ...fields)], { formatVersion: 1 });
    expect(add(adding, 2, "day", "d")).toBe(1002);
    expect(ok(adding.apply()).spec.fields.map((one) => one.name)).toEqual(["d_1000", "b", "d"]);
  });

  it("keeps removed fields of v1 as void in their place", () => {
    const update = start([spec(0, part(1000, 3, "identity", "region"), part(1001, 2, "day", "d"))], { formatVersion: 1 });
    expect(update.removeField(1000)).toBeNull();
    expect(ok(update.apply()).spec.fields).toEqual([part(1000, 3, "void", "region"), part(1001, 2, "day", "d")]);
  });

  it.each<[string, (update: PartitionSpecUpdate) => unknown, string]>([
    ["an unknown source", (update) => add(update, 99, "identity"), "missing_column"],
    ["a source in a list", (update) => [add(update, 5, "identity"), update.apply()].at(-1), "invalid_transform_source"],
    ["a nested source", (update) => [add(update, 6, "identity"), update.apply()].at(-1), "invalid_transform_source"],
    ["a transform of a wrong type", (update) => add(update, 3, "day"), "invalid_transform_source"],
    ["an unknown transform", (update) => add(update, 3, "zorder"), "invalid_transform_source"],
    ["what is there", (update) => add(update, 2, "day"), "partition_duplicate"],
    ["a name that is there", (update) => add(update, 3, "identity", "d"), "partition_duplicate"],
    [
      "the name of another column",
      (update) => [add(update, 1, "bucket[2]", "region"), update.apply()].at(-1),
      "partition_name_conflict",
    ],
    [
      "its column's name under a transform",
      (update) => [add(update, 3, "bucket[2]", "region"), update.apply()].at(-1),
      "partition_name_conflict",
    ],
    ["the removal of nothing", (update) => update.removeField(1009), "partition_missing"],
    ["a name for nothing", (update) => update.renameField(1009, "x"), "partition_missing"],
    [
      "the removal of an addition",
      (update) => [add(update, 3, "identity"), update.removeField(1001)].at(-1),
      "partition_conflict",
    ],
    [
      "the removal of a renamed one",
      (update) => [update.renameField(1000, "x"), update.removeField(1000)].at(-1),
      "partition_conflict",
    ],
    [
      "a name for a removed one",
      (update) => [update.removeField(1000), update.renameField(1000, "x")].at(-1),
      "partition_conflict",
    ],
    ["an empty name", (update) => [update.renameField(1000, ""), update.apply()].at(-1), "partition_name_conflict"],
    [
      "a column's name by renaming",
      (update) => [update.renameField(1000, "ts"), update.apply()].at(-1),
      "partition_name_conflict",
    ],
    [
      "one name twice",
      (update) => [add(update, 3, "truncate[2]", "x"), update.renameField(1000, "x"), update.apply()].at(-1),
      "partition_duplicate",
    ],
  ])("refuses %s", (_, operation, expected) => {
    expect(category(operation(start([spec(0, part(1000, 2, "day", "d"))])))).toBe(expected);
  });

  it("does not start on a spec with a transform that it does not know, or with several sources", () => {
    const base = { formatVersion: 3, schema: SCHEMA, lastPartitionId: 1000 } as const;
    for (const strange of [part(1000, 3, "zorder", "z"), { ...part(1000, 3, "bucket[2]", "m"), sourceIds: [1, 3] }]) {
      expect(category(startPartitionSpecUpdate({ ...base, spec: spec(0, strange), specs: [spec(0, strange)] }))).toBe(
        "invalid_transform_source",
      );
    }
  });

  it("refuses v1 ids with a gap only for a spec that is new", () => {
    const update = start([spec(0, part(1000, 3, "identity", "region"))], { formatVersion: 1, lastPartitionId: 1004 });
    expect(add(update, 1, "bucket[2]")).toBe(1005);
    expect(category(update.apply())).toBe("non_sequential_v1");
  });
});

describe("a partition spec update by name", () => {
  it("finds sources by nested and short names, fields by name or by source and transform", () => {
    const update = updateSpecByName(start([spec(0, part(1000, 2, "day", "d"))]));
    expect(update.addField("place.city", parseTransform("identity"))).toBe(1001);
    expect(category(update.addField("PLACE.city", parseTransform("truncate[2]")))).toBe("missing_column");
    update.ignoreCase();
    expect(update.addField("PLACE.city", parseTransform("truncate[2]"))).toBe(1002);
    expect(update.removeFieldOf("ts", parseTransform("day"))).toBeNull();
    expect(category(update.removeFieldOf("ts", parseTransform("hour")))).toBe("partition_missing");
    expect(ok(update.ids.apply()).spec.fields.map((one) => one.name)).toEqual(["place.city", "place.city_trunc_2"]);
  });
});

describe("buildSortOrder", () => {
  const by = (source: number | string, more: Partial<NewSortField> = {}): NewSortField => ({
    source,
    transform: parseTransform("identity"),
    direction: "asc",
    nullOrder: null,
    ...more,
  });

  it("writes the null order out, by Java's rule", () => {
    expect(defaultNullOrder("asc")).toBe("nulls-first");
    expect(defaultNullOrder("desc")).toBe("nulls-last");
    expect(
      ok(buildSortOrder({ schema: SCHEMA, sortOrders: [UNSORTED] }, [by(1), by("place.city", { direction: "desc" })])),
    ).toEqual({
      orderId: 1,
      fields: [
        { sourceIds: [1], transform: "identity", direction: "asc", nullOrder: "nulls-first" },
        { sourceIds: [7], transform: "identity", direction: "desc", nullOrder: "nulls-last" },
      ],
    });
  });

  it('takes void, as spec "Sorting" takes every transform and Iceberg Java does', () => {
    const order = ok(buildSortOrder({ schema: SCHEMA, sortOrders: [UNSORTED] }, [by(1, { transform: parseTransform("void") })]));
    expect(order.fields).toMatchObject([{ sourceIds: [1], transform: "void", direction: "asc", nullOrder: "nulls-first" }]);
  });

  it("reuses an equal order and is id 0 without fields", () => {
    const known = ok(buildSortOrder({ schema: SCHEMA, sortOrders: [UNSORTED] }, [by(1)]));
    const orders = [UNSORTED, { ...known, orderId: 4 }];
    expect(ok(buildSortOrder({ schema: SCHEMA, sortOrders: orders }, [by("id")])).orderId).toBe(4);
    expect(ok(buildSortOrder({ schema: SCHEMA, sortOrders: orders }, [by("id", { direction: "desc" })])).orderId).toBe(5);
    expect(buildSortOrder({ schema: SCHEMA, sortOrders: orders }, [])).toBe(UNSORTED);
  });

  it.each<[string, NewSortField, string]>([
    ["an unknown id", by(99), "missing_column"],
    ["an unknown name", by("ID"), "missing_column"],
    ["a struct", by(6), "sort_invalid"],
    ["an unknown transform", by(1, { transform: parseTransform("zorder") }), "sort_invalid"],
    ["a transform of a wrong type", by(3, { transform: parseTransform("day") }), "sort_invalid"],
  ])("refuses %s", (_, wanted, expected) => {
    expect(category(buildSortOrder({ schema: SCHEMA, sortOrders: [UNSORTED] }, [wanted]))).toBe(expected);
  });
});

describe("checks of a schema against its table", () => {
  const table: SchemaSurroundings = {
    formatVersion: 3,
    partitionSpecs: [
      spec(0, part(1000, 3, "identity", "region")),
      spec(1, part(1001, 2, "day", "ts_day"), part(1002, 9, "void", "gone")),
    ],
    defaultSpecId: 1,
    sortOrders: [
      UNSORTED,
      { orderId: 1, fields: [{ sourceIds: [1], transform: "identity", direction: "asc", nullOrder: "nulls-first" }] },
    ],
    defaultSortOrderId: 1,
  };
  const without = (...ids: number[]): typeof SCHEMA => ({
    ...SCHEMA,
    fields: SCHEMA.fields.filter((one) => !ids.includes(one.id)),
  });
  const categories = (schema: typeof SCHEMA, surroundings = table): string[] =>
    checkSchemaChange(SCHEMA, schema, surroundings).map((one) => one.category);

  it("find nothing wrong with the schema that is there", () => {
    expect(categories(SCHEMA)).toEqual([]);
  });

  it("let the sources of old specs and of void fields go, not those of the default spec and order", () => {
    expect(categories(without(3))).toEqual([]);
    expect(categories(without(1, 2))).toEqual(["partition_source_dropped", "sort_source_dropped"]);
  });

  it("look for clashes of names in every spec, unless the source is gone", () => {
    const clash = { ...SCHEMA, fields: [...SCHEMA.fields, field(20, "ts_day", "int")] };
    expect(checkSchemaChange(SCHEMA, clash, table)).toMatchObject([{ category: "partition_name_conflict", fieldId: 20 }]);
    const renamed = { ...SCHEMA, fields: [...without(3).fields, field(3, "area", "string"), field(20, "region", "int")] };
    expect(categories(renamed)).toEqual(["partition_name_conflict"]);
    const replaced = { ...SCHEMA, fields: [...without(3).fields, field(20, "region", "int")] };
    expect(categories(replaced)).toEqual([]);
    const own = [spec(0, part(1000, 3, "bucket[4]", "region"))];
    expect(checkPartitionSpecs(SCHEMA, own, 0)).toEqual([]);
  });

  it("name every type and default that needs a later version", () => {
    const schema = schemaOf(
      field(
        1,
        "s",
        struct(
          field(2, "n", "timestamp_ns"),
          field(3, "d", "int", { initialDefault: 1 }),
          field(4, "w", "int", { writeDefault: 1 }),
        ),
      ),
      field(5, "g", "geometry"),
    );
    expect(checkFormatVersion(schema, 3)).toEqual([]);
    expect(checkFormatVersion(schema, 2).map((one) => [one.category, one.fieldId])).toEqual([
      ["type_needs_version", 2],
      ["default_needs_version", 3],
      ["type_needs_version", 5],
    ]);
  });

  it("refuse a promotion that would change partition values, in whatever spec", () => {
    const dates = schemaOf(field(1, "d", "date"));
    const stamps = schemaOf(field(1, "d", "timestamp"));
    const withSpecs = (...transforms: string[]): SchemaSurroundings => ({
      ...table,
      partitionSpecs: transforms.map((transform, index) => spec(index, part(1000 + index, 1, transform, `p${index}`))),
      defaultSpecId: 0,
      sortOrders: [UNSORTED],
      defaultSortOrderId: 0,
    });
    expect(checkSchemaChange(dates, stamps, withSpecs("day", "month", "year"))).toEqual([]);
    expect(checkSchemaChange(dates, stamps, withSpecs("day", "identity", "bucket[4]")).map((one) => one.category)).toEqual([
      "illegal_type_change",
      "illegal_type_change",
    ]);
  });

  it("know what an identifier field must be", () => {
    const schema = schemaOf(
      field(1, "o", "int"),
      field(2, "f!", "float"),
      field(3, "s!", struct(field(4, "in!", "int"))),
      field(5, "l!", list(6, struct(field(7, "x!", "int")), true)),
      field(8, "m!", map(9, "string", 10, "int", true)),
      field(11, "u", struct(field(12, "in!", "int"))),
      field(13, "v!", "variant"),
    );
    const wrong = [1, 2, 3, 4, 5, 6, 7, 9, 10, 12, 13, 99].filter(
      (id) => checkSchema({ ...schema, identifierFieldIds: [id] }).length > 0,
    );
    expect(wrong).toEqual([1, 2, 3, 5, 6, 7, 9, 10, 12, 13, 99]);
  });

  it("refuse ids that the format keeps for itself, and a version that goes down", () => {
    expect(checkSchema(schemaOf(field(2147483448, "x", "int")))).toMatchObject([{ fieldId: 2147483448 }]);
    expect(checkSchema(schemaOf(field(2147483447, "x", "int")))).toEqual([]);
    expect(isEvolutionError(checkFormatUpgrade(2, 1))).toBe(true);
    expect(checkFormatUpgrade(2, 2)).toBeNull();
  });
});
