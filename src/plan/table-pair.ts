// One declared and one live table side by side, with everything that is known about them: what every kind of
// step looks at. Built once a table by make-pair.ts; immutable afterwards.
import type { PreflightCounts } from "../conversion/preflight.ts";
import type { Policy } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import type { CatalogProblem, CatalogState } from "../iceberg/catalog-state.ts";
import type { Evidence } from "../iceberg/evidence.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { AppliedBase, ConversionMemory } from "./base.ts";
import type { LevelMatch } from "./match.ts";
import type { LevelOrder } from "./level-order.ts";
import type { LiveNode } from "./node.ts";
import type { PendingSchema } from "./pending-schema.ts";
import type { SchemaHistory } from "./schema-history.ts";

/** What the planner must know of the catalog; asked of its capabilities by the caller. */
export interface CatalogFacts {
  /** What a person calls it, e.g. `lake (local ./warehouse)`. */
  readonly label: string;
  readonly lowerCaseNames: boolean;
  readonly nestedNamespaces: boolean;
  readonly tableLocation: boolean;
  /** Do users of Athena see the table? */
  readonly seenByAthena: boolean;
}

export interface PlanInput {
  readonly spec: TableSpec;
  readonly live: LiveTable | null;
  /** What the catalog keeps, or would keep of a new table, beside the metadata; absent: nothing. */
  readonly catalogState?: CatalogState;
  /** Why a new table would have no place for its files; absent or null: it has one, or the table is there. */
  readonly placeProblem?: CatalogProblem | null;
  readonly namespaceExists: boolean;
  readonly catalog: CatalogFacts;
  readonly policy: Policy;
  /** For a table that is to be made: tables that floeplan applied beside it and that no file declares. Absent: nobody looked. */
  readonly lookalikes?: readonly LiveTable[];
  /** Null: the manifests were not read. */
  readonly evidence: Evidence | null;
  /** By live field id; null: no preflight was made. */
  readonly preflight: ReadonlyMap<number, PreflightCounts> | null;
}

/** A live field that no declaration stands for, and what follows from that. */
export interface UndeclaredField {
  readonly node: LiveNode;
  readonly parentId: number | null;
  readonly verdict: "unmanaged" | "drop" | "drop-unacknowledged" | "drift";
}

/** The matched live table. */
export interface LivePair {
  readonly table: LiveTable;
  readonly metadata: TableMetadata;
  readonly level: LevelMatch;
  /** By struct level, same order as `allLevels`. */
  readonly orders: ReadonlyMap<LevelMatch, LevelOrder>;
  readonly undeclared: readonly UndeclaredField[];
  readonly base: AppliedBase | null;
  readonly conversions: readonly ConversionMemory[];
  readonly history: SchemaHistory;
  readonly pending: PendingSchema | null;
}

export interface TablePair extends PlanInput {
  /** Null for a table that is to be made. */
  readonly pair: LivePair | null;
}
