// Replays one case of the evolution conformance file through the core and tells how its end differs from the one that
// the reference implementation gave. Knows the file's format; decides nothing about evolution itself.
import { isDeepStrictEqual } from "node:util";
import { assignSchemaId } from "../src/iceberg/apply/assign-id.ts";
import { applyUpdates } from "../src/iceberg/apply-update.ts";
import { assignFreshIds } from "../src/iceberg/assign-ids.ts";
import { columnPropertyChanges } from "../src/iceberg/column-properties.ts";
import { elements } from "../src/iceberg/element-list.ts";
import { type EvolutionError, isEvolutionError } from "../src/iceberg/evolution-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../src/iceberg/json.ts";
import { parseJson } from "../src/iceberg/json-parse.ts";
import {
  formatNameMapping,
  isNameMapping,
  NAME_MAPPING_PROPERTY,
  parseNameMapping,
  updateNameMapping,
} from "../src/iceberg/name-mapping.ts";
import { NO_PARTITION_FIELD_ID, type PartitionSpec } from "../src/iceberg/partition-spec.ts";
import { readPartitionFields, readPartitionSpec, writePartitionSpec } from "../src/iceberg/partition-spec-json.ts";
import { startPartitionSpecUpdate } from "../src/iceberg/partition-spec-update.ts";
import { type NamedPartitionSpecUpdate, updateSpecByName } from "../src/iceberg/partition-spec-update-by-name.ts";
import { checkFormatUpgrade, checkSchemaChange } from "../src/iceberg/schema-check.ts";
import { readSchema, readType, writeSchema } from "../src/iceberg/schema-json.ts";
import { type SchemaUpdateResult, startSchemaUpdate } from "../src/iceberg/schema-update.ts";
import { type NamedSchemaUpdate, updateByName } from "../src/iceberg/schema-update-by-name.ts";
import { type SortOrder, UNSORTED } from "../src/iceberg/sort-order.ts";
import { readSortOrder, writeSortOrder } from "../src/iceberg/sort-order-json.ts";
import { buildSortOrder, type NewSortField } from "../src/iceberg/sort-order-update.ts";
import {
  currentSchema,
  defaultSortOrder,
  defaultSpec,
  type FormatVersion,
  type TableMetadata,
} from "../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../src/iceberg/table-update.ts";
import { parseTransform } from "../src/iceberg/transform.ts";
import { isPrimitive, type PrimitiveType, type Schema } from "../src/iceberg/type.ts";
import { unionByName } from "../src/iceberg/union-by-name.ts";

export type Verdict = { readonly right: true; readonly note?: string } | { readonly right: false; readonly difference: string };

interface Replay {
  readonly metadata: TableMetadata | null;
  readonly promotions: "engines" | "spec";
}

type Step = (replay: Replay, operations: readonly JsonObject[]) => TableMetadata | EvolutionError;

const NOW_MS = 1_700_000_000_000;
/** What this program never does, by the name of the operation: a table is never replaced (docs/architecture.md). */
const REFUSED_BY_NAME: ReadonlySet<string> = new Set(["replace_table"]);
const PARTITION_OPERATIONS: ReadonlySet<string> = new Set([
  "add_partition_field",
  "remove_partition_field",
  "rename_partition_field",
  "non_default_spec",
  "spec_case_insensitive",
]);

/** Replays a case of the file. */
export function replayCase(one: JsonObject): Verdict {
  const operations = listOf(one, "change").map(objectOf);
  const refused = operations.map((operation) => textOf(operation, "op")).find((name) => REFUSED_BY_NAME.has(name));
  if (refused !== undefined) return { right: true, note: `${refused} is refused by name` };
  const wanted = objectOf(one["expect"]);
  const base = objectOf(one["base"]);
  const formatVersion = versionOf(one["format_version"]);
  const promotions = one["authority"] === "spec" ? "spec" : "engines";
  let metadata = Object.keys(base).length === 0 ? null : baseTable(base, formatVersion);
  for (const group of groupOperations(operations)) {
    const next = stepOf(textOf(objectOf(group[0]), "op"))({ metadata, promotions }, group);
    if (isEvolutionError(next)) return compareError(next, wanted["error"]);
    metadata = next;
  }
  if (wanted["error"] !== undefined) return wrong("the change was allowed", `error ${String(wanted["error"])}`);
  if (metadata === null) return wrong("there is no table", "a table");
  return compareTable(metadata, wanted);
}

