// What must hold of a schema: by itself, for a format version, and for the partition specs and sort orders of its
// table. Finds every problem, changes nothing. Which change led there is the update modules' business.
import { type EvolutionError, evolutionError } from "./evolution-error.ts";
import type { PartitionField, PartitionSpec } from "./partition-spec.ts";
import { enclosing, fieldPath, indexSchema } from "./schema-index.ts";
import type { FormatVersion, TableMetadata } from "./table-metadata.ts";
import { parseTransform, transformProblem } from "./transform.ts";
import { isNested, type Schema, type Type } from "./type.ts";
import { formatType } from "./type-text.ts";
import type { SchemaNode } from "./walk.ts";

/** The highest id that the format leaves to fields; above are its own (spec "Reserved Field IDs"). */
export const MAX_FIELD_ID = 2_147_483_447;

/** The parts of a table that a schema must fit. */
export type SchemaSurroundings = Pick<
  TableMetadata,
  "formatVersion" | "partitionSpecs" | "defaultSpecId" | "sortOrders" | "defaultSortOrderId"
>;

/** Types by the format version they start with; the others are of version 1. */
const NEWER_TYPES: Readonly<Partial<Record<Type["kind"], FormatVersion>>> = {
  timestamp_ns: 3,
  timestamptz_ns: 3,
  unknown: 3,
  variant: 3,
  geometry: 3,
  geography: 3,
};
const DEFAULTS_SINCE: FormatVersion = 3;

/** All that must hold before `schema` becomes the current schema of the table; `base` is the current one before. */
export function checkSchemaChange(base: Schema | null, schema: Schema, table: SchemaSurroundings): EvolutionError[] {
  return [
    ...checkSchema(schema),
    ...checkFormatVersion(schema, table.formatVersion),
    ...(base === null ? [] : checkPromotedSources(base, schema, table.partitionSpecs)),
    ...checkPartitionSpecs(schema, table.partitionSpecs, table.defaultSpecId),
    ...checkSortOrder(schema, table),
  ];
}

/** Names, ids, identifier fields, `unknown`: what holds in every table. */
export function checkSchema(schema: Schema): EvolutionError[] {
  return [...checkNames(schema), ...schemaNodes(schema).flatMap((node) => checkNode(node)), ...checkIdentifierFields(schema)];
}

function schemaNodes(schema: Schema): readonly SchemaNode[] {
  return indexSchema(schema).nodes;
}

// The format's API looks fields up by dotted names, so these must be unique over the whole schema: a column "a.b"
// cannot stand beside a struct "a" with a field "b".
function checkNames(schema: Schema): EvolutionError[] {
  const index = indexSchema(schema);
  const owners = new Map<string, number>();
  const found: EvolutionError[] = [];
  const fullNames = new Map<SchemaNode, string>();
  for (const node of index.nodes) {
    const name = node.parent === null ? node.name : `${fullNames.get(node.parent) ?? ""}.${node.name}`;
    fullNames.set(node, name);
    const owner = owners.get(name);
    if (owner === undefined) owners.set(name, node.id);
    else
      found.push(
        evolutionError("name_exists", `Two fields would have the name "${name}" (ids ${owner} and ${node.id})`, node.id),
      );
  }
  return found;
}

function checkNode(node: SchemaNode): EvolutionError[] {
  const found: EvolutionError[] = [];
  if (node.id > MAX_FIELD_ID) {
    found.push(evolutionError("conflicting_changes", `Field id ${node.id} of "${node.name}" is reserved by the format`, node.id));
  }
  if (node.type.kind === "unknown" && node.required) {
    found.push(evolutionError("unknown_must_be_optional", `"${node.name}" has type unknown, which is always null`, node.id));
  }
  return found;
}

/** Spec "Identifier Field IDs": primitive, required, no float, inside required structs only. */
function checkIdentifierFields(schema: Schema): EvolutionError[] {
  const index = indexSchema(schema);
  return schema.identifierFieldIds.flatMap((id) => {
    const node = index.byId(id);
    const why = node === undefined ? `The schema has no field with id ${id}` : identifierProblem(schema, node);
    return why === null ? [] : [evolutionError("invalid_identifier", why, id)];
  });
}

function identifierProblem(schema: Schema, node: SchemaNode): string | null {
  const path = fieldPath(schema, node.id) ?? node.name;
  const lead = `"${path}" cannot be an identifier field:`;
  if (isNested(node.type)) return `${lead} it is a ${node.type.kind}`;
  if (node.type.kind === "variant") return `${lead} it is a variant`;
  if (node.type.kind === "float" || node.type.kind === "double") return `${lead} ${node.type.kind} values are not exact`;
  if (!node.required) return `${lead} it is optional`;
  for (const outer of enclosing(node)) {
    if (outer === node) continue;
    if (outer.type.kind !== "struct") return `${lead} it is inside a ${outer.type.kind}`;
    if (!outer.required) return `${lead} "${outer.name}" around it is optional`;
  }
  return null;
}

