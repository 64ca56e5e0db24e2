// The generated tables of the README, each between its two markers.
import { COMMANDS } from "../src/cli/command-table.ts";
import { commandsMarkdown, exitCodesMarkdown, optionsMarkdown } from "../src/cli/help.ts";

const TABLES: Readonly<Record<string, () => string>> = {
  commands: () => commandsMarkdown(COMMANDS),
  options: () => optionsMarkdown(null),
  "exit-codes": exitCodesMarkdown,
};

/** The text with every table as it is today. */
export function withTables(text: string): string {
  let result = text;
  for (const [name, table] of Object.entries(TABLES)) {
    const begin = `<!-- ${name}:begin -->\n`;
    const end = `<!-- ${name}:end -->`;
    const from = result.indexOf(begin);
    const to = result.indexOf(end);
    if (from < 0 || to < from) throw new Error(`README.md lost its markers of ${name}`);
    result = `${result.slice(0, from + begin.length)}${table().trimEnd()}\n${result.slice(to)}`;
  }
  return result;
}
