// A table with all that a statement of Spark can say: floeplan makes it and tells the statements, Spark runs them for a
// second table, and floeplan tells the same of that one.
import { join } from "node:path";
import { sparkS3TablesCatalog } from "../support/engines/spark.ts";
import type { Suite } from "../support/expect.ts";
import { makeTableBucket } from "./bucket.ts";
import { type Engines, projectOf } from "./project.ts";

const DECLARATION = `table: lab.rich
new: true
comment: "It's a \\"rich\\" table; -- not a comment \\\\"
columns:
  - { name: id, type: long, required: true, comment: "Number; it's \`quoted\`" }
  - { name: "odd name", type: string, comment: "back\\\\slash" }
  - { name: at, type: timestamptz, required: true }
  - { name: local_at, type: timestamp }
  - { name: amount, type: "decimal(20,4)" }
  - { name: ratio, type: float }
  - { name: exact, type: double }
  - { name: flag, type: boolean }
  - { name: day, type: date }
  - { name: raw, type: binary }
  - name: place
    type: struct
    fields:
      - { name: site, type: string, required: true, comment: "Where it's" }
      - { name: geo, type: struct, fields: [ { name: lat, type: double }, { name: lon, type: double } ] }
  - name: lines
    type: list<struct>
    fields: [ { name: sku, type: string, required: true }, { name: tags, type: "map<string, long>" } ]
identifier-fields: [ id, at ]
partition-by:
  - day(at)
  - bucket(16, id)
  - 'truncate(3, "odd name") as prefix'
  - place.site
sort-by: [ id desc nulls last, 'truncate(4, "odd name")' ]
properties: { write.parquet.compression-codec: zstd, write.parquet.row-group-size-bytes: 67108864, "team's": "o'hara \\\\ co" }
`;

export async function ddlChecks(suite: Suite, engines: Engines): Promise<void> {
  const { moto, spark } = engines;
  const bucket = await makeTableBucket(moto, "statements");
  const project = await projectOf(join(suite.scratch, "statements"), bucket, engines);
  await spark.addCatalog("statements", sparkS3TablesCatalog(moto, bucket.arn));
  const statements = (text: string): readonly string[] =>
    text
      .replaceAll(/^-- .*\n/gm, "")
      .split(";\n")
      .filter((statement) => statement.trim() !== "");

  await suite.check("Spark makes the same table of `show --ddl spark`, whatever is in it", async () => {
    await project.write("tables/rich.yaml", DECLARATION);
    await project.expect(0, "apply", "lab.rich", "--yes");
    const told = statements((await project.expect(0, "show", "lab.rich", "--ddl", "spark")).replaceAll("`rich`", "`copy`"));
    for (const statement of told) await spark.sql(statement.replace("TABLE `lab`", "TABLE statements.`lab`"));
    const again = statements(await project.expect(0, "show", "lab.copy", "--ddl", "spark", "--s3-tables", bucket.arn));
    if (again.join(";\n") !== told.join(";\n")) throw new Error(`${again.join(";\n")}\nexpected:\n${told.join(";\n")}`);
  });
}
