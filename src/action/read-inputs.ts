// Reads what the workflow passes, all of it, and tells every mistake at once. An empty text counts as absent.
import { nearest } from "../diagnostics/near-spelling.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Effect } from "../plan/plan.ts";
import {
  type ActionCommand,
  type ADOPT,
  COMMANDS,
  type COMMENT_MODES,
  type COMMENTS,
  type FAIL_ON,
  INPUTS,
  type InputName,
  type InputRow,
  MAX_EFFECTS,
  type SCOPES,
} from "./inputs.ts";

export interface Inputs {
  readonly command: ActionCommand;
  readonly config: string;
  readonly environment: string | null;
  readonly scope: (typeof SCOPES)[number];
  readonly maxEffect: Effect;
  readonly tables: readonly string[];
  readonly exclude: readonly string[];
  readonly awsRegion: string | null;
  readonly comment: (typeof COMMENTS)[number];
  readonly commentMode: (typeof COMMENT_MODES)[number];
  readonly failOn: (typeof FAIL_ON)[number];
  readonly driftIssue: boolean;
  readonly adopt: (typeof ADOPT)[number];
  readonly planOut: string | null;
  readonly dryRun: boolean;
  readonly githubToken: string | null;
}

/** `given` answers with the text that was passed, or an empty one. Throws a ToolError `usage` with all mistakes. */
export function readInputs(given: (name: InputName) => string): Inputs {
  const texts = new Map<InputName, string>();
  const mistakes: string[] = [];
  for (const row of INPUTS) {
    const text = given(row.name).trim();
    const value = text === "" ? (row.default ?? "") : text;
    const mistake = mistakeOf(row, value);
    if (mistake !== null) mistakes.push(mistake);
    texts.set(row.name, value);
  }
  const textOf = (name: InputName): string => texts.get(name) ?? "";
  if (textOf("dry-run") === "true" && textOf("command") !== "apply") mistakes.push("`dry-run` is for the command apply alone");
  if (textOf("adopt") !== "none" && textOf("command") !== "drift") mistakes.push("`adopt` is for the command drift alone");
  if (mistakes.length > 0) {
    throw new ToolError("usage", "Cannot use the inputs of this step", {
      why: mistakes.join("; "),
      mend: "Correct them under `with:` in the workflow",
    });
  }
  return {
    command: oneOf(COMMANDS, textOf("command")),
    config: textOf("config"),
    environment: orNull(textOf("environment")),
    scope: textOf("scope") === "all" ? "all" : "changed",
    maxEffect: oneOf(MAX_EFFECTS, textOf("max-effect")),
    tables: linesOf(textOf("tables")),
    exclude: linesOf(textOf("exclude")),
    awsRegion: orNull(textOf("aws-region")),
    comment: oneOf(["always", "on-changes", "never"] as const, textOf("comment")),
    commentMode: oneOf(["update", "recreate"] as const, textOf("comment-mode")),
    failOn: oneOf(["error", "warning", "drift", "never"] as const, textOf("fail-on")),
    driftIssue: textOf("drift-issue") === "true",
    adopt: oneOf(["none", "pull-request"] as const, textOf("adopt")),
    planOut: orNull(textOf("plan-out")),
    dryRun: textOf("dry-run") === "true",
    githubToken: orNull(textOf("github-token")),
  };
}

function mistakeOf({ name, values, default: usual }: InputRow, value: string): string | null {
  if (usual === null && value === "") return `\`${name}\` must be one of ${values?.join(", ") ?? "the documented words"}`;
  if (values === undefined || values.includes(value)) return null;
  const near = nearest(value, values);
  return `\`${name}\` is "${value}", and takes ${values.join(", ")}${near === null ? "" : `; did you mean "${near}"?`}`;
}

function oneOf<const T extends string>(values: readonly T[], text: string): T {
  const found = values.find((value) => value === text);
  if (found === undefined) throw new ToolError("internal", "An input that was checked has another value");
  return found;
}

function linesOf(text: string): readonly string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}

function orNull(text: string): string | null {
  return text === "" ? null : text;
}
