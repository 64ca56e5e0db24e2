// How a conversion describes itself to the engines: texts of this form get that value. Rendering is in
// matched-cast.ts; this is data, the same for every engine.

/** Names of types, each engine's own. */
export interface SqlType {
  readonly spark: string;
  readonly trino: string;
  /** Trino's values of this type carry a zone: it becomes UTC, as Iceberg stores them. */
  readonly isZoned?: true;
}

/** What an engine's cast would let through, although its text has the right form. */
export type SqlRange = "finite-and-not-zero" | "instant-of-the-calendar";

export interface SqlBranch {
  /**
   * Regular expression for the whole text without blanks around it, in the dialect of regex.ts; without an alternative
   * at the top level, since anchors are put beside it.
   */
  readonly pattern: string;
  readonly result:
    | { readonly constant: "true" | "false" }
    /** Cast to this type; `replacement` puts the groups of the pattern (`$1` …) into the form that casts agree on. */
    | { readonly cast: SqlType; readonly replacement: string; readonly range?: SqlRange };
}
