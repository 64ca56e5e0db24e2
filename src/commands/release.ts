// `release`: takes the hold of a rollback away, so that the table is applied again.
import { readHold } from "../apply/hold.ts";
import { diagnostic } from "../diagnostics/diagnostic.ts";
import { HOLD_KEY } from "../plan/base.ts";
import type { TableChangeArguments } from "./arguments.ts";
import { confirmed, isResult, openOne } from "./one-target.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";
import { settled } from "./settled.ts";

export async function run(context: CommandContext, args: TableChangeArguments): Promise<CommandResult> {
  const one = await openOne(context, args);
  if (isResult(one)) return one;
  const { target, live, opened } = one;
  const { name } = target.spec;
  const hold = readHold(live.metadata.properties);
  if (hold === null) return { exit: "ok", output: { kind: "text", text: `${name} is not held.\n` }, diagnostics: [] };
  const since = hold.since === null ? "" : `, held since ${hold.since}`;
  if (!(await confirmed(context, args, `Let ${name} be applied again${since}?`))) {
    const refused = diagnostic("not-approved", {
      what: `Cannot release "${name}": nobody agreed`,
      mend: "Answer yes at a terminal, or say it with `--yes`",
      table: name,
    });
    return { exit: "refused", output: null, diagnostics: [refused], sources: opened.sources };
  }
  const requirements =
    live.metadata.tableUuid === null ? [] : [{ type: "assert-table-uuid" as const, uuid: live.metadata.tableUuid }];
  const outcome = await target.catalog.commit(live, {
    requirements,
    updates: [{ action: "remove-properties", removals: [HOLD_KEY] }],
    attempt: context.randomId(),
  });
  return settled(outcome, name, `Released ${name}: the next apply takes its plan.`);
}
