// A small Glue in memory for fuzzing: one database with tables of Iceberg and others, and the calls of the product on
// them, answered right. The steps are those of the fake; there is no HTTP.
import { writeMetadata } from "../../../src/iceberg/metadata-json.ts";
import { applyUpdates } from "../../../src/iceberg/apply-update.ts";
import { newTableCommit } from "../../conformance/table-commits.ts";
import {
  createDatabase,
  createTable,
  databaseOf,
  type Fields,
  GlueRefusal,
  type GlueStore,
  tableOf,
  updateTable,
} from "../../fakes/glue-state.ts";
import type { Played, SdkRequest } from "./sdk-handler.ts";
import type { Answer } from "./wrong-answer.ts";

export const ACCOUNT = "011122223333";
export const TABLES = ["customers", "invoices", "orders", "returns"] as const;

export type GlueWorld = GlueStore;

const NOW_SECONDS = 1_700_000_000;

const placeOf = (name: string): string => `s3://lake/sales/${name}`;
const metadataOf = (name: string): string => `${placeOf(name)}/metadata/00000-0-4-8-0.metadata.json`;

/** The metadata files that the tables begin with. */
export const METADATA: ReadonlyMap<string, Uint8Array> = new Map(
  TABLES.map((name) => {
    const metadata = applyUpdates(null, newTableCommit(placeOf(name), { comment: name }).updates, {
      nowMs: NOW_SECONDS * 1000,
      previousMetadataLocation: null,
    });
    return [metadataOf(name), writeMetadata(metadata)];
  }),
);

const COLUMNS = [
  {
    Name: "order_id",
    Type: "bigint",
    Comment: "Unique order number",
    Parameters: { "iceberg.field.id": "1", "iceberg.field.optional": "false", "iceberg.field.current": "true" },
  },
  { Name: "customer", Type: "string", Comment: "by hand", Parameters: { "iceberg.field.id": "2" } },
  {
    Name: "gone",
    Type: "struct<a:int,b:array<string>>",
    Parameters: { "iceberg.field.id": "9", "iceberg.field.current": "false" },
  },
];

export function glueWorld(): GlueWorld {
  const world: GlueWorld = {
    account: ACCOUNT,
    databases: new Map(),
    newDatabaseLocation: (name) => `s3://lake/${name}`,
    nowSeconds: () => NOW_SECONDS,
  };
  createDatabase(world, { Name: "sales", Description: "Sales", Parameters: { owner: "team" } });
  for (const name of TABLES) {
    createTable(world, "sales", {
      Name: name,
      Description: `About ${name}`,
      Owner: "hadoop",
      Retention: 7,
      LastAccessTime: NOW_SECONDS,
      TableType: "EXTERNAL_TABLE",
      PartitionKeys: [],
      Parameters: {
        table_type: "ICEBERG",
        metadata_location: metadataOf(name),
        previous_metadata_location: `${placeOf(name)}/metadata/none.metadata.json`,
        "aws:owner": "somebody",
        comment: "kept",
      },
      StorageDescriptor: {
        Location: placeOf(name),
        AdditionalLocations: ["s3://elsewhere/data"],
        Columns: COLUMNS,
        SerdeInfo: { Name: "s", SerializationLibrary: "x", Parameters: { a: "b" } },
        Parameters: { c: "d" },
      },
    });
  }
  createTable(world, "sales", { Name: "clicks", TableType: "EXTERNAL_TABLE", Parameters: { classification: "parquet" } });
  createTable(world, "sales", { Name: "linked", TargetTable: { CatalogId: "999999999999", DatabaseName: "their", Name: "t" } });
  createTable(world, "sales", { Name: "seen", TableType: "VIRTUAL_VIEW", ViewOriginalText: "/* Presto View */" });
  return world;
}

/** Where the entry points; null: there is none. */
export function pointerOf(world: GlueWorld, name: string): string | null {
  const parameters = world.databases.get("sales")?.tables.get(name)?.entry["Parameters"];
  if (typeof parameters !== "object" || parameters === null || !("metadata_location" in parameters)) return null;
  return String(parameters.metadata_location);
}

export function playGlue(world: GlueWorld, { headers }: SdkRequest, sent: string): Played {
  const operation = (headers["x-amz-target"] ?? "").replace("AWSGlue.", "");
  return {
    operation,
    answer: () => {
      try {
        return json(200, run(world, operation, JSON.parse(sent) as Fields));
      } catch (error) {
        if (!(error instanceof GlueRefusal)) throw error;
        return json(400, { __type: error.code, Message: error.message });
      }
    },
  };
}

function run(world: GlueWorld, operation: string, input: Fields): Fields {
  const database = input["DatabaseName"];
  switch (operation) {
    case "GetTable":
      return { Table: tableOf(world, database, input["Name"]).entry };
    case "GetTables":
      return { TableList: [...databaseOf(world, database).tables.values()].map(({ entry }) => entry) };
    case "GetDatabase":
      return { Database: databaseOf(world, input["Name"]).entry };
    case "GetDatabases":
      return { DatabaseList: [...world.databases.values()].map(({ entry }) => entry) };
    case "CreateDatabase":
      createDatabase(world, input["DatabaseInput"] as Fields);
      return {};
    case "CreateTable":
      createTable(world, database, input["TableInput"] as Fields);
      return {};
    case "UpdateTable":
      updateTable(world, database, input["TableInput"] as Fields, {
        versionId: input["VersionId"],
        skipArchive: true,
        maxVersions: 0,
      });
      return {};
    default:
      throw new Error(`No call of Glue: ${operation}`);
  }
}

function json(status: number, body: Fields): Answer {
  return {
    status,
    headers: { "content-type": "application/x-amz-json-1.1", "x-amzn-requestid": "b0c1", date: "Mon, 30 Nov 2026 17:00:00 GMT" },
    body: Buffer.from(JSON.stringify(body)),
  };
}
