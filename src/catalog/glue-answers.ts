// The shapes of Glue's answers (API model of 2017-03-31), as far as floeplan looks at them or sends them back by members of
// its own. Data; how a shape is held is in aws-answer.ts.
import { listOf, struct, TEXT, TEXTS } from "./aws-answer.ts";

const target = struct({ CatalogId: TEXT, DatabaseName: TEXT, Name: TEXT, Region: TEXT });
const federation = struct({ Identifier: TEXT, ConnectionName: TEXT, ConnectionType: TEXT });
const column = struct({ Name: TEXT, Type: TEXT, Comment: TEXT, Parameters: TEXTS });
const storage = struct({ Columns: listOf(column), Location: TEXT, AdditionalLocations: listOf(TEXT) });

const table = struct({
  Name: TEXT,
  DatabaseName: TEXT,
  CatalogId: TEXT,
  VersionId: TEXT,
  Description: TEXT,
  Owner: TEXT,
  TableType: TEXT,
  ViewOriginalText: TEXT,
  ViewExpandedText: TEXT,
  Parameters: TEXTS,
  StorageDescriptor: storage,
  PartitionKeys: listOf(column),
  TargetTable: target,
  FederatedTable: federation,
});

const database = struct({ Name: TEXT, LocationUri: TEXT, TargetDatabase: target, FederatedDatabase: federation });

export const GET_TABLE = struct({ Table: table }, "Table");
export const GET_TABLES = struct({ TableList: listOf(table), NextToken: TEXT }, "TableList");
export const GET_DATABASE = struct({ Database: database }, "Database");
export const GET_DATABASES = struct({ DatabaseList: listOf(database), NextToken: TEXT }, "DatabaseList");
