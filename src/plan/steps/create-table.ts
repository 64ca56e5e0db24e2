// create-table: a declared table that the catalog does not have. One step for the whole of it.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { DeclaredPartitionField, DeclaredSortField } from "../../desired/table-spec.ts";
import { isPathError, parsePath } from "../../iceberg/field-path.ts";
import type { JsonObject } from "../../iceberg/json.ts";
import type { PartitionField } from "../../iceberg/partition-spec.ts";
import { indexSchema } from "../../iceberg/schema-index.ts";
import type { SortField } from "../../iceberg/sort-order.ts";
import { type FormatVersion, NEWEST_FORMAT_VERSION } from "../../iceberg/table-metadata.ts";
import { canonicalTransform, defaultFieldNameAtCreation, parseTransform, transformProblem } from "../../iceberg/transform.ts";
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
    const found: Diagnostic[] = [];
    const parts = newTableParts(pair, found);
    return found.length > 0 ? found : [createStep(parts, pair)];
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

function newTableParts(pair: TablePair, found: Diagnostic[]): NewTableParts {
  const { spec } = pair;
  const formatVersion = toFormatVersion(spec.formatVersion ?? spec.newTableFormatVersion);
  const ids = placeholders();
  const fields = spec.columns.map((field) => toField(field, [], ids, formatVersion >= 3));
  const identifierFieldIds = (spec.identifierFields ?? []).flatMap(
    (path) => idOf(path.value, ids) ?? missing(path.value, path.place, pair, found),
  );
  const schema: Schema = { schemaId: 0, identifierFieldIds, fields };
  const partitions = (spec.partitionBy ?? []).flatMap((field, index) => partitionField(field, index, schema, ids, pair, found));
  const sorts = (spec.sortBy ?? []).flatMap((field) => sortField(field, schema, ids, pair, found));
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

function idOf(path: string, ids: Placeholders): number | undefined {
  return ids.byPath.get(path);
}

function missing(path: string, place: Diagnostic["place"], pair: TablePair, found: Diagnostic[]): never[] {
  found.push(
    diagnostic("field-unknown", {
      what: `Cannot find column "${path}" in the declaration of "${pair.spec.name}"`,
      why: "partition, sort and identifier fields must be declared columns",
      mend: "Declare the column, or correct the name",
      table: pair.spec.name,
      ...(place === undefined ? {} : { place }),
    }),
  );
  return [];
}

function partitionField(
  declared: DeclaredPartitionField,
  index: number,
  schema: Schema,
  ids: Placeholders,
  pair: TablePair,
  found: Diagnostic[],
): PartitionField[] {
  const source = sourceOf(declared, schema, ids, pair, found);
  if (source === null) return [];
  const transform = parseTransform(declared.transform);
  return [
    {
      sourceIds: [source.id],
      fieldId: 1000 + index,
      transform: canonicalTransform(declared.transform),
      name: declared.name ?? defaultFieldNameAtCreation(transform, source.fullName),
    },
  ];
}

function sortField(
  declared: DeclaredSortField,
  schema: Schema,
  ids: Placeholders,
  pair: TablePair,
  found: Diagnostic[],
): SortField[] {
  const source = sourceOf(declared, schema, ids, pair, found);
  if (source === null) return [];
  const { direction, nullOrder, transform } = declared;
  return [{ sourceIds: [source.id], transform: canonicalTransform(transform), direction, nullOrder }];
}

function sourceOf(
  declared: DeclaredPartitionField | DeclaredSortField,
  schema: Schema,
  ids: Placeholders,
  pair: TablePair,
  found: Diagnostic[],
): { readonly id: number; readonly fullName: string } | null {
  const id = idOf(declared.source, ids);
  const node = id === undefined ? undefined : indexSchema(schema).byId(id);
  if (id === undefined || node === undefined) {
    missing(declared.source, declared.place, pair, found);
    return null;
  }
  const problem = transformProblem(parseTransform(declared.transform), node.type);
  if (problem !== null) {
    found.push(
      diagnostic("transform-invalid", {
        what: `Cannot use ${declared.transform} on "${declared.source}"`,
        why: problem,
        mend: "Choose a transform that fits the column's type",
        place: declared.place,
        table: pair.spec.name,
        field: declared.source,
      }),
    );
    return null;
  }
  const segments = parsePath(declared.source);
  return { id, fullName: isPathError(segments) ? declared.source : segments.join(".") };
}
