// The shapes of the answers of S3 Tables, as far as floeplan looks at them. Data; how a shape is held is in aws-answer.ts.
import { listOf, struct, TEXT } from "./aws-answer.ts";

const table = struct({ namespace: listOf(TEXT), name: TEXT, type: TEXT, managedByService: TEXT }, "namespace", "name");

export const POINTER = struct(
  { versionToken: TEXT, metadataLocation: TEXT, warehouseLocation: TEXT },
  "versionToken",
  "warehouseLocation",
);
export const TABLE_PAGE = struct({ tables: listOf(table), continuationToken: TEXT }, "tables");
export const NAMESPACE = struct({ namespace: listOf(TEXT) }, "namespace");
export const NAMESPACE_PAGE = struct({ namespaces: listOf(struct({})) }, "namespaces");
export const SWAPPED = struct({ versionToken: TEXT }, "versionToken");
