// Reads one table: its pointer with the version token, in one call, and the metadata file that the pointer names. Says
// what a pointer is that leads nowhere. A table without metadata is none yet; that it is there is remembered.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { isWithin, sameLocation } from "../iceberg/location.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { readTableMetadata } from "./read-metadata.ts";
import { printedName, s3TableName } from "./s3-tables-names.ts";
import type { S3TablesService, TablePointer } from "./s3-tables-service.ts";
import { s3TablesState } from "./s3-tables-state.ts";

export interface S3TablesReader {
  readonly service: S3TablesService;
  readonly store: ObjectStore;
  /** Throws when there is no such table bucket: then nothing in it is "not there". */
  readonly requireBucket: () => Promise<void>;
  /** Storage of tables that were found without metadata, by printed name. */
  readonly empty: Map<string, string>;
}

// The file of a pointer may be cleaned away after a later commit before it is read.
const TRIES = 3;

export async function loadS3Table(reader: S3TablesReader, identifier: TableIdentifier): Promise<LiveTable | null> {
  let pointer = await readPointer(reader, identifier);
  for (let attempt = 1; ; attempt++) {
    if (pointer === null) return null;
    const { metadataLocation: location, warehouseLocation: warehouse, versionToken: token } = pointer;
    if (location === null) return null;
    if (!isWithin(warehouse, location)) throw strayPointer(identifier, location, warehouse);
    try {
      const metadata = await readTableMetadata(reader.store, location, printedName(identifier));
      return { identifier, metadata, metadataLocation: location, token, catalogState: s3TablesState({ warehouse, metadata }) };
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = await readPointer(reader, identifier);
      const newest = again?.metadataLocation ?? null;
      const isOld = newest === null || !sameLocation(newest, location);
      if (!isOld || attempt === TRIES) throw brokenPointer(identifier, location, error);
      pointer = again;
    }
  }
}

/** Null: there is no such table. */
export async function readPointer(reader: S3TablesReader, identifier: TableIdentifier): Promise<TablePointer | null> {
  const { namespace, table } = s3TableName(identifier);
  const pointer = await reader.service.getPointer(namespace, table);
  const name = printedName(identifier);
  if (pointer !== null && pointer.metadataLocation === null) reader.empty.set(name, pointer.warehouseLocation);
  else reader.empty.delete(name);
  if (pointer === null) await reader.requireBucket();
  return pointer;
}

function isMissing(error: unknown): error is ToolError {
  return error instanceof ToolError && error.cause instanceof ToolError && error.cause.kind === "not-found";
}

// The service holds every pointer to the table's own storage.
function strayPointer(identifier: TableIdentifier, location: string, warehouse: string): ToolError {
  return new ToolError(
    "corrupt",
    `Cannot load "${printedName(identifier)}": S3 Tables names the metadata file of another table`,
    {
      why: `The table is stored in "${warehouse}", and "${location}" is not below it`,
      mend: "Look at what stands between this machine and S3 Tables: a proxy, or an endpoint that is not that of AWS",
      context: { location },
    },
  );
}

function brokenPointer(identifier: TableIdentifier, location: string, cause: ToolError): ToolError {
  return new ToolError("corrupt", `Cannot load "${printedName(identifier)}": the metadata file that S3 Tables names is missing`, {
    why: `S3 Tables names "${location}", and nothing is there`,
    mend: "Find out who removed it; to give up the last commit, point the table to the metadata file before it (aws s3tables update-table-metadata-location)",
    context: { location },
    cause,
  });
}
