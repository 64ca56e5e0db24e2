// Diagnostic codes of the desired area with their default severity.
export const DESIRED_CODES = {} as const;
