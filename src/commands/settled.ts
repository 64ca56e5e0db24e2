// How a small commit of one table ended, as the answer of a command.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CommitOutcome } from "../iceberg/commit.ts";
import type { CommandResult } from "./result.ts";

/** `done` is what is said when it landed; everything else is a ToolError. */
export function settled(outcome: CommitOutcome, table: string, done: string): CommandResult {
  switch (outcome.state) {
    case "done":
      return { exit: "ok", output: { kind: "text", text: `${done}\n` }, diagnostics: [] };
    case "conflict":
      throw new ToolError("conflict", `Cannot commit "${table}": another writer committed first`, {
        why: outcome.why,
        mend: "Nothing was changed. Run it again",
      });
    case "refused":
      throw new ToolError("refused", `Cannot commit "${table}"`, { why: outcome.why, cause: outcome.cause });
    case "unknown":
      throw new ToolError("unavailable", `Cannot tell whether the commit of "${table}" landed`, {
        why: outcome.why,
        mend: "Look with `floeplan show`, then run it again if it did not",
        cause: outcome.cause,
      });
  }
}
