// Do two environments get the same? What a plan does, without ids, sizes and places, as one hash. Pure.
import { createHash } from "node:crypto";
import type { Plan } from "../plan/plan.ts";

export function agreementOf({ tables }: Plan): string {
  const told = tables.map(({ table, steps, blockers, drift }) => [
    table,
    steps.map(({ kind, effect, text }) => [kind, effect, text.symbol, text.subject, text.change]),
    blockers.map(({ code, what }) => [code, what]),
    drift.map(({ kind, subject, what }) => [kind, subject, what]),
  ]);
  return createHash("sha256").update(JSON.stringify(told)).digest("hex");
}
