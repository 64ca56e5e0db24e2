// Replays one case of the evolution conformance file through the core and tells how its end differs from the one that
// the reference implementation gave. Knows the file's format; decides nothing about evolution itself.
import { isDeepStrictEqual } from "node:util";
import { assignSchemaId } from "../src/iceberg/apply/assign-id.ts";
import { columnPropertyChanges } from "../src/iceberg/column-properties.ts";
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
import { writePartitionSpec } from "../src/iceberg/partition-spec-json.ts";
import { startPartitionSpecUpdate } from "../src/iceberg/partition-spec-update.ts";
import { updateSpecByName } from "../src/iceberg/partition-spec-update-by-name.ts";
import { checkFormatUpgrade, checkSchemaChange } from "../src/iceberg/schema-check.ts";
import { writeSchema } from "../src/iceberg/schema-json.ts";
import { type SchemaUpdateResult, startSchemaUpdate } from "../src/iceberg/schema-update.ts";
import { updateByName } from "../src/iceberg/schema-update-by-name.ts";
import { writeSortOrder } from "../src/iceberg/sort-order-json.ts";
import { buildSortOrder } from "../src/iceberg/sort-order-update.ts";
import {
  currentSchema,
  defaultSortOrder,
  defaultSpec,
  type FormatVersion,
  type TableMetadata,
} from "../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../src/iceberg/table-update.ts";
import type { Schema } from "../src/iceberg/type.ts";
import { isTexts, listOf, objectOf, show, textItem, textOf, textsOf } from "./conformance-json.ts";
import { changeColumn, changePartitionField, sortField } from "./conformance-operations.ts";
import { baseTable, commit, createTable } from "./conformance-tables.ts";

export type Verdict = { readonly right: true; readonly note?: string } | { readonly right: false; readonly difference: string };

interface Replay {
  readonly metadata: TableMetadata | null;
  readonly promotions: "engines" | "spec";
}

type Step = (replay: Replay, operations: readonly JsonObject[]) => TableMetadata | EvolutionError;

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
  if (wanted["error"] !== undefined) return wrong("the change was allowed", `error ${show(wanted["error"])}`);
  if (metadata === null) return wrong("there is no table", "a table");
  return compareTable(metadata, wanted);
}

/** One commit of operations of one family, as the groups of a case are made. */
export function commitChange(metadata: TableMetadata | null, operations: readonly JsonObject[]): TableMetadata | EvolutionError {
  return stepOf(textOf(objectOf(operations[0]), "op"))({ metadata, promotions: "engines" }, operations);
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
    const ignoresCase = operation?.["case_insensitive"] === true;
    const base = { schema: currentSchema(table), sortOrders, ignoresCase };
    const order = buildSortOrder(base, listOf(operation, "fields").map(sortField));
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
    commit(present(metadata), [{ action: "remove-properties", removals: listOf(operation, "keys").map(textItem) }]),
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
  let ignoresCase = false;
  for (const operation of operations) {
    const error = changeColumn(update, operation, { formatVersion: table.formatVersion, ignoresCase });
    if (error !== null) return error;
    ignoresCase ||= operation["op"] === "case_insensitive";
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

function versionOf(value: JsonValue | undefined): FormatVersion {
  if (value === 1 || value === 2 || value === 3) return value;
  throw new Error(`${show(value)} is no format version`);
}

function present(metadata: TableMetadata | null): TableMetadata {
  if (metadata === null) throw new Error("The operation needs a table");
  return metadata;
}
