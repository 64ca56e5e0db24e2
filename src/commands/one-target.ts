// Commands that change exactly one declared table: its target and what is live, or why it stops here.
import { observedOnly } from "../apply/refusals.ts";
import type { Target } from "../apply/table-state.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableChangeArguments } from "./arguments.ts";
import { isBadProject, type OpenEnvironment, openEnvironment, targetsOf } from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";

export interface OneTarget {
  readonly opened: OpenEnvironment;
  readonly target: Target;
  readonly live: LiveTable;
}

export async function openOne(
  context: CommandContext,
  args: Pick<TableChangeArguments, "config" | "env" | "table">,
): Promise<OneTarget | CommandResult> {
  const opened = await openEnvironment(context, {
    config: args.config,
    env: args.env,
    selectors: [args.table],
    exclude: [],
    changed: null,
  });
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { name, policy } = opened.environment;
  if (policy.mode === "observe") {
    const refused = observedOnly(name, "change a table of");
    return { exit: "refused", output: null, diagnostics: [refused], sources: opened.sources };
  }
  const [target, second] = await targetsOf(opened, opened.selected);
  if (target === undefined || second !== undefined) {
    throw new ToolError("usage", `Cannot choose one table by "${args.table}"`, { mend: "Write the declared name of one table" });
  }
  const live = await target.catalog.loadTable(target.spec.identifier);
  if (live === null) {
    throw new ToolError("not-found", `Cannot find table "${target.spec.name}" in ${target.catalog.label}`, {
      mend: `It is declared and not there yet: ${typedCommand("apply", target.spec.name, target.spec.environment)} makes it`,
    });
  }
  return { opened, target, live };
}

export function isResult(opened: OneTarget | CommandResult): opened is CommandResult {
  return "exit" in opened;
}

/** A clear yes of a person, or `--yes`; nobody there to ask counts as no. */
export async function confirmed(
  context: CommandContext,
  args: Pick<TableChangeArguments, "yes">,
  question: string,
): Promise<boolean> {
  if (args.yes) return true;
  return (await context.asking?.confirm(question)) === true;
}
