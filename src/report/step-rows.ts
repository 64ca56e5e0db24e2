// Turns the steps and the drift of a plan into rows: words, tone, importance, facts. Knows no format.
import type { JsonValue } from "../iceberg/json.ts";
import { writeJson } from "../iceberg/json-write.ts";
import type { Drift, Effect, Step } from "../plan/plan.ts";
import { IMPORTANCE, type Fact, type StepRow, type Tone } from "./report.ts";

/** What a destructive step does is said in the word itself. */
const EFFECT_WORD: Readonly<Record<Effect, string>> = {
  metadata: "metadata",
  behaviour: "behaviour",
  rewrite: "rewrite",
  destructive: "lost",
};

export const EFFECT_IMPORTANCE: Readonly<Record<Effect, number>> = {
  metadata: IMPORTANCE.metadata,
  behaviour: IMPORTANCE.behaviour,
  rewrite: IMPORTANCE.rewrite,
  destructive: IMPORTANCE.destructive,
};

const EFFECT_TONE: Readonly<Record<Effect, Tone>> = {
  metadata: "changed",
  behaviour: "behaviour",
  rewrite: "rewritten",
  destructive: "lost",
};

export function stepRow(step: Step): StepRow {
  return {
    symbol: step.text.symbol,
    tone: step.effect === "metadata" && step.text.symbol === "+" ? "added" : EFFECT_TONE[step.effect],
    importance: EFFECT_IMPORTANCE[step.effect],
    subject: step.text.subject,
    change: step.text.change,
    effect: EFFECT_WORD[step.effect],
    detail: step.text.detail,
    place: step.place,
    id: step.id,
    answers: [],
    facts: [{ label: "step", value: step.id }, ...evidenceFacts(step), ...sqlFacts(step)],
  };
}

export function driftRow(drift: Drift): StepRow {
  const answers = (["keep", "drop", "leave"] as const).flatMap((label): Fact[] => {
    const value = drift.answers[label];
    return value === null ? [] : [{ label, value }];
  });
  return {
    symbol: "?",
    tone: "drifted",
    importance: IMPORTANCE.drift,
    subject: drift.subject,
    change: drift.what,
    effect: "drift",
    detail: drift.origin ?? "",
    place: null,
    id: null,
    answers,
    facts: [],
  };
}

function evidenceFacts(step: Step): Fact[] {
  return Object.entries(step.evidence).map(([label, value]) => ({ label, value: factValue(value) }));
}

function sqlFacts(step: Step): Fact[] {
  return (["spark", "athena", "trino"] as const).flatMap((engine): Fact[] => {
    const sql = step.sql[engine];
    const sent = step.expression?.[engine] ?? null;
    return [
      ...(sql === null ? [] : [{ label: engine, value: sql }]),
      ...(sent === null ? [] : [{ label: `${engine} writers send`, value: sent }]),
    ];
  });
}

function factValue(value: JsonValue): string {
  return typeof value === "string" ? value : writeJson(value);
}
