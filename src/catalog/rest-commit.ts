// Commits to a REST catalog: one request with requirements and updates, sent once. The catalog checks what requirements
// can say; that nobody committed anything else since the read is looked for right before, since for properties and
// locations the protocol has no requirement. The answer is held against what was sent.
import { clauseOf, ToolError } from "../diagnostics/tool-error.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import { checkRequirements } from "../iceberg/check-requirement.ts";
import { ATTEMPT_PROPERTY, type CommitOutcome, type TableCommit } from "../iceberg/commit.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { sameLocation } from "../iceberg/location.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import { commitDifferences } from "../iceberg/rest-differences.ts";
import { snapshotById, type TableMetadata } from "../iceberg/table-metadata.ts";
import { carriesAttempt } from "./metadata-pointer.ts";
import { RestError } from "./rest-error.ts";
import { failureOutcome, told } from "./rest-outcome.ts";
import { nameOf } from "./rest-tables.ts";
import { takeBack } from "./rest-take-back.ts";
import type { RestCommit, RestWriter } from "./rest-writer.ts";
import { lookUntil, statusChecks } from "./status-check.ts";

/** Looked through for a commit whose end is not clear. */
const MOST_STATES = 100;

export async function commitRestTable(writer: RestWriter, live: LiveTable, commit: TableCommit): Promise<CommitOutcome> {
  try {
    const expected = applyUpdates(live.metadata, commit.updates, {
      nowMs: writer.ports.nowMs(),
      previousMetadataLocation: live.metadataLocation,
    });
    if (expected === live.metadata) return { state: "done", live };
    if (!writer.capabilities.setLocation && commit.updates.some(({ action }) => action === "set-location"))
      return { state: "refused", why: `This catalog does not move tables, and "${nameOf(live.identifier)}" would move` };
    const { service, demand } = await writer.session();
    demand(`Cannot commit "${nameOf(live.identifier)}"`, "commit");
    const now = await service.currentLocation(live.identifier, live.metadataLocation, writer.tables.etagOf(live));
    if (now === null) return { state: "conflict", why: `The table "${nameOf(live.identifier)}" is not there any more` };
    if (!sameLocation(now, live.metadataLocation))
      return { state: "conflict", why: `Another writer committed "${nameOf(live.identifier)}" since it was read` };
    return await sendAndJudge(writer, { live, commit, expected });
  } catch (error) {
    return failureOutcome(error);
  }
}

async function sendAndJudge(writer: RestWriter, request: RestCommit): Promise<CommitOutcome> {
  const { identifier } = request.live;
  const { service } = await writer.session();
  try {
    const answer = await service.commit(identifier, request.commit, writer.storage.tokenOf(identifier));
    return await judge(writer, request, writer.tables.take(identifier, answer));
  } catch (error) {
    if (!(error instanceof RestError) || error.isCertain) throw error;
    return await settle(writer, request, error);
  }
}

/** The commit landed: is what came of it what was sent? */
async function judge(writer: RestWriter, request: RestCommit, after: LiveTable): Promise<CommitOutcome> {
  const { commit, expected } = request;
  const differences = commitDifferences(commit.updates, expected, after.metadata);
  const namesIds = commit.updates.some(({ action }) => action === "add-snapshot");
  if (differences.content.length === 0 && commit.updates.some(({ action }) => action === "add-schema"))
    writer.idRule.isKept = differences.ids.length === 0;
  const before = await stateBefore(writer, request.live, after);
  // Files and snapshots name the ids; nothing else does.
  const wrong = [
    ...differences.content,
    ...(namesIds ? differences.ids : []),
    ...uncheckedRequirements(commit.requirements, before),
  ];
  return wrong.length === 0 ? { state: "done", live: after } : await takeBack(writer, request, before, after, wrong);
}

