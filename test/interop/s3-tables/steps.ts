// One table through a series of declarations, each with the kinds of steps that it brings; after each one PyIceberg, DuckDB
// and Spark read the same rows. Which rows is worked out here from what Spark put in.
import { join } from "node:path";
import { sparkS3TablesCatalog } from "../support/engines/spark.ts";
import type { Suite } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import { makeTableBucket } from "./bucket.ts";
import { allRead, type Engines, projectOf } from "./project.ts";

interface Stage {
  readonly title: string;
  readonly declaration: string;
  /** Run after the apply, by Spark. */
  readonly sql?: string;
  readonly types: Readonly<Record<string, string>>;
  readonly rows: readonly Row[];
}

const TABLE = "lab.steps";

const STAGES: readonly Stage[] = [
  {
    title: "create-table; Spark fills it",
    declaration: `new: true
columns:
  - { name: id, type: int }
  - { name: name, type: string }
  - { name: note, type: string }
  - { name: code, type: string }
  - { name: place, type: struct, fields: [ { name: site, type: string } ] }
`,
    sql: `INSERT INTO steps.${TABLE} VALUES (1, 'a', 'x', '10', named_struct('site', 's')), (2, 'b', NULL, '20', NULL)`,
    types: { id: "int", name: "string", note: "string", code: "string", place: "struct<site:string>" },
    rows: [
      { id: 1n, name: "a", note: "x", code: "10", place: { site: "s" } },
      { id: 2n, name: "b", note: null, code: "20", place: null },
    ],
  },
  {
    title: "rename-field, widen-type, move-field, add-field at both depths, set-doc, set-comment, set-properties",
    declaration: `comment: Steps
columns:
  - { name: note, type: string }
  - { name: id, type: long, comment: "Number" }
  - { name: customer, type: string, renamed-from: [ name ] }
  - { name: channel, type: string }
  - { name: code, type: string }
  - { name: place, type: struct, fields: [ { name: site, type: string }, { name: room, type: int } ] }
properties: { write.parquet.row-group-size-bytes: 67108864 }
`,
    sql: `INSERT INTO steps.${TABLE} VALUES ('y', 3, 'c', 'web', '30', named_struct('site', 't', 'room', 7))`,
    types: {
      note: "string",
      id: "long",
      customer: "string",
      channel: "string",
      code: "string",
      place: "struct<site:string,room:int>",
    },
    rows: [
      { note: "x", id: 1n, customer: "a", channel: null, code: "10", place: { site: "s", room: null } },
      { note: null, id: 2n, customer: "b", channel: null, code: "20", place: null },
      { note: "y", id: 3n, customer: "c", channel: "web", code: "30", place: { site: "t", room: 7n } },
    ],
  },
  {
    title: "drop-field, set-required, set-identifier-fields, evolve-partition-spec, replace-sort-order, remove-properties",
    declaration: `columns:
  - { name: id, type: long, required: true }
  - { name: customer, type: string }
  - { name: channel, type: string }
  - { name: code, type: string }
  - { name: place, type: struct, fields: [ { name: site, type: string }, { name: room, type: int } ] }
dropped: [ { field: note, reason: "kept elsewhere" } ]
identifier-fields: [ id ]
partition-by: [ "bucket(4, customer)" ]
sort-by: [ id ]
`,
    sql: `INSERT INTO steps.${TABLE} VALUES (4, 'd', NULL, '40', NULL)`,
    types: { id: "long", customer: "string", channel: "string", code: "string", place: "struct<site:string,room:int>" },
    rows: [
      { id: 1n, customer: "a", channel: null, code: "10", place: { site: "s", room: null } },
      { id: 2n, customer: "b", channel: null, code: "20", place: null },
      { id: 3n, customer: "c", channel: "web", code: "30", place: { site: "t", room: 7n } },
      { id: 4n, customer: "d", channel: null, code: "40", place: null },
    ],
  },
  {
    title: "restore-field, convert-type beside it, set-optional",
    declaration: `columns:
  - { name: id, type: long }
  - { name: customer, type: string }
  - { name: channel, type: string }
  - { name: code, type: int, convert: { from: string } }
  - { name: place, type: struct, fields: [ { name: site, type: string }, { name: room, type: int } ] }
  - { name: note, type: string }
identifier-fields: []
`,
    sql: `DELETE FROM steps.${TABLE} WHERE id = 2`,
    types: {
      id: "long",
      customer: "string",
      channel: "string",
      code: "int",
      place: "struct<site:string,room:int>",
      note: "string",
    },
    rows: [
      { id: 1n, customer: "a", channel: null, code: 10n, place: { site: "s", room: null }, note: "x" },
      { id: 3n, customer: "c", channel: "web", code: 30n, place: { site: "t", room: 7n }, note: "y" },
      { id: 4n, customer: "d", channel: null, code: 40n, place: null, note: null },
    ],
  },
];

export async function stepChecks(suite: Suite, engines: Engines): Promise<void> {
  const bucket = await makeTableBucket(engines.moto, "steps");
  const project = await projectOf(join(suite.scratch, "steps"), bucket, engines);
  await engines.spark.addCatalog("steps", sparkS3TablesCatalog(engines.moto, bucket.arn));
  for (const { title, declaration, sql, types, rows } of STAGES) {
    const isDone = await suite.check(`all engines read the table after ${title}`, async () => {
      await project.write("tables/steps.yaml", `table: ${TABLE}\n${declaration}`);
      await project.expect(0, "plan", "--out", "plan.json");
      await project.expect(0, "apply", "--plan", "plan.json");
      if (sql !== undefined) await engines.spark.sql(sql);
      await allRead(engines, bucket, TABLE, rowSet(types, rows), "steps");
      return true;
    });
    if (isDone === null) return;
  }
}
