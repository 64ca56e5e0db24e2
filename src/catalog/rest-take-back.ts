// A commit landed, and the catalog kept something else than it was sent, or did not look at what it required. Where it is
// known what it landed on and all of it can be set back, it is set back; else it stays, and is told. Knows no call but the
// commit.
import type { CommitOutcome } from "../iceberg/commit.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { commitDifferences } from "../iceberg/rest-differences.ts";
import { inverseCommit } from "../iceberg/rest-inverse.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { RestCommit, RestWriter } from "./rest-writer.ts";

/** More are counted, not told. */
const MOST_TOLD = 5;

/** `wrong` says what is not as it should be, each a clause; `before` is what the commit landed on, null where nobody knows. */
export async function takeBack(
  writer: RestWriter,
  { live, commit }: RestCommit,
  before: TableMetadata | null,
  after: LiveTable,
  wrong: readonly string[],
): Promise<CommitOutcome> {
  const inverse = before === null ? null : inverseCommit(commit.updates, before, after.metadata);
  const stays: CommitOutcome = { state: "done", live: after, differences: wrong };
  if (before === null || inverse === null) return stays;
  try {
    const { service } = await writer.session();
    const answer = await service.commit(
      live.identifier,
      { ...inverse, attempt: writer.ports.newUuid() },
      writer.storage.tokenOf(live.identifier),
    );
    const back = writer.tables.take(live.identifier, answer);
    const left = commitDifferences(commit.updates, before, back.metadata);
    if (left.content.length > 0 || left.ids.length > 0) return { ...stays, live: back };
    const more = wrong.length > MOST_TOLD ? `; and ${wrong.length - MOST_TOLD} more` : "";
    return {
      state: "refused",
      why: `The catalog did not do what it was sent: ${wrong.slice(0, MOST_TOLD).join("; ")}${more}. The commit was taken back, and the table is as it was before it`,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return stays;
  }
}
