// The declared partition fields beside the live default spec. The order of fields is not compared: the format
// cannot reorder a spec, and no reader depends on it. Pure.
import type { DeclaredPartitionField } from "../desired/table-spec.ts";
import type { PartitionField } from "../iceberg/partition-spec.ts";
import { fieldPath } from "../iceberg/schema-index.ts";
import { canonicalTransform, defaultFieldName, defaultFieldNameAtCreation, parseTransform } from "../iceberg/transform.ts";
import type { Schema } from "../iceberg/type.ts";

export interface PartitionDifference {
  readonly added: readonly DeclaredPartitionField[];
  readonly removed: readonly PartitionField[];
  readonly renamed: readonly { readonly field: PartitionField; readonly name: string }[];
}

/** `idOf` gives the live id of a declared path; undefined for a field that is to be made. */
export function partitionDifference(
  declared: readonly DeclaredPartitionField[],
  live: readonly PartitionField[],
  idOf: (path: string) => number | undefined,
): PartitionDifference {
  const left = new Set(live.filter((field) => field.transform !== "void"));
  const added: DeclaredPartitionField[] = [];
  const renamed: { field: PartitionField; name: string }[] = [];
  for (const wanted of declared) {
    const id = idOf(wanted.source);
    const same = [...left].find(
      (field) =>
        field.sourceIds.length === 1 &&
        field.sourceIds[0] === id &&
        canonicalTransform(field.transform) === canonicalTransform(wanted.transform),
    );
    if (same === undefined) {
      added.push(wanted);
      continue;
    }
    left.delete(same);
    if (wanted.name !== null && wanted.name !== same.name) renamed.push({ field: same, name: wanted.name });
  }
  return { added, removed: [...left], renamed };
}

export function isSamePartitioning({ added, removed, renamed }: PartitionDifference): boolean {
  return added.length === 0 && removed.length === 0 && renamed.length === 0;
}

/** `day(ordered_at)`, `ship_day`, `bucket(16, customer)`: the declared form. */
export function partitionText(transform: string, source: string): string {
  const canonical = canonicalTransform(transform);
  if (canonical === "identity") return source;
  const argument = /^(\w+)\[(\d+)\]$/.exec(canonical);
  return argument === null ? `${canonical}(${source})` : `${argument[1]}(${argument[2]}, ${source})`;
}

/** The live fields in the declared form; sources that the schema no longer has are shown by id. */
export function partitionTexts(fields: readonly PartitionField[], schema: Schema): string[] {
  return fields.map((field) => {
    const sources = field.sourceIds.map((id) => fieldPath(schema, id) ?? `id ${id}`).join(", ");
    return `${partitionText(field.transform, sources)} as ${field.name}`;
  });
}

/** The same for people: a name that goes without saying is not said. */
export function shownPartitionTexts(fields: readonly PartitionField[], schema: Schema): string[] {
  return partitionTexts(fields, schema).map((whole, index) => {
    const field = fields[index];
    const path = field === undefined ? undefined : fieldPath(schema, field.sourceIds[0] ?? -1);
    if (field === undefined || path === undefined) return whole;
    const transform = parseTransform(field.transform);
    const isUsual = [defaultFieldName, defaultFieldNameAtCreation].some((nameOf) => nameOf(transform, path) === field.name);
    return isUsual ? partitionText(field.transform, path) : whole;
  });
}
