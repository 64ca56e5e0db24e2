// Tables that floeplan and PyIceberg made, which both engines go on with; and one with delete files, which is not converted.
import { deepStrictEqual } from "node:assert/strict";
import { STEP_KINDS } from "../../../src/plan/steps/index.ts";
import { type Row, rowsOf } from "../support/rows.ts";
import { type Bed, bothRead, changed } from "./history.ts";

const EVENTS = "py.events";
const VISITS = "web.visits";
const RETURNS = "sales.returns";
const READINGS = "web.readings";

const VISITS_COLUMNS = `table: ${VISITS}
columns:
  - { name: visit_id, type: long, required: true }
  - { name: seen, type: timestamptz }
`;
const SITE = "  - { name: site, type: string }\n";

export async function otherTables(bed: Bed): Promise<void> {
  const { suite, spark, pyiceberg, catalog, project, kinds } = bed;

  await suite.check("floeplan makes a table and its database, changes it, and both engines append and read", async () => {
    await changed(bed, VISITS, `${VISITS_COLUMNS}${SITE}partition-by: [ "bucket(4, site)" ]\n`, [
      "create-namespace",
      "create-table",
    ]);
    await changed(bed, VISITS, `${VISITS_COLUMNS}${SITE}partition-by: []\n`, ["evolve-partition-spec"]);
    await changed(bed, VISITS, `${VISITS_COLUMNS}dropped: [ { field: site, reason: "one site only" } ]\n`, [
      "drop-field",
      "remove-unused-specs",
    ]);
    await spark.sql(`INSERT INTO lake.${VISITS} VALUES (1, TIMESTAMP '2024-05-06 07:08:09')`);
    await pyiceberg.append(catalog, VISITS, [{ visit_id: 2n, seen: null }]);
    await bothRead(bed, VISITS, { visit_id: "long", seen: "timestamptz" }, [
      { visit_id: 1n, seen: "2024-05-06T07:08:09.000000Z" },
      { visit_id: 2n, seen: null },
    ]);
    await project.inStep(VISITS);
  });

  await suite.check("a table that PyIceberg made is taken over, renamed in, converted, and both go on with it", async () => {
    const rows: readonly Row[] = Array.from({ length: 30 }, (_, index) => ({
      id: BigInt(index),
      day: index % 7 === 0 ? null : `202401${String(index + 1).padStart(2, "0")}`,
      what: `event ${index}`,
    }));
    const field = (id: number, name: string, type: string): object => ({ id, name, required: false, type });
    const schema = {
      type: "struct",
      "schema-id": 0,
      fields: [field(1, "id", "long"), field(2, "day", "string"), field(3, "what", "string")],
    };
    await pyiceberg.create(catalog, EVENTS, { schema });
    await pyiceberg.append(catalog, EVENTS, rows);
    await project.said(0, "import", EVENTS);
    await project.inStep(EVENTS);
    await changed(
      bed,
      EVENTS,
      `table: ${EVENTS}
columns:
  - { name: id, type: long }
  - { name: day, type: date, convert: { from: string, format: yyyyMMdd } }
  - { name: label, type: string, renamed-from: [ what ] }
`,
      ["convert-type", "rename-field"],
    );
    const types = { id: "long", day: "date", label: "string" };
    const converted = rows.map(
      ({ id, day, what }): Row => ({
        id: id ?? null,
        day: typeof day === "string" ? day.replace(/^(....)(..)(..)$/, "$1-$2-$3") : null,
        label: what ?? null,
      }),
    );
    await bothRead(bed, EVENTS, types, converted);
    await pyiceberg.append(catalog, EVENTS, [{ id: 30n, day: "2030-01-01", label: "PyIceberg" }]);
    await spark.sql(`INSERT INTO lake.${EVENTS} VALUES (31, DATE '2030-01-02', 'Spark')`);
    await bothRead(bed, EVENTS, types, [
      ...converted,
      { id: 30n, day: "2030-01-01", label: "PyIceberg" },
      { id: 31n, day: "2030-01-02", label: "Spark" },
    ]);
    await project.inStep(EVENTS);
  });

  await suite.check("a table with delete files is not converted, with the reason, and stays as it is", async () => {
    await spark.sql(`CREATE TABLE lake.${RETURNS} (id BIGINT, day STRING) USING iceberg
      TBLPROPERTIES ('format-version' = '2', 'write.delete.mode' = 'merge-on-read')`);
    await spark.sql(`INSERT INTO lake.${RETURNS} SELECT id, '20240101' FROM range(100)`);
    await spark.sql(`DELETE FROM lake.${RETURNS} WHERE id IN (3, 4)`);
    const rows: readonly Row[] = Array.from({ length: 100 }, (_, index) => ({ id: BigInt(index), day: "20240101" })).filter(
      ({ id }) => id !== 3n && id !== 4n,
    );
    await project.write(
      "tables/sales/returns.yaml",
      `table: ${RETURNS}
columns:
  - { name: id, type: long }
  - { name: day, type: date, convert: { from: string, format: yyyyMMdd } }
`,
    );
    const told = await project.said(3, "plan", RETURNS);
    if (!/delete file/.test(told)) throw new Error(told);
    await project.said(3, "apply", RETURNS, "--yes");
    await bothRead(bed, RETURNS, { id: "long", day: "string" }, rows);
  });

  await suite.check("a conversion and version 3 in one commit: both read the rows, and Spark finds an id for each", async () => {
    await spark.sql(
      `CREATE TABLE lake.${READINGS} (id BIGINT, level STRING) USING iceberg TBLPROPERTIES ('format-version' = '2')`,
    );
    for (const from of [0, 50]) {
      await spark.sql(`INSERT INTO lake.${READINGS} SELECT id, CAST(id * 3 AS STRING) FROM range(${from}, ${from + 50})`);
    }
    await changed(
      bed,
      READINGS,
      `table: ${READINGS}
format-version: 3
columns:
  - { name: id, type: long }
  - { name: level, type: int, convert: { from: string } }
`,
      ["convert-type", "upgrade-format-version"],
    );
    const rows: readonly Row[] = Array.from({ length: 100 }, (_, index) => ({ id: BigInt(index), level: BigInt(index * 3) }));
    await bothRead(bed, READINGS, { id: "long", level: "int" }, rows);
    await spark.sql(`INSERT INTO lake.${READINGS} VALUES (100, 300)`);
    const [told] = rowsOf(
      await spark.sql(
        `SELECT count(DISTINCT _row_id) AS ids, count(*) AS n, min(_row_id) AS first, max(_row_id) AS last FROM lake.${READINGS}`,
      ),
    );
    deepStrictEqual(told, { ids: 101n, n: 101n, first: 0n, last: 100n });
    await project.inStep(READINGS);
  });

  await suite.check("every kind of step was taken", () => {
    deepStrictEqual([...kinds].sort(), STEP_KINDS.map(({ kind }) => kind).sort());
  });
}
