// Diagnostic codes of the rewrite area with their default severity.
export const REWRITE_CODES = {
  "conversion-unknown": "error",
  "conversion-argument-refused": "error",
  "conversion-format-wrong": "error",
  "conversion-zone-missing": "error",
  "conversion-zone-wrong": "error",
  "conversion-values-wrong": "error",
} as const;
