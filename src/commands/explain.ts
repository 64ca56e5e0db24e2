// `explain`: the heading of a diagnostic in docs/diagnostics.md, of a word of a plan in docs/plan.md, or the description
// of a key of the YAML files.
import { readFile } from "node:fs/promises";
import { explainKey } from "../desired/explain-key.ts";
import { nearest } from "../diagnostics/near-spelling.ts";
import { CODES, isDiagnosticCode } from "../diagnostics/codes.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonValue } from "../iceberg/json.ts";
import { writeJson } from "../iceberg/json-write.ts";
import type { ExplainArguments } from "./arguments.ts";
import { packageFile } from "./package-file.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";

export async function run(_context: CommandContext, { word }: ExplainArguments): Promise<CommandResult> {
  const text = isDiagnosticCode(word) ? await headingOf("docs/diagnostics.md", word) : await meaningsOf(word);
  if (text !== null) return { exit: "ok", output: { kind: "text", text: `${text.trimEnd()}\n` }, diagnostics: [] };
  const explained = explainKey(word);
  const close = nearest(word, Object.keys(CODES)) ?? (explained.found === null ? explained.near : null);
  throw new ToolError("usage", `Cannot explain "${word}"`, {
    why: "It is neither a diagnostic's code, nor a key of the YAML files, nor a word of a plan",
    mend:
      close === null
        ? "Codes stand in brackets behind a message; keys as in the file, e.g. `renamed-from` or `policy.mode`"
        : `Did you mean "${close}"?`,
  });
}

/** A word of a plan, keys of that name, or both. */
async function meaningsOf(word: string): Promise<string | null> {
  const found = [await headingOf("docs/plan.md", word), keysOf(word)].filter((text) => text !== null);
  return found.length === 0 ? null : found.map((text) => text.trimEnd()).join("\n\n");
}

/** Every key of that name, each with what it means and takes. */
function keysOf(word: string): string | null {
  const { found } = explainKey(word);
  if (found === null) return null;
  return found
    .map(
      (key) =>
        `${key.path} (${key.file} file)\n${key.description}\nTakes: ${key.expected}${key.isRequired ? ", required" : ""}${examplesOf(key.examples)}`,
    )
    .join("\n\n");
}

function examplesOf(examples: readonly JsonValue[]): string {
  return examples.length === 0 ? "" : `\nFor example: ${examples.map((example) => writeJson(example)).join(" or ")}`;
}

async function headingOf(file: string, heading: string): Promise<string | null> {
  const page = await readFile(packageFile(file), "utf8");
  const start = page.indexOf(`\n### ${heading}\n`);
  if (start < 0) return null;
  const end = page.slice(start + 5).search(/\n#{2,3} /);
  return page.slice(start + 5, end < 0 ? undefined : start + 5 + end);
}
