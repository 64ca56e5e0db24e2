// Words for what stops an apply before anything is written.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import { shortId } from "../plan/fingerprint.ts";
import type { Step, TablePlan } from "../plan/plan.ts";
import type { Approval } from "./approval.ts";
import type { Hold } from "./hold.ts";

export function notApproved(plan: TablePlan, missing: readonly Step[], approval: Approval): Diagnostic {
  const names = missing.slice(0, 5).map((step) => `${step.kind} ${step.field?.path ?? step.text.subject} (${step.effect})`);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : "";
  return diagnostic("not-approved", {
    what: `Cannot apply "${plan.table}": ${missing.length === 1 ? "1 step is" : `${missing.length} steps are`} not approved`,
    why: `${names.join(", ")}${more}: ${givenWords(approval, missing.length === 1 ? "it" : "them")}`,
    mend: `Read the plan again, then approve it: \`--approve ${shortId(plan.fingerprint)}\`, or \`--plan FILE\` with a reviewed plan of now; \`--yes\` covers metadata and behaviour`,
    table: plan.table,
  });
}

function givenWords({ steps, upTo }: Approval, them: string): string {
  if (steps.size > 0) return `what was approved does not hold ${them}`;
  return upTo === null ? "nothing was approved" : `only steps up to the effect ${upTo} are approved`;
}

export function held(plan: TablePlan, hold: Hold): Diagnostic {
  return diagnostic("table-held", {
    what: `Cannot apply "${plan.table}": it is held since a rollback`,
    why: `${hold.since === null ? "" : `It was rolled back at ${hold.since}; `}the file still asks for what was rolled back${hold.reason === null ? "" : ` (${hold.reason})`}`,
    mend: `Change the file (take the conversion out), or let it go on: ${typedCommand("release", plan.table, plan.environment)}`,
    table: plan.table,
  });
}

export function observedOnly(environment: string, doing: "apply to" | "change a table of" = "apply to"): Diagnostic {
  return diagnostic("environment-observed", {
    what: `Cannot ${doing} environment "${environment}": it is only observed`,
    why: "`policy.mode` is observe: plan and drift run, nothing is written",
    mend: "Set `policy: { mode: apply }` for the environment when its plans are what you want",
  });
}
