// What every catalog promises, kept on a server of S3 Tables that nobody here wrote. Started by run.ts, which says by the
// standard variables where the server is.
import { randomUUID } from "node:crypto";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../../src/catalog/open-catalog.ts";
import { catalogConformance } from "../../conformance/catalog-suite.ts";
import { makeTableBucket } from "./bucket.ts";

const server = {
  url: process.env["AWS_ENDPOINT_URL_S3TABLES"] ?? "",
  region: process.env["AWS_REGION"] ?? "",
  accessKeyId: process.env["AWS_ACCESS_KEY_ID"] ?? "",
  secretAccessKey: process.env["AWS_SECRET_ACCESS_KEY"] ?? "",
};

catalogConformance("S3 Tables", async () => {
  const { arn } = await makeTableBucket(server, `c-${randomUUID()}`);
  const open = async (): Promise<Catalog> =>
    await openCatalog({ type: "s3-tables", bucket: arn }, { name: "events", root: "/", ports: systemPorts() });
  return { catalog: await open(), another: open, cleanUp: async () => {} };
});
