// What a command answers: how it ended, what it has to say, what it found. The numbers of exit codes and the
// drawing are the shell's. The tables are complete by type: a new kind of error cannot be forgotten here.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolErrorKind } from "../diagnostics/tool-error.ts";
import type { PlanState } from "../report/plan-counts.ts";
import type { Report } from "../report/report.ts";

export type ExitName =
  | "ok"
  | "failed"
  | "changes"
  | "refused"
  | "partly-applied"
  | "usage"
  | "bad-table-file"
  | "try-again"
  | "no-permission"
  | "bad-config"
  | "interrupted";

type CommandOutput =
  | { readonly kind: "report"; readonly report: Report }
  /** Text as it is, e.g. YAML or SQL, with its line end. */
  | { readonly kind: "text"; readonly text: string };

export interface CommandResult {
  readonly exit: ExitName;
  /** Null: the diagnostics are the result. */
  readonly output: CommandOutput | null;
  /** Findings that `output` does not hold already. */
  readonly diagnostics: readonly Diagnostic[];
  /** Texts of the files that the diagnostics speak of, for excerpts. */
  readonly sources?: (file: string) => string | undefined;
}

export const EXIT_OF_TOOL_ERROR: Readonly<Record<ToolErrorKind, ExitName>> = {
  usage: "usage",
  config: "bad-config",
  auth: "no-permission",
  "not-found": "failed",
  conflict: "try-again",
  throttled: "try-again",
  unavailable: "try-again",
  unsupported: "failed",
  corrupt: "failed",
  "storage-full": "failed",
  refused: "failed",
  interrupted: "interrupted",
  internal: "failed",
};

/** Errors in the project file are a bad config, all others a bad table file; warnings and notes are fine. */
export function exitOfDiagnostics(diagnostics: readonly Diagnostic[], projectFile: string | null): ExitName {
  const errors = diagnostics.filter((one) => one.severity === "error");
  if (errors.length === 0) return "ok";
  return projectFile !== null && errors.some((one) => one.place?.file === projectFile) ? "bad-config" : "bad-table-file";
}

const EXIT_OF_PLAN: Readonly<Record<PlanState, { readonly usual: ExitName; readonly asked: ExitName }>> = {
  "in-step": { usual: "ok", asked: "ok" },
  drift: { usual: "ok", asked: "changes" },
  changes: { usual: "ok", asked: "changes" },
  blocked: { usual: "refused", asked: "refused" },
};

/** `exitCode` is the option of that name: changes and drift are told by the exit code only when it is asked to. */
export function exitOfPlan(state: PlanState, exitCode: boolean): ExitName {
  return EXIT_OF_PLAN[state][exitCode ? "asked" : "usual"];
}
