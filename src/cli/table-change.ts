// How the commands that change one table and no file are described: they differ in their name and in what they say.
import type { TableChangeArguments } from "../commands/arguments.ts";
import { type Command, command, type CommandModule } from "./command.ts";
import { PROJECT_OPTIONS } from "./options.ts";

export const TABLE = { key: "table", placeholder: "TABLE", count: "one", summary: "The table's declared name" } as const;
export const REASON = { kind: "value", placeholder: "TEXT", summary: "Why; kept in the table" } as const;
export const YES = { kind: "flag", short: "y", summary: "Do not ask" } as const;

/** Asks before it changes the table. */
export function tableChange(
  parts: Pick<Command, "name" | "summary" | "examples">,
  load: () => Promise<CommandModule<TableChangeArguments>>,
): Command {
  return command(
    {
      ...parts,
      options: { ...PROJECT_OPTIONS, yes: YES, reason: REASON },
      operand: TABLE,
      formats: ["terminal", "markdown", "json"],
      interrupt: "finish",
      arguments: (parsed): TableChangeArguments => parsed,
    },
    load,
  );
}
