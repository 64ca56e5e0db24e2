// A table of orders: its rows worked out here, its declarations from the one that Spark made to the last.
import type { Row } from "../support/rows.ts";

export const ORDERS = "sales.orders";

/** As Spark's SQL makes them below, without order 3, which Spark deletes. */
export const FIRST: readonly Row[] = Array.from({ length: 40 }, (_, index) => index + 1)
  .filter((id) => id !== 3)
  .map((id) => ({
    order_id: BigInt(id),
    customer: `c${id}`,
    amount: (id * 1.25).toFixed(2),
    ordered: new Date(Date.UTC(2024, 0, 1 + id)).toISOString().slice(0, 10).replaceAll("-", ""),
    region: id % 2 === 0 ? "eu" : "us",
    items: [{ sku: `s${id}`, qty: BigInt(id) }],
  }));

export const madeBySpark = (catalog: string): readonly string[] => [
  `CREATE NAMESPACE ${catalog}.sales`,
  `CREATE TABLE ${catalog}.${ORDERS} (order_id INT NOT NULL, customer STRING COMMENT 'As billed', amount DECIMAL(9,2),
    ordered STRING, region STRING, items ARRAY<STRUCT<sku: STRING, qty: INT>>)
    USING iceberg PARTITIONED BY (region) TBLPROPERTIES ('format-version' = '2')`,
  `INSERT INTO ${catalog}.${ORDERS} SELECT CAST(id AS INT), concat('c', id), CAST(id * 1.25 AS DECIMAL(9,2)),
    date_format(date_add(DATE '2024-01-01', CAST(id AS INT)), 'yyyyMMdd'), IF(id % 2 = 0, 'eu', 'us'),
    array(named_struct('sku', concat('s', id), 'qty', CAST(id AS INT))) FROM range(1, 41)`,
  `DELETE FROM ${catalog}.${ORDERS} WHERE order_id = 3`,
];

export const TYPES: Readonly<Record<string, string>> = {
  order_id: "int",
  customer: "string",
  amount: "decimal(9,2)",
  ordered: "string",
  region: "string",
  items: "list<struct<sku:string,qty:int>>",
};

/** In metadata alone, at every depth. */
export const SECOND = `table: ${ORDERS}
comment: One row per order
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: client, type: string, comment: "As billed", renamed-from: [ customer ] }
  - { name: channel, type: string }
  - { name: region, type: string }
  - { name: amount, type: "decimal(12,2)", required: true }
  - { name: ordered, type: string }
  - name: items
    type: list<struct>
    fields: [ { name: sku, type: string }, { name: qty, type: long }, { name: price, type: "decimal(9,2)" } ]
identifier-fields: [ order_id ]
partition-by: []
sort-by: [ order_id ]
properties: { write.spark.fanout.enabled: true, write.metadata.previous-versions-max: 50 }
glue: { parameters: { data_class: internal } }
`;

export const SECOND_KINDS = [
  "add-field",
  "evolve-partition-spec",
  "move-field",
  "rename-field",
  "replace-sort-order",
  "set-comment",
  "set-doc",
  "set-glue-parameters",
  "set-identifier-fields",
  "set-properties",
  "set-required",
  "widen-type",
];

export const SECOND_TYPES: Readonly<Record<string, string>> = {
  order_id: "long",
  client: "string",
  channel: "string",
  region: "string",
  amount: "decimal(12,2)",
  ordered: "string",
  items: "list<struct<sku:string,qty:long,price:decimal(9,2)>>",
};

export function asSecond({ customer, items, ...row }: Row): Row {
  const lines = (items ?? []) as readonly Row[];
  return { ...row, client: customer ?? null, channel: null, items: lines.map((line) => ({ ...line, price: null })) };
}

/** With data: text becomes a date; and a column goes. */
export const THIRD = SECOND.replace(
  "{ name: ordered, type: string }",
  "{ name: ordered, type: date, convert: { from: string, format: yyyyMMdd } }",
)
  .replace("  - { name: channel, type: string }\n", "")
  .replace(", required: true }\n  - { name: ordered", " }\n  - { name: ordered")
  .replace("write.spark.fanout.enabled: true, ", "")
  .replace("glue: { parameters: { data_class: internal } }\n", 'dropped: [ { field: channel, reason: "never filled" } ]\n');

export const THIRD_KINDS = ["convert-type", "drop-field", "remove-glue-parameters", "remove-properties", "set-optional"];

export const THIRD_TYPES: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries({ ...SECOND_TYPES, ordered: "date" }).filter(([name]) => name !== "channel"),
);

export function asThird({ channel, ordered, ...row }: Row): Row {
  if (channel === undefined) throw new Error("the table before has a channel");
  return { ...row, ordered: typeof ordered === "string" ? ordered.replace(/^(....)(..)(..)$/, "$1-$2-$3") : null };
}

/** Version 3, a default, and the dropped column with what it held. */
export const FOURTH = THIRD.replace("columns:\n", "format-version: 3\ncolumns:\n")
  .replace(
    "  - { name: region, type: string }\n",
    "  - { name: channel, type: string }\n  - { name: region, type: string, default: eu }\n",
  )
  .replace(/dropped: .*\n/, "");

export const FOURTH_KINDS = ["restore-field", "set-default", "upgrade-format-version"];
