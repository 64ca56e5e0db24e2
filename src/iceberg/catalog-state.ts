// What a catalog keeps of a table beside its metadata (Glue: a column list, comments, parameters), as the plan sees
// it: what of it is out of step, and what the catalog would refuse. Pure; every answer is about the metadata it is
// asked with, so that a simulated table can be asked about as well as the live one.
import type { TableMetadata } from "./table-metadata.ts";

/** One thing that a commit with `syncCatalog` would mend. Sorted and worded the same way each time. */
export interface CatalogDifference {
  /** A column's name, or `table` for the entry as a whole. */
  readonly subject: string;
  /** In one or two words: `missing`, `another type`, `left over`. */
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Why the catalog would refuse the table, worded as a diagnostic. */
export interface CatalogProblem {
  readonly what: string;
  readonly why: string;
  readonly mend: string;
  /** The field, in the one path grammar. */
  readonly path?: string;
  /** The key of the catalog's own parameter that is at fault. */
  readonly parameter?: string;
}

/** Worth knowing, and nothing that must be mended. */
export interface CatalogNote {
  readonly what: string;
  readonly why: string;
  /** What would avoid it. */
  readonly mend?: string;
}

/** A comment that the catalog has and the metadata does not. */
export interface CatalogComment {
  /** Null: of the table. */
  readonly column: string | null;
  readonly comment: string;
}

/** What a planned commit leaves in the table that simulated metadata does not show. */
export interface PlannedSnapshot {
  /** The state before a conversion stays under a tag. */
  readonly leavesTag: boolean;
}

/** Parameters that a commit sets on the entry, or removes by null. */
export type CatalogParameters = Readonly<Record<string, string | null>>;

export interface CatalogState {
  /** The entry's own parameters, without those by which the catalog finds the metadata; null: this catalog keeps none. */
  readonly parameters: Readonly<Record<string, string>> | null;
  differences(metadata: TableMetadata): readonly CatalogDifference[];
  /** With the parameters that the commit sets beside. */
  problems(metadata: TableMetadata, parameters?: CatalogParameters): readonly CatalogProblem[];
  notes(metadata: TableMetadata, planned?: PlannedSnapshot): readonly CatalogNote[];
  comments(metadata: TableMetadata): readonly CatalogComment[];
}
