// `import --update`: adds the live columns that a table file lacks, in place: new lines and nothing else. What the
// plan said before it says afterwards, but for the drift that is gone.
import { catalogFacts } from "../apply/table-state.ts";
import { insertField, type FieldPosition } from "../desired/edit-yaml.ts";
import { parseYaml } from "../desired/parse-yaml.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { applyEdits, type Edit } from "../desired/yaml/apply-edits.ts";
import { sourceText } from "../desired/yaml/source-text.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { LeftOut, Pins } from "../plan/import-fields.ts";
import { missingFields, type MissingField } from "../plan/import-missing.ts";
import { partLeftOut } from "../plan/import-table.ts";
import type { PlannedTable } from "../plan/plan-table.ts";
import { importReport, type ImportedFile } from "../report/import-report.ts";
import type { ImportArguments } from "./arguments.ts";
import { isSpec, planText, readText, type TextPlace } from "./import-check.ts";
import { exitOfImport, type ImportedText, replaceFile, standardOutput } from "./import-files.ts";
import { isBadProject, openEnvironment, type SelectedEnvironment, targetsOf } from "./load-targets.ts";
import { stopIfAsked } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";

export async function importUpdates(context: CommandContext, args: ImportArguments): Promise<CommandResult> {
  const opened = await openEnvironment(context, { ...args, changed: null });
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { config, environment, sources } = opened;
  const { files, texts } = await readUpdates(context, opened, args);
  if (!args.stdout) for (const text of texts) await replaceFile(config.root, text);
  else return standardOutput(context, texts, files);
  const report = importReport(files, { environment: environment.name, sources, declaredAlready: 0, verbose: context.verbose });
  return { exit: exitOfImport(files), output: { kind: "report", report }, diagnostics: [], sources };
}

export interface Updates {
  /** Every table that was looked at. */
  readonly files: readonly ImportedFile[];
  /** New texts of the files that lack something. */
  readonly texts: readonly ImportedText[];
}

export async function readUpdates(
  context: CommandContext,
  opened: SelectedEnvironment,
  args: Pick<ImportArguments, "catalog" | "withIds">,
): Promise<Updates> {
  const { config, environment, project, sources } = opened;
  const selected = opened.selected.filter((spec) => args.catalog === null || spec.catalog === args.catalog);
  const pins: Pins = !args.withIds ? "none" : config.environments.length === 1 ? "all" : { environment: environment.name };
  const files: ImportedFile[] = [];
  const texts: ImportedText[] = [];
  for (const target of await targetsOf(opened, selected)) {
    stopIfAsked(context);
    const { spec, catalog } = target;
    const place: TextPlace = { config, environment, groups: project.shared, catalog: catalogFacts(catalog) };
    try {
      const live = await catalog.loadTable(spec.identifier);
      const { text, file } = updateText(sources(spec.file) ?? "", spec, live, place, pins);
      files.push(file);
      if (text !== null) texts.push({ file: spec.file, text });
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      files.push({ ...aboutOf(spec), state: "failed", error });
    }
  }
  return { files, texts };
}

type About = Omit<ImportedFile, "state">;

function aboutOf(spec: TableSpec): About {
  return { table: spec.name, catalog: spec.catalog, file: spec.file, columns: [], findings: [], error: null };
}

export interface Updated {
  /** Null: nothing to write. */
  readonly text: string | null;
  readonly file: ImportedFile;
}