/** What the commit landed on, by the log of the metadata: what was read, or another's state. Null: nobody can tell. */
async function stateBefore({ storage }: RestWriter, live: LiveTable, after: LiveTable): Promise<TableMetadata | null> {
  const file = after.metadata.metadataLog.at(-1)?.metadataFile;
  if (file === undefined) return null;
  if (sameLocation(file, live.metadataLocation)) return live.metadata;
  try {
    return readMetadata(await storage.storeOf(live.identifier, after.metadata.location).read(file), file);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return null;
  }
}

/** Some servers pass over requirements that they do not know. */
function uncheckedRequirements(requirements: TableCommit["requirements"], before: TableMetadata | null): readonly string[] {
  if (before === null) return [];
  return checkRequirements(requirements, before).map(
    (reason) => `another writer committed in between, and a requirement was not checked (${lowerFirst(reason)})`,
  );
}

function lowerFirst(sentence: string): string {
  return sentence.charAt(0).toLowerCase() + sentence.slice(1);
}

/** No clear answer came: the table is looked at. */
async function settle(writer: RestWriter, request: RestCommit, failure: RestError): Promise<CommitOutcome> {
  const { live, commit, expected } = request;
  // A request that is still under way may yet land, and then needs the files that its snapshot names.
  const hasFiles = commit.updates.some(({ action }) => action === "add-snapshot");
  const look = await lookUntil(
    hasFiles ? "found" : "told",
    async () => await findCommit(writer, request),
    statusChecks(expected.properties),
    writer.ports.wait,
  );
  const name = nameOf(live.identifier);
  switch (look.state) {
    case "found":
      return await judge(writer, request, look.live);
    case "absent":
      if (!hasFiles)
        return {
          state: "conflict",
          why: `No clear answer came (${clauseOf(failure)}), and "${name}" does not show the commit`,
        };
      return {
        state: "unknown",
        why: `No clear answer came (${clauseOf(failure)}), and "${name}" does not show the commit; it may still land`,
        written: null,
        cause: failure,
      };
    case "unclear":
      return {
        state: "unknown",
        why: `No clear answer came (${clauseOf(failure)}), and reading "${name}" again failed (${told(look.error)})`,
        written: null,
        cause: failure,
      };
  }
}

/** By its snapshot or its attempt id where it leaves one; else by all that it did, on top of what was read. */
async function findCommit(writer: RestWriter, { live, commit, expected }: RestCommit): Promise<LiveTable | null> {
  const now = await writer.tables.load(live.identifier);
  if (now === null || sameLocation(now.metadataLocation, live.metadataLocation)) return null;
  const added = commit.updates.find((update) => update.action === "add-snapshot");
  if (added !== undefined && snapshotById(now.metadata, added.snapshot.snapshotId) !== undefined) return now;
  if (carriesAttempt(now.metadata, commit, live.metadata)) return now;
  if (leavesAttempt(commit)) return (await isInLog(writer, live, commit, now)) ? now : null;
  return commitDifferences(commit.updates, expected, now.metadata).content.length === 0 ? now : null;
}

/** Another commit of floeplan on top has put its own attempt id in place of ours: the states in between still have ours. */
async function isInLog({ storage }: RestWriter, live: LiveTable, commit: TableCommit, now: LiveTable): Promise<boolean> {
  const log = now.metadata.metadataLog.map(({ metadataFile }) => metadataFile);
  const between = log.slice(log.findIndex((file) => sameLocation(file, live.metadataLocation)) + 1);
  const store = storage.storeOf(live.identifier, now.metadata.location);
  for (const file of between.slice(0, MOST_STATES)) {
    try {
      if (carriesAttempt(readMetadata(await store.read(file), file), commit, live.metadata)) return true;
    } catch (error) {
      // Files that cannot be read here tell nothing; planning again on what is live does.
      if (!(error instanceof ToolError)) throw error;
      return false;
    }
  }
  return false;
}

export function leavesAttempt({ updates, attempt }: TableCommit): boolean {
  return updates.some((update) => update.action === "set-properties" && update.updates[ATTEMPT_PROPERTY] === attempt);
}
