// REST catalogs that nobody here wrote: Iceberg's own reference server and SeaweedFS, held to the suite of all catalogs
// and used with Spark and PyIceberg side by side. What a server does otherwise is written down here.
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type PyIceberg, startPyIceberg } from "../support/engines/pyiceberg.ts";
import { startSpark } from "../support/engines/spark.ts";
import { runSuite, type Suite } from "../support/expect.ts";
import { startRestServer } from "../support/services/rest-server.ts";
import { startSeaweedFs } from "../support/services/seaweedfs.ts";
import { checkSharedSuite, type Differences } from "../support/vitest-suite.ts";
import { engineChecks } from "./engines.ts";
import { seaweedFsChecks } from "./seaweedfs.ts";

const CONFIG = fileURLToPath(new URL("./vitest.config.ts", import.meta.url));
const TABLE_BUCKET = "floeplan-tables";

const REFERENCE: Differences = {
  "is refused where there is no such namespace": "the catalog behind it, JDBC, asks for none",
  "of many that try again": "metadata files of commits that lost stay",
};
/** Measured: of 300 times that eight clients made a table at once, more than one was told that it had done it in 288. */
const SEAWEEDFS_CHANCES: Differences = {
  "creating a table lets exactly one of many at once win": "SeaweedFS answers that a table was made to more than one at once",
};

await runSuite("rest", async (suite) => {
  const pyiceberg = await startPyIceberg();
  await referenceServer(suite, pyiceberg);
  await seaweedFs(suite, pyiceberg);
});

async function referenceServer(suite: Suite, pyiceberg: PyIceberg): Promise<void> {
  const folder = join(suite.scratch, "reference");
  const server = await suite.check("Iceberg's REST server starts", async () => await startRestServer({ folder }));
  if (server === null) return;
  await checkSharedSuite(suite, {
    config: CONFIG,
    server: "iceberg",
    variables: {
      FLOEPLAN_REST_OPTIONS: JSON.stringify({ uri: server.url }),
      FLOEPLAN_REST_WAREHOUSE: join(folder, "warehouse"),
    },
    differences: REFERENCE,
  });
  const spark = await startSpark();
  await engineChecks(suite, server.url, { spark, pyiceberg });
  await Promise.all([spark.stop(), server.stop()]);
}

async function seaweedFs(suite: Suite, pyiceberg: PyIceberg): Promise<void> {
  const server = await suite.check(
    "SeaweedFS starts",
    async () => await startSeaweedFs({ folder: join(suite.scratch, "seaweedfs"), bucket: "floeplan", tableBucket: TABLE_BUCKET }),
  );
  if (server === null) return;
  const credential = `${server.accessKeyId}:${server.secretAccessKey}`;
  const place = { uri: server.catalogUrl, warehouse: TABLE_BUCKET };
  const signed = { ...place, auth: "sigv4", signingName: "s3tables", region: server.region };
  const tokens = { ...place, auth: "oauth2" };
  for (const [name, options] of Object.entries({ "seaweedfs-sigv4": signed, "seaweedfs-oauth2": tokens })) {
    await checkSharedSuite(suite, {
      config: CONFIG,
      server: name,
      variables: {
        ...server.variables,
        FLOEPLAN_REST_OPTIONS: JSON.stringify(options),
        FLOEPLAN_REST_CREDENTIAL_LAKE: credential,
      },
      differences: {},
      chances: SEAWEEDFS_CHANCES,
    });
  }
  await seaweedFsChecks(suite, server, TABLE_BUCKET, pyiceberg);
  await server.stop();
}
