// Creating tables in a REST catalog by the one plain request that every catalog has: the staged creation, with a commit
// that asserts it, keeps ids as they are sent, and is refused by some. The plain one gives fresh ids by the rule by which
// the planner predicted them, or keeps them; the answer is held against the prediction, and no file names the ids yet.
// A new table's uuid is the catalog's. Where its files go, a staged creation is asked, which makes nothing.
import { bug, clauseOf, ToolError } from "../diagnostics/tool-error.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { joinLocation } from "../iceberg/location.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";
import { commitDifferences } from "../iceberg/rest-differences.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableUpdateAction } from "../iceberg/table-update.ts";
import type { NewTable } from "./catalog.ts";
import { carriesAttempt } from "./metadata-pointer.ts";
import { leavesAttempt } from "./rest-commit.ts";
import type { RestWriter } from "./rest-writer.ts";
import { RestError } from "./rest-error.ts";
import { failureOutcome, told } from "./rest-outcome.ts";
import { nameOf } from "./rest-tables.ts";
import { lookUntil, statusChecks } from "./status-check.ts";

/** In place of a location where the catalog tells none before the table is there. */
const CHOSEN_BY_CATALOG = "catalog:/chosen-when-the-table-is-made";

/** What a new table's request has room for. */
const CREATING: ReadonlySet<TableUpdateAction> = new Set([
  "assign-uuid",
  "upgrade-format-version",
  "set-location",
  "add-schema",
  "set-current-schema",
  "add-spec",
  "set-default-spec",
  "add-sort-order",
  "set-default-sort-order",
  "set-properties",
  "remove-properties",
]);

export async function newRestTableLocation(writer: RestWriter, { identifier, location }: NewTable): Promise<string> {
  if (location !== null) {
    if (writer.capabilities.tableLocation) return stripTrailingSlashes(location);
    throw new ToolError("unsupported", `Cannot create "${nameOf(identifier)}" at "${location}"`, {
      why: "This catalog chooses the places of tables itself",
      mend: "Take `location:` out of the table's file and of the environment",
    });
  }
  const { service, demand } = await writer.session();
  demand(`Cannot create "${nameOf(identifier)}"`, "createTable");
  try {
    const staged = await service.stagedLocation(identifier);
    if (staged !== null) return stripTrailingSlashes(staged);
  } catch (error) {
    // A catalog without staged creations; any other fault shows itself when the table is made.
    if (!(error instanceof RestError) || !error.isCertain || error.status === null) throw error;
  }
  const folder = (await service.namespaceProperties(identifier.namespace))?.["location"];
  return folder === undefined || folder === "" ? CHOSEN_BY_CATALOG : joinLocation(folder, identifier.name);
}

export async function createRestTable(writer: RestWriter, table: NewTable, commit: TableCommit): Promise<CommitOutcome> {
  const { identifier } = table;
  const stranger = commit.updates.find(({ action }) => !CREATING.has(action));
  if (stranger !== undefined) throw bug("A new table cannot be made with this update", { action: stranger.action });
  try {
    const { service, demand } = await writer.session();
    demand(`Cannot create "${nameOf(identifier)}"`, "createTable");
    const expected = applyUpdates(null, commit.updates, { nowMs: writer.ports.nowMs(), previousMetadataLocation: null });
    const location = expected.location === CHOSEN_BY_CATALOG ? null : expected.location;
    try {
      const answer = await service.createTable(identifier, { name: identifier.name, metadata: expected, location });
      writer.storage.remember(identifier, answer, (await writer.session()).context.properties);
      return judge(commit, expected, writer.tables.take(identifier, answer));
    } catch (error) {
      if (!(error instanceof RestError)) throw error;
      if (!error.isCertain) return await settle(writer, table, commit, expected, error);
      if (error.kind === "conflict") return await whoHasTheName(writer, table, error);
      if (error.kind === "not-found")
        return { state: "refused", why: `The namespace "${formatPath(identifier.namespace)}" does not exist`, cause: error };
      throw error;
    }
  } catch (error) {
    return failureOutcome(error);
  }
}

/** Some catalogs answer a creation with the table that has the name already. */
function judge(commit: TableCommit, expected: TableMetadata, live: LiveTable): CommitOutcome {
  if (!isOurs(commit, expected, live)) return { state: "conflict", why: `A table "${nameOf(live.identifier)}" exists already` };
  const differences = differencesOf(commit, expected, live.metadata);
  return { state: "done", live, ...(differences.length === 0 ? {} : { differences }) };
}

/** The uuid is the catalog's, and so is a location that it was left to choose. */
function differencesOf({ updates }: TableCommit, expected: TableMetadata, found: TableMetadata): readonly string[] {
  const sent = updates.filter(
    ({ action }) => action !== "assign-uuid" && !(action === "set-location" && expected.location === CHOSEN_BY_CATALOG),
  );
  const { content, ids } = commitDifferences(sent, expected, found);
  return [...content, ...ids];
}

/** What the catalog has under the name is a table, or something that floeplan cannot see. */
async function whoHasTheName({ tables }: RestWriter, { identifier }: NewTable, error: RestError): Promise<CommitOutcome> {
  if ((await tables.load(identifier)) !== null)
    return { state: "conflict", why: `A table "${nameOf(identifier)}" exists already` };
  return {
    state: "refused",
    why: `The catalog says that the name "${nameOf(identifier)}" is taken (${clauseOf(error)}), and has no table of it to show: it may be a view, or a table that the credentials may not see`,
    cause: error,
  };
}

async function settle(
  writer: RestWriter,
  { identifier }: NewTable,
  commit: TableCommit,
  expected: TableMetadata,
  failure: RestError,
): Promise<CommitOutcome> {
  const find = async (): Promise<LiveTable | null> => await writer.tables.load(identifier);
  const look = await lookUntil("told", find, statusChecks(expected.properties), writer.ports.wait);
  const name = nameOf(identifier);
  switch (look.state) {
    case "found":
      return judge(commit, expected, look.live);
    case "absent":
      return { state: "conflict", why: `No clear answer came (${clauseOf(failure)}), and there is no table "${name}"` };
    case "unclear":
      return {
        state: "unknown",
        why: `No clear answer came (${clauseOf(failure)}), and looking for "${name}" failed (${told(look.error)})`,
        written: null,
        cause: failure,
      };
  }
}

/** Without an attempt id, a table that is just as ours would be is ours, or as good. */
function isOurs(commit: TableCommit, expected: TableMetadata, { metadata }: LiveTable): boolean {
  if (leavesAttempt(commit)) return carriesAttempt(metadata, commit, null);
  return differencesOf(commit, expected, metadata).length === 0;
}
