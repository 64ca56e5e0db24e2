// The line that a plan ends with: the command that takes it, or what must be done first. Built so that copying
// it into a shell is safe whatever the names are.
import type { Plan } from "../plan/plan.ts";
import { shellWord } from "./escape.ts";
import { planState } from "./plan-counts.ts";
import { prose, text, type Text } from "./text.ts";

/** How the plan was asked for, so that the next command asks the same. */
export interface AskedFor {
  /** Was the environment named, or is it the only one? */
  readonly environmentNamed: boolean;
  /** Tables, globs and files as they were typed. */
  readonly selectors: readonly string[];
  /** What `--exclude` was given. */
  readonly excluded: readonly string[];
  /** What `--changed` was given: a revision, true for none, null for not at all. */
  readonly changedSince: string | true | null;
}

export function nextAfterPlan(plan: Plan, asked: AskedFor): Text | null {
  switch (planState(plan.tables)) {
    case "in-step":
      return null;
    case "drift":
      return prose("keep, drop or leave what has drifted");
    case "blocked":
      return prose("mend what is blocked, then plan again");
    case "changes":
      return applyCommand(plan, asked);
  }
}

function applyCommand(plan: Plan, asked: AskedFor): Text {
  const words = ["floeplan apply"];
  if (asked.environmentNamed) words.push(`-e ${wordOf(plan.environment)}`);
  words.push(...asked.selectors.map(wordOf), ...asked.excluded.map((name) => `--exclude ${wordOf(name)}`));
  if (asked.changedSince !== null)
    words.push(asked.changedSince === true ? "--changed" : `--changed=${wordOf(asked.changedSince)}`);
  const needsApproval = plan.tables.some((table) =>
    table.steps.some((step) => step.effect === "destructive" || step.effect === "rewrite"),
  );
  if (needsApproval) words.push(`--approve ${plan.fingerprint.slice(0, 8)}`);
  const command = words.join(" ");
  return command.includes(NOT_A_WORD) ? prose("apply the same tables with `floeplan apply`") : text`${command}`;
}

const NOT_A_WORD = "\0";

function wordOf(word: string): string {
  return shellWord(word) ?? NOT_A_WORD;
}