function compareError(error: EvolutionError, wanted: JsonValue | undefined): Verdict {
  if (typeof wanted === "string" && wanted.startsWith(`${error.category}:`)) return { right: true };
  return wrong(`${error.category}: ${error.why}`, typeof wanted === "string" ? wanted : "a changed table");
}

function compareTable(metadata: TableMetadata, wanted: JsonObject): Verdict {
  const { "schema-id": schemaId, ...schema } = writeSchema(currentSchema(metadata));
  const found: JsonObject = {
    schema,
    schema_id: schemaId ?? null,
    last_column_id: metadata.lastColumnId,
    schema_count: metadata.schemas.length,
    partition_spec: writePartitionSpec(defaultSpec(metadata)),
    partition_spec_count: metadata.partitionSpecs.length,
    last_partition_id: metadata.lastPartitionId,
    sort_order: writeSortOrder(defaultSortOrder(metadata)),
    sort_order_count: metadata.sortOrders.length,
    properties: metadata.properties,
    name_mapping: sortNames(parseJson(metadata.properties[NAME_MAPPING_PROPERTY] ?? "null")),
    format_version: metadata.formatVersion,
  };
  for (const [key, value] of Object.entries(wanted)) {
    const right = key === "name_mapping" ? sortNames(value) : value;
    if (!isDeepStrictEqual(found[key], right)) return wrong(`${key} ${show(found[key])}`, show(right));
  }
  return { right: true };
}

function wrong(found: string, wanted: string): Verdict {
  return { right: false, difference: `found  ${found}\nwanted ${wanted}` };
}

function sortNames(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(sortNames);
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, key === "names" && isTexts(inner) ? [...inner].sort() : sortNames(inner)]),
  );
}

// Neighbouring operations of one family are one update; anything else stands alone.
function groupOperations(operations: readonly JsonObject[]): JsonObject[][] {
  const groups: JsonObject[][] = [];
  let family = "";
  for (const operation of operations) {
    const name = textOf(operation, "op");
    const own = name in SINGLE_STEPS || name === "commit" ? "" : PARTITION_OPERATIONS.has(name) ? "partition" : "schema";
    if (name !== "commit" && (own === "" || own !== family)) groups.push([operation]);
    else if (name !== "commit") groups[groups.length - 1]?.push(operation);
    family = own;
  }
  return groups;
}

function stepOf(name: string): Step {
  return SINGLE_STEPS[name] ?? (PARTITION_OPERATIONS.has(name) ? changeSpec : changeSchema);
}

const SINGLE_STEPS: Readonly<Record<string, Step>> = {
  set_sort_order: ({ metadata }, [operation]) => {
    const table = present(metadata);
    const { sortOrders } = table;
    const order = buildSortOrder({ schema: currentSchema(table), sortOrders }, listOf(operation, "fields").map(sortField));
    if (isEvolutionError(order)) return order;
    return commit(table, [
      ...(sortOrders.some((one) => one.orderId === order.orderId)
        ? []
        : [{ action: "add-sort-order" as const, sortOrder: order }]),
      { action: "set-default-sort-order", sortOrderId: order.orderId },
    ]);
  },
  set_properties: ({ metadata }, [operation]) =>
    commit(present(metadata), [{ action: "set-properties", updates: textsOf(objectOf(operation?.["updates"])) }]),
  remove_properties: ({ metadata }, [operation]) =>
    commit(present(metadata), [{ action: "remove-properties", removals: listOf(operation, "keys").map(String) }]),
  upgrade_format_version: ({ metadata }, [operation]) => {
    const table = present(metadata);
    const version = Number(operation?.["version"]);
    const error = checkFormatUpgrade(table.formatVersion, version);
    return error ?? commit(table, [{ action: "upgrade-format-version", formatVersion: version }]);
  },
  create_table: (_, [operation]) => createTable(objectOf(operation)),
};

