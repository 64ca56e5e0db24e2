// What may happen to a table at the apply of a commit: the steps that merged pull requests recorded, and steps of effect
// metadata. Everything that speaks against it is said as a finding of the table.
import { type Approval, isWithin, unapprovedSteps } from "../apply/approval.ts";
import { type Diagnostic, diagnostic, type Place } from "../diagnostics/diagnostic.ts";
import { EFFECTS, type Effect, type Step, type TablePlan, touchesValues } from "../plan/plan.ts";
import type { Relation } from "../forge/forge-history.ts";
import type { Recorded, Records } from "./records.ts";
import type { SecondLock } from "./second-lock.ts";

export interface Judge {
  readonly commit: string;
  readonly environment: string;
  readonly maxEffect: Effect;
  readonly records: Records;
  readonly lock: SecondLock;
  /** Where the push began; null: it is not known. */
  readonly before: string | null;
  readonly relation: (base: string, head: string) => Promise<Relation | null>;
  /** Names of tables that the tip of the branch declares otherwise. */
  readonly superseded: ReadonlySet<string>;
}

export type Judgement =
  | {
      readonly kind: "go";
      readonly approval: Approval;
      readonly records: readonly Recorded[];
      /** Steps of effect metadata that nobody recorded: they run, and it is said. */
      readonly unrecorded: readonly Step[];
    }
  /** The plan itself says what is in the way. */
  | { readonly kind: "blocked"; readonly records: readonly Recorded[] }
  /** `leave`: another run does it; `stop`: it is refused. */
  | { readonly kind: "leave" | "stop"; readonly why: Diagnostic; readonly records: readonly Recorded[] };

export async function judge(plan: TablePlan, by: Judge): Promise<Judgement> {
  const applied = plan.facts?.appliedCommit ?? null;
  if (by.superseded.has(plan.table)) return { kind: "leave", why: superseded(plan), records: [] };
  if (applied !== null && applied !== by.commit && (await by.relation(by.commit, applied)) === "ahead") {
    return { kind: "stop", why: staleCommit(plan, applied, by.commit), records: [] };
  }
  const all = await by.records.merged(applied === by.commit ? by.before : (applied ?? by.before), by.commit);
  const records = all.filter(({ record }) => record.tables.has(plan.table));
  if (plan.blockers.length > 0) return { kind: "blocked", records };
  const strongest = strongestOf(plan);
  if (!isWithin(strongest, by.maxEffect)) {
    return { kind: "leave", why: leftToGatedJob(plan, strongest, by.maxEffect), records };
  }
  const recorded = new Set(plan.steps.filter((step) => wasShown(step, plan.table, records)).map(({ id }) => id));
  // Only what was judged here: a recorded step that comes up while it is applied has passed no second lock.
  const approval: Approval = { steps: recorded, upTo: "metadata", atMost: strongest };
  const missing = unapprovedSteps(plan, approval);
  if (missing.length > 0) return { kind: "stop", why: planChanged(plan, missing, records), records };
  const locked = await by.lock.check(plan, records);
  if (locked !== null) return { kind: "stop", why: noSecondLock(plan, locked, by.environment), records };
  return { kind: "go", approval, records, unrecorded: plan.steps.filter(({ id }) => !recorded.has(id)) };
}

/** What loses or rewrites data must have been shown as such: an id covers what is meant, not what it does to the rows. */
function wasShown({ id, effect }: Step, table: string, records: readonly Recorded[]): boolean {
  return records.some(({ record }) => {
    const shown = record.tables.get(table)?.get(id);
    return shown !== undefined && (!touchesValues(effect) || isWithin(effect, shown));
  });
}

function strongestOf({ steps }: TablePlan): Effect {
  return EFFECTS[Math.max(0, ...steps.map(({ effect }) => EFFECTS.indexOf(effect)))] ?? "metadata";
}

function place({ file }: TablePlan): Place {
  return { file, line: 1, column: 1 };
}

function superseded(plan: TablePlan): Diagnostic {
  return diagnostic("superseded", {
    what: `Table "${plan.table}" is left to a newer run`,
    why: "Its declaration at the tip of the branch differs from the one of this commit",
    table: plan.table,
  });
}

function staleCommit(plan: TablePlan, applied: string, commit: string): Diagnostic {
  return diagnostic("stale-commit", {
    what: `Cannot apply "${plan.table}" from commit ${commit.slice(0, 8)}: it is older than what the table has`,
    why: `The table was applied from ${applied.slice(0, 8)}, which came later`,
    mend: "Run the workflow for the newest commit of the branch",
    table: plan.table,
    place: place(plan),
  });
}

function leftToGatedJob(plan: TablePlan, strongest: Effect, most: Effect): Diagnostic {
  return diagnostic("left-to-gated-job", {
    what: `Table "${plan.table}" is left to the gated job`,
    why: `It has a step of the effect ${strongest}, and this job takes steps up to ${most}`,
    mend: "Let the gated job through; where there is only one job, run it with a higher `max-effect`",
    table: plan.table,
  });
}

function planChanged(plan: TablePlan, missing: readonly Step[], records: readonly Recorded[]): Diagnostic {
  const names = missing.slice(0, 5).map(({ text, effect, id }) => `"${text.subject}" (${effect}, step ${id.slice(0, 8)})`);
  const more = missing.length > names.length ? ` and ${missing.length - names.length} more` : "";
  const numbers = records.map(({ pullRequest }) => pullRequest.number).join(", ");
  const by = records.length === 1 ? `pull request ${numbers}` : `pull requests ${numbers}`;
  const shown = records.length === 0 ? "no merged pull request recorded the table" : `${by} recorded others`;
  return diagnostic("plan-changed", {
    what: `Cannot apply "${plan.table}": its plan is not the one that was reviewed`,
    why: `${names.join(", ")}${more} ${missing.length === 1 ? "was" : "were"} not shown; ${shown}`,
    mend: "Open a pull request that touches the declaration, read its plan, and merge it; where an earlier apply of its merge failed, run that one again",
    table: plan.table,
    place: place(plan),
  });
}

function noSecondLock(plan: TablePlan, why: string, environment: string): Diagnostic {
  return diagnostic("no-second-lock", {
    what: `Cannot apply "${plan.table}" to "${environment}": data is lost or rewritten, and nobody but the author has agreed`,
    why,
    mend: "Give the job a protected environment with required reviewers, or have the pull request approved under `policy.approve`",
    table: plan.table,
    place: place(plan),
  });
}
