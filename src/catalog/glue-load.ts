// Reads one table: its entry in Glue and the metadata file that the entry names. Says what a pointer is that leads
// nowhere, and whether the state before it is still there.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { GlueTable } from "../iceberg/glue-entry.ts";
import { glueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { sameLocation } from "../iceberg/location.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { glueName, printedName } from "./glue-names.ts";
import { metadataPointer, previousPointer } from "./glue-pointer.ts";
import type { GlueService } from "./glue-service.ts";
import { readTableMetadata } from "./read-metadata.ts";

export interface GlueReader {
  readonly service: GlueService;
  /** Twelve digits; null where none is configured. */
  readonly account: string | null;
  readonly storeAt: (location: string) => ObjectStore;
}

// The file of an entry may be cleaned away by a later commit before it is read.
const TRIES = 3;

/** `entry` was read before, with many others; it may be older than the table. */
export async function loadGlueTable(
  reader: GlueReader,
  identifier: TableIdentifier,
  known: GlueTable | null = null,
): Promise<LiveTable | null> {
  const name = glueName(identifier);
  let entry = known ?? (await reader.service.getTable(name.database, name.table));
  for (let attempt = 1; ; attempt++) {
    if (entry === null) return null;
    const location = metadataPointer(entry, name, reader.account);
    try {
      return await readEntry(reader, identifier, entry, location);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = await reader.service.getTable(name.database, name.table);
      const isOld = again === null || !sameLocation(metadataPointer(again, name, reader.account), location);
      if (!isOld || attempt === TRIES) throw await brokenPointer(reader, identifier, again ?? entry, location, error);
      entry = again;
    }
  }
}

async function readEntry(
  { storeAt }: GlueReader,
  identifier: TableIdentifier,
  entry: GlueTable,
  location: string,
): Promise<LiveTable> {
  const metadata = await readTableMetadata(storeAt(location), location, printedName(identifier));
  return {
    identifier,
    metadata,
    metadataLocation: location,
    token: entry.VersionId ?? null,
    catalogState: glueState(entry.Name ?? identifier.name, { entry, metadata }),
  };
}

function isMissing(error: unknown): error is ToolError {
  return error instanceof ToolError && error.cause instanceof ToolError && error.cause.kind === "not-found";
}

async function brokenPointer(
  { storeAt }: GlueReader,
  identifier: TableIdentifier,
  entry: GlueTable,
  location: string,
  cause: ToolError,
): Promise<ToolError> {
  const name = printedName(identifier);
  const previous = previousPointer(entry);
  const isThere = previous !== null && (await isObject(storeAt(previous), previous));
  const restore = "Restore the file, for example from an earlier version of the object";
  return new ToolError("corrupt", `Cannot load "${name}": the metadata file that Glue names is missing`, {
    why: `Glue names "${location}", and nothing is there.`,
    mend: isThere
      ? `${restore}; or, to give up the last commit, set the Glue parameter metadata_location back to "${previous}", which is still there.`
      : previous === null
        ? `${restore}.`
        : `${restore}. The file before it, "${previous}", is not there either.`,
    context: { location },
    cause,
  });
}

async function isObject(store: ObjectStore, location: string): Promise<boolean> {
  try {
    return (await store.head(location)) !== null;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