function changeSchema({ metadata, promotions }: Replay, operations: readonly JsonObject[]): TableMetadata | EvolutionError {
  const table = present(metadata);
  const base = currentSchema(table);
  const update = updateByName(startSchemaUpdate(base, table.lastColumnId, { formatVersion: table.formatVersion, promotions }));
  for (const operation of operations) {
    const error = changeColumn(update, operation, table.formatVersion);
    if (error !== null) return error;
  }
  const result = update.apply();
  if (isEvolutionError(result)) return result;
  const [problem] = checkSchemaChange(base, result.schema, table);
  if (problem !== undefined) return problem;
  return commit(table, [
    { action: "add-schema", schema: result.schema, lastColumnId: result.lastColumnId },
    { action: "set-current-schema", schemaId: assignSchemaId(table, result.schema).id },
    ...propertyUpdates(table, base, result),
  ]);
}

function propertyUpdates(table: TableMetadata, base: Schema, { schema, changes }: SchemaUpdateResult): TableUpdate[] {
  const { set, remove } = columnPropertyChanges(table.properties, base, schema, changes);
  const text = table.properties[NAME_MAPPING_PROPERTY];
  const mapping = text === undefined ? undefined : parseNameMapping(text);
  const mapped =
    mapping === undefined || !isNameMapping(mapping)
      ? {}
      : { [NAME_MAPPING_PROPERTY]: formatNameMapping(updateNameMapping(mapping, schema, changes)) };
  return [
    { action: "set-properties", updates: { ...set, ...mapped } },
    { action: "remove-properties", removals: remove },
  ];
}

function changeColumn(update: NamedSchemaUpdate, operation: JsonObject, formatVersion: FormatVersion): EvolutionError | null {
  const column = String(operation["column"] ?? "");
  switch (textOf(operation, "op")) {
    case "add": {
      const { name, parent, doc, default: value } = operation;
      const id = update.addColumn({
        name: String(name),
        type: readType(operation["type"]),
        required: operation["required"] === true,
        ...(parent === undefined ? {} : { parent: parent === null ? null : String(parent) }),
        ...(doc === undefined ? {} : { doc: String(doc) }),
        ...(value === undefined ? {} : { default: value }),
      });
      return isEvolutionError(id) ? id : null;
    }
    case "drop":
      return update.dropColumn(column);
    case "rename":
      return update.renameColumn(column, textOf(operation, "to"));
    case "move": {
      const { after, before } = operation;
      const place =
        after === undefined ? (before === undefined ? ("first" as const) : { before: String(before) }) : { after: String(after) };
      return update.moveColumn(column, place);
    }
    case "update_type":
      return update.updateColumnType(column, primitiveOf(operation["type"]));
    case "set_required":
      return update.requireColumn(column);
    case "set_optional":
      return update.makeColumnOptional(column);
    case "update_doc":
      return update.updateColumnDoc(column, operation["doc"] === null ? null : textOf(operation, "doc"));
    case "set_default":
      return update.updateColumnDefault(column, operation["default"] ?? null);
    case "set_identifier_fields":
      update.setIdentifierFields(listOf(operation, "columns").map(String));
      return null;
    case "union_by_name":
      return unionByName(update.ids, readSchema(operation["schema"]), { formatVersion });
    case "allow_incompatible":
      update.ids.allowIncompatible();
      return null;
    case "case_insensitive":
      update.ignoreCase();
      return null;
    default:
      throw new Error(`Unknown operation ${show(operation)}`);
  }
}

