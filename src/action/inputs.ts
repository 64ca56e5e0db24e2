// The inputs of the Action as data: action.yml, docs/action.md and the reading of what a workflow passes are made from
// this one table, and a test holds them against each other.

export interface InputRow {
  readonly name: InputName;
  readonly description: string;
  /** Null: it must be given. Empty: absent. */
  readonly default: string | null;
  /** The words that it takes; absent: any text. */
  readonly values?: readonly string[];
  /** The default as action.yml has it, where it is an expression. */
  readonly expression?: string;
}

export const COMMANDS = ["validate", "plan", "apply", "drift", "import"] as const;
export type ActionCommand = (typeof COMMANDS)[number];
export const SCOPES = ["changed", "all"] as const;
export const COMMENTS = ["always", "on-changes", "never"] as const;
export const COMMENT_MODES = ["update", "recreate"] as const;
export const FAIL_ON = ["error", "warning", "drift", "never"] as const;
export const ADOPT = ["none", "pull-request"] as const;
export const MAX_EFFECTS = ["metadata", "behaviour", "rewrite", "destructive"] as const;
const FLAG = ["true", "false"] as const;

export type InputName =
  | "command"
  | "config"
  | "environment"
  | "scope"
  | "max-effect"
  | "tables"
  | "exclude"
  | "aws-region"
  | "comment"
  | "comment-mode"
  | "fail-on"
  | "drift-issue"
  | "adopt"
  | "plan-out"
  | "dry-run"
  | "github-token";

export const INPUTS: readonly InputRow[] = [
  { name: "command", description: "What to do.", default: null, values: COMMANDS },
  {
    name: "config",
    description: "Path of the project file, from the root of the repository.",
    default: "floeplan.yaml",
  },
  {
    name: "environment",
    description: "A key of `environments:` in the project file. May be left out when there is only one.",
    default: "",
  },
  {
    name: "scope",
    description:
      "Which tables a plan looks at: those whose declaration the pull request changes, or all. Apply and drift look at all.",
    default: "changed",
    values: SCOPES,
  },
  {
    name: "max-effect",
    description: "Apply leaves tables with a stronger step to another job.",
    default: "destructive",
    values: MAX_EFFECTS,
  },
  {
    name: "tables",
    description: "Only these declared tables: names or globs, one a line.",
    default: "",
  },
  { name: "exclude", description: "Not these declared tables: names or globs, one a line.", default: "" },
  {
    name: "aws-region",
    description: "Region of AWS where neither the project file nor the environment names one.",
    default: "",
  },
  {
    name: "comment",
    description: "When a pull request gets a comment.",
    default: "on-changes",
    values: COMMENTS,
  },
  {
    name: "comment-mode",
    description: "Whether a new plan changes the comment or writes a new one below and removes the old.",
    default: "update",
    values: COMMENT_MODES,
  },
  {
    name: "fail-on",
    description: "What lets the job fail: errors (blocked tables too), also warnings, also drift, or nothing but failures.",
    default: "error",
    values: FAIL_ON,
  },
  {
    name: "drift-issue",
    description: "Whether drift keeps an issue, one for each environment.",
    default: "true",
    values: FLAG,
  },
  {
    name: "adopt",
    description: "Whether drift opens a pull request that declares the columns it found.",
    default: "none",
    values: ADOPT,
  },
  {
    name: "plan-out",
    description: "File for the plan as JSON, below the workspace or the runner's temporary folder.",
    default: "",
  },
  {
    name: "dry-run",
    description: "Apply does everything but the commit.",
    default: "false",
    values: FLAG,
  },
  {
    name: "github-token",
    description: "Token for comments, checks and issues. A team under `policy.approve` needs one that may read its members.",
    default: "",
    expression: "${{ github.token }}",
  },
];
