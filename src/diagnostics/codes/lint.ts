// Diagnostic codes of the lint area. A rule has the code of its own name; how much a finding counts is set in the
// project file, so the severity here is only what a rule has where it is on and nothing else is said.
export const LINT_CODES = {
  "lint-rule-unknown": "error",
  "lint-option-unknown": "error",
  "lint-option-malformed": "error",
  "missing-comment": "warning",
  "name-style": "warning",
  "confusable-name": "warning",
} as const;
