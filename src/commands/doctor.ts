// `doctor`: tries each thing that an environment needs, read-only, and tells what is missing. One that fails hides no
// other. Writes nothing.
import { resolveProject } from "../desired/load-project.ts";
import type { EnvironmentConfig } from "../desired/project-config.ts";
import { type Check, type CheckedEnvironment, doctorReport } from "../report/doctor-report.ts";
import type { ProjectArguments } from "./arguments.ts";
import { checkCatalog } from "./doctor-catalog.ts";
import { checkForge, openForge } from "./doctor-forge.ts";
import { catalogOpener, chooseEnvironment, isBadProject, openProject, type OpenProject } from "./load-targets.ts";
import { stopIfAsked } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, EXIT_OF_TOOL_ERROR, type ExitName, exitOfDiagnostics } from "./result.ts";

export async function run(context: CommandContext, args: ProjectArguments): Promise<CommandResult> {
  const opened = openProject(context, args);
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { config, sources } = opened;
  const environments = args.env === null ? config.environments : [chooseEnvironment(config, args.env)];
  const forge = openForge(context);
  const checked: CheckedEnvironment[] = [];
  for (const environment of environments) {
    const catalogs = await checkCatalogs(context, opened, environment);
    checked.push({ environment: environment.name, checks: [...catalogs, ...(await checkForge(forge, environment))] });
  }
  const checks = checked.flatMap((one) => one.checks);
  return { exit: exitOf(checks), output: { kind: "report", report: doctorReport(checked) }, diagnostics: [], sources };
}

async function checkCatalogs(
  context: CommandContext,
  { project, config }: OpenProject,
  environment: EnvironmentConfig,
): Promise<readonly Check[]> {
  const open = catalogOpener(config, environment);
  // What is wrong in a table's file is told by `validate`; the other tables do here.
  const { tables } = resolveProject(project, environment.name);
  const checks: Check[] = [];
  for (const name of environment.catalogs.keys()) {
    stopIfAsked(context);
    const own = tables.filter((spec) => spec.catalog === name);
    checks.push(
      ...(await checkCatalog({ name, open: async () => await open(name), tables: own, newId: () => context.randomId() })),
    );
  }
  return checks;
}

/** What the project says wrong comes before what a role lacks: with it mended, the rest may be fine. */
const FIRST: readonly ExitName[] = ["bad-config", "no-permission"];

function exitOf(checks: readonly Check[]): ExitName {
  const exits = checks.flatMap(({ result }) => (result.state === "failed" ? [EXIT_OF_TOOL_ERROR[result.error.kind]] : []));
  return FIRST.find((exit) => exits.includes(exit)) ?? exits[0] ?? "ok";
}
