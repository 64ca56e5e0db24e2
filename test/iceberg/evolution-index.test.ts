import { describe, expect, it } from "vitest";
import { allFieldIds, enclosing, fieldPath, indexSchema, parentOf } from "../../src/iceberg/schema-index.ts";
import { walkFields, walkTogether } from "../../src/iceberg/walk.ts";
import { field, list, map, schemaOf, struct } from "./evolution-build.ts";

const SCHEMA = schemaOf(
  field(1, "id!", "long"),
  field(2, "points", list(3, struct(field(4, "x", "int"), field(5, "y.y", "int")))),
  field(6, "prices", map(7, struct(field(8, "currency!", "string")), 9, struct(field(10, "net", "float")))),
  field(11, "grid", list(12, list(13, struct(field(14, "z", "int"))))),
  field(15, "a b", struct(field(16, "c", "int"))),
);

describe("indexSchema", () => {
  const index = indexSchema(SCHEMA);

  it("is built once a schema", () => {
    expect(indexSchema(SCHEMA)).toBe(index);
  });

  it("knows every node in schema order, each before what is inside it", () => {
    expect(allFieldIds(SCHEMA)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]);
    expect(index.nodes.map((node) => node.role)).toEqual(
      "field field element field field field key field value field field element element field field field".split(" "),
    );
    expect(index.byId(7)?.required).toBe(true);
    expect(index.byId(99)).toBeUndefined();
  });

  // Names as the reference implementation's IndexByName gives them.
  it.each<[string, number | undefined]>([
    ["id", 1],
    ["points.element", 3],
    ["points.element.x", 4],
    ["points.x", 4],
    ["points.y.y", 5],
    ["prices.value.net", 10],
    ["prices.net", 10],
    ["prices.key.currency", 8],
    ["prices.currency", undefined],
    ["grid.element.element.z", 14],
    ["grid.element.z", 14],
    ["grid.z", undefined],
    ["a b.c", 16],
    ["ID", undefined],
    ["", undefined],
  ])("finds %j by name: %s", (name, id) => {
    expect(index.byName(name)?.id).toBe(id);
  });

  it("prefers a full name to a short one, and the first of two short ones", () => {
    const clash = indexSchema(
      schemaOf(
        field(1, "p", list(2, struct(field(3, "x", "int")))),
        field(4, "p.x", "int"),
        field(5, "q", map(6, struct(field(7, "value", "int")), 8, struct(field(9, "n", "int")))),
      ),
    );
    expect(clash.byName("p.x")?.id).toBe(4);
    expect(clash.byName("p.element.x")?.id).toBe(3);
    expect(clash.byName("q.value")?.id).toBe(8);
  });

  it("ignores case when asked, unless two names differ only in it", () => {
    expect(index.byNameIgnoringCase("POINTS.X").found?.id).toBe(4);
    expect(index.byNameIgnoringCase("nope")).toEqual({ found: null });
    const both = indexSchema(schemaOf(field(1, "a", "int"), field(2, "A", "int")));
    expect(both.byNameIgnoringCase("a")).toEqual({ found: null, collision: ["a", "A"] });
  });

  it("finds by the segments of a path, whatever the names hold", () => {
    expect(index.byPath(["points", "element", "y.y"])?.id).toBe(5);
    expect(index.byPath(["points", "y.y"])).toBeUndefined();
    expect(index.byPath(["a b", "c"])).toBe(index.byId(16));
    expect(index.byPath([])).toBeUndefined();
  });

  it("prints paths in the path grammar and full names without quotes", () => {
    expect(fieldPath(SCHEMA, 5)).toBe('points.element."y.y"');
    expect(fieldPath(SCHEMA, 16)).toBe('"a b".c');
    expect(fieldPath(SCHEMA, 99)).toBeUndefined();
    expect(index.fullName(5)).toBe("points.element.y.y");
    expect(index.segments(10)).toEqual(["prices", "value", "net"]);
    expect(index.segments(99)).toEqual([]);
  });

  it("knows who holds whom", () => {
    expect(parentOf(SCHEMA, 1)).toBeNull();
    expect(parentOf(SCHEMA, 10)?.id).toBe(9);
    expect(parentOf(SCHEMA, 99)).toBeUndefined();
    const node = index.byId(14);
    expect(node === undefined ? [] : Array.from(enclosing(node), (one) => one.id)).toEqual([14, 13, 12, 11]);
  });
});

describe("walkTogether", () => {
  const other = schemaOf(
    field(1, "id!", "long"),
    field(6, "prices", map(7, "string", 9, "float")),
    field(2, "points", list(3, struct(field(5, "x", "int"), field(4, "z", "int")))),
    field(20, "fresh", struct(field(21, "in", "int"))),
  );

  it("pairs siblings by id, left order first, and does not look into what has no partner", () => {
    const pairs = [...walkTogether(SCHEMA.fields, other.fields, "id")].map(({ left, right }) => [
      left?.id ?? null,
      right?.id ?? null,
    ]);
    expect(pairs).toEqual([
      [1, 1],
      [2, 2],
      [3, 3],
      [4, 4],
      [5, 5],
      [6, 6],
      [7, 7],
      [9, 9],
      [11, null],
      [15, null],
      [null, 20],
    ]);
  });

  it("pairs siblings by name", () => {
    const pairs = [...walkTogether(SCHEMA.fields, other.fields, "name")].map(
      ({ left, right }) => `${left?.name ?? "-"}/${right?.name ?? "-"}`,
    );
    expect(pairs).toEqual([
      "id/id",
      "points/points",
      "element/element",
      "x/x",
      "y.y/-",
      "-/z",
      "prices/prices",
      "key/key",
      "value/value",
      "grid/-",
      "a b/-",
      "-/fresh",
    ]);
  });

  it("visits one schema like the index does", () => {
    expect(Array.from(walkFields(SCHEMA.fields), (node) => node.id)).toEqual(allFieldIds(SCHEMA));
  });
});