function changeSpec({ metadata }: Replay, operations: readonly JsonObject[]): TableMetadata | EvolutionError {
  const table = present(metadata);
  const ids = startPartitionSpecUpdate({
    formatVersion: table.formatVersion,
    schema: currentSchema(table),
    spec: defaultSpec(table),
    specs: table.partitionSpecs,
    lastPartitionId: table.lastPartitionId,
  });
  if (isEvolutionError(ids)) return ids;
  const update = updateSpecByName(ids);
  let isDefault = true;
  for (const operation of operations) {
    if (operation["op"] === "non_default_spec") isDefault = false;
    else {
      const error = changePartitionField(update, operation);
      if (error !== null) return error;
    }
  }
  const result = ids.apply();
  if (isEvolutionError(result)) return result;
  const isKnown = table.partitionSpecs.some((spec) => spec.specId === result.spec.specId);
  return commit(table, [
    ...(isKnown ? [] : [{ action: "add-spec" as const, spec: result.spec }]),
    ...(isDefault ? [{ action: "set-default-spec" as const, specId: result.spec.specId }] : []),
  ]);
}

function changePartitionField(update: NamedPartitionSpecUpdate, operation: JsonObject): EvolutionError | null {
  const { name, source } = operation;
  const transform = parseTransform(String(operation["transform"] ?? ""));
  switch (textOf(operation, "op")) {
    case "add_partition_field": {
      const id = update.addField(String(source), transform, typeof name === "string" ? name : undefined);
      return isEvolutionError(id) ? id : null;
    }
    case "remove_partition_field":
      return typeof name === "string" ? update.removeField(name) : update.removeFieldOf(String(source), transform);
    case "rename_partition_field":
      return update.renameField(textOf(operation, "name"), textOf(operation, "to"));
    case "spec_case_insensitive":
      update.ignoreCase();
      return null;
    default:
      throw new Error(`Unknown operation ${show(operation)}`);
  }
}

function createTable(operation: JsonObject): TableMetadata | EvolutionError {
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

function commit(base: TableMetadata | null, updates: readonly TableUpdate[]): TableMetadata {
  return applyUpdates(base, updates, { nowMs: NOW_MS, previousMetadataLocation: null });
}

function baseTable(base: JsonObject, formatVersion: FormatVersion): TableMetadata {
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

function sortField(value: JsonValue): NewSortField {
  const field = objectOf(value);
  return {
    source: textOf(field, "source"),
    transform: parseTransform(textOf(field, "transform")),
    direction: field["direction"] === "desc" ? "desc" : "asc",
    nullOrder: field["null_order"] === "nulls-first" || field["null_order"] === "nulls-last" ? field["null_order"] : null,
  };
}

function primitiveOf(value: JsonValue | undefined): PrimitiveType {
  const type = readType(value);
  if (!isPrimitive(type)) throw new Error(`${show(value)} is no primitive type`);
  return type;
}

function versionOf(value: JsonValue | undefined): FormatVersion {
  if (value === 1 || value === 2 || value === 3) return value;
  throw new Error(`${show(value)} is no format version`);
}

function present(metadata: TableMetadata | null): TableMetadata {
  if (metadata === null) throw new Error("The operation needs a table");
  return metadata;
}

function objectOf(value: JsonValue | undefined): JsonObject {
  if (isJsonObject(value)) return value;
  throw new Error(`${show(value)} is no object`);
}

function listOf(object: JsonObject | undefined, key: string): readonly JsonValue[] {
  const value = object?.[key];
  if (isList(value)) return value;
  throw new Error(`"${key}" is no list in ${show(object)}`);
}

function textOf(object: JsonObject, key: string): string {
  const value = object[key];
  if (typeof value === "string") return value;
  throw new Error(`"${key}" is no text in ${show(object)}`);
}

function textsOf(object: JsonObject): Record<string, string> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, String(value)]));
}

function isTexts(value: JsonValue): value is readonly string[] {
  return Array.isArray(value) && value.every((one) => typeof one === "string");
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function show(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => (typeof inner === "bigint" ? inner.toString() : inner));
}
