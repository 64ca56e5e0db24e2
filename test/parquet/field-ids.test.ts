// Field ids for files that were written without them, under the plain paths of a name mapping.
import { describe, expect, it } from "vitest";
import { assignFieldIds, hasFieldIds } from "../../src/parquet/assign-field-ids.ts";
import { parseFooter, readFooter } from "../../src/parquet/footer.ts";
import type { SchemaNode } from "../../src/parquet/schema.ts";
import { rewriteFile } from "../../src/parquet/rewrite-file.ts";
import {
  binaryField,
  i32Field,
  i64Field,
  listField,
  struct,
  structField,
  THRIFT,
  type ThriftStruct,
} from "../../src/parquet/thrift-tree.ts";
import { metadataOf } from "./look.ts";
import { collectingSink, DATE, load, memorySource, toDays, utf8 } from "./support.ts";

interface Shape {
  readonly name: string;
  readonly repetition: 0 | 1 | 2;
  readonly annotation?: "list" | "map" | "old-list" | "old-map";
  readonly children?: readonly Shape[];
}

const ANNOTATIONS = {
  list: structField(10, struct(structField(3, struct()))),
  map: structField(10, struct(structField(2, struct()))),
  "old-list": i32Field(6, 3),
  "old-map": i32Field(6, 2),
};

function elements(shape: Shape): ThriftStruct[] {
  const { annotation, children } = shape;
  const own = struct(
    children === undefined ? i32Field(1, 1) : null,
    i32Field(3, shape.repetition),
    binaryField(4, utf8(shape.name)),
    children === undefined ? null : i32Field(5, children.length),
    annotation === undefined ? null : ANNOTATIONS[annotation],
  );
  return [own, ...(children ?? []).flatMap(elements)];
}

/** Ids handed out in the order in which paths are asked; gives path → id as found in the new schema. */
function paths(...columns: readonly Shape[]): readonly string[] {
  const schema = elements({ name: "root", repetition: 0, children: columns });
  const footer = parseFooter(
    struct(i32Field(1, 1), listField(2, THRIFT.struct, schema), i64Field(3, 0n), listField(4, THRIFT.struct, [])),
    4,
    100,
  );
  const asked: string[] = [];
  const withIds = assignFieldIds(footer, (path) => asked.push(path.join(".")));
  const found: string[] = [];
  const walk = (node: SchemaNode, physical: readonly string[]): void => {
    if (node.fieldId !== null) found.push(`${asked[node.fieldId - 1] ?? ""} = ${physical.join("/")}`);
    for (const child of node.children) walk(child, [...physical, child.name]);
  };
  walk(withIds.root, []);
  return found;
}

const leaf = (name: string, repetition: 0 | 1 | 2 = 1): Shape => ({ name, repetition });

describe("the layouts of LogicalTypes.md", () => {
  it("of lists with three levels", () => {
    const list: Shape = {
      name: "items",
      repetition: 1,
      annotation: "list",
      children: [{ name: "list", repetition: 2, children: [leaf("element")] }],
    };
    expect(paths(list)).toEqual(["items = items", "items.element = items/list/element"]);
  });

  it("of lists of structs in structs", () => {
    const element: Shape = { name: "element", repetition: 1, children: [leaf("sku"), leaf("qty")] };
    const list: Shape = {
      name: "lines",
      repetition: 1,
      annotation: "old-list",
      children: [{ name: "bag", repetition: 2, children: [element] }],
    };
    expect(paths({ name: "order", repetition: 1, children: [list] })).toEqual([
      "order = order",
      "order.lines = order/lines",
      "order.lines.element = order/lines/bag/element",
      "order.lines.element.sku = order/lines/bag/element/sku",
      "order.lines.element.qty = order/lines/bag/element/qty",
    ]);
  });

  it("of older lists, where the repeated field is the element", () => {
    const primitive: Shape = { name: "a", repetition: 1, annotation: "list", children: [leaf("element", 2)] };
    const two: Shape = {
      name: "b",
      repetition: 1,
      annotation: "list",
      children: [{ name: "element", repetition: 2, children: [leaf("x"), leaf("y")] }],
    };
    const array: Shape = {
      name: "c",
      repetition: 1,
      annotation: "list",
      children: [{ name: "array", repetition: 2, children: [leaf("x")] }],
    };
    const tuple: Shape = {
      name: "d",
      repetition: 1,
      annotation: "list",
      children: [{ name: "d_tuple", repetition: 2, children: [leaf("x")] }],
    };
    expect(paths(primitive, two, array, tuple)).toEqual([
      "a = a",
      "a.element = a/element",
      "b = b",
      "b.element = b/element",
      "b.element.x = b/element/x",
      "b.element.y = b/element/y",
      "c = c",
      "c.element = c/array",
      "c.element.x = c/array/x",
      "d = d",
      "d.element = d/d_tuple",
      "d.element.x = d/d_tuple/x",
    ]);
  });

  it("of maps, new and old, and of maps without values", () => {
    const map = (name: string, annotation: "map" | "old-map", parts: readonly Shape[]): Shape => ({
      name,
      repetition: 1,
      annotation,
      children: [{ name: "key_value", repetition: 2, children: parts }],
    });
    expect(
      paths(
        map("m", "map", [leaf("key", 0), leaf("value")]),
        map("n", "old-map", [leaf("k", 0), leaf("v")]),
        map("s", "map", [leaf("key", 0)]),
      ),
    ).toEqual([
      "m = m",
      "m.key = m/key_value/key",
      "m.value = m/key_value/value",
      "n = n",
      "n.key = n/key_value/k",
      "n.value = n/key_value/v",
      "s = s",
      "s.key = s/key_value/key",
    ]);
  });
});

describe("a file without ids", () => {
  it("is rewritten with ids at every level that the mapping knows", async () => {
    const source = load("foreign/spark-without-ids.parquet");
    const plain = await readFooter(memorySource(source));
    expect(hasFieldIds(plain)).toBe(false);
    const mapping = new Map([
      ["employee_id", 1],
      ["hired", 2],
      ["grade", 3],
      ["job", 6],
      ["job.title", 7],
      ["job.level", 8],
    ]);
    const footer = assignFieldIds(plain, (path) => mapping.get(path.join(".")));
    const sink = collectingSink(source);
    const answer = await rewriteFile(memorySource(source), sink, footer, [
      { retiredFieldId: 2, newFieldId: 10, target: DATE, required: false, convert: toDays },
    ]);
    expect(answer.state).toBe("written");
    const ids = metadataOf(sink.bytes()).schema.map((element) => [element.name, element.field_id]);
    expect(ids).toEqual([
      ["spark_schema", undefined],
      ["employee_id", 1],
      ["hired", 10],
      ["grade", 3],
      ["rate", undefined],
      ["active", undefined],
      ["job", 6],
      ["title", 7],
      ["level", 8],
    ]);
  });

  it("keeps ids that are there", async () => {
    const footer = await readFooter(memorySource(load("required.parquet")));
    expect(hasFieldIds(footer)).toBe(true);
    expect(assignFieldIds(footer, () => 99).root.children.map((node) => node.fieldId)).toEqual(
      footer.root.children.map((node) => node.fieldId),
    );
  });
});
