// Diagnostic codes of the GitHub Action with their default severity.
export const ACTION_CODES = {
  "branch-behind": "error",
  "deployment-unrestricted": "warning",
  "left-to-gated-job": "note",
  "no-second-lock": "error",
  "plan-changed": "error",
  "plan-not-recorded": "error",
  "policy-changed": "warning",
  "stale-commit": "error",
  superseded: "note",
  "table-undeclared": "note",
} as const;
