// Counts the steps of a plan in words: `1 added, 1 renamed, 1 lost`. Reads a step's symbol and effect, never its kind.
import type { Step, TablePlan } from "../plan/plan.ts";
import { counted } from "./text.ts";

const WORD_OF_SYMBOL: Readonly<Record<Step["text"]["symbol"], string>> = {
  "+": "added",
  ">": "renamed",
  "^": "moved",
  "~": "changed",
  "!": "rewritten",
  "-": "removed",
};

/** In the order of a plan's summary: mildest first. */
const WORDS = ["added", "renamed", "moved", "changed", "removed", "rewritten", "lost"] as const;

/** `lost` is what is destructive, whatever its sign: a removed property loses nothing. */
function wordOfStep(step: Step): string {
  if (step.effect === "destructive") return "lost";
  if (step.effect === "rewrite") return "rewritten";
  return WORD_OF_SYMBOL[step.text.symbol];
}

/** `2 added, 1 lost, 1 drifted, 2 blockers`; empty when there is nothing. */
export function countsInWords(tables: readonly TablePlan[]): string {
  const counts = new Map<string, number>();
  for (const table of tables) {
    for (const step of table.steps) counts.set(wordOfStep(step), (counts.get(wordOfStep(step)) ?? 0) + 1);
  }
  const parts = WORDS.filter((word) => counts.has(word)).map((word) => `${counts.get(word) ?? 0} ${word}`);
  const drifted = tables.reduce((sum, table) => sum + table.drift.length, 0);
  const blockers = tables.reduce((sum, table) => sum + table.blockers.length, 0);
  if (drifted > 0) parts.push(`${drifted} drifted`);
  if (blockers > 0) parts.push(counted(blockers, "blocker"));
  return parts.join(", ");
}

export function hasSteps(table: TablePlan): boolean {
  return table.steps.length > 0;
}

export function isInStep(table: TablePlan): boolean {
  return table.steps.length === 0 && table.blockers.length === 0 && table.drift.length === 0;
}

/** What a plan comes to: the answer's exit code and the first word of every format hang on it. */
export type PlanState = "in-step" | "drift" | "changes" | "blocked";

export function planState(tables: readonly TablePlan[]): PlanState {
  if (tables.some((table) => table.blockers.length > 0)) return "blocked";
  if (tables.some(hasSteps)) return "changes";
  return tables.some((table) => table.drift.length > 0) ? "drift" : "in-step";
}
