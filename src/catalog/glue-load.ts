// Reads one table: its entry in Glue and the metadata file that the entry names. Says what a pointer is that leads
// nowhere, and whether the state before it is still there.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { GlueTable } from "../iceberg/glue-entry.ts";
import { glueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { sameLocation } from "../iceberg/location.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type GlueName, glueName, printedName } from "./glue-names.ts";
import { metadataPointer, previousPointer } from "./glue-pointer.ts";
import type { GlueService } from "./glue-service.ts";
import { readTableMetadata } from "./read-metadata.ts";

export interface GlueReader {
  readonly service: GlueService;
  /** Twelve digits; null where none is configured. */
  readonly account: string | null;
  readonly storeAt: (location: string) => ObjectStore;
  readonly nowMs: () => number;
}

/** An entry and when it was read. */
export interface ReadEntry {
  readonly entry: GlueTable;
  readonly readAtMs: number;
}

// The file of an entry may be cleaned away by a later commit before it is read.
const TRIES = 3;

/** `known` was read before, with many others; it may be older than the table. */
export async function loadGlueTable(
  reader: GlueReader,
  identifier: TableIdentifier,
  known: ReadEntry | null = null,
): Promise<LiveTable | null> {
  const name = glueName(identifier);
  let read = known ?? (await readEntry(reader, name));
  for (let attempt = 1; ; attempt++) {
    if (read === null) return null;
    const location = metadataPointer(read.entry, name, reader.account);
    try {
      return await readTable(reader, identifier, read, location);
    } catch (error) {
      if (!isMissing(error)) throw error;
      const again = await readEntry(reader, name);
      const isOld = again === null || !sameLocation(metadataPointer(again.entry, name, reader.account), location);
      if (!isOld || attempt === TRIES) throw await brokenPointer(reader, identifier, (again ?? read).entry, location, error);
      read = again;
    }
  }
}

async function readEntry({ service, nowMs }: GlueReader, name: GlueName): Promise<ReadEntry | null> {
  const readAtMs = nowMs();
  const entry = await service.getTable(name.database, name.table);
  return entry === null ? null : { entry, readAtMs };
}

async function readTable(
  { storeAt }: GlueReader,
  identifier: TableIdentifier,
  { entry, readAtMs }: ReadEntry,
  location: string,
): Promise<LiveTable> {
  const metadata = await readTableMetadata(storeAt(location), location, printedName(identifier));
  return {
    identifier,
    metadata,
    metadataLocation: location,
    token: entry.VersionId ?? null,
    catalogState: glueState(entry.Name ?? identifier.name, { entry, metadata, readAtMs }),
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
    why: `Glue names "${location}", and nothing is there`,
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
