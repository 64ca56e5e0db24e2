// The partition spec and the sort order of a changed table as updates and requirements: by the format's rules,
// against the schema as it will stand. A spec or order that the metadata knows is made default by its own id.
import { type EvolutionError, evolutionError, isEvolutionError } from "../iceberg/evolution-error.ts";
import { findEqualSpec, startPartitionSpecUpdate } from "../iceberg/partition-spec-update.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { buildSortOrder } from "../iceberg/sort-order-update.ts";
import { defaultSpec, type FormatVersion } from "../iceberg/table-metadata.ts";
import type { TableRequirement } from "../iceberg/table-requirement.ts";
import { LAST_ADDED, type TableUpdate } from "../iceberg/table-update.ts";
import { parseTransform } from "../iceberg/transform.ts";
import type { Schema } from "../iceberg/type.ts";
import type { TableDraft } from "./draft.ts";
import { splitPath } from "./split-path.ts";
import type { LivePair } from "./table-pair.ts";

export interface CommitPart {
  readonly updates: readonly TableUpdate[];
  readonly requirements: readonly TableRequirement[];
}

const NOTHING: CommitPart = { updates: [], requirements: [] };

export function partitionPart(draft: TableDraft, live: LivePair, schema: Schema): CommitPart | EvolutionError {
  const wanted = draft.partition;
  if (wanted === null) return NOTHING;
  const { metadata } = live;
  const spec = defaultSpec(metadata);
  const formatVersion = (draft.formatVersion ?? metadata.formatVersion) as FormatVersion;
  const update = startPartitionSpecUpdate({
    formatVersion,
    schema,
    spec,
    specs: metadata.partitionSpecs,
    lastPartitionId: metadata.lastPartitionId,
  });
  if (isEvolutionError(update)) return update;
  for (const field of wanted.removed) {
    const error = update.removeField(field.fieldId);
    if (error !== null) return error;
  }
  for (const { field, name } of wanted.renamed) {
    const error = update.renameField(field.fieldId, name);
    if (error !== null) return error;
  }
  for (const { source, transform, name } of wanted.added) {
    const node = indexSchema(schema).byPath(splitPath(source));
    if (node === undefined) return evolutionError("missing_column", `The partition source "${source}" is no column of the table`);
    const added = update.addField({
      sourceId: node.id,
      transform: parseTransform(transform),
      ...(name === null ? {} : { name }),
    });
    if (isEvolutionError(added)) return added;
  }
  const result = update.apply();
  if (isEvolutionError(result)) return result;
  const known = findEqualSpec(metadata.partitionSpecs, result.spec.fields);
  const requirements: TableRequirement[] = [
    { type: "assert-default-spec-id", defaultSpecId: metadata.defaultSpecId },
    { type: "assert-last-assigned-partition-id", lastAssignedPartitionId: metadata.lastPartitionId },
  ];
  if (known !== undefined) return { updates: [{ action: "set-default-spec", specId: known.specId }], requirements };
  const specId = metadata.partitionSpecs.reduce((highest, one) => Math.max(highest, one.specId), 0) + 1;
  return {
    updates: [
      { action: "add-spec", spec: { specId, fields: result.spec.fields } },
      { action: "set-default-spec", specId: LAST_ADDED },
    ],
    requirements,
  };
}

export function sortPart(draft: TableDraft, live: LivePair, schema: Schema): CommitPart | EvolutionError {
  const wanted = draft.sortBy;
  if (wanted === null) return NOTHING;
  const { metadata } = live;
  const fields = [];
  for (const { source, transform, direction, nullOrder } of wanted) {
    const node = indexSchema(schema).byPath(splitPath(source));
    if (node === undefined) return evolutionError("missing_column", `The sort source "${source}" is no column of the table`);
    fields.push({ source: node.id, transform: parseTransform(transform), direction, nullOrder });
  }
  const order = buildSortOrder({ schema, sortOrders: metadata.sortOrders }, fields);
  if (isEvolutionError(order)) return order;
  const requirements: TableRequirement[] = [
    { type: "assert-default-sort-order-id", defaultSortOrderId: metadata.defaultSortOrderId },
  ];
  const isKnown = metadata.sortOrders.some((one) => one.orderId === order.orderId);
  if (isKnown) return { updates: [{ action: "set-default-sort-order", sortOrderId: order.orderId }], requirements };
  return {
    updates: [
      { action: "add-sort-order", sortOrder: order },
      { action: "set-default-sort-order", sortOrderId: LAST_ADDED },
    ],
    requirements,
  };
}
