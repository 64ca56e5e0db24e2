// S3 Tables on moto: the catalog's promises, and AWS's own Spark catalog beside floeplan. PyIceberg, DuckDB and Spark read
// what floeplan commits, after each kind of step and after a conversion; the story of the day job, before and after.
import { startDuckDb } from "../support/engines/duckdb.ts";
import { startPyIceberg } from "../support/engines/pyiceberg.ts";
import { startSpark } from "../support/engines/spark.ts";
import { runSuite } from "../support/expect.ts";
import { startMoto } from "../support/services/aws.ts";
import { conformanceChecks } from "./conformance.ts";
import { ddlChecks } from "./ddl.ts";
import { stepChecks } from "./steps.ts";
import { storyChecks } from "./story.ts";

await runSuite("s3-tables", async (suite) => {
  const moto = await suite.check("moto starts", startMoto);
  if (moto === null) return;
  const [spark, duckdb, pyiceberg] = await Promise.all([
    suite.check("Spark starts, with AWS's catalog of S3 Tables", async () => await startSpark({ aws: moto, s3Tables: true })),
    suite.check("DuckDB starts", startDuckDb),
    suite.check("PyIceberg starts", startPyIceberg),
    conformanceChecks(suite, moto),
  ]);
  if (spark === null || duckdb === null || pyiceberg === null) return;
  await duckdb.useS3(moto);
  const engines = { moto, spark, duckdb, pyiceberg };
  await storyChecks(suite, engines);
  await stepChecks(suite, engines);
  await ddlChecks(suite, engines);
});
