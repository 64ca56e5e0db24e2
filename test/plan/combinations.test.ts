// Several changes of one table in one commit, and what goes along with them: the name mapping, the properties of columns,
// and types of version 3 that no change may lose.
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../src/iceberg/json.ts";
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { formatType } from "../../src/iceberg/type-text.ts";
import { applied, blockersOf, columnsOf, field, metadataOf, plan, schemaOf, stepsOf } from "./support.ts";

const table = (columns: readonly string[], more = ""): string =>
  `table: ns.t\ncolumns:\n${columns.map((column) => `  - { ${column} }\n`).join("")}${more}`;
const abc = (more: JsonObject = {}): TableMetadata =>
  metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"), field(3, "c", "string"))], more);

describe("one commit", () => {
  it.each<[string, string, readonly string[]]>([
    [
      "renames and moves a field",
      table(["name: z, type: string, renamed-from: c", "name: a, type: string", "name: b, type: string"]),
      ["z:3", "a:1", "b:2"],
    ],
    [
      "swaps two names",
      table(["name: b, type: string, id: 1", "name: a, type: string, id: 2", "name: c, type: string"]),
      ["b:1", "a:2", "c:3"],
    ],
    [
      "gives a freed name to a new field",
      table([
        "name: old_a, type: string, id: 1",
        "name: a, type: int, id: new",
        "name: b, type: string",
        "name: c, type: string",
      ]),
      ["old_a:1", "a:4", "b:2", "c:3"],
    ],
    [
      "drops one field and puts another in its place",
      table(
        ["name: a, type: string", "name: d, type: int", "name: c, type: string"],
        "dropped: [ { field: b, reason: unused } ]\n",
      ),
      ["a:1", "d:4", "c:3"],
    ],
  ])("%s", (_, yaml, columns) => {
    const after = applied(yaml, abc());
    expect(columnsOf(after)).toEqual(columns);
    expect(stepsOf(plan(yaml, after))).toEqual([]);
    expect(after.schemas).toHaveLength(2);
  });

  it("moves the identifier off a dropped column, and renames what is sorted and partitioned by", () => {
    const live = metadataOf(
      [
        {
          fields: [
            field(1, "a", "string", { required: true }),
            field(2, "b", "string", { required: true }),
            field(3, "c", "string"),
          ],
          "identifier-field-ids": [1],
        },
      ],
      {
        "partition-specs": [{ "spec-id": 0, fields: [{ "source-id": 3, "field-id": 1000, transform: "identity", name: "c" }] }],
        "last-partition-id": 1000,
        "sort-orders": [
          { "order-id": 1, fields: [{ "source-id": 3, transform: "identity", direction: "asc", "null-order": "nulls-first" }] },
        ],
        "default-sort-order-id": 1,
      },
    );
    const yaml = table(
      ["name: b, type: string, required: true", "name: region, type: string, renamed-from: c"],
      "dropped: [ { field: a, reason: unused } ]\nidentifier-fields: [ b ]\npartition-by: [ region ]\nsort-by: [ region desc ]\n",
    );
    expect(blockersOf(plan(yaml, live))).toEqual([]);
    const after = applied(yaml, live);
    expect(columnsOf(after)).toEqual(["b:2", "region:3"]);
    expect(currentSchema(after).identifierFieldIds).toEqual([2]);
    expect(defaultSpec(after).fields).toMatchObject([{ sourceIds: [3], transform: "identity" }]);
    expect(defaultSortOrder(after).fields).toMatchObject([{ sourceIds: [3], direction: "desc" }]);
    expect(stepsOf(plan(yaml, after))).toEqual([]);
  });
});

it("the name mapping and the properties of columns follow renames, drops and additions", () => {
  const mapping = [1, 2, 3].map((id) => ({ "field-id": id, names: [["a", "b", "c"][id - 1]] }));
  const live = abc({
    properties: {
      "schema.name-mapping.default": JSON.stringify(mapping),
      "write.metadata.metrics.column.a": "full",
      "write.metadata.metrics.column.b": "none",
    },
  });
  const yaml = table(
    ["name: first, type: string, renamed-from: a", "name: c, type: string", "name: d, type: int"],
    "dropped: [ { field: b, reason: unused } ]\n",
  );
  const { properties } = applied(yaml, live);
  // As the reference implementation's MappingUtil.update does: old names stay beside new ones, dropped fields stay.
  expect(JSON.parse(properties["schema.name-mapping.default"] ?? "")).toEqual([
    { "field-id": 1, names: ["a", "first"] },
    { "field-id": 2, names: ["b"] },
    { "field-id": 3, names: ["c"] },
    { "field-id": 4, names: ["d"] },
  ]);
  expect(properties["write.metadata.metrics.column.first"]).toBe("full");
  expect(Object.keys(properties)).not.toContain("write.metadata.metrics.column.a");
  expect(Object.keys(properties)).not.toContain("write.metadata.metrics.column.b");
});

describe("types of format version 3", () => {
  const TYPES = ["timestamp_ns", "timestamptz_ns", "variant", "geometry", "geography(OGC:CRS84, spherical)", "unknown"];
  const yaml = (prefix: string, hint: string): string =>
    table(
      TYPES.map(
        (type, index) => `name: ${prefix}${index}, type: "${type}"${hint === "" ? "" : `, renamed-from: ${hint}${index}`}`,
      ),
      "format-version: 3\n",
    );
  const typesOf = (metadata: TableMetadata): string[] =>
    currentSchema(metadata).fields.map((one) => `${one.id} ${formatType(one.type)}`);

  it("are made, kept under renames and moves, and printed as they were", () => {
    const empty = metadataOf([schemaOf(field(1, "x", "int"))], { "format-version": 3, "next-row-id": 0 });
    const made = applied(`${yaml("a", "")}unmanaged: [ x ]\n`, empty);
    expect(typesOf(made).slice(1)).toHaveLength(TYPES.length);
    const renamed = applied(`${yaml("b", "a")}unmanaged: [ x ]\n`, made);
    expect(typesOf(renamed)).toEqual(typesOf(made));
    expect(stepsOf(plan(`${yaml("b", "a")}unmanaged: [ x ]\n`, renamed))).toEqual([]);
    expect(typesOf(made).map((text) => text.split(" ").slice(1).join(" ").split("(")[0])).toEqual([
      "int",
      ...TYPES.map((text) => text.split("(")[0]),
    ]);
  });

  it("need the version: an older table refuses them", () => {
    expect(
      blockersOf(
        plan(table(["name: a, type: string", "name: b, type: string", "name: c, type: string", "name: v, type: variant"]), abc()),
      ),
    ).toEqual(["format-refuses"]);
  });
});
