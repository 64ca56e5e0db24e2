// One table's life: Spark makes it in Glue, floeplan takes it over, changes it by every kind of step and converts it;
// after each change Spark and PyIceberg read what is worked out here, append, and the next plan is empty.
import { deepStrictEqual } from "node:assert/strict";
import { type CatalogProperties, type PyIceberg } from "../support/engines/pyiceberg.ts";
import type { Spark } from "../support/engines/spark.ts";
import { sameRows, type Suite } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import {
  asSecond,
  asThird,
  FIRST,
  FOURTH,
  FOURTH_KINDS,
  madeBySpark,
  ORDERS,
  SECOND,
  SECOND_KINDS,
  SECOND_TYPES,
  THIRD,
  THIRD_KINDS,
  THIRD_TYPES,
  TYPES,
} from "./orders.ts";
import type { GlueProject } from "./project.ts";

export interface Bed {
  readonly suite: Suite;
  readonly project: GlueProject;
  readonly spark: Spark;
  readonly pyiceberg: PyIceberg;
  /** PyIceberg's catalog; Spark has it by the name `lake`. */
  readonly catalog: CatalogProperties;
  /** Every kind of step that was taken. */
  readonly kinds: Set<string>;
}

type Types = Readonly<Record<string, string>>;

/** Spark and PyIceberg read the same rows, those expected. */
export async function bothRead(
  { spark, pyiceberg, catalog }: Bed,
  table: string,
  types: Types,
  rows: readonly Row[],
): Promise<void> {
  const expected = rowSet(types, rows);
  sameRows(await spark.sql(`SELECT * FROM lake.${table}`), expected);
  sameRows(await pyiceberg.rows(catalog, table), expected);
}

export async function changed(
  { project, kinds }: Bed,
  table: string,
  declaration: string,
  expected: readonly string[],
): Promise<void> {
  await project.write(`tables/${table.replace(".", "/")}.yaml`, declaration);
  const taken = await project.apply(table);
  for (const kind of taken) kinds.add(kind);
  deepStrictEqual(taken, expected);
}

const ITEM = { sku: "s", qty: 1n, price: "1.50" };
const VALUES: Row = { order_id: 0n, client: "x", region: "eu", amount: "1.00", items: [ITEM] };
const SPARK_ITEMS = "array(named_struct('sku', 's', 'qty', 1L, 'price', CAST(1.5 AS DECIMAL(9,2))))";

export async function ordersHistory(bed: Bed): Promise<void> {
  const { suite, spark, pyiceberg, catalog, project } = bed;
  let rows = FIRST;

  await suite.check(
    "Spark makes a table in Glue, writes and deletes; floeplan writes its file, and the plan of that is empty",
    async () => {
      for (const statement of madeBySpark("lake")) await spark.sql(statement);
      await bothRead(bed, ORDERS, TYPES, rows);
      await project.said(0, "import", ORDERS);
      await project.inStep(ORDERS);
    },
  );
  await suite.check("floeplan changes it in metadata at every depth, and both read it", async () => {
    await changed(bed, ORDERS, SECOND, SECOND_KINDS);
    rows = rows.map(asSecond);
    await bothRead(bed, ORDERS, SECOND_TYPES, rows);
  });
  await suite.check(
    "Spark appends to it: the list in Glue is Java's, the old name is marked, and the next plan is empty",
    async () => {
      await spark.sql(`INSERT INTO lake.${ORDERS} VALUES (41, 'spark', 'web', 'us', 4.10, '20250101', ${SPARK_ITEMS})`);
      const added = {
        ...VALUES,
        order_id: 41n,
        client: "spark",
        channel: "web",
        region: "us",
        amount: "4.10",
        ordered: "20250101",
      };
      rows = [...rows, added];
      await bothRead(bed, ORDERS, SECOND_TYPES, rows);
      await project.listedAsByJava(ORDERS);
      await project.inStep(ORDERS);
      const told = await project.said(0, "plan", ORDERS);
      if (!told.includes('Glue also lists "customer"')) throw new Error(told);
    },
  );
  await suite.check("PyIceberg appends to it and deletes from it, and the next plan is empty", async () => {
    const added = { ...VALUES, order_id: 42n, client: "pyiceberg", channel: null, ordered: "20250102" };
    await pyiceberg.append(catalog, ORDERS, [added]);
    await pyiceberg.delete(catalog, ORDERS, "order_id = 5");
    rows = [...rows, added].filter((row) => row["order_id"] !== 5n);
    await bothRead(bed, ORDERS, SECOND_TYPES, rows);
    await project.inStep(ORDERS);
  });
  await suite.check("floeplan converts it, drops a column, and both read what is worked out", async () => {
    await changed(bed, ORDERS, THIRD, THIRD_KINDS);
    rows = rows.map(asThird);
    await bothRead(bed, ORDERS, THIRD_TYPES, rows);
  });
  await suite.check("both append again and delete, and the next plan is empty", async () => {
    await spark.sql(`INSERT INTO lake.${ORDERS} VALUES (43, 'spark', 'us', NULL, DATE '2026-02-03', ${SPARK_ITEMS})`);
    await spark.sql(`DELETE FROM lake.${ORDERS} WHERE order_id = 7`);
    const byPyIceberg = { ...VALUES, order_id: 44n, ordered: "9999-12-31" };
    await pyiceberg.append(catalog, ORDERS, [byPyIceberg]);
    const bySpark = { ...VALUES, order_id: 43n, client: "spark", region: "us", amount: null, ordered: "2026-02-03" };
    rows = [...rows.filter((row) => row["order_id"] !== 7n), bySpark, byPyIceberg];
    await bothRead(bed, ORDERS, THIRD_TYPES, rows);
    await project.inStep(ORDERS);
  });
  await suite.check(
    "floeplan takes it to version 3 and brings the dropped column back with its values; both read it",
    async () => {
      await changed(bed, ORDERS, FOURTH, FOURTH_KINDS);
      const { order_id, client, ...others } = THIRD_TYPES;
      rows = rows.map((row) => ({ ...row, channel: row["order_id"] === 41n ? "web" : null }));
      const types = { order_id: order_id ?? "", client: client ?? "", channel: "string", ...others };
      await bothRead(bed, ORDERS, types, rows);
      await spark.sql(`INSERT INTO lake.${ORDERS} VALUES (45, 'spark', 'shop', 'us', 1.00, NULL, ${SPARK_ITEMS})`);
      rows = [...rows, { ...VALUES, order_id: 45n, client: "spark", channel: "shop", region: "us", ordered: null }];
      await bothRead(bed, ORDERS, types, rows);
      await project.inStep(ORDERS);
    },
  );
  await suite.check("a list in Glue that another tool spoiled is drift, and one step mends it", async () => {
    await project.spoil(ORDERS, ([first, second, ...columns]) => [
      ...columns,
      { Name: "stray", Type: "int" },
      ...[second, first].flatMap((column) => column ?? []),
    ]);
    await changed(bed, ORDERS, FOURTH, ["sync-glue-columns"]);
  });
}
