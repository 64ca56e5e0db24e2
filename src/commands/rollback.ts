// `rollback`: schema and data back to the state before the last conversion, and the table held.
import { setTimeout as sleep } from "node:timers/promises";
import { commitRollback, planRollback, type Rollback } from "../apply/rollback.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import { diagnostic } from "../diagnostics/diagnostic.ts";
import type { TableChangeArguments } from "./arguments.ts";
import { confirmed, isResult, openOne } from "./one-target.ts";
import { settled } from "./settled.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";

/** Conflicts with foreign commits are looked at again, a few times. */
const ATTEMPTS = 4;
const WAIT_MS = 200;

export async function run(context: CommandContext, args: TableChangeArguments): Promise<CommandResult> {
  const one = await openOne(context, args);
  if (isResult(one)) return one;
  const { target, opened } = one;
  const { sources } = opened;
  for (let attempt = 1; ; attempt++) {
    const live = attempt === 1 ? one.live : ((await target.catalog.loadTable(target.spec.identifier)) ?? one.live);
    const rollback = planRollback(target, live, { nowMs: context.now, reason: args.reason });
    if ("code" in rollback) return { exit: "refused", output: null, diagnostics: [rollback], sources };
    if (attempt === 1 && !(await confirmed(context, args, question(target.spec.name, rollback)))) {
      const refused = diagnostic("not-approved", {
        what: `Cannot roll back "${target.spec.name}": nobody agreed`,
        why: undo(rollback),
        mend: "Answer yes at a terminal, or say it with `--yes`",
        table: target.spec.name,
      });
      return { exit: "refused", output: null, diagnostics: [refused], sources };
    }
    const outcome = await commitRollback(target, rollback, context.randomId());
    if (outcome.state === "conflict" && attempt < ATTEMPTS) {
      await sleep(WAIT_MS * attempt, undefined, { signal: context.signal });
      continue;
    }
    return settled(
      outcome,
      target.spec.name,
      `Rolled back ${target.spec.name}: ${undo(rollback)}. It is held: change its file, or ${typedCommand("release", target.spec.name, opened.environment.name)}.`,
    );
  }
}

function question(table: string, rollback: Rollback): string {
  return `Roll back ${table}: ${undo(rollback)}?`;
}

/** `hired and leave_date are their old columns again, main goes back to snapshot 17`. */
function undo({ undone }: Rollback): string {
  const names = undone.map((memory) => memory.retired.name).join(", ");
  const main = undone[0]?.before.refs["main"];
  const head =
    main === undefined || Object.keys(undone[0]?.after ?? {}).length === 0 ? "" : `, main goes back to snapshot ${main}`;
  return `${names} ${undone.length === 1 ? "is the old column" : "are the old columns"} again${head}`;
}
