// The first rows of a table as texts, or why there are none: made by commands/rows, shown by show-report.ts.

export interface SampleRows {
  /** Top-level field names, in schema order. */
  readonly columns: readonly string[];
  /** One text a column; null for null. */
  readonly rows: readonly (readonly (string | null)[])[];
  /** Why rows are not shown; null when they are. */
  readonly whyNot: string | null;
}
