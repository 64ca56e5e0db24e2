// What of a plan's findings stands at the lines of files: all but notes. Pure.
import { type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import type { Plan } from "../plan/plan.ts";

export function annotated(diagnostics: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter((one) => one.severity !== "note");
}

/** Of the tables, and what belongs to none of them, in order of place. */
export function planAnnotations({ tables }: Plan, findings: readonly Diagnostic[]): readonly Diagnostic[] {
  return sortDiagnostics([...tables.flatMap(({ blockers, notes }) => [...blockers, ...annotated(notes)]), ...findings]);
}