/** The file with what it lacks; a table that is not there lacks nothing. */
export function updateText(source: string, spec: TableSpec, live: LiveTable | null, place: TextPlace, pins: Pins): Updated {
  const about = aboutOf(spec);
  if (live === null) return { text: null, file: { ...about, state: "unchanged" } };
  const before = planText(spec, live, place);
  let text = source;
  let now: TableSpec = spec;
  const added: string[] = [];
  const left = new Map<string, Diagnostic>();
  for (;;) {
    const { fields, leftOut, defaults } = missingFields(planText(now, live, place).pair, pins);
    for (const { path, why } of defaults) left.set(`${path} default`, partLeftOut(spec.name, "default", why, path));
    for (const one of leftOut) left.set(one.path, leftOutOf(spec, one));
    const round = insertAll(text, spec.file, fields);
    for (const path of round.elsewhere) left.set(path, leftOutOf(spec, { path, why: ELSEWHERE }));
    if (round.added.every((path) => added.includes(path))) break;
    const next = applyEdits(text, round.edits);
    const read = readText(next, spec.file, place);
    if (!isSpec(read))
      return {
        text: null,
        file: {
          ...about,
          state: "refused",
          findings: [
            changed(
              spec,
              read.map((one) => one.what),
            ),
          ],
        },
      };
    added.push(...round.added);
    [text, now] = [next, read];
  }
  const findings = [...left.values()];
  if (added.length === 0) return { text: null, file: { ...about, state: "unchanged", findings } };
  const difference = planDifference(before, planText(now, live, place));
  if (difference.length > 0) return { text: null, file: { ...about, state: "refused", findings: [changed(spec, difference)] } };
  return { text, file: { ...about, state: "updated", columns: added, findings } };
}

interface Round {
  readonly edits: readonly Edit[];
  readonly added: readonly string[];
  /** Paths whose struct is not written in this file. */
  readonly elsewhere: readonly string[];
}

/** Edits of one text that do not touch each other; what has to wait comes in the next round. */
function insertAll(text: string, file: string, fields: readonly MissingField[]): Round {
  const parsed = parseYaml(sourceText(file, text));
  const edits: Edit[] = [];
  const added = new Set<string>();
  const elsewhere: string[] = [];
  const replaced = new Set<number>();
  // What ends a nested list and what stands behind the field around it go to one spot: the inner one comes first.
  const innerFirst = [...fields].sort((a, b) => b.parent.length - a.parent.length);
  for (const { path, parent, behind, field } of innerFirst) {
    const found = insertField(parsed, parent, positionOf(behind), field);
    if (found === null) elsewhere.push(path);
    else if (!found.some((edit) => replaced.has(edit.start))) {
      // An empty list is replaced by one with the field: a second field needs the text after that.
      for (const edit of found) if (edit.end > edit.start) replaced.add(edit.start);
      edits.push(...found);
      added.add(path);
    }
  }
  return { edits, added: fields.flatMap(({ path }) => (added.has(path) ? [path] : [])), elsewhere };
}

function positionOf(behind: MissingField["behind"]): FieldPosition {
  if (behind === "first") return "first";
  return behind.group === null ? { after: behind.name } : { afterGroup: behind.group };
}

/** Steps and blockers that came or went. */
function planDifference(before: PlannedTable, after: PlannedTable): string[] {
  const lines = ({ plan }: PlannedTable): string[] => [
    ...plan.steps.map((step) => `step ${step.kind} ${step.field?.path ?? step.text.subject}`),
    ...plan.blockers.map((one) => one.what),
  ];
  const [old, now] = [lines(before), lines(after)];
  return [...now.filter((line) => !old.includes(line)), ...old.filter((line) => !now.includes(line))];
}

const ELSEWHERE = "the fields around it are not written one by one in this file";

function leftOutOf(spec: TableSpec, { path, why }: LeftOut): Diagnostic {
  return diagnostic("import-update-left-out", {
    what: `Cannot add field "${path}" to ${spec.file}: ${why}`,
    mend: "Write it by hand where it belongs (a shared file, or a type in one text), or list it under `unmanaged`",
    table: spec.name,
    field: path,
    place: spec.place,
  });
}

function changed(spec: TableSpec, difference: readonly string[]): Diagnostic {
  return diagnostic("import-plan-not-empty", {
    what: `Cannot update ${spec.file}: the columns would change what its plan says`,
    why: difference.join("; "),
    mend: "Bring the table and its file in step first, then update again",
    table: spec.name,
    place: spec.place,
  });
}
