// What S3 Tables has to say of one table, as a CatalogState: what it would refuse, and what its own maintenance (expiry of
// snapshots, compaction) goes by or leaves alone. It keeps nothing of a table beside the pointer. Pure.
//
// Maintenance: Amazon S3 User Guide, "Considerations and limitations for maintenance jobs" (read 2026-11).
import type { CatalogNote, CatalogProblem, CatalogState, PlannedSnapshot } from "../iceberg/catalog-state.ts";
import { isWithin } from "../iceberg/location.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { MAIN_BRANCH } from "../iceberg/snapshot.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";

export interface S3TablesState extends CatalogState {
  /** Everything that the table stores lies below; null: the service has not made the table yet. */
  readonly warehouse: string | null;
}

export interface S3TablesFacts {
  readonly warehouse: string | null;
  /** As it was read; null: the table has no metadata yet. */
  readonly metadata: TableMetadata | null;
  /** Why the table cannot have its name, or null. */
  readonly nameFault?: CatalogProblem | null;
}

export function isS3TablesState(state: CatalogState | undefined): state is S3TablesState {
  return state !== undefined && "warehouse" in state;
}

export function s3TablesState({ warehouse, metadata: before, nameFault = null }: S3TablesFacts): S3TablesState {
  const isEmpty = warehouse !== null && before === null;
  return {
    warehouse,
    parameters: null,
    differences: () => [],
    problems: (metadata) => [...(nameFault === null ? [] : [nameFault]), ...pathProblems(warehouse, before, metadata)],
    notes: (metadata, planned) => [
      ...(isEmpty ? [EMPTY] : []),
      ...expiryNotes(metadata, planned),
      ...compactionNotes(metadata),
      ...gzipNotes(metadata),
    ],
    comments: () => [],
  };
}

const PATHS = ["write.data.path", "write.metadata.path", "write.object-storage.path", "write.folder-storage.path"] as const;

/** Where a property says so already, this commit does not make it worse. */
function pathProblems(
  warehouse: string | null,
  before: TableMetadata | null,
  { properties }: TableMetadata,
): readonly CatalogProblem[] {
  return PATHS.flatMap((key) => {
    const path = properties[key];
    if (path === undefined || path === before?.properties[key]) return [];
    if (warehouse !== null && isWithin(warehouse, path)) return [];
    return [
      {
        what: `Cannot set "${key}" to "${path}" on a table in S3 Tables`,
        why: `The files of a table stay in the storage that S3 Tables gives it${warehouse === null ? "" : `, "${warehouse}"`}`,
        mend: "Leave the property out",
      },
    ];
  });
}

const EMPTY: CatalogNote = {
  what: "S3 Tables has this table already, without metadata: this gives it its first",
  why: "It was made without a schema, by another tool or by an apply that was cut off, and nobody can read it yet",
};

const EXPIRY = "S3 Tables stops expiring the snapshots of a table that has";

function expiryNotes({ refs, properties }: TableMetadata, planned: PlannedSnapshot | undefined): readonly CatalogNote[] {
  const kept = Object.entries(refs).filter(([name]) => name !== MAIN_BRANCH);
  const found: CatalogNote[] = [];
  if (planned?.leavesTag === true)
    found.push({
      what: "The tag that this conversion leaves stops S3 Tables from expiring snapshots of this table",
      why: "Its snapshot management is off for a table with tags or branches: old files stay, and are paid for, until the tag is dropped",
      mend: "Drop the tag when the way back is not needed any more, or leave it out: policy: { snapshot-tag: none }; the way back then lasts as long as the snapshot",
    });
  if (kept.length > 0)
    found.push({
      what: "S3 Tables does not expire snapshots of this table",
      why: `${EXPIRY} tags or branches, and this one has ${kept.map(([name, { type }]) => `${type} "${name}"`).join(", ")}`,
      mend: "Drop what is not needed any more",
    });
  const keeping = Object.keys(properties).filter((key) => key.startsWith("history.expire."));
  if (keeping.length > 0)
    found.push({
      what: "S3 Tables may not expire snapshots of this table",
      why: `${EXPIRY} properties that keep them longer than its own settings do, and here are ${keeping.map((key) => `"${key}"`).join(", ")}`,
      mend: "Set the time in S3 Tables instead (aws s3tables put-table-maintenance-configuration)",
    });
  return found;
}

const UNCOMPACTED_CODECS: ReadonlySet<string> = new Set(["brotli", "lz4", "lz4_raw"]);

function compactionNotes(metadata: TableMetadata): readonly CatalogNote[] {
  const found: CatalogNote[] = [];
  const fixed = indexSchema(currentSchema(metadata)).nodes.find(({ type }) => type.kind === "fixed");
  if (fixed !== undefined)
    found.push({
      what: "S3 Tables does not compact the files of this table",
      why: `Its compaction knows no fixed, which "${fixed.name}" is; binary is compacted`,
    });
  const codec = metadata.properties["write.parquet.compression-codec"]?.toLowerCase();
  if (codec !== undefined && UNCOMPACTED_CODECS.has(codec))
    found.push({
      what: "S3 Tables does not compact the files of this table",
      why: `Its compaction does not know the codec of "write.parquet.compression-codec", ${codec}; zstd, snappy and gzip are compacted`,
    });
  return found;
}

function gzipNotes({ properties }: TableMetadata): readonly CatalogNote[] {
  const key = "write.metadata.compression-codec";
  if (properties[key]?.toLowerCase() !== "gzip") return [];
  return [
    {
      what: "Metadata files of this table are written without compression by floeplan",
      why: `S3 Tables takes "….metadata.json.gz" and says nothing of the names that "${key}" gives`,
    },
  ];
}
