// Finds the steps that one line outside the tables' own files causes in many tables, e.g. a column of a shared
// group. Only steps that lose and rewrite nothing are gathered: the others are shown table by table.
import { canonicalJson } from "../iceberg/json-write.ts";
import type { Step, TablePlan } from "../plan/plan.ts";

/** With two tables the tables themselves read better than the cause. */
const FEWEST_TABLES = 3;

export interface Cause {
  readonly step: Step;
  /** True when all steps say the same detail, e.g. no field id of their own. */
  readonly sameDetail: boolean;
  readonly tables: readonly TablePlan[];
}

export interface Causes {
  readonly causes: readonly Cause[];
  /** Ids of the steps that a cause stands for. */
  readonly gathered: ReadonlySet<string>;
}

export function gatherCauses(tables: readonly TablePlan[]): Causes {
  const found = new Map<string, { readonly step: Step; readonly steps: Step[]; readonly tables: TablePlan[] }>();
  for (const table of tables) {
    for (const step of table.steps) {
      const key = causeKey(table, step);
      if (key === null) continue;
      const entry = found.get(key);
      if (entry === undefined) found.set(key, { step, steps: [step], tables: [table] });
      else {
        entry.steps.push(step);
        entry.tables.push(table);
      }
    }
  }
  const causes = [...found.values()].filter((entry) => entry.tables.length >= FEWEST_TABLES);
  return {
    causes: causes.map(({ step, steps, tables: affected }) => ({
      step,
      sameDetail: steps.every((one) => one.text.detail === step.text.detail),
      tables: affected,
    })),
    gathered: new Set(causes.flatMap(({ steps }) => steps.map((step) => step.id))),
  };
}

function causeKey(table: TablePlan, step: Step): string | null {
  if (step.place === null || step.place.file === table.file) return null;
  if (step.effect === "rewrite" || step.effect === "destructive") return null;
  // A blocked table is shown whole.
  if (table.blockers.length > 0) return null;
  const { symbol, subject, change } = step.text;
  const { file, line } = step.place;
  return canonicalJson([file, line, step.kind, step.effect, symbol, subject, change, step.before, step.after]);
}
