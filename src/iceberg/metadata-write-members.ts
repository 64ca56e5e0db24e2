// The members of a metadata file in Java's order: which values each stands for, in which format versions it is
// written, and its JSON form (spec "Table Metadata Fields"). Where they go in a file is metadata-write.ts's.
import type { ElementList } from "./element-list.ts";
import type { JsonValue } from "./json.ts";
import { writePartitionFields, writePartitionSpec } from "./partition-spec-json.ts";
import { writeSchema } from "./schema-json.ts";
import { writeMetadataLogEntry, writeSnapshot, writeSnapshotLogEntry, writeSnapshotRef } from "./snapshot-json.ts";
import { writeSortOrder } from "./sort-order-json.ts";
import { currentSchema, defaultSpec, type TableMetadata } from "./table-metadata.ts";

/** An element of a list: the bytes that it was read from, or a value with how to write it. */
export type ListItem = Uint8Array | TypedItem;

interface TypedItem {
  /** The typed value; equal references are equal elements. */
  readonly identity: unknown;
  readonly write: () => JsonValue;
}

/** What a member holds; undefined when this metadata does not have it. */
export type MemberContent =
  | { readonly kind: "value"; readonly value: JsonValue }
  | { readonly kind: "list"; readonly items: Iterable<ListItem> }
  | { readonly kind: "map"; readonly entries: readonly MapEntry[] };

export interface MapEntry {
  readonly key: string;
  /** The typed value; equal references, or equal texts, are equal entries. */
  readonly identity: unknown;
  readonly value: JsonValue;
}

export interface MetadataMember {
  readonly key: string;
  /** Properties of the document that the member is made from: while all are the same, its bytes are kept. */
  readonly from: readonly (keyof TableMetadata)[];
  /** Format version from which the member must be there, changed or not. */
  readonly requiredFrom: 1 | 2 | 3 | 4;
  readonly content: (metadata: TableMetadata) => MemberContent | undefined;
}

/** A format version that never comes to `requiredFrom`: the member is optional. */
const NEVER = 4;

const value = (json: JsonValue): MemberContent => ({ kind: "value", value: json });

const list = <T extends object>(elements: readonly T[], write: (element: T) => JsonValue): MemberContent => ({
  kind: "list",
  items: elements.map((element) => ({ identity: element, write: () => write(element) })),
});

const lazyList = <T>(elements: ElementList<T>, write: (element: T) => JsonValue): MemberContent => ({
  kind: "list",
  items: lazyItems(elements, write),
});

function* lazyItems<T>(elements: ElementList<T>, write: (element: T) => JsonValue): Generator<ListItem> {
  for (let index = 0; index < elements.length; index++) {
    const raw = elements.rawAt(index);
    if (raw !== undefined) {
      yield raw;
    } else {
      const element = elements.at(index);
      if (element !== undefined) yield { identity: element, write: () => write(element) };
    }
  }
}

const map = <T>(entries: Readonly<Record<string, T>>, write: (entry: T) => JsonValue): MemberContent => ({
  kind: "map",
  entries: Object.entries(entries).map(([key, entry]) => ({ key, identity: entry, value: write(entry) })),
});

/** A list that is only carried: its elements always have their bytes. */
function carried(key: string): MetadataMember {
  return {
    key,
    from: ["carried"],
    requiredFrom: NEVER,
    content: (metadata) => {
      const elements = metadata.carried[key];
      if (elements === undefined) return undefined;
      return key === "encryption-keys" && elements.length === 0 ? undefined : lazyList(elements, () => null);
    },
  };
}

export const METADATA_MEMBERS: readonly MetadataMember[] = [
  { key: "format-version", from: ["formatVersion"], requiredFrom: 1, content: (m) => value(m.formatVersion) },
  {
    key: "table-uuid",
    from: ["tableUuid"],
    requiredFrom: 2,
    content: (m) => (m.tableUuid === null ? undefined : value(m.tableUuid)),
  },
  { key: "location", from: ["location"], requiredFrom: 1, content: (m) => value(m.location) },
  {
    key: "last-sequence-number",
    from: ["lastSequenceNumber", "formatVersion"],
    requiredFrom: 2,
    content: (m) => (m.formatVersion === 1 ? undefined : value(m.lastSequenceNumber)),
  },
  { key: "last-updated-ms", from: ["lastUpdatedMs"], requiredFrom: 1, content: (m) => value(m.lastUpdatedMs) },
  { key: "last-column-id", from: ["lastColumnId"], requiredFrom: 1, content: (m) => value(m.lastColumnId) },
  {
    key: "schema",
    from: ["schemas", "currentSchemaId", "formatVersion"],
    requiredFrom: 1,
    content: (m) => (m.formatVersion === 1 ? value(writeSchema(currentSchema(m))) : undefined),
  },
  { key: "current-schema-id", from: ["currentSchemaId", "schemas"], requiredFrom: 2, content: (m) => value(m.currentSchemaId) },
  { key: "schemas", from: ["schemas", "currentSchemaId"], requiredFrom: 2, content: (m) => list(m.schemas, writeSchema) },
  {
    key: "partition-spec",
    from: ["partitionSpecs", "defaultSpecId", "formatVersion"],
    requiredFrom: 1,
    content: (m) => (m.formatVersion === 1 ? value(writePartitionFields(defaultSpec(m).fields)) : undefined),
  },
  { key: "default-spec-id", from: ["defaultSpecId", "partitionSpecs"], requiredFrom: 2, content: (m) => value(m.defaultSpecId) },
  {
    key: "partition-specs",
    from: ["partitionSpecs", "defaultSpecId"],
    requiredFrom: 2,
    content: (m) => list(m.partitionSpecs, writePartitionSpec),
  },
  {
    key: "last-partition-id",
    from: ["lastPartitionId", "partitionSpecs"],
    requiredFrom: 2,
    content: (m) => value(m.lastPartitionId),
  },
  {
    key: "default-sort-order-id",
    from: ["defaultSortOrderId", "sortOrders"],
    requiredFrom: 2,
    content: (m) => value(m.defaultSortOrderId),
  },
  {
    key: "sort-orders",
    from: ["sortOrders", "defaultSortOrderId"],
    requiredFrom: 2,
    content: (m) => list(m.sortOrders, writeSortOrder),
  },
  { key: "properties", from: ["properties"], requiredFrom: NEVER, content: (m) => map(m.properties, (text) => text) },
  {
    key: "current-snapshot-id",
    from: ["currentSnapshotId"],
    requiredFrom: NEVER,
    content: (m) => value(m.currentSnapshotId ?? (m.formatVersion < 3 ? -1 : null)),
  },
  {
    key: "next-row-id",
    from: ["nextRowId"],
    requiredFrom: 3,
    content: (m) => (m.nextRowId === null ? undefined : value(m.nextRowId)),
  },
  carried("encryption-keys"),
  { key: "refs", from: ["refs"], requiredFrom: NEVER, content: (m) => map(m.refs, writeSnapshotRef) },
  { key: "snapshots", from: ["snapshots"], requiredFrom: NEVER, content: (m) => lazyList(m.snapshots, writeSnapshot) },
  carried("statistics"),
  carried("partition-statistics"),
  {
    key: "snapshot-log",
    from: ["snapshotLog"],
    requiredFrom: NEVER,
    content: (m) => lazyList(m.snapshotLog, writeSnapshotLogEntry),
  },
  { key: "metadata-log", from: ["metadataLog"], requiredFrom: NEVER, content: (m) => list(m.metadataLog, writeMetadataLogEntry) },
];
