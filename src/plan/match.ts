// The shapes of a match: declared nodes paired with live ones at every depth. Made by match-fields.ts and its rules,
// read by every step.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { DeclaredNode, LiveNode } from "./node.ts";
import type { PastField, SchemaHistory } from "./schema-history.ts";

export type MatchHow = "pinned" | "same-name" | "renamed" | "renamed-back" | "restored" | "new" | "part";

/** A declared node and the live one it stands for. */
export interface NodeMatch {
  readonly declared: DeclaredNode;
  /** What is live, or for `restored` what comes back; null for `new`. */
  readonly live: LiveNode | null;
  readonly how: MatchHow;
  /** The field that comes back, for `restored`. */
  readonly past: PastField | null;
  /** Why an older field of the name does not come back, for `new`. */
  readonly whyNotRestored: string | null;
  /** Below a struct. */
  readonly level: LevelMatch | null;
  /** Below a list or map. */
  readonly parts: readonly NodeMatch[];
}

/** All fields of one struct, or of the top level. */
export interface LevelMatch {
  /** Id of the live node that holds the struct; null for the top level. */
  readonly parentId: number | null;
  /** Declared path of the struct, empty at the top. */
  readonly parentPath: readonly string[];
  /** In declared order. */
  readonly matches: readonly NodeMatch[];
  /** Live fields that no declared field stands for, in live order. */
  readonly undeclared: readonly LiveNode[];
  /** All live fields in live order. */
  readonly live: readonly LiveNode[];
}

export interface MatchContext {
  readonly metadata: TableMetadata;
  readonly history: SchemaHistory;
  /** Ids that the base knows; null without a base. */
  readonly baseIds: ReadonlySet<number> | null;
  /** Ids that a conversion retired. */
  readonly retiredIds: ReadonlySet<number>;
  readonly isUnmanaged: (path: string) => boolean;
  readonly isDropped: (path: string) => boolean;
  readonly table: string;
  readonly problems: Diagnostic[];
}
