// `fmt`: brings files into their usual form, or says which are not. `--prune` also takes out hints that are done in
// every environment, for which it reads the live tables.
import { writeFile } from "node:fs/promises";
import { createTwoFilesPatch } from "diff";
import { join } from "node:path";
import { readTableState, planInput } from "../apply/table-state.ts";
import { formatYaml } from "../desired/format-yaml.ts";
import { resolveProject } from "../desired/load-project.ts";
import { type DoneHint, pruneHints } from "../desired/prune-hints.ts";
import { sourceText } from "../desired/yaml/source-text.ts";
import { plural } from "../diagnostics/number-words.ts";
import { doneHints, inAll } from "../plan/done-hints.ts";
import { makePair } from "../plan/make-pair.ts";
import type { FmtArguments } from "./arguments.ts";
import { catalogOpener, isBadProject, type OpenProject, openProject } from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";
import { selectTables } from "./select-tables.ts";

export async function run(context: CommandContext, args: FmtArguments): Promise<CommandResult> {
  const opened = openProject(context, args);
  const { texts, root } = opened;
  const files = isBadProject(opened) ? null : await chosenFiles(opened, args, context);
  const hints = args.prune && !isBadProject(opened) ? await hintsByFile(opened) : new Map<string, readonly DoneHint[]>();
  const changed: string[] = [];
  for (const [file, text] of texts) {
    if (files !== null && !files.has(file)) continue;
    const pruned = pruneHints(sourceText(file, text), hints.get(file) ?? []);
    const formatted = formatYaml(sourceText(file, pruned));
    if (formatted === text) continue;
    changed.push(
      args.check ? createTwoFilesPatch(file, file, text, formatted, "as it is", "formatted", { context: 1 }) : `${file} changed`,
    );
    if (!args.check) await writeFile(join(root, file), formatted);
  }
  const lines = [
    ...changed,
    `${plural(texts.size, "file", "files")} looked at, ${changed.length} ${args.check ? "would change" : "changed"}.`,
  ];
  return {
    exit: args.check && changed.length > 0 ? "failed" : "ok",
    output: { kind: "text", text: `${lines.join("\n")}\n` },
    diagnostics: [],
  };
}

/** Null: all files. With a selection only the table files of it. */
async function chosenFiles(
  opened: OpenProject,
  args: FmtArguments,
  context: CommandContext,
): Promise<ReadonlySet<string> | null> {
  if (args.selectors.length === 0 && args.exclude.length === 0 && args.changed === null) return null;
  const { project, config } = opened;
  const tables = config.environments.flatMap((environment) => resolveProject(project, environment.name).tables);
  return new Set((await selectTables(tables, project, args, context.directory)).map((spec) => spec.file));
}

async function hintsByFile({ project, config }: OpenProject): Promise<Map<string, readonly DoneHint[]>> {
  const byFile = new Map<string, (readonly DoneHint[])[]>();
  for (const environment of config.environments) {
    const catalogOf = catalogOpener(config, environment);
    for (const spec of resolveProject(project, environment.name).tables) {
      const target = { spec, policy: environment.policy, catalog: await catalogOf(spec.catalog) };
      const state = await readTableState(target, { evidence: false });
      const hints = doneHints(makePair(planInput(target, state, null)).pair);
      byFile.set(spec.file, [...(byFile.get(spec.file) ?? []), hints]);
    }
  }
  return new Map([...byFile].map(([file, lists]) => [file, inAll(lists)]));
}
