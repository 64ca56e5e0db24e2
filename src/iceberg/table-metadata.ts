// One immutable table metadata document, v1 to v3 (spec "Table Metadata Fields"), as the rest of the program
// sees it. Its file form is in metadata-json.ts; how updates change it is in apply-update.ts.
import { bug } from "../diagnostics/tool-error.ts";
import type { ElementList } from "./element-list.ts";
import type { PartitionSpec } from "./partition-spec.ts";
import { MAIN_BRANCH, type MetadataLogEntry, type Snapshot, type SnapshotLogEntry, type SnapshotRef } from "./snapshot.ts";
import type { SortOrder } from "./sort-order.ts";
import type { Schema } from "./type.ts";
import { walkFields } from "./walk.ts";

export type FormatVersion = 1 | 2 | 3;
export const NEWEST_FORMAT_VERSION: FormatVersion = 3;

/** A top-level member of the file as it was read: key and the bytes of its value. */
export interface RawMember {
  readonly key: string;
  readonly value: Uint8Array;
}

export interface TableMetadata {
  readonly formatVersion: FormatVersion;
  /** Null only in old v1 files. */
  readonly tableUuid: string | null;
  /** Without a trailing slash. */
  readonly location: string;
  readonly lastSequenceNumber: bigint;
  readonly lastUpdatedMs: number;
  readonly lastColumnId: number;
  readonly schemas: readonly Schema[];
  readonly currentSchemaId: number;
  readonly partitionSpecs: readonly PartitionSpec[];
  readonly defaultSpecId: number;
  readonly lastPartitionId: number;
  readonly sortOrders: readonly SortOrder[];
  readonly defaultSortOrderId: number;
  readonly properties: Readonly<Record<string, string>>;
  readonly currentSnapshotId: bigint | null;
  /** Always holds `main` when there is a current snapshot, whether the file says so or not. */
  readonly refs: Readonly<Record<string, SnapshotRef>>;
  readonly snapshots: ElementList<Snapshot>;
  readonly snapshotLog: ElementList<SnapshotLogEntry>;
  readonly metadataLog: readonly MetadataLogEntry[];
  /** v3; null below. */
  readonly nextRowId: bigint | null;
  /** Unparsed list members that we only carry: statistics, partition-statistics, encryption-keys. */
  readonly carried: Readonly<Record<string, ElementList<{ readonly snapshotId: bigint | null }>>>;
  /** Null for what was never in a file. */
  readonly origin: MetadataOrigin | null;
}

/** What the file held: sections whose value is still the one in `read` are written back byte for byte. */
export interface MetadataOrigin {
  /** The whole document, unpacked. */
  readonly document: Uint8Array;
  /** The members in file order; their values are slices of `document`. */
  readonly members: readonly RawMember[];
  /** The values as they were read. */
  readonly read: TableMetadata;
}

export function currentSchema(metadata: TableMetadata): Schema {
  return schemaById(metadata, metadata.currentSchemaId) ?? failMissing("schema", metadata.currentSchemaId);
}

/** Above `lastColumnId` where a writer counted wrongly: an id of any schema must not be given again. */
export function highestFieldId({ schemas, lastColumnId }: TableMetadata): number {
  let highest = lastColumnId;
  for (const { fields } of schemas) for (const { id } of walkFields(fields)) highest = Math.max(highest, id);
  return highest;
}

export function schemaById(metadata: TableMetadata, schemaId: number): Schema | undefined {
  return metadata.schemas.find((schema) => schema.schemaId === schemaId);
}

export function defaultSpec(metadata: TableMetadata): PartitionSpec {
  return (
    metadata.partitionSpecs.find((spec) => spec.specId === metadata.defaultSpecId) ??
    failMissing("partition spec", metadata.defaultSpecId)
  );
}

export function defaultSortOrder(metadata: TableMetadata): SortOrder {
  return (
    metadata.sortOrders.find((order) => order.orderId === metadata.defaultSortOrderId) ??
    failMissing("sort order", metadata.defaultSortOrderId)
  );
}

export function snapshotById(metadata: TableMetadata, snapshotId: bigint): Snapshot | undefined {
  return metadata.snapshots.findLast((snapshot) => snapshot.snapshotId === snapshotId);
}

export function currentSnapshot(metadata: TableMetadata): Snapshot | undefined {
  return metadata.currentSnapshotId === null ? undefined : snapshotById(metadata, metadata.currentSnapshotId);
}

/** Branch names with the snapshot each points to; `main` first. */
export function branches(metadata: TableMetadata): readonly { readonly name: string; readonly snapshotId: bigint }[] {
  return Object.entries(metadata.refs)
    .filter(([, ref]) => ref.type === "branch")
    .map(([name, ref]) => ({ name, snapshotId: ref.snapshotId }))
    .sort((a, b) => Number(b.name === MAIN_BRANCH) - Number(a.name === MAIN_BRANCH));
}

// Readers of metadata-json.ts and apply-update.ts check these references, so a miss is ours.
function failMissing(what: string, id: number): never {
  throw bug(`The metadata names ${what} ${id} and does not hold it`);
}
