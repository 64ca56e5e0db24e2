// After floeplan's apply every engine reads what was declared, goes on writing, and floeplan's next plan is empty;
// foreign changes in between, killed runs, rollbacks and late writers keep ids, files and rows right.
import { join } from "node:path";
import { startDuckDb } from "../support/engines/duckdb.ts";
import { startPyIceberg } from "../support/engines/pyiceberg.ts";
import { sparkHadoopCatalog, startSpark } from "../support/engines/spark.ts";
import { runSuite } from "../support/expect.ts";
import { demoChecks } from "./demo.ts";
import { interruptionChecks } from "./interruptions.ts";
import { otherWriterChecks } from "./other-writers.ts";
import { EMPLOYEE, employeesProject } from "./project.ts";

await runSuite("walk", async (suite) => {
  const [duckdb, pyiceberg, spark] = await Promise.all([startDuckDb(), startPyIceberg(), startSpark()]);
  const engines = { duckdb, pyiceberg, spark };
  const project = await employeesProject(join(suite.scratch, "demo"));
  await spark.addCatalog("local", sparkHadoopCatalog(project.warehouse));
  await demoChecks(suite, project, engines, `local.${EMPLOYEE}`);
  await interruptionChecks(suite, engines);
  await otherWriterChecks(suite, engines);
});
