// Tables that were applied from a commit which the planned one does not contain: what came later must not look as if it
// were to be taken back.
import type { MadePlan } from "../commands/make-plan.ts";
import { diagnostic } from "../diagnostics/diagnostic.ts";
import { valueOf } from "../forge/forge-answer.ts";
import type { Relation } from "../forge/forge-history.ts";
import type { TablePlan } from "../plan/plan.ts";
import type { ContextWithForge } from "./context.ts";
import { remembered } from "./remembered.ts";

/** The plan with such tables blocked. A commit that the forge does not know says nothing. */
export async function branchBehind(context: ContextWithForge, plan: MadePlan, commit: string): Promise<MadePlan> {
  const standing = relations(context);
  const tables = await Promise.all(
    plan.tables.map(async (table): Promise<TablePlan> => {
      const applied = table.facts?.appliedCommit ?? null;
      if (applied === null || table.steps.length === 0) return table;
      const relation = await standing(applied, commit);
      if (relation === null || relation === "same" || relation === "ahead") return table;
      const behind = diagnostic("branch-behind", {
        what: `Cannot plan "${table.table}" from this branch: it is behind`,
        why: `The table was applied from commit ${applied.slice(0, 8)}, which is not part of it`,
        mend: "Update the branch with the base branch; it is planned again",
        table: table.table,
        place: { file: table.file, line: 1, column: 1 },
      });
      return { ...table, blockers: [behind, ...table.blockers] };
    }),
  );
  return { ...plan, tables };
}

/** Each pair is asked once; null: the forge does not know one of the commits. That it may not tell is a failure. */
export function relations({ forge }: ContextWithForge): (base: string, head: string) => Promise<Relation | null> {
  return remembered(async (base: string, head: string) => {
    const answer = await forge.history.relation(base, head);
    return answer.kind === "missing" ? null : valueOf(answer);
  });
}
