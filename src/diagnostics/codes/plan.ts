// Diagnostic codes of the plan area with their default severity.
export const PLAN_CODES = {} as const;
