// The catalog suite on a real server that speaks Glue and S3. Started by run.ts, which says by the standard variables
// where the server is, and which bucket is there.
import {
  DeleteDatabaseCommand,
  DeleteTableCommand,
  GetDatabasesCommand,
  GetTablesCommand,
  GlueClient,
} from "@aws-sdk/client-glue";
import { randomUUID } from "node:crypto";
import { openCatalog, systemPorts } from "../../../src/catalog/open-catalog.ts";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { catalogConformance } from "../../conformance/catalog-suite.ts";

const BUCKET = process.env["FLOEPLAN_S3_BUCKET"] ?? "";
const glue = new GlueClient();

const open = async (): Promise<Catalog> => {
  const catalog = await openCatalog({ type: "glue" }, { name: "lake", root: "/", ports: systemPorts() });
  const root = `s3://${BUCKET}/${randomUUID()}`;
  return {
    ...catalog,
    // A database that floeplan makes has no place of its own.
    newTableLocation: async (table) =>
      table.location ?? `${root}/${[...table.identifier.namespace, table.identifier.name].join("/")}`,
  };
};

catalogConformance("Glue", async () => ({ catalog: await open(), another: open, cleanUp: dropAll }));

async function dropAll(): Promise<void> {
  const { DatabaseList = [] } = await glue.send(new GetDatabasesCommand({}));
  for (const { Name } of DatabaseList) {
    const { TableList = [] } = await glue.send(new GetTablesCommand({ DatabaseName: Name }));
    for (const table of TableList) await glue.send(new DeleteTableCommand({ DatabaseName: Name, Name: table.Name }));
    await glue.send(new DeleteDatabaseCommand({ Name }));
  }
}
