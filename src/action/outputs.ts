// The outputs of the Action as data. Every value is an enum, a number, a boolean, hexadecimal digits or a path that we
// choose: safe to paste into a shell. Names of tables and columns stand only in the file at `plan-path`.

export const STATUSES = [
  "no-changes",
  "changes",
  "needs-acknowledgement",
  "blocked",
  "applied",
  "partly-applied",
  "failed",
  "offline",
] as const;
export type Status = (typeof STATUSES)[number];

export const FAILURE_REASONS = [
  "invalid-schema",
  "blocked",
  "not-acknowledged",
  "plan-changed",
  "no-second-lock",
  "commit-conflict",
  "stale-commit",
  "rewrite-failed",
  "catalog-error",
  "lint",
  "drift",
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

export interface Outputs {
  readonly status: Status;
  readonly "failure-reason": FailureReason | "";
  readonly changed: boolean;
  readonly destructive: boolean;
  readonly rewrites: boolean;
  readonly "tables-changed": number;
  readonly "steps-added": number;
  readonly "steps-changed": number;
  readonly "steps-dropped": number;
  readonly "plan-fingerprint": string;
  readonly "plan-path": string;
  readonly "comment-id": string;
  readonly "check-run-id": string;
  readonly "issue-number": string;
}

export type OutputName = keyof Outputs;

export const OUTPUTS: Readonly<Record<OutputName, string>> = {
  status: `How it ended: ${STATUSES.map((one) => `\`${one}\``).join(", ")}.`,
  "failure-reason": `Why it did not end well, or empty: ${FAILURE_REASONS.map((one) => `\`${one}\``).join(", ")}.`,
  changed: "`true` when a table has steps.",
  destructive: "`true` when a step loses data.",
  rewrites: "`true` when a step rewrites data.",
  "tables-changed": "How many tables have steps.",
  "steps-added": "How many steps add something.",
  "steps-changed": "How many steps change, rename or move something, or rewrite data.",
  "steps-dropped": "How many steps take something away.",
  "plan-fingerprint": "64 hexadecimal digits, or empty.",
  "plan-path": "The file of `plan-out`, or empty.",
  "comment-id": "The pull request's comment, or empty.",
  "check-run-id": "The check run that holds the record, or empty.",
  "issue-number": "The drift issue, or empty.",
};

export const NO_OUTPUTS: Outputs = {
  status: "no-changes",
  "failure-reason": "",
  changed: false,
  destructive: false,
  rewrites: false,
  "tables-changed": 0,
  "steps-added": 0,
  "steps-changed": 0,
  "steps-dropped": 0,
  "plan-fingerprint": "",
  "plan-path": "",
  "comment-id": "",
  "check-run-id": "",
  "issue-number": "",
};
