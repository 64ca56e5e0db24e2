// The files that are made, or hold tables that are made, from tables in src/: each with its text as it must be today.
import { COMMANDS } from "../src/cli/command-table.ts";
import { commandsMarkdown, exitCodesMarkdown, optionsMarkdown } from "../src/cli/help.ts";
import { roomsPicture } from "./rooms-picture.ts";
import { actionYaml, inputsMarkdown, outputsMarkdown } from "./action-surface.ts";

type Tables = Readonly<Record<string, () => string>>;

/** `today`: the text of the file as it must be, from what it is. */
export interface GeneratedFile {
  readonly file: string;
  readonly today: (text: string) => string;
}

export const GENERATED_FILES: readonly GeneratedFile[] = [
  {
    file: "README.md",
    today: withTables("README.md", {
      commands: () => commandsMarkdown(COMMANDS),
      options: () => optionsMarkdown(null),
      "exit-codes": exitCodesMarkdown,
    }),
  },
  { file: "action.yml", today: actionYaml },
  { file: "docs/architecture.md", today: withTables("docs/architecture.md", { rooms: roomsPicture }) },
  { file: "docs/action.md", today: withTables("docs/action.md", { inputs: inputsMarkdown, outputs: outputsMarkdown }) },
];

/** Each table stands between its two markers. */
function withTables(file: string, tables: Tables): (text: string) => string {
  return (text) => {
    let result = text;
    for (const [name, table] of Object.entries(tables)) {
      const begin = `<!-- ${name}:begin -->\n`;
      const end = `<!-- ${name}:end -->`;
      const from = result.indexOf(begin);
      const to = result.indexOf(end);
      if (from < 0 || to < from) throw new Error(`${file} lost its markers of ${name}`);
      result = `${result.slice(0, from + begin.length)}${table().trimEnd()}\n${result.slice(to)}`;
    }
    return result;
  };
}
