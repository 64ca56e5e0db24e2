// A command of the real command table in this process, with nobody to ask: its findings as data instead of text.
import type { Diagnostic } from "../../../src/diagnostics/diagnostic.ts";
import { COMMANDS } from "../../../src/cli/command-table.ts";
import { parseArguments } from "../../../src/cli/parse-arguments.ts";
import type { CommandContext } from "../../../src/commands/ports.ts";
import type { CommandResult } from "../../../src/commands/result.ts";
import type { Report } from "../../../src/report/report.ts";
import type { Picture } from "./wall.ts";

export async function runCommand(
  directory: string,
  words: readonly string[],
  parts: Partial<CommandContext> = {},
): Promise<CommandResult> {
  const { command, args } = parseArguments(words, COMMANDS, {});
  const module = await command?.load?.();
  if (module === undefined) throw new Error(`There is no command ${words.join(" ")}`);
  return await module.run(contextIn(directory, parts), args);
}

function contextIn(directory: string, parts: Partial<CommandContext>): CommandContext {
  let ids = 0;
  return {
    directory,
    version: "0.0.0",
    variables: {},
    verbose: false,
    now: () => Date.UTC(2026, 0, 2, 3, 4, 5),
    randomId: () => `00000000-0000-4000-8000-${String(++ids).padStart(12, "0")}`,
    signal: new AbortController().signal,
    note: () => undefined,
    say: () => undefined,
    show: async () => await Promise.resolve(),
    progress: { report: () => undefined, end: () => undefined },
    asking: null,
    terminal: { isTerminal: false, colour: false, width: 100 },
    ...parts,
  };
}

export function pictureOf({ diagnostics, output, sources }: CommandResult): Picture {
  const told = output?.kind === "report" ? findingsIn(output.report) : [];
  return { found: [...diagnostics, ...told], ...(sources === undefined ? {} : { sources }) };
}

export function findingsIn(report: Report): readonly Diagnostic[] {
  return report.sections.flatMap((section) =>
    section.blocks.flatMap((block) => (block.kind === "findings" ? block.items.map((item) => item.diagnostic) : [])),
  );
}
