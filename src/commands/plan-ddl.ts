// `plan --ddl`: what a person would type for the steps of a plan, or why no statement does it.
import type { Plan, Step } from "../plan/plan.ts";
import type { DdlEngine } from "./arguments.ts";

export function planDdl(plan: Plan, engine: DdlEngine): string {
  const lines = plan.tables.flatMap((table) => [
    sqlComment(`${plan.environment} ${table.table}${table.steps.length === 0 ? ": no steps" : ""}`),
    ...table.steps.flatMap((step) => statement(step, engine)),
  ]);
  return `${lines.join("\n")}\n`;
}

function statement(step: Step, engine: DdlEngine): string[] {
  const sql = step.sql[engine];
  if (sql !== null) return [`${sql};`];
  const what = `${step.kind} ${step.field?.path ?? step.text.subject}`;
  const sent = step.expression?.[engine] ?? null;
  const failing = step.failing?.[engine] ?? null;
  return [
    sqlComment(`${what}: ${engine} has no statement for it; floeplan does it in the commit`),
    ...(sent === null ? [] : [sqlComment(`writers send from then on: ${sent} AS ${step.field?.path ?? step.text.subject}`)]),
    ...(failing === null ? [] : [sqlComment(`values that do not convert: ${failing}`)]),
  ];
}

/** One line whatever the text holds. */
export function sqlComment(text: string): string {
  return `-- ${text.replace(/[\r\n\u2028\u2029]+/g, " ")}`;
}
