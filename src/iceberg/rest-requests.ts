// What an Iceberg REST catalog is sent (REST spec, CommitTableRequest, CreateTableRequest, CreateNamespaceRequest). Pure.
import type { TableCommit } from "./commit.ts";
import type { JsonObject } from "./json.ts";
import type { TableIdentifier } from "./live-table.ts";
import { writePartitionSpec } from "./partition-spec-json.ts";
import { writeRequirement } from "./requirement-json.ts";
import { writeSchema } from "./schema-json.ts";
import { writeSortOrder } from "./sort-order-json.ts";
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "./table-metadata.ts";
import { writeUpdate } from "./update-json.ts";

export function commitRequest(
  { namespace, name }: TableIdentifier,
  { requirements, updates }: Pick<TableCommit, "requirements" | "updates">,
): JsonObject {
  return {
    identifier: { namespace, name },
    requirements: requirements.map(writeRequirement),
    updates: updates.map(writeUpdate),
  };
}

export interface CreationRequest {
  readonly name: string;
  /** As it should be; without snapshots. */
  readonly metadata: TableMetadata;
  /** Null: the catalog chooses. */
  readonly location: string | null;
}

/** The format version goes as a property, for want of a place of its own. Some servers insist on `stage-create`. */
export function creationRequest({ name, metadata, location }: CreationRequest): JsonObject {
  const spec = defaultSpec(metadata);
  const order = defaultSortOrder(metadata);
  return {
    name,
    ...(location === null ? {} : { location }),
    schema: writeSchema(currentSchema(metadata)),
    ...(spec.fields.length === 0 ? {} : { "partition-spec": writePartitionSpec(spec) }),
    ...(order.fields.length === 0 ? {} : { "write-order": writeSortOrder(order) }),
    "stage-create": false,
    properties: { ...metadata.properties, "format-version": String(metadata.formatVersion) },
  };
}

/** Asks where a table would be, and makes none: the schema is a stand-in. */
export function stagingRequest(name: string): JsonObject {
  return {
    name,
    schema: { type: "struct", "schema-id": 0, fields: [{ id: 1, name: "stand_in", required: false, type: "int" }] },
    "stage-create": true,
    properties: {},
  };
}

export function namespaceRequest(namespace: readonly string[]): JsonObject {
  return { namespace, properties: {} };
}
