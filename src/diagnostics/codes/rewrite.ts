// Diagnostic codes of the rewrite area with their default severity.
export const REWRITE_CODES = {} as const;
