// What a flow answers: how the job ends, what is shown in its log and summary, what stands at the lines of files, and
// the outputs. How it is written is main's.
import type { CommandResult } from "../commands/result.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { Report } from "../report/report.ts";
import type { Outputs } from "./outputs.ts";

export interface ActionResult {
  readonly succeeded: boolean;
  readonly outputs: Partial<Outputs>;
  /** Null: nothing to show but the findings. */
  readonly report: Report | null;
  /** Findings that `report` does not hold. */
  readonly diagnostics: readonly Diagnostic[];
  /** Shown at their lines. */
  readonly annotations: readonly Diagnostic[];
  readonly sources?: CommandResult["sources"];
  /** What stands before a file's path in the repository; empty or ending with a slash. */
  readonly prefix: string;
  /** Base address for links to lines. */
  readonly sourceUrl: string | null;
}
