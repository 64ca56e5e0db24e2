// A draft's end: the commit of all that its steps asked for, or what the format refuses of it. Pure.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { type EvolutionError, isEvolutionError } from "../iceberg/evolution-error.ts";
import { makeCreation } from "./create.ts";
import type { TableDraft } from "./draft.ts";
import { makeEvolution } from "./evolve.ts";
import type { TableChange } from "./table-change.ts";

/** The commit that the gathered edits come to, or why the format refuses them. */
export function finishDraft(draft: TableDraft): TableChange | Diagnostic {
  const change = draft.pair.pair === null ? makeCreation(draft) : makeEvolution(draft, draft.pair.pair);
  const [error] = draft.errors;
  if (error !== undefined) return formatRefuses(draft, error);
  return isEvolutionError(change) ? formatRefuses(draft, change) : change;
}

function formatRefuses({ pair }: TableDraft, error: EvolutionError): Diagnostic {
  return diagnostic("format-refuses", {
    what: `Cannot change "${pair.spec.name}" as declared`,
    why: error.why,
    mend: "Change the declaration; the steps of the plan say what was understood",
    place: pair.spec.place,
    table: pair.spec.name,
  });
}
