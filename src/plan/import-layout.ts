// The live partition spec, sort order and identifier as a table file says them, or why a file cannot: then the key
// is left out, which leaves what is live as it is. Pure.
import type { WrittenPartitionField, WrittenSortField } from "../desired/written-table.ts";
import { fieldPath, indexSchema } from "../iceberg/schema-index.ts";
import { checkPartitionSpecs, checkSchema, sourceProblem } from "../iceberg/schema-check.ts";
import { currentSchema, defaultSortOrder, defaultSpec, type TableMetadata } from "../iceberg/table-metadata.ts";
import {
  canonicalTransform,
  defaultFieldName,
  defaultFieldNameAtCreation,
  parseTransform,
  transformProblem,
} from "../iceberg/transform.ts";
import type { Schema } from "../iceberg/type.ts";

/** Null where there is nothing to say; `why` where there is and a file cannot say it. */
export type Imported<T> = { readonly value: T } | { readonly why: string } | null;

/** `isDeclared`: is the field of that id in the file? */
export type IsDeclared = (id: number) => boolean;

interface Source {
  readonly path: string;
  readonly dotted: string;
}

export function importPartitionBy(metadata: TableMetadata, isDeclared: IsDeclared): Imported<readonly WrittenPartitionField[]> {
  const schema = currentSchema(metadata);
  const fields = defaultSpec(metadata).fields.filter((field) => canonicalTransform(field.transform) !== "void");
  const written: WrittenPartitionField[] = [];
  const seen = new Set<string>();
  for (const field of fields) {
    const name = `partition field "${field.name}"`;
    const source = sourceOf(field, name, schema, isDeclared, seen);
    if ("why" in source) return source;
    const [problem] = checkPartitionSpecs(schema, [{ specId: 0, fields: [field] }], 0);
    if (problem !== undefined) return { why: `${name}: ${problem.why}` };
    const transform = parseTransform(field.transform);
    // Creation and evolution name some fields differently: only a name that both would give goes without saying.
    const isUsual = [defaultFieldName, defaultFieldNameAtCreation].every(
      (nameOf) => nameOf(transform, source.dotted) === field.name,
    );
    if (field.name === "") return { why: "a partition field has an empty name" };
    written.push({ source: source.path, transform: canonicalTransform(field.transform), name: isUsual ? null : field.name });
  }
  return written.length === 0 ? null : { value: written };
}

export function importSortBy(metadata: TableMetadata, isDeclared: IsDeclared): Imported<readonly WrittenSortField[]> {
  const schema = currentSchema(metadata);
  const written: WrittenSortField[] = [];
  const seen = new Set<string>();
  for (const field of defaultSortOrder(metadata).fields) {
    const source = sourceOf(field, `a sort field of ${field.transform}`, schema, isDeclared, seen);
    if ("why" in source) return source;
    const { direction, nullOrder } = field;
    written.push({ source: source.path, transform: canonicalTransform(field.transform), direction, nullOrder });
  }
  return written.length === 0 ? null : { value: written };
}

export function importIdentifier(metadata: TableMetadata, isDeclared: IsDeclared): Imported<readonly string[]> {
  const schema = currentSchema(metadata);
  const ids = schema.identifierFieldIds;
  if (ids.length === 0) return null;
  const wrong = checkSchema(schema).find((error) => error.category === "invalid_identifier");
  if (wrong !== undefined) return { why: wrong.why };
  const hidden = ids.find((id) => !isDeclared(id));
  if (hidden !== undefined) return { why: `field id ${hidden} is not declared` };
  return { value: ids.flatMap((id) => fieldPath(schema, id) ?? []) };
}

interface LayoutField {
  readonly sourceIds: readonly number[];
  readonly transform: string;
}

function sourceOf(
  { sourceIds, transform }: LayoutField,
  what: string,
  schema: Schema,
  isDeclared: IsDeclared,
  seen: Set<string>,
): Source | { readonly why: string } {
  const [id, second] = sourceIds;
  if (id === undefined || second !== undefined) return { why: `${what} has ${sourceIds.length} sources` };
  const node = indexSchema(schema).byId(id);
  const path = fieldPath(schema, id);
  if (node === undefined || path === undefined) return { why: `${what} is made from field id ${id}, which is no longer there` };
  if (!isDeclared(id)) return { why: `${what} is made from "${path}", which is not declared` };
  const problem = sourceProblem(node, transformProblem(parseTransform(transform), node.type));
  if (problem !== null) return { why: `${what}: ${problem}` };
  const key = `${canonicalTransform(transform)} ${id}`;
  if (seen.has(key)) return { why: `${what} says the same as another one` };
  seen.add(key);
  return { path, dotted: indexSchema(schema).fullName(id) ?? path };
}
