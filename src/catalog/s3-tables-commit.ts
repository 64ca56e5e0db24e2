// Commits to S3 Tables: the metadata file is written into the table's own storage, then the pointer is swapped on condition
// of the version token of the same read. The shared order of steps is in metadata-pointer.ts.
//
// A new table is made without metadata, and its metadata is our first commit, with the token that the empty table has.
// CreateTable could write a first file itself; but it cannot be told the format version, the uuid, defaults or
// floeplan's memory, and a commit on top of its file would be a second state with ids that nobody chose. What an attempt
// that was cut off leaves is an empty table, which the next one fills. Nothing is ever deleted: the object API has no
// delete, and a table that may be somebody's is not ours to drop.
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { joinLocation, lastPart, sameLocation } from "../iceberg/location.ts";
import { METADATA_FOLDER, nextMetadataLocation } from "../iceberg/metadata-file.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { type CatalogPorts, commitThroughPointer } from "./metadata-pointer.ts";
import { swapLanding } from "./metadata-pointer-swap.ts";
import { loadS3Table, readPointer, type S3TablesReader } from "./s3-tables-load.ts";
import { printedName, s3TableName } from "./s3-tables-names.ts";
import type { TablePointer } from "./s3-tables-service.ts";
import { isS3TablesState, type S3TablesState, s3TablesState } from "./s3-tables-state.ts";
import { swapPointer } from "./s3-tables-swap.ts";

export interface S3TablesWriter extends S3TablesReader {
  readonly ports: CatalogPorts;
}

export async function commitS3Table(writer: S3TablesWriter, live: LiveTable, commit: TableCommit): Promise<CommitOutcome> {
  const { catalogState: state, token } = live;
  if (!isS3TablesState(state) || state.warehouse === null || token === null)
    return { state: "conflict", why: "The table was not read from S3 Tables since its last commit: read it again" };
  const storage = { warehouse: state.warehouse, token };
  return await commitOver(writer, live.identifier, storage, live, commit, (next) => objection(state, live.metadata, next));
}

/** The first metadata of a table that the service has made. `pointer` is of the read that found it. */
export async function initialiseS3Table(
  writer: S3TablesWriter,
  identifier: TableIdentifier,
  { metadataLocation, warehouseLocation: warehouse, versionToken: token }: TablePointer,
  commit: TableCommit,
): Promise<CommitOutcome> {
  const name = printedName(identifier);
  if (metadataLocation !== null) return { state: "conflict", why: `A table "${name}" exists already` };
  const location = commit.updates.find((update) => update.action === "set-location")?.location ?? "";
  if (!sameLocation(location, warehouse))
    return { state: "conflict", why: `S3 Tables stores "${name}" in "${warehouse}" now: another writer has made it anew` };
  const state = s3TablesState({ warehouse, metadata: null });
  return await commitOver(writer, identifier, { warehouse, token }, null, commit, (next) => objection(state, null, next));
}

interface Storage {
  readonly warehouse: string;
  readonly token: string;
}

async function commitOver(
  writer: S3TablesWriter,
  identifier: TableIdentifier,
  { warehouse, token }: Storage,
  live: LiveTable | null,
  commit: TableCommit,
  why: (next: TableMetadata) => string | null,
): Promise<CommitOutcome> {
  const { service, store, ports } = writer;
  const name = s3TableName(identifier);
  const reload = async (): Promise<LiveTable | null> => {
    const now = await loadS3Table(writer, identifier);
    if (now !== null || live === null) return now;
    // Renamed with our commit in it, or without: this name does not tell.
    throw new ToolError("not-found", `Cannot find "${printedName(identifier)}" any more`, {
      why: "It was renamed or deleted since it was read",
    });
  };
  return await commitThroughPointer({
    table: printedName(identifier),
    live,
    commit,
    store,
    ports,
    objection: why,
    nextLocation: (next) => {
      const usual = nextMetadataLocation(next, live?.metadataLocation ?? null, ports.newUuid(), "none");
      return joinLocation(warehouse, METADATA_FOLDER, lastPart(usual));
    },
    landing: swapLanding({
      identifier,
      live,
      commit,
      store,
      ports,
      reload,
      swap: async ({ location }) => {
        const answer = await swapPointer(service, ports, name, { versionToken: token, metadataLocation: location });
        if (answer.state !== "refused" || !(await isAnotherTable(writer, identifier, warehouse))) return answer;
        return { state: "conflict", why: `Another table has the name "${printedName(identifier)}" now` };
      },
    }),
  });
}

/** A location in another table's storage is refused before the token is looked at. */
async function isAnotherTable(reader: S3TablesReader, identifier: TableIdentifier, warehouse: string): Promise<boolean> {
  const now = await readPointer(reader, identifier).catch(() => null);
  return now !== null && !sameLocation(now.warehouseLocation, warehouse);
}

/** The first reason is enough to refuse a commit; the plan shows all. */
function objection(state: S3TablesState, before: TableMetadata | null, next: TableMetadata): string | null {
  const fixed = before?.location ?? state.warehouse ?? next.location;
  if (!sameLocation(next.location, fixed)) return `A table in S3 Tables cannot leave its storage "${fixed}"`;
  const [problem] = state.problems(next);
  return problem === undefined ? null : `${problem.what}: ${problem.why}`;
}
