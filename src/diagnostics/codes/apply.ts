// Diagnostic codes of the apply area with their default severity.
export const APPLY_CODES = {
  "approval-unknown": "error",
  "environment-action-only": "error",
  "environment-observed": "error",
  "not-approved": "error",
  "rollback-impossible": "error",
  "table-held": "error",
  "verify-differs": "error",
  "plan-file-invalid": "error",
} as const;
