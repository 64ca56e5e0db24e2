// Every diagnostic code with its default severity, gathered from one table an area. Codes are stable for
// ever; each has its heading in docs/diagnostics.md (held by test/diagnostics-docs.test.ts).
import { ACTION_CODES } from "./codes/action.ts";
import { APPLY_CODES } from "./codes/apply.ts";
import { DESIRED_CODES } from "./codes/desired.ts";
import { IMPORT_CODES } from "./codes/import.ts";
import { LINT_CODES } from "./codes/lint.ts";
import { PLAN_CODES } from "./codes/plan.ts";
import { REWRITE_CODES } from "./codes/rewrite.ts";

export const CODES = {
  ...DESIRED_CODES,
  ...PLAN_CODES,
  ...IMPORT_CODES,
  ...REWRITE_CODES,
  ...APPLY_CODES,
  ...LINT_CODES,
  ...ACTION_CODES,
} as const;

export type DiagnosticCode = keyof typeof CODES;

export function isDiagnosticCode(text: string): text is DiagnosticCode {
  return Object.hasOwn(CODES, text);
}
