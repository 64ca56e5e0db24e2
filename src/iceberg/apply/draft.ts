// The state between two updates of one commit: the metadata as the earlier ones leave it, and what must be
// remembered for the later ones. Immutable. Which update does what is not known here.
import { ToolError } from "../../diagnostics/tool-error.ts";
import { elements } from "../element-list.ts";
import { NO_PARTITION_FIELD_ID } from "../partition-spec.ts";
import { CARRIED_LISTS } from "../snapshot-json.ts";
import type { FormatVersion, TableMetadata } from "../table-metadata.ts";
import { isNested, type Type } from "../type.ts";

export interface ApplyOptions {
  /** The clock: milliseconds since 1970. */
  readonly nowMs: number;
  /** Where the base stands; it becomes the newest entry of the metadata log. Null for a base that is in no file. */
  readonly previousMetadataLocation: string | null;
}

/** What id -1 means, for each list: null when nothing was added in this commit. */
interface LastAdded {
  readonly schemaId: number | null;
  readonly specId: number | null;
  readonly sortOrderId: number | null;
}

export interface Draft {
  readonly base: TableMetadata | null;
  readonly metadata: TableMetadata;
  readonly lastAdded: LastAdded;
  /** Ids that this commit gave to what it added. */
  readonly addedSchemaIds: ReadonlySet<number>;
  readonly addedSpecIds: ReadonlySet<number>;
  readonly addedSortOrderIds: ReadonlySet<number>;
  readonly addedSnapshotIds: ReadonlySet<bigint>;
  /** Snapshots added in this commit that main was set to, in order: all but the last leave no trace in the log. */
  readonly mainSnapshotIds: readonly bigint[];
  readonly hasRemovedSnapshots: boolean;
}

/** The newest version that engines in the field read and write; Java's default too. */
const DEFAULT_FORMAT_VERSION: FormatVersion = 2;

export function startDraft(
  base: TableMetadata | null,
  nowMs: number,
  formatVersion: FormatVersion = DEFAULT_FORMAT_VERSION,
): Draft {
  return {
    base,
    metadata:
      base === null ? emptyMetadata(formatVersion, nowMs) : { ...base, lastUpdatedMs: Math.max(nowMs, base.lastUpdatedMs) },
    lastAdded: { schemaId: null, specId: null, sortOrderId: null },
    addedSchemaIds: new Set(),
    addedSpecIds: new Set(),
    addedSortOrderIds: new Set(),
    addedSnapshotIds: new Set(),
    mainSnapshotIds: [],
    hasRemovedSnapshots: false,
  };
}

function emptyMetadata(formatVersion: FormatVersion, nowMs: number): TableMetadata {
  return {
    formatVersion,
    tableUuid: null,
    location: "",
    lastSequenceNumber: 0n,
    lastUpdatedMs: nowMs,
    lastColumnId: 0,
    schemas: [],
    currentSchemaId: 0,
    partitionSpecs: [],
    defaultSpecId: 0,
    lastPartitionId: NO_PARTITION_FIELD_ID,
    sortOrders: [],
    defaultSortOrderId: 0,
    properties: {},
    currentSnapshotId: null,
    refs: {},
    snapshots: elements([]),
    snapshotLog: elements([]),
    metadataLog: [],
    nextRowId: formatVersion < 3 ? null : 0n,
    carried: Object.fromEntries(CARRIED_LISTS.map((key) => [key, elements([])])),
    origin: null,
  };
}

/** The draft with some values of its metadata changed. */
export function change(draft: Draft, values: Partial<TableMetadata>): Draft {
  return { ...draft, metadata: { ...draft.metadata, ...values } };
}

/** Nested types and variant: nothing partitions or sorts by them, whatever the transform. */
export function isUnordered(type: Type): boolean {
  return isNested(type) || type.kind === "variant";
}

/**
 * What -1 means after a spec or sort order was added that the table has already: that one, if the one added
 * last before was new. Java's rule, odd as it is; whoever knows that the content is there sends its id.
 */
export function lastAddedAfterKnown(id: number, lastAdded: number | null, added: ReadonlySet<number>): number | null {
  return lastAdded !== null && added.has(lastAdded) ? id : null;
}

/** The commit is wrong as it stands; the same one will never pass. */
export function refused(what: string, why: string, mend?: string): ToolError {
  return new ToolError("refused", what, { why, ...(mend === undefined ? {} : { mend }) });
}

/** The commit was built on an older state; built again on this one it may pass. */
export function stale(what: string, why: string): ToolError {
  return new ToolError("conflict", what, { why, mend: "Plan again" });
}
