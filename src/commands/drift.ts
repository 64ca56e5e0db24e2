// `drift`: what is live and in no file, over all tables of an environment: columns and properties of other writers,
// their edits against Git's, and tables that nobody declares. Writes nothing.
import type { Catalog } from "../catalog/catalog.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { TablePlan } from "../plan/plan.ts";
import { driftReport, type UnmanagedTable } from "../report/drift-report.ts";
import type { NotRead } from "../report/not-read.ts";
import type { Report } from "../report/report.ts";
import type { DriftArguments } from "./arguments.ts";
import { withKeepAnswers } from "./drift-answers.ts";
import { liveName } from "./import-find.ts";
import { declaredTables } from "./import-new.ts";
import { identifierKey, isBadProject, openEnvironment, type SelectedEnvironment } from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, EXIT_OF_TOOL_ERROR, type ExitName, exitOfDiagnostics } from "./result.ts";
import { isPlanned, notRead, survey, type Surveyed } from "./survey.ts";

export async function run(context: CommandContext, args: DriftArguments): Promise<CommandResult> {
  const opened = await openEnvironment(context, args);
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { plans, report, notRead: missed, unmanaged } = await readDrift(context, opened, args);
  const isDrift =
    plans.some((plan) => plan.drift.length > 0 || plan.blockers.length > 0) || (args.unmanagedTables && unmanaged.length > 0);
  const { sources } = opened;
  return { exit: exitOf(missed, isDrift && args.exitCode), output: { kind: "report", report }, diagnostics: [], sources };
}

export interface DriftFound {
  readonly plans: readonly TablePlan[];
  readonly report: Report;
  readonly notRead: readonly NotRead[];
  readonly unmanaged: readonly UnmanagedTable[];
}

export async function readDrift(
  context: CommandContext,
  opened: SelectedEnvironment,
  args: Pick<DriftArguments, "unmanagedTables">,
): Promise<DriftFound> {
  const { environment, selected, sources, tables } = opened;
  const surveyed = await survey(context, opened, selected);
  const plans = surveyed.flatMap(({ planned }) => (isPlanned(planned) ? [withKeepAnswers(planned)] : []));
  const others = await findUnmanaged(surveyed, tables);
  const missed = [...notRead(surveyed), ...others.notRead];
  const report = driftReport(plans, {
    environment: environment.name,
    sources,
    verbose: context.verbose,
    notRead: missed,
    unmanaged: others.tables,
    listUnmanaged: args.unmanagedTables,
  });
  return { plans, report, notRead: missed, unmanaged: others.tables };
}

function exitOf(missed: readonly NotRead[], isDrift: boolean): ExitName {
  const [first] = missed;
  if (first !== undefined) return EXIT_OF_TOOL_ERROR[first.error.kind];
  return isDrift ? "changes" : "ok";
}

interface Others {
  readonly tables: readonly UnmanagedTable[];
  readonly notRead: readonly NotRead[];
}

/** Live tables beside the selected ones, in their namespaces, that no file of the environment declares. */
async function findUnmanaged(surveyed: readonly Surveyed[], declared: readonly TableSpec[]): Promise<Others> {
  const known = declaredTables(declared);
  const namespaces = new Map<
    string,
    { readonly name: string; readonly catalog: Catalog; readonly namespace: readonly string[] }
  >();
  for (const { spec, catalog } of surveyed) {
    const { namespace } = spec.identifier;
    if (catalog !== null) namespaces.set(JSON.stringify([spec.catalog, namespace]), { name: spec.catalog, catalog, namespace });
  }
  const tables: UnmanagedTable[] = [];
  const missed: NotRead[] = [];
  for (const { name, catalog, namespace } of namespaces.values()) {
    try {
      for await (const identifier of catalog.listTables(namespace)) {
        if (!known.has(identifierKey(name, identifier))) tables.push({ catalog: name, name: formatPath(liveName(identifier)) });
      }
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      missed.push({ what: `namespace ${formatPath(namespace)}`, error });
    }
  }
  return { tables, notRead: missed };
}
