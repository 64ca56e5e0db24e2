// One check run in GitHub's words: how its parts are sent and how it is read.
import type { Answer } from "./forge-answer.ts";
import type { Annotation, Check, CheckOutput, CheckState } from "./forge-check.ts";
import { annotationOf } from "./github-annotations.ts";
import { numberOf, textOf, textOrNull } from "./github-read.ts";

/** Of the summary and of the text, each, in bytes of UTF-8. */
export const CHECK_TEXT_LIMIT = 65_535;

const CONCLUSIONS: readonly CheckState[] = ["success", "failure", "neutral", "skipped", "cancelled"];

export function stateValues(state: CheckState): Readonly<Record<string, string>> {
  return state === "running" ? { status: "in_progress" } : { status: "completed", conclusion: state };
}

export function outputValues(output: CheckOutput, annotations: readonly Annotation[]): Readonly<Record<string, unknown>> {
  const { title, summary, text } = output;
  return {
    title,
    summary,
    ...(text === null ? {} : { text }),
    ...(annotations.length === 0 ? {} : { annotations: annotations.map(annotationOf) }),
  };
}

/** Said before anything is sent: the answer would be the same. */
export function tooLongOutput({ summary, text }: CheckOutput, what: string): Answer<never> | null {
  const bytes = Math.max(Buffer.byteLength(summary), Buffer.byteLength(text ?? ""));
  if (bytes <= CHECK_TEXT_LIMIT) return null;
  const why = `The text has ${bytes} bytes, and GitHub takes ${CHECK_TEXT_LIMIT}`;
  return { kind: "too-long", what, why, limit: CHECK_TEXT_LIMIT };
}

export function readCheck(value: unknown): Check {
  const conclusion = textOrNull(value, "conclusion");
  const isRunning = textOf(value, "status") !== "completed";
  return {
    id: numberOf(value, "id"),
    name: textOf(value, "name"),
    commit: textOf(value, "head_sha"),
    externalId: textOrNull(value, "external_id"),
    state: isRunning ? "running" : (CONCLUSIONS.find((one) => one === conclusion) ?? "other"),
    title: textOrNull(value, "output", "title"),
    summary: textOrNull(value, "output", "summary"),
    text: textOrNull(value, "output", "text"),
    url: textOrNull(value, "html_url"),
  };
}
