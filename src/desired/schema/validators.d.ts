// The types of the generated validators. What they find is told in words by check-shape.ts.

export interface Violation {
  /** JSON pointer to the value. */
  readonly instancePath: string;
  readonly schemaPath: string;
  readonly keyword: string;
  readonly params: Readonly<Record<string, unknown>>;
}

export interface Validator {
  (data: unknown): boolean;
  errors?: readonly Violation[] | null;
}

export const checkTable: Validator;
export const checkShared: Validator;
export const checkConfig: Validator;
