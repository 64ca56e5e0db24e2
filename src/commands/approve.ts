// From what was typed to an approval: a reviewed plan file, ids, `--yes`, or the answer of a person who was shown
// the plan. What none of these covers is refused by apply.
import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { type Approval, unapprovedSteps } from "../apply/approval.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { SHORT_ID_DIGITS, shortId } from "../plan/fingerprint.ts";
import { EFFECTS, type Effect, type Plan } from "../plan/plan.ts";
import { readPlanJson } from "../report/formats/plan-json-read.ts";
import { planReport } from "../report/plan-report.ts";
import type { Sources } from "../report/excerpt.ts";
import type { ApplyArguments } from "./arguments.ts";
import type { CommandContext } from "./ports.ts";

/** An approval, or why what was typed is none; null where a person was asked and did not agree. */
export async function readApproval(
  context: CommandContext,
  args: ApplyArguments,
  plan: Plan,
  sources: Sources,
): Promise<Approval | Diagnostic | null> {
  const steps = new Set<string>();
  if (args.plan !== null) {
    const reviewed = await reviewedSteps(context, args.plan, plan);
    if ("code" in reviewed) return reviewed;
    for (const id of reviewed) steps.add(id);
  }
  for (const typed of args.approve) {
    const named = namedSteps(typed, plan);
    if ("code" in named) return named;
    for (const id of named) steps.add(id);
  }
  const approval: Approval = { steps, upTo: args.yes ? "behaviour" : null };
  const missing = plan.tables.filter((table) => table.blockers.length === 0).flatMap((table) => unapprovedSteps(table, approval));
  if (missing.length === 0 || args.plan !== null || args.approve.length > 0 || context.asking === null) return approval;
  return await ask(context, plan, sources);
}

async function ask(context: CommandContext, plan: Plan, sources: Sources): Promise<Approval | null> {
  const asked = { environmentNamed: false, selectors: [], excluded: [], changedSince: null };
  await context.show(planReport(plan, { asked, sources, verbose: context.verbose, next: null }));
  const agreed = await context.asking?.approve(plan.environment, strongestEffect(plan));
  if (agreed !== true) return null;
  return { steps: new Set(plan.tables.flatMap((table) => table.steps.map((step) => step.id))), upTo: null };
}

function strongestEffect(plan: Plan): Effect {
  const found = plan.tables.flatMap((table) => table.steps.map((step) => EFFECTS.indexOf(step.effect)));
  return EFFECTS[Math.max(0, ...found)] ?? "metadata";
}

async function reviewedSteps(context: CommandContext, file: string, plan: Plan): Promise<readonly string[] | Diagnostic> {
  const path = resolve(context.directory, file);
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    throw new ToolError("not-found", `Cannot read the plan file "${file}"`, {
      mend: "Write one with `floeplan plan --out plan.json`, have it reviewed, then apply it",
      cause: error,
    });
  }
  const reviewed = readPlanJson(text, file);
  if ("code" in reviewed) return reviewed;
  if (reviewed.environment !== plan.environment) {
    return diagnostic("plan-file-invalid", {
      what: `Cannot apply the plan file "${file}" to environment "${plan.environment}"`,
      why: `It was made for environment "${reviewed.environment}"`,
      mend: `Apply it there (-e ${reviewed.environment}), or make a plan for "${plan.environment}"`,
    });
  }
  return reviewed.tables.flatMap((table) => table.steps.map((step) => step.id));
}

/** Steps that a typed id names: the whole plan, one table of it, or one step. */
function namedSteps(typed: string, plan: Plan): readonly string[] | Diagnostic {
  const id = typed.toLowerCase();
  if (!/^[0-9a-f]+$/.test(id) || id.length < SHORT_ID_DIGITS) {
    return idUnknown(typed, `an id has ${SHORT_ID_DIGITS} to 64 hexadecimal digits`);
  }
  if (plan.fingerprint.startsWith(id)) return plan.tables.flatMap((table) => table.steps.map((step) => step.id));
  const tables = plan.tables.filter((table) => table.fingerprint.startsWith(id));
  const steps = plan.tables.flatMap((table) => table.steps).filter((step) => step.id.startsWith(id));
  if (tables.length + steps.length > 1) return idUnknown(typed, "several steps begin with it");
  const [table] = tables;
  if (table !== undefined) return table.steps.map((step) => step.id);
  return steps.length === 1
    ? steps.map((step) => step.id)
    : idUnknown(typed, `the plan of now is ${shortId(plan.fingerprint)}, and no table or step of it has this id`);
}

function idUnknown(typed: string, why: string): Diagnostic {
  return diagnostic("approval-unknown", {
    what: `Cannot find what "${typed}" approves`,
    why,
    mend: "Plan again, read it, and approve the id that it shows",
  });
}
