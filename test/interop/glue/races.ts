// With --long: floeplan's program, floeplan's catalog, PyIceberg and Spark commit to one table at once, hundreds of
// times, on a Glue that enforces VersionId. Every commit that was told as done is in the table once, and every metadata
// file that the table names is there, though all clean up after themselves.
import { setTimeout as sleep } from "node:timers/promises";
import { openCatalog, systemPorts } from "../../../src/catalog/open-catalog.ts";
import type { LiveTable } from "../../../src/iceberg/live-table.ts";
import { commitOn, setProperty } from "../../conformance/table-commits.ts";
import { type PyIceberg, startPyIceberg } from "../support/engines/pyiceberg.ts";
import { say } from "../support/install.ts";
import { lineOf, rowsOf } from "../support/rows.ts";
import { EngineError } from "../support/worker.ts";
import type { Bed } from "./history.ts";

const TABLE = "sales.race";
const IDENTIFIER = { namespace: ["sales"], name: "race" };

const OUR_WRITERS = 4;
const COMMITS_EACH = 60;
const PROGRAM_RUNS = 12;
const APPENDS_EACH = 40;
const SPARK_APPENDS = 25;

export async function races(bed: Bed): Promise<void> {
  const { suite, spark, project, pyiceberg, catalog } = bed;
  await suite.check(
    "hundreds of commits of floeplan, PyIceberg and Spark to one table: none lost, no live file deleted",
    async () => {
      await spark.sql(`CREATE TABLE lake.${TABLE} (id BIGINT, who STRING) USING iceberg TBLPROPERTIES ('format-version' = '2',
      'write.metadata.previous-versions-max' = '10', 'write.metadata.delete-after-commit.enabled' = 'true',
      'commit.retry.num-retries' = '100', 'commit.retry.min-wait-ms' = '20')`);
      const others = [pyiceberg, await startPyIceberg()];
      const conflicts = await Promise.all([
        ...Array.from({ length: OUR_WRITERS }, (_, writer) => commits(writer)),
        program(bed),
        ...others.map((one, writer) => appends(one, bed, writer)),
        sparkAppends(bed),
      ]);

      const live = await load();
      const { properties, metadataLog } = live.metadata;
      const counted = Number(properties["count"]);
      if (counted !== OUR_WRITERS * COMMITS_EACH)
        throw new Error(`${counted} of ${OUR_WRITERS * COMMITS_EACH} commits are there`);
      if (properties["comment"] !== `round ${PROGRAM_RUNS}`) throw new Error(`The comment is ${String(properties["comment"])}`);
      const ids = rowsOf(await pyiceberg.rows(catalog, TABLE)).map(lineOf);
      const wanted = others.length * APPENDS_EACH + SPARK_APPENDS;
      if (ids.length !== wanted || new Set(ids).size !== wanted) throw new Error(`${ids.length} rows, expected ${wanted}`);
      const store = (await openLake()).storeFor(live);
      for (const { metadataFile } of metadataLog)
        if ((await store.head(metadataFile)) === null) throw new Error(`${metadataFile} is gone`);
      await project.inStep(TABLE);
      const all = counted + PROGRAM_RUNS + wanted;
      say(`${all} commits, ${conflicts.reduce((sum, count) => sum + count, 0)} conflicts told and tried again`);
    },
  );
}

async function openLake(): Promise<Awaited<ReturnType<typeof openCatalog>>> {
  return await openCatalog({ type: "glue" }, { name: "lake", root: "/", ports: systemPorts() });
}

async function load(): Promise<LiveTable> {
  const live = await (await openLake()).loadTable(IDENTIFIER);
  if (live === null) throw new Error("The table is gone");
  return live;
}

/** As the product's catalog is used: read, build, commit; after a conflict all again. Gives the conflicts. */
async function commits(writer: number): Promise<number> {
  const catalog = await openLake();
  let conflicts = 0;
  for (let round = 1; round <= COMMITS_EACH; ) {
    const live = await catalog.loadTable(IDENTIFIER);
    if (live === null) throw new Error("The table is gone");
    const count = Number(live.metadata.properties["count"] ?? "0");
    const updates = [setProperty(`ours-${writer}`, String(round)), setProperty("count", String(count + 1))];
    const outcome = await catalog.commit(live, commitOn(live, updates));
    if (outcome.state === "done") round++;
    else if (outcome.state === "conflict") conflicts++;
    else throw new Error(`${outcome.state}: ${outcome.why}`);
    await sleep(Math.random() * 200);
  }
  return conflicts;
}

/** floeplan's program, with another declaration each time. */
async function program({ project }: Bed): Promise<number> {
  let conflicts = 0;
  for (let round = 1; round <= PROGRAM_RUNS; ) {
    await project.write(
      "tables/sales/race.yaml",
      `table: ${TABLE}\ncomment: round ${round}\ncolumns:\n  - { name: id, type: long }\n  - { name: who, type: string }\n`,
    );
    const { exit, stdout, stderr } = await project.run("apply", TABLE, "--yes");
    if (exit === 0) round++;
    else if (exit === 75) conflicts++;
    else throw new Error(`floeplan apply ended with ${exit}\n${stdout}${stderr}`);
  }
  return conflicts;
}

async function appends(engine: PyIceberg, { catalog }: Bed, writer: number): Promise<number> {
  let conflicts = 0;
  for (let id = 0; id < APPENDS_EACH; ) {
    try {
      await engine.append(catalog, TABLE, [{ id: BigInt(id), who: `PyIceberg ${writer}` }]);
      id++;
    } catch (error) {
      if (!(error instanceof EngineError) || error.type !== "CommitFailedException") throw error;
      conflicts++;
    }
  }
  return conflicts;
}

async function sparkAppends({ spark }: Bed): Promise<number> {
  for (let id = 0; id < SPARK_APPENDS; id++) await spark.sql(`INSERT INTO lake.${TABLE} VALUES (${id}, 'Spark')`);
  return 0;
}
