// Brings a table's entry in Glue in step with its metadata, which stays as it is. Made again, it does nothing, so that
// an answer that is not clear is settled by reading the entry.
import { clauseOf } from "../diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { GlueTableInput } from "../iceberg/glue-entry.ts";
import { ownParameters } from "../iceberg/glue-input.ts";
import { type GlueState, isGlueState } from "../iceberg/glue-state.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { GlueError } from "./glue-error.ts";
import { printedName } from "./glue-names.ts";
import { sendEntry } from "./glue-send.ts";
import { entryAfter, firstProblem, type GlueWriter } from "./glue-writer.ts";

/** `update` sends an entry on condition of the VersionId that was read with `live`. */
export async function syncEntry(
  writer: GlueWriter,
  live: LiveTable,
  state: GlueState,
  commit: TableCommit,
  update: (input: GlueTableInput) => Promise<void>,
): Promise<CommitOutcome> {
  const problem = firstProblem(state, commit, live.metadata);
  if (problem !== null) return { state: "refused", why: problem };
  if (isInStep(live, commit)) return { state: "done", live };
  const file = { metadata: live.metadata, location: live.metadataLocation };
  const input = entryAfter(state, live.identifier.name, file, null, commit);
  const look = async (): Promise<LiveTable | null> => await writer.load(live.identifier);
  try {
    const answer = await sendEntry(writer.ports, input, update);
    if (answer.state !== "swapped") return answer;
  } catch (error) {
    if (!(error instanceof GlueError)) throw error;
    return await settleSync(live, commit, look, error);
  }
  return await settleSync(live, commit, look, null);
}

/** `failure`: no clear answer came. */
async function settleSync(
  live: LiveTable,
  commit: TableCommit,
  look: () => Promise<LiveTable | null>,
  failure: GlueError | null,
): Promise<CommitOutcome> {
  try {
    const after = await look();
    if (after !== null && isInStep(after, commit)) return { state: "done", live: after };
    const why = failure === null ? "another writer changed the entry at once" : `no clear answer came (${clauseOf(failure)})`;
    return { state: "conflict", why: `The entry in Glue is not in step yet: ${why}` };
  } catch (error) {
    return {
      state: "unknown",
      why: `The entry of "${printedName(live.identifier)}" in Glue was written, and cannot be read back`,
      written: null,
      cause: failure ?? error,
    };
  }
}

function isInStep({ metadata, catalogState: state }: LiveTable, { catalogParameters }: TableCommit): boolean {
  if (!isGlueState(state)) return false;
  const wanted = Object.entries(catalogParameters ?? {});
  const parameters = ownParameters(state.before?.entry);
  const hasParameters = wanted.every(([key, value]) => (parameters[key] ?? null) === value);
  return hasParameters && state.differences(metadata).length === 0;
}
