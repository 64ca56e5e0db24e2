// The answer "keep" of a drifted field as the very lines that `import --update` would put into the file: types,
// comments of nested fields, defaults and all. Plans carry what is meant, the text is written here.
import { asItem, writeField } from "../desired/write-field.ts";
import { missingFields } from "../plan/import-missing.ts";
import type { TablePlan } from "../plan/plan.ts";
import type { PlannedTable } from "../plan/plan-table.ts";

/** A field that has no place in the file keeps the answer that the plan gave. */
export function withKeepAnswers({ plan, pair }: PlannedTable): TablePlan {
  if (!plan.drift.some((one) => one.kind === "field")) return plan;
  const lines = new Map(
    missingFields(pair, "none").fields.map(({ path, field }) => [path, asItem(writeField(field, 2)).join("\n")]),
  );
  const drift = plan.drift.map((one) => {
    const keep = one.field === null || one.kind !== "field" ? undefined : lines.get(one.field.path);
    return keep === undefined ? one : { ...one, answers: { ...one.answers, keep } };
  });
  return { ...plan, drift };
}
