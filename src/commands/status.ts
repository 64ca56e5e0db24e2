// `status`: how each table stands in each environment. An environment whose catalog does not answer hides no other.
// Writes nothing.
import { holdOf } from "../apply/hold.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { resolveProject } from "../desired/load-project.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import { currentSnapshot, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { PlannedTable } from "../plan/plan-table.ts";
import { statusReport, type TableState } from "../report/status-report.ts";
import { journalledFiles } from "../rewrite/abort.ts";
import type { StatusArguments } from "./arguments.ts";
import {
  type BadProject,
  isBadProject,
  openProject,
  type OpenProject,
  type SelectedEnvironment,
  selectIn,
} from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, EXIT_OF_TOOL_ERROR, type ExitName, exitOfDiagnostics } from "./result.ts";
import { unmatchedWords } from "./select-tables.ts";
import { isPlanned, survey, type Surveyed } from "./survey.ts";

export async function run(context: CommandContext, args: StatusArguments): Promise<CommandResult> {
  const opened = openProject(context, args);
  if (isBadProject(opened)) return stopped(opened);
  const selections = await selectionsOf(opened, args, context);
  if (isBadSelection(selections)) return stopped(selections);
  const rows = new Map<string, { readonly file: string; readonly states: Map<string, TableState> }>();
  const surveyed: Surveyed[] = [];
  for (const selection of selections) {
    const { name } = selection.environment;
    for (const one of await survey(context, selection, selection.selected)) {
      surveyed.push(one);
      const row = rows.get(one.spec.name) ?? { file: one.spec.file, states: new Map<string, TableState>() };
      row.states.set(name, await stateOf(one));
      rows.set(one.spec.name, row);
    }
  }
  const report = statusReport(
    [...rows].map(([table, row]) => ({ table, ...row })).sort((a, b) => compareText(a.file, b.file)),
    { environments: selections.map((one) => one.environment.name), verbose: context.verbose },
  );
  const { sources } = opened;
  return { exit: exitOf(surveyed, args.exitCode), output: { kind: "report", report }, diagnostics: [], sources };
}

function stopped({ diagnostics, sources, projectFile }: BadProject): CommandResult {
  return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function isBadSelection(found: readonly SelectedEnvironment[] | BadProject): found is BadProject {
  return "diagnostics" in found;
}

/** The selected tables of each environment. A table need not be in all of them: a word must find it in one. */
async function selectionsOf(
  opened: OpenProject,
  args: StatusArguments,
  context: CommandContext,
): Promise<readonly SelectedEnvironment[] | BadProject> {
  const { project, config } = opened;
  const names = args.env === null ? config.environments.map((one) => one.name) : [args.env];
  const unmatched = names.map((name) =>
    unmatchedWords(resolveProject(project, name).tables, config.root, args.selectors, context.directory),
  );
  const nowhere = args.selectors.filter((word) => unmatched.every((words) => words.includes(word)));
  const selections: SelectedEnvironment[] = [];
  for (const [index, env] of names.entries()) {
    const words = args.selectors.filter((word) => nowhere.includes(word) || unmatched[index]?.includes(word) === false);
    const selection = await selectIn(opened, context, { ...args, env, selectors: words });
    if (isBadProject(selection)) return selection;
    const isElsewhere = args.selectors.length > 0 && words.length === 0;
    selections.push(isElsewhere ? { ...selection, selected: [] } : selection);
  }
  return selections;
}

async function stateOf(surveyed: Surveyed): Promise<TableState> {
  const { planned } = surveyed;
  if (!isPlanned(planned)) return unreachable(planned);
  try {
    return await plannedState(planned, surveyed.catalog);
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return unreachable(error);
  }
}

function unreachable({ message, why }: ToolError): TableState {
  return { state: "unreachable", why: why === undefined ? message : `${message}: ${why}` };
}

async function plannedState(planned: PlannedTable, catalog: Catalog | null): Promise<TableState> {
  const { plan, pair } = planned;
  const [blocker] = plan.blockers;
  if (blocker !== undefined) return { state: "blocked", why: blocker.what };
  if (pair.live === null) return { state: "not-there" };
  const { metadata } = pair.live;
  const hold = holdOf(plan, metadata.properties);
  if (hold !== null) {
    return {
      state: "held",
      why: hold.reason ?? `after a rollback; ${typedCommand("release TABLE", null, plan.environment)} lets it go on`,
    };
  }
  if (catalog !== null && plan.steps.some((step) => step.effect === "rewrite")) {
    const finished = await journalledFiles(catalog.storeFor(pair.live), metadata);
    if (finished.length > 0) return { state: "rewriting", percent: percentOf(finished.length, metadata) };
  }
  const drift = plan.drift.length;
  if (plan.steps.length > 0) return { state: "behind", steps: plan.steps.length, drift };
  return drift > 0 ? { state: "drift", drift } : { state: "in-step" };
}

/** Never 100: then the journal would be gone. */
function percentOf(finished: number, metadata: TableMetadata): number | null {
  const total = Number(currentSnapshot(metadata)?.summary["total-data-files"]);
  return Number.isSafeInteger(total) && total > 0 ? Math.min(99, Math.floor((finished * 100) / total)) : null;
}

function exitOf(surveyed: readonly Surveyed[], asked: boolean): ExitName {
  const [error] = surveyed.flatMap(({ planned }) => (isPlanned(planned) ? [] : [planned]));
  if (error !== undefined) return EXIT_OF_TOOL_ERROR[error.kind];
  const isSettled = surveyed.every(
    ({ planned }) =>
      isPlanned(planned) && planned.plan.steps.length + planned.plan.drift.length + planned.plan.blockers.length === 0,
  );
  return asked && !isSettled ? "changes" : "ok";
}