/** Types and initial defaults that start with a later format version, each named; of one field Java tells the default. */
export function checkFormatVersion(schema: Schema, formatVersion: FormatVersion): EvolutionError[] {
  return schemaNodes(schema).flatMap((node) => {
    const since = NEWER_TYPES[node.type.kind] ?? 1;
    const problems: EvolutionError[] = [];
    if ((node.field?.initialDefault ?? null) !== null && formatVersion < DEFAULTS_SINCE) {
      const why = needsVersion(schema, node, "an initial default", DEFAULTS_SINCE, formatVersion);
      problems.push(evolutionError("default_needs_version", why, node.id));
    }
    if (since > formatVersion) {
      const text = isNested(node.type) ? node.type.kind : formatType(node.type);
      problems.push(
        evolutionError("type_needs_version", needsVersion(schema, node, `type ${text}`, since, formatVersion), node.id),
      );
    }
    return problems;
  });
}

function needsVersion(schema: Schema, node: SchemaNode, what: string, since: FormatVersion, present: FormatVersion): string {
  const path = fieldPath(schema, node.id) ?? node.name;
  return `"${path}" has ${what}, which needs format version ${since}; the table has ${present}`;
}

/** Versions only go up. */
export function checkFormatUpgrade(from: FormatVersion, to: number): EvolutionError | null {
  if (to >= from) return null;
  return evolutionError("downgrade_format", `The table has format version ${from}, and versions only go up`);
}

/**
 * Every spec of the table, also historical ones: the reference implementation binds them all to the new schema when
 * it reads the table, so that one clash of names makes the whole table unreadable.
 */
export function checkPartitionSpecs(schema: Schema, specs: readonly PartitionSpec[], defaultSpecId: number): EvolutionError[] {
  return specs.flatMap((spec) =>
    spec.fields.flatMap((field) => [
      ...checkFieldName(schema, field, spec.specId),
      ...(spec.specId === defaultSpecId ? checkFieldSources(schema, field) : []),
    ]),
  );
}

function checkFieldName(schema: Schema, field: PartitionField, specId: number): EvolutionError[] {
  const index = indexSchema(schema);
  const namesake = index.byName(field.name);
  const isGone = field.sourceIds.every((id) => index.byId(id) === undefined);
  if (namesake === undefined || isGone || field.sourceIds.includes(namesake.id)) return [];
  return [
    evolutionError(
      "partition_name_conflict",
      `Partition field "${field.name}" of spec ${specId} has another source than the column "${field.name}"`,
      namesake.id,
    ),
  ];
}

function checkFieldSources(schema: Schema, field: PartitionField): EvolutionError[] {
  const transform = parseTransform(field.transform);
  if (transform.kind === "void") return [];
  return field.sourceIds.flatMap((id) => {
    const source = indexSchema(schema).byId(id);
    if (source === undefined) {
      return [
        evolutionError(
          "partition_source_dropped",
          `Partition field "${field.name}" of the default spec is made from field id ${id}`,
          id,
        ),
      ];
    }
    const why = transform.kind === "unknown" ? null : sourceProblem(source, transformProblem(transform, source.type));
    return why === null ? [] : [evolutionError("invalid_transform_source", `Partition field "${field.name}": ${why}`, id)];
  });
}

/** Why a node cannot be the source of a partition field: its type, or a list or map around it. */
export function sourceProblem(source: SchemaNode, typeProblem: string | null): string | null {
  if (typeProblem !== null) return typeProblem;
  for (const outer of enclosing(source)) {
    if (outer !== source && outer.type.kind !== "struct") return `"${source.name}" is inside a ${outer.type.kind}`;
  }
  return null;
}

export function checkSortOrder(
  schema: Schema,
  table: Pick<SchemaSurroundings, "sortOrders" | "defaultSortOrderId">,
): EvolutionError[] {
  const order = table.sortOrders.find((one) => one.orderId === table.defaultSortOrderId);
  return (order?.fields ?? []).flatMap((field) =>
    field.sourceIds.flatMap((id) => {
      const source = indexSchema(schema).byId(id);
      if (source === undefined) {
        return [evolutionError("sort_source_dropped", `The default sort order sorts by field id ${id}`, id)];
      }
      const transform = parseTransform(field.transform);
      const why = transform.kind === "unknown" ? null : transformProblem(transform, source.type);
      return why === null ? [] : [evolutionError("sort_invalid", `The default sort order: ${why}`, id)];
    }),
  );
}

// Spec "Schema Evolution": a source must keep its partition values. Of the promotions only date to timestamp changes
// them, under identity and bucket; year, month and day stay the same.
function checkPromotedSources(base: Schema, schema: Schema, specs: readonly PartitionSpec[]): EvolutionError[] {
  return specs.flatMap((spec) =>
    spec.fields.flatMap((field) =>
      field.sourceIds.flatMap((id) => {
        const [before, after] = [indexSchema(base).byId(id), indexSchema(schema).byId(id)];
        if (before?.type.kind !== "date" || after === undefined || after.type.kind === "date") return [];
        const { kind } = parseTransform(field.transform);
        if (kind !== "identity" && kind !== "bucket") return [];
        return [
          evolutionError(
            "illegal_type_change",
            `Values of partition field "${field.name}" (spec ${spec.specId}) would change with the type of "${after.name}"`,
            id,
          ),
        ];
      }),
    ),
  );
}
