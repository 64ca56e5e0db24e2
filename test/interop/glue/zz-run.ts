// floeplan on AWS's Glue and S3 as far as emulators play them: the catalog suite on each, then Spark and PyIceberg, each
// by its own Glue catalog, before and after every kind of step; story S1; with --long, races for one table.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { glueCatalog, startPyIceberg } from "../support/engines/pyiceberg.ts";
import { sparkGlueCatalog, startSpark } from "../support/engines/spark.ts";
import { runSuite } from "../support/expect.ts";
import { startMinistack, startMoto } from "../support/services/aws.ts";
import { checkSharedSuite, type Differences } from "../support/vitest-suite.ts";
import { ordersHistory } from "./history.ts";
import { otherTables } from "./others.ts";
import { BUCKET, glueProject } from "./project.ts";
import { races } from "./races.ts";
import { story } from "./story.ts";

const NO_VERSION = "it does not look at VersionId, so that the last writer wins";

const DIFFERENCES: Readonly<Record<string, Differences>> = {
  moto: {
    "a conflict on a state that is no longer the live one": NO_VERSION,
    "a conflict on a state that was followed by many others": NO_VERSION,
  },
  ministack: {},
};
const CHANCES: Readonly<Record<string, Differences>> = { moto: { "catalog a race": NO_VERSION } };

await runSuite("glue", async (suite) => {
  const [moto, ministack] = await Promise.all([
    suite.check("moto starts", startMoto),
    suite.check("ministack starts", startMinistack),
  ]);
  for (const [server, aws] of Object.entries({ moto, ministack })) {
    if (aws === null) continue;
    await aws.makeBucket(BUCKET);
    if (process.env["SKIPSHARED"]===undefined) await checkSharedSuite(suite, {
      config: fileURLToPath(new URL("./vitest.config.ts", import.meta.url)),
      server,
      variables: { ...aws.variables, FLOEPLAN_S3_BUCKET: BUCKET },
      differences: DIFFERENCES[server] ?? {},
      chances: CHANCES[server] ?? {},
    });
  }
  await moto?.stop();
  // From here on the one that enforces VersionId, as AWS does.
  if (ministack === null) return;
  const warehouse = `s3://${BUCKET}/warehouse`;
  const [spark, pyiceberg] = await Promise.all([
    suite.check("Spark starts", async () => {
      const session = await startSpark({ aws: ministack });
      await session.addCatalog("lake", sparkGlueCatalog(ministack, warehouse));
      return session;
    }),
    suite.check("PyIceberg starts", startPyIceberg),
  ]);
  if (spark === null || pyiceberg === null) return;
  const project = await glueProject(join(suite.scratch, "lake"), ministack);
  const bed = { suite, project, spark, pyiceberg, catalog: glueCatalog(ministack, warehouse), kinds: new Set<string>() };

  await ordersHistory(bed);
  await otherTables(bed);
  if (!suite.isLong) return;
  // floeplan's catalog runs in this process there.
  Object.assign(process.env, ministack.variables);
  await races(bed);
});
