// What Iceberg's Java writer does to a table in Glue behind Git's back: any updates, and an append by a writer that
// loaded the table before a conversion.
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";
import type { Lake } from "./glue-support.ts";
import { javaEntry, type JsonMetadata } from "./glue-tables.ts";
import { lateAppendTo } from "./late-append.ts";

function liveMetadata(lake: Lake, table: string): TableMetadata {
  const location = lake.metadataLocation(table);
  return readMetadata(objectOf(lake, location), location);
}

/** The list in Glue is written as Java does, with columns of older schemas; parameters and owner stay. */
export function foreignCommit(lake: Lake, table: string, updates: readonly TableUpdate[]): void {
  const [database = "", name = ""] = table.split(".");
  const before = lake.metadataLocation(table);
  const metadata = liveMetadata(lake, table);
  const after = applyUpdates(metadata, updates, { nowMs: metadata.lastUpdatedMs + 1, previousMetadataLocation: before });
  const version = Number(/\/(\d{5})-[^/]*$/.exec(before)?.[1]) + 1;
  const location = `${metadata.location}/metadata/${String(version).padStart(5, "0")}-f0e1900d-0000-4000-8000-000000000000.metadata.json`;
  const bytes = writeMetadata(after);
  lake.s3.objects.put(location, bytes);
  const made = javaEntry(name, JSON.parse(new TextDecoder().decode(bytes)) as JsonMetadata, location, before);
  const entry = lake.glue.tables.get(database, name) ?? {};
  lake.glue.tables.put(database, {
    ...made,
    Owner: entry["Owner"],
    Parameters: { ...lake.parameters(table), ...(made["Parameters"] as object) },
  });
}

/** A column at the end. */
export function foreignColumn(lake: Lake, table: string, name: string): void {
  const metadata = liveMetadata(lake, table);
  const schema = currentSchema(metadata);
  const id = metadata.lastColumnId + 1;
  const column: Field = { id, name, required: false, type: { kind: "string" } };
  foreignCommit(lake, table, [
    { action: "add-schema", schema: { ...schema, fields: [...schema.fields, column] }, lastColumnId: id },
    { action: "set-current-schema", schemaId: -1 },
  ]);
}

/** Appends a data file of the state before the last conversion once more: it holds the retired fields only. */
export function lateAppend(lake: Lake, table: string): void {
  foreignCommit(lake, table, lateAppendTo(liveMetadata(lake, table), lake.s3.objects));
}

function objectOf(lake: Lake, location: string): Uint8Array {
  const bytes = lake.s3.objects.get(location);
  if (bytes === undefined) throw new Error(`The bucket has no ${location}`);
  return bytes;
}
