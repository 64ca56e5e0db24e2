// What a lint rule is: a name, which is its key in the project file and the code of its findings, how much a finding
// counts where nothing is set, and a check over declared tables. Rules see declarations only, never a catalog.
import type { LintLevel } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import type { LINT_CODES } from "../diagnostics/codes/lint.ts";
import type { DiagnosticParts, Place } from "../diagnostics/diagnostic.ts";
import type { OptionReader } from "./options.ts";

export type Finding = Omit<DiagnosticParts, "severity"> & { readonly place: Place };

/** May be given tables of several environments: what they share is found once. */
export type LintCheck = (specs: readonly TableSpec[]) => readonly Finding[];

export interface LintRule {
  readonly name: Exclude<keyof typeof LINT_CODES, `lint-${string}`>;
  /** Where the project file says nothing. */
  readonly level: LintLevel;
  /** Takes the options of the project file; keys that it does not ask for are told as unknown. */
  readonly prepare: (options: OptionReader) => LintCheck;
}
