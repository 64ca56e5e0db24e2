// Steps that the base branch asks for already: merged earlier, not applied yet. Said with the pull request that brought
// them, where a record tells.
import type { MadePlan } from "../commands/make-plan.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { waitingFrom, type WaitingSteps } from "../report/plan-sections.ts";
import type { ContextWithForge } from "./context.ts";
import { recordsOf } from "./records.ts";

export async function waitingSteps(
  context: ContextWithForge,
  { environment, tables, waiting }: MadePlan,
  range: { readonly branch: string; readonly upTo: string },
): Promise<ReadonlyMap<string, WaitingSteps>> {
  const records = recordsOf(context, environment, range.branch);
  const found = new Map<string, WaitingSteps>();
  for (const [table, ids] of waiting) {
    const applied = tables.find((one) => one.table === table)?.facts?.appliedCommit ?? null;
    const numbers = applied === null ? [] : await broughtBy(async () => await records.merged(applied, range.upTo), table, ids);
    found.set(table, { ids, from: waitingFrom(range.branch, numbers) });
  }
  return found;
}

/** Best effort: where from is said for convenience. */
async function broughtBy(
  read: () => ReturnType<ReturnType<typeof recordsOf>["merged"]>,
  table: string,
  ids: ReadonlySet<string>,
): Promise<readonly number[]> {
  try {
    const records = await read();
    const brought = records.filter(({ record }) => [...(record.tables.get(table)?.keys() ?? [])].some((id) => ids.has(id)));
    return brought.map(({ pullRequest }) => pullRequest.number);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return [];
  }
}
