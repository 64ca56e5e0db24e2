// create-table: a declared table that the catalog does not have. One step for the whole of it.
import { bug } from "../../diagnostics/tool-error.ts";
import type { DeclaredPartitionField, DeclaredSortField } from "../../desired/table-spec.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import type { PartitionField } from "../../iceberg/partition-spec.ts";
import { indexSchema } from "../../iceberg/schema-index.ts";
import type { SortField } from "../../iceberg/sort-order.ts";
import { type FormatVersion, NEWEST_FORMAT_VERSION } from "../../iceberg/table-metadata.ts";
import { canonicalTransform, defaultFieldNameAtCreation, parseTransform } from "../../iceberg/transform.ts";
import type { Schema } from "../../iceberg/type.ts";
import { OWNER_KEY } from "../base.ts";
import type { NewTableParts } from "../table-change.ts";
import { type Placeholders, placeholders, toField } from "../declared-schema.ts";
import { declaredTypeText } from "../declared-type.ts";
import { createTableSql } from "../create-sql.ts";
import { partitionText } from "../partition-difference.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { TablePair } from "../table-pair.ts";
import { plural } from "../../diagnostics/number-words.ts";
import { COMMENT_PROPERTY } from "./set-comment.ts";

export const createTable: StepKind = {
  kind: "create-table",
  detect(pair) {
    if (pair.live !== null) return [];
    return [createStep(newTableParts(pair), pair)];
  },
};

function createStep(parts: NewTableParts, pair: TablePair): PlannedStep {
  const { spec } = pair;
  const partitions = (spec.partitionBy ?? []).map((field) => partitionText(field.transform, field.source));
  return planStep(pair, {
    kind: "create-table",
    path: null,
    effect: "metadata",
    before: null,
    after: {
      "format-version": parts.formatVersion,
      columns: spec.columns.map(
        (field): JsonObject => ({ name: field.name, type: declaredTypeText(field.type), required: field.required }),
      ),
      "partition-by": partitions,
      properties: { ...parts.properties },
    },
    place: spec.place,
    sql: createTableSql(pair, parts),
    edit: (draft) => {
      draft.newTable = parts;
    },
    text: () => ({
      symbol: "+",
      subject: spec.name,
      change: `new table, ${plural(spec.columns.length, "column", "columns")}`,
      detail: [
        `format version ${parts.formatVersion}`,
        partitions.length === 0 ? "unpartitioned" : `partitioned by ${partitions.join(", ")}`,
      ].join(", "),
    }),
  });
}

function newTableParts(pair: TablePair): NewTableParts {
  const { spec } = pair;
  const formatVersion = toFormatVersion(spec.formatVersion ?? spec.newTableFormatVersion);
  const ids = placeholders();
  const fields = spec.columns.map((field) => toField(field, [], ids, formatVersion >= 3));
  const identifierFieldIds = (spec.identifierFields ?? []).map(({ value }) => idOf(value, ids));
  const schema: Schema = { schemaId: 0, identifierFieldIds, fields };
  const partitions = (spec.partitionBy ?? []).map((field, index) => partitionField(field, index, schema, ids));
  const sorts = (spec.sortBy ?? []).map((field) => sortField(field, ids));
  return {
    formatVersion,
    schema,
    spec: { specId: 0, fields: partitions },
    sortOrder: { orderId: sorts.length === 0 ? 0 : 1, fields: sorts },
    properties: newProperties(pair),
    location: spec.location,
  };
}

function newProperties({ spec }: TablePair): Record<string, string> {
  const properties = new Map(spec.newTableProperties);
  for (const [key, { value }] of spec.properties) {
    if (value === null) properties.delete(key);
    else properties.set(key, value);
  }
  const comment = spec.comment?.value ?? "";
  if (comment !== "") properties.set(COMMENT_PROPERTY, comment);
  if (spec.project !== null && spec.remember) properties.set(OWNER_KEY, spec.project);
  return Object.fromEntries([...properties].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function toFormatVersion(version: number): FormatVersion {
  return version === 1 || version === 2 ? version : NEWEST_FORMAT_VERSION;
}

/** What a file names is declared: it was not read else. */
function idOf(path: string, ids: Placeholders): number {
  const id = ids.byPath.get(path);
  if (id === undefined) throw bug("A partition, sort or identifier field is not declared", { path });
  return id;
}

function partitionField(declared: DeclaredPartitionField, index: number, schema: Schema, ids: Placeholders): PartitionField {
  const id = idOf(declared.source, ids);
  const fullName = indexSchema(schema).segments(id).join(".");
  return {
    sourceIds: [id],
    fieldId: 1000 + index,
    transform: canonicalTransform(declared.transform),
    name: declared.name ?? defaultFieldNameAtCreation(parseTransform(declared.transform), fullName),
  };
}

function sortField({ source, direction, nullOrder, transform }: DeclaredSortField, ids: Placeholders): SortField {
  return { sourceIds: [idOf(source, ids)], transform: canonicalTransform(transform), direction, nullOrder };
}
