// Diagnostic codes of the apply area with their default severity.
export const APPLY_CODES = {} as const;
