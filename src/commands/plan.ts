// `plan`: the steps from the live tables to the declared ones. Writes nothing.
import { groupNotRead, withNotRead } from "../report/not-read.ts";
import { planReport } from "../report/plan-report.ts";
import { planState } from "../report/plan-counts.ts";
import type { PlanArguments } from "./arguments.ts";
import { isBadProject, openEnvironment, targetsOf } from "./load-targets.ts";
import { makePlan } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, EXIT_OF_TOOL_ERROR, exitOfDiagnostics, exitOfPlan } from "./result.ts";
import { planDdl } from "./plan-ddl.ts";

export async function run(context: CommandContext, args: PlanArguments): Promise<CommandResult> {
  const opened = await openEnvironment(context, args);
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { environment, selected, sources, environmentNamed, project } = opened;
  const plan = await makePlan(
    environment.name,
    await targetsOf(opened, selected),
    { preflight: args.preflight, evidence: args.evidence, keepsGoing: selected.length > 1 },
    context,
  );
  const [failed] = plan.failed;
  const exit = failed === undefined ? exitOfPlan(planState(plan.tables), args.exitCode) : EXIT_OF_TOOL_ERROR[failed.error.kind];
  const diagnostics = project.diagnostics.filter((one) => one.severity !== "note" || context.verbose);
  if (args.ddl !== null) return { exit, output: { kind: "text", text: planDdl(plan, args.ddl) }, diagnostics, sources };
  const asked = { environmentNamed, selectors: args.selectors, excluded: args.exclude, changedSince: args.changed };
  const ofTables = planReport(plan, { asked, sources, verbose: context.verbose });
  const report = withNotRead(ofTables, groupNotRead(plan.failed), environment.name, plan.tables.length === 0);
  return { exit, output: { kind: "report", report }, diagnostics, sources };
}
