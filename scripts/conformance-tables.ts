// The tables of the conformance file: the base of a case, a new one, and a commit to either.
import { applyUpdates } from "../src/iceberg/apply-update.ts";
import { assignFreshIds } from "../src/iceberg/assign-ids.ts";
import { elements } from "../src/iceberg/element-list.ts";
import { type EvolutionError, isEvolutionError } from "../src/iceberg/evolution-error.ts";
import type { JsonObject, JsonValue } from "../src/iceberg/json.ts";
import { NO_PARTITION_FIELD_ID, type PartitionSpec } from "../src/iceberg/partition-spec.ts";
import { readPartitionFields, readPartitionSpec } from "../src/iceberg/partition-spec-json.ts";
import { startPartitionSpecUpdate } from "../src/iceberg/partition-spec-update.ts";
import { readSchema } from "../src/iceberg/schema-json.ts";
import { type SortOrder, UNSORTED } from "../src/iceberg/sort-order.ts";
import { readSortOrder } from "../src/iceberg/sort-order-json.ts";
import { buildSortOrder } from "../src/iceberg/sort-order-update.ts";
import type { FormatVersion, TableMetadata } from "../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../src/iceberg/table-update.ts";
import { parseTransform } from "../src/iceberg/transform.ts";
import { listOf, objectOf, textsOf } from "./conformance-json.ts";

const NOW_MS = 1_700_000_000_000;

export function createTable(operation: JsonObject): TableMetadata | EvolutionError {
  const { schema, lastColumnId, newIds } = assignFreshIds(readSchema(operation["schema"]));
  const formatVersion = 2;
  const empty = { specId: 0, fields: [] };
  const ids = startPartitionSpecUpdate({ formatVersion, schema, spec: empty, specs: [], lastPartitionId: NO_PARTITION_FIELD_ID });
  if (isEvolutionError(ids)) return ids;
  const givenSpec = operation["partition_spec"] === undefined ? empty : readPartitionSpec(operation["partition_spec"]);
  for (const { sourceIds, transform, name } of givenSpec.fields) {
    const id = ids.addField({ sourceId: newIds.get(sourceIds[0] ?? 0) ?? 0, transform: parseTransform(transform), name });
    if (isEvolutionError(id)) return id;
  }
  const spec = ids.apply();
  if (isEvolutionError(spec)) return spec;
  const givenOrder = operation["sort_order"] === undefined ? UNSORTED : readSortOrder(operation["sort_order"]);
  const sortOrder = buildSortOrder(
    { schema, sortOrders: [] },
    givenOrder.fields.map((field) => ({
      source: newIds.get(field.sourceIds[0] ?? 0) ?? 0,
      transform: parseTransform(field.transform),
      direction: field.direction,
      nullOrder: field.nullOrder,
    })),
  );
  if (isEvolutionError(sortOrder)) return sortOrder;
  return commit(null, [
    { action: "assign-uuid", uuid: "9c12d441-03fe-4693-9a96-a0705ddf69c1" },
    { action: "upgrade-format-version", formatVersion },
    { action: "add-schema", schema, lastColumnId },
    { action: "set-current-schema", schemaId: -1 },
    { action: "add-spec", spec: spec.spec },
    { action: "set-default-spec", specId: -1 },
    { action: "add-sort-order", sortOrder },
    { action: "set-default-sort-order", sortOrderId: -1 },
    { action: "set-location", location: "file:/table" },
  ]);
}

export function commit(base: TableMetadata | null, updates: readonly TableUpdate[]): TableMetadata {
  return applyUpdates(base, updates, { nowMs: NOW_MS, previousMetadataLocation: null });
}

export function baseTable(base: JsonObject, formatVersion: FormatVersion): TableMetadata {
  const specs: readonly PartitionSpec[] =
    base["partition_specs"] === undefined
      ? [base["partition_spec"] === undefined ? { specId: 0, fields: [] } : readBaseSpec(base["partition_spec"])]
      : listOf(base, "partition_specs").map((spec) => readBaseSpec(spec));
  const fieldIds = specs.flatMap((spec) => spec.fields.map((field) => field.fieldId));
  const sortOrder: SortOrder = base["sort_order"] === undefined ? UNSORTED : readSortOrder(base["sort_order"]);
  return {
    formatVersion,
    tableUuid: "9c12d441-03fe-4693-9a96-a0705ddf69c1",
    location: "file:/table",
    lastSequenceNumber: 0n,
    lastUpdatedMs: NOW_MS,
    lastColumnId: Number(base["last_column_id"]),
    schemas: [readSchema(base["schema"])],
    currentSchemaId: 0,
    partitionSpecs: specs,
    defaultSpecId: Number(base["default_spec_id"] ?? specs[0]?.specId ?? 0),
    lastPartitionId: Number(base["last_partition_id"] ?? Math.max(NO_PARTITION_FIELD_ID, ...fieldIds)),
    sortOrders: [sortOrder],
    defaultSortOrderId: sortOrder.orderId,
    properties: textsOf(objectOf(base["properties"] ?? {})),
    currentSnapshotId: null,
    refs: {},
    snapshots: elements([]),
    snapshotLog: elements([]),
    metadataLog: [],
    nextRowId: formatVersion < 3 ? null : 0n,
    carried: {},
    origin: null,
  };
}

function readBaseSpec(value: JsonValue | undefined): PartitionSpec {
  const spec = objectOf(value);
  return { specId: Number(spec["spec-id"]), fields: readPartitionFields(spec["fields"]) };
}
