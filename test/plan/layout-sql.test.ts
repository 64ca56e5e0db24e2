// What a person would type for a change of the layout: Iceberg's SQL extensions of Spark ("Spark DDL": ALTER TABLE … ADD,
// DROP and REPLACE PARTITION FIELD, WRITE … ORDERED BY, SET and DROP IDENTIFIER FIELDS), properties of Trino's connector.
import { describe, expect, it } from "vitest";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { field, metadataOf, plan, schemaOf } from "./support.ts";

const COLUMNS = `table: ns.t
columns:
  - { name: id, type: long, required: true }
  - { name: ts, type: timestamp }
  - { name: odd name, type: string }
`;
const live = (): TableMetadata =>
  metadataOf(
    [
      {
        ...schemaOf(field(1, "id", "long", { required: true }), field(2, "ts", "timestamp"), field(3, "odd name", "string")),
        "identifier-field-ids": [],
      },
    ],
    {
      "partition-specs": [
        {
          "spec-id": 0,
          fields: [
            { "source-id": 2, "field-id": 1000, transform: "day", name: "ts_day" },
            { "source-id": 1, "field-id": 1001, transform: "bucket[4]", name: "id_bucket" },
          ],
        },
      ],
      "last-partition-id": 1001,
    },
  );
const sql = (more: string, metadata: TableMetadata = live()): unknown => {
  const [step, second] = plan(COLUMNS + more, metadata).plan.steps;
  expect(second).toBeUndefined();
  return step?.sql;
};
const T = "ALTER TABLE `ns`.`t`";
const TRINO = 'ALTER TABLE "ns"."t" SET PROPERTIES';

describe("a change of the partitioning", () => {
  it("adds and drops fields by their terms and names", () => {
    expect(sql("partition-by:\n  - bucket(4, id)\n  - 'truncate(3, \"odd name\")'\n")).toEqual({
      spark: `${T} DROP PARTITION FIELD \`ts_day\`;\n${T} ADD PARTITION FIELD truncate(3, \`odd name\`)`,
      athena: null,
      trino: `${TRINO} partitioning = ARRAY['bucket(id, 4)', 'truncate("odd name", 3)']`,
    });
  });

  it("says names where they are chosen, which Trino has no word for", () => {
    expect(sql("partition-by:\n  - day(ts) as day\n  - bucket(4, id)\n  - '\"odd name\" as shelf'\n")).toEqual({
      spark: `${T} REPLACE PARTITION FIELD \`ts_day\` WITH day(\`ts\`) AS \`day\`;\n${T} ADD PARTITION FIELD \`odd name\` AS \`shelf\``,
      athena: null,
      trino: null,
    });
  });

  it("takes all of it away", () => {
    expect(sql("partition-by: []\n")).toEqual({
      spark: `${T} DROP PARTITION FIELD \`ts_day\`;\n${T} DROP PARTITION FIELD \`id_bucket\``,
      athena: null,
      trino: `${TRINO} partitioning = ARRAY[]`,
    });
  });
});

it("a change of the sort order is said whole, and Trino sorts by columns only", () => {
  expect(sql("sort-by:\n  - ts desc nulls last\n  - '\"odd name\"'\n")).toEqual({
    spark: `${T} WRITE LOCALLY ORDERED BY \`ts\` DESC NULLS LAST, \`odd name\` ASC NULLS FIRST`,
    athena: null,
    trino: `${TRINO} sorted_by = ARRAY['ts DESC NULLS LAST', '"odd name" ASC NULLS FIRST']`,
  });
  expect(sql('sort-by: [ "bucket(4, id)" ]\n')).toMatchObject({
    spark: `${T} WRITE LOCALLY ORDERED BY bucket(4, \`id\`) ASC NULLS FIRST`,
    trino: null,
  });
  const sorted = {
    ...live(),
    defaultSortOrderId: 1,
    sortOrders: [
      { orderId: 1, fields: [{ sourceIds: [2], transform: "identity", direction: "asc", nullOrder: "nulls-first" } as const] },
    ],
  };
  expect(sql("sort-by: []\n", sorted)).toMatchObject({ spark: `${T} WRITE UNORDERED`, trino: `${TRINO} sorted_by = ARRAY[]` });
});

it("identifier fields are set and dropped by Spark", () => {
  expect(sql("identifier-fields: [ id ]\n")).toEqual({ spark: `${T} SET IDENTIFIER FIELDS \`id\``, athena: null, trino: null });
  const identified = live();
  const schemas = identified.schemas.map((schema) => ({ ...schema, identifierFieldIds: [1] }));
  expect(sql("identifier-fields: []\n", { ...identified, schemas })).toMatchObject({
    spark: `${T} DROP IDENTIFIER FIELDS \`id\``,
  });
});

it("the format version is a property of both", () => {
  expect(sql("format-version: 3\n")).toEqual({
    spark: `${T} SET TBLPROPERTIES ('format-version' = '3')`,
    athena: null,
    trino: `${TRINO} format_version = 3`,
  });
});
