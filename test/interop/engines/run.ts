// Proves the rig: every engine reads the fixture tables as noted, gives every value in the one canonical form, writes
// through every catalog, and ends when the suite does. Nothing of floeplan is tested here but that it starts.
import { join } from "node:path";
import { startDuckDb } from "../support/engines/duckdb.ts";
import { startPyIceberg } from "../support/engines/pyiceberg.ts";
import { sparkHadoopCatalog, startSpark } from "../support/engines/spark.ts";
import { runSuite, skip } from "../support/expect.ts";
import { runFloeplan } from "../support/floeplan.ts";
import { findJavaOrNull } from "../support/java.ts";
import { startMinistack, startMoto } from "../support/services/aws.ts";
import { checkCanonicalForm } from "./canonical.ts";
import { checkGlue, checkRest } from "./catalogs.ts";
import { checkEndings } from "./endings.ts";
import { checkFixtures, checkSpelling, loadFixtures, unpackFixtures } from "./fixtures.ts";
import { checkPyIcebergWrites, checkSparkWrites } from "./writers.ts";

await runSuite("engines", async (suite) => {
  const warehouse = join(suite.scratch, "warehouse");
  const spelt = join(suite.scratch, "spelt");
  const fixtures = await loadFixtures();

  // Spark's start is the longest: everything that does not need it goes beside it.
  const moto = await suite.check("moto starts", startMoto);
  if (moto === null) return;
  const starting = suite.check("Spark starts", async () => await startSpark({ aws: moto }));
  const [duckdb, pyiceberg, ministack] = await Promise.all([
    suite.check("DuckDB starts", startDuckDb),
    suite.check("PyIceberg starts", startPyIceberg),
    suite.check("ministack starts", startMinistack),
    suite.check("the fixture tables move to a folder of their own", async () => {
      if (fixtures === null) skip("no fixtures beside the repository");
      await unpackFixtures(fixtures, warehouse, spelt);
    }),
  ]);
  const spark = await starting;
  if (duckdb === null || pyiceberg === null || ministack === null || spark === null) return;

  const bed = { suite, duckdb, pyiceberg, spark };
  await suite.check("Spark takes the warehouse as a catalog", async () => {
    await spark.addCatalog("local", sparkHadoopCatalog(warehouse));
  });
  await checkCanonicalForm(bed);
  await checkFixtures(bed, fixtures, warehouse, "local");
  for (const fixture of fixtures?.slice(0, 1) ?? []) await checkSpelling(bed, fixture, spelt);
  await checkPyIcebergWrites(bed);
  await checkSparkWrites(bed, warehouse, "local");
  await checkGlue(bed, "moto", moto);
  await checkGlue(bed, "ministack", ministack);
  await checkRest(bed);
  await checkEndings(suite);

  await suite.check("floeplan starts in a folder without packages", async () => {
    const { exit, stdout, stderr } = await runFloeplan(["--version"], { folder: suite.scratch });
    if (exit !== 0 || !stdout.startsWith("floeplan ")) throw new Error(`Exit ${exit}: ${stdout}${stderr}`);
  });
  await suite.check("Java 25 is found where a later suite needs it", () => {
    if (findJavaOrNull(25) === null) skip("this machine has none");
  });
});
