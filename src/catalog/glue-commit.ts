// Commits to Glue: the metadata file is written, then the entry is swapped on condition of the VersionId of the same
// read. The shared order of steps is in metadata-pointer.ts, what is sent in glue-writer.ts.
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import { type GlueTableInput, METADATA_LOCATION } from "../iceberg/glue-entry.ts";
import type { EntryBefore } from "../iceberg/glue-input.ts";
import { glueState, isGlueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { nextMetadataLocation } from "../iceberg/metadata-file.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { type GlueName, printedName } from "./glue-names.ts";
import { sendEntry } from "./glue-send.ts";
import { syncEntry } from "./glue-sync.ts";
import { entryAfter, firstProblem, type GlueWriter } from "./glue-writer.ts";
import { commitThroughPointer, type NewMetadataFile } from "./metadata-pointer.ts";
import { type SwapAnswer, swapLanding } from "./metadata-pointer-swap.ts";

/** `database` holds the new table; the objection says why the table cannot be like that, or null. */
export async function createGlueTable(
  writer: GlueWriter,
  identifier: TableIdentifier,
  database: string,
  commit: TableCommit,
  objection: (next: TableMetadata) => string | null,
): Promise<CommitOutcome> {
  const state = glueState(identifier.name, null);
  return await commitThroughPointer({
    ...pointerCommit(
      writer,
      identifier,
      null,
      commit,
      async (file) =>
        await sendEntry(writer.ports, entryAfter(state, identifier.name, file, null, commit), (input) =>
          writer.service.createTable(database, input),
        ),
    ),
    objection: (next) => objection(next) ?? firstProblem(state, commit, next),
  });
}

export async function commitGlueTable(
  writer: GlueWriter,
  database: string,
  live: LiveTable,
  commit: TableCommit,
): Promise<CommitOutcome> {
  const { catalogState: state, token } = live;
  if (!isGlueState(state) || state.before === null)
    return { state: "conflict", why: "The table was not read from Glue since its last commit: read it again" };
  if (token === null)
    return { state: "refused", why: "Glue gives no VersionId for this table, so that nothing would keep two writers apart" };
  const name = state.before.entry.Name ?? live.identifier.name;
  if (await isReplaced(writer, { database, table: name }, state.before))
    return { state: "conflict", why: "The table is not the one that was read: it was committed to, or made anew" };
  const update = async (input: GlueTableInput): Promise<void> => await writer.service.updateTable(database, input, token);

  const outcome = await commitThroughPointer({
    ...pointerCommit(
      writer,
      live.identifier,
      live,
      commit,
      async (file) => await sendEntry(writer.ports, entryAfter(state, name, file, live.metadataLocation, commit), update),
    ),
    objection: (next) => firstProblem(state, commit, next),
  });
  const isUnchanged = outcome.state === "done" && outcome.live === live;
  if (!isUnchanged || (commit.syncCatalog !== true && commit.catalogParameters === undefined)) return outcome;
  return await syncEntry(writer, live, state, commit, update);
}

/** A table that is dropped and made again begins with the same versions: after so long, that is looked for. */
const LONG_AGO_MS = 60_000;

// Before long work that is not there any more is built upon. The version alone keeps out all other commits.
async function isReplaced({ service, ports }: GlueWriter, name: GlueName, before: EntryBefore): Promise<boolean> {
  const { entry, readAtMs = 0 } = before;
  if (ports.nowMs() - readAtMs < LONG_AGO_MS) return false;
  const now = await service.getTable(name.database, name.table);
  const isSame =
    now?.VersionId === entry.VersionId && now?.Parameters?.[METADATA_LOCATION] === entry.Parameters?.[METADATA_LOCATION];
  return !isSame;
}

function pointerCommit(
  { ports, storeAt, load }: GlueWriter,
  identifier: TableIdentifier,
  live: LiveTable | null,
  commit: TableCommit,
  swap: (file: NewMetadataFile) => Promise<SwapAnswer>,
): Parameters<typeof commitThroughPointer>[0] {
  const store = storeAt(live?.metadataLocation ?? newLocation(commit));
  return {
    table: printedName(identifier),
    live,
    commit,
    store,
    ports,
    nextLocation: (next) => nextMetadataLocation(next, live?.metadataLocation ?? null, ports.newUuid()),
    landing: swapLanding({ identifier, live, commit, store, ports, swap, reload: async () => await load(identifier) }),
  };
}

function newLocation(commit: TableCommit): string {
  return commit.updates.find((update) => update.action === "set-location")?.location ?? "";
}
