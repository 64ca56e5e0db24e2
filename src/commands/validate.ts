// `validate`: the files alone, without a catalog; `--fix` mends what has exactly one mend.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { resolveProject } from "../desired/load-project.ts";
import { mendYaml } from "../desired/format-yaml.ts";
import { sourceText } from "../desired/yaml/source-text.ts";
import { type Diagnostic, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { lintTables } from "../lint/index.ts";
import { diagnosticsReport } from "../report/diagnostics-report.ts";
import type { Report } from "../report/report.ts";
import { counted, prose } from "../report/text.ts";
import type { ValidateArguments } from "./arguments.ts";
import { type BadProject, isBadProject, type OpenProject, openProject } from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";

export async function run(context: CommandContext, args: ValidateArguments): Promise<CommandResult> {
  let opened = openProject(context, args);
  if (args.fix) {
    const fixed = await fixFiles(opened);
    if (fixed > 0) {
      context.note(`Mended ${fixed} ${fixed === 1 ? "file" : "files"}.`);
      opened = openProject(context, args);
    }
  }
  const { found, report } = checkFiles(opened, args);
  const projectFile = isBadProject(opened) ? opened.projectFile : opened.config.file;
  const { sources } = opened;
  return { exit: exitOfDiagnostics(found, projectFile), output: { kind: "report", report }, diagnostics: [], sources };
}

export interface CheckedFiles {
  readonly found: readonly Diagnostic[];
  readonly report: Report;
}

export function checkFiles(opened: OpenProject | BadProject, args: Pick<ValidateArguments, "env">): CheckedFiles {
  const { sources, texts } = opened;
  const found = isBadProject(opened) ? opened.diagnostics : findingsOf(opened, args);
  const checked = texts.size === 0 ? null : prose(`${counted(texts.size, "file")} checked.`);
  return { found, report: diagnosticsReport(found, { sources, checked }) };
}

/** Every environment is resolved, or the one that is named; a finding that all of them share is told once. */
function findingsOf({ project, config }: OpenProject, args: Pick<ValidateArguments, "env">): readonly Diagnostic[] {
  const names = args.env === null ? config.environments.map((one) => one.name) : [args.env];
  const resolved = names.map((name) => resolveProject(project, name));
  const linted = lintTables(
    resolved.flatMap((one) => one.tables),
    config,
  );
  return sortDiagnostics([...project.diagnostics, ...resolved.flatMap((one) => one.diagnostics), ...linted]);
}

/** Mends the files that were read, each as a whole; gives how many changed. */
async function fixFiles(opened: ReturnType<typeof openProject>): Promise<number> {
  const { texts, root } = opened;
  let changed = 0;
  for (const [file, text] of texts) {
    const mended = mendYaml(sourceText(file, text));
    if (mended === text) continue;
    await writeFile(join(root, file), mended);
    changed++;
  }
  return changed;
}
