// Applies tables one after the other; an interrupt ends between two of them. Used by the command and by the Action.
import { setTimeout as sleep } from "node:timers/promises";
import { applyTable } from "../apply/apply-plan.ts";
import type { Approval } from "../apply/approval.ts";
import type { ApplyPorts } from "../apply/ports.ts";
import type { TableResult } from "../apply/result.ts";
import type { Target } from "../apply/table-state.ts";
import { rewriteProgress, stopIfAsked } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";

export interface ApplyTargetsOptions {
  /** What is approved of a table. */
  readonly approvalOf: (table: string) => Approval;
  readonly dryRun: boolean;
  readonly reason: string | null;
  /** The commit that declares what is applied; null outside Git or with a dirty tree. */
  readonly commit: string | null;
}

/** In order; fewer results than targets: it was interrupted. */
export async function applyTargets(
  context: CommandContext,
  targets: readonly Target[],
  options: ApplyTargetsOptions,
): Promise<readonly TableResult[]> {
  const results: TableResult[] = [];
  for (const target of targets) {
    if (context.signal.aborted && results.length > 0) break;
    stopIfAsked(context);
    const approval = options.approvalOf(target.spec.name);
    results.push(await applyTable(target, { approval, dryRun: options.dryRun }, portsFor(context, target, options)));
    context.progress.end();
  }
  return results;
}

function portsFor(
  context: CommandContext,
  target: Target,
  { commit, reason }: Pick<ApplyTargetsOptions, "commit" | "reason">,
): ApplyPorts {
  return {
    nowMs: context.now,
    randomId: context.randomId,
    wait: async (milliseconds) => {
      await sleep(milliseconds, undefined, { signal: context.signal });
    },
    progress: rewriteProgress(context, target.spec.name),
    version: context.version,
    commit,
    reason,
  };
}
