// `plan --ddl`: what a person would type for the steps of a plan, or why no statement does it.
import type { Plan, Step } from "../plan/plan.ts";
import type { DdlEngine } from "./arguments.ts";

export function planDdl(plan: Plan, engine: DdlEngine): string {
  const lines = plan.tables.flatMap((table) => [
    comment(`${plan.environment} ${table.table}${table.steps.length === 0 ? ": no steps" : ""}`),
    ...table.steps.flatMap((step) => statement(step, engine)),
  ]);
  return `${lines.join("\n")}\n`;
}

function statement(step: Step, engine: DdlEngine): string[] {
  const sql = step.sql[engine];
  if (sql !== null) return [`${sql};`];
  const what = `${step.kind} ${step.field?.path ?? step.text.subject}`;
  return [comment(`${what}: ${engine} has no statement for it; floeplan does it in the commit`)];
}

/** One line whatever the text holds. */
function comment(text: string): string {
  return `-- ${text.replace(/[\r\n\u2028\u2029]+/g, " ")}`;
}
