// Properties that name columns and must follow a rename or a drop in the same commit: the three prefixes that
// the reference implementation keeps in step, and the name mapping of files without field ids. A conversion
// leaves the mapping alone: the name stays with the retired id, so that old snapshots read right.
import { columnPropertyChanges } from "../iceberg/column-properties.ts";
import {
  formatNameMapping,
  isNameMapping,
  NAME_MAPPING_PROPERTY,
  parseNameMapping,
  updateNameMapping,
} from "../iceberg/name-mapping.ts";
import type { SchemaUpdateResult } from "../iceberg/schema-update.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";

/** Key → new value; null removes the key. */
export function columnKeyChanges(metadata: TableMetadata, result: SchemaUpdateResult): ReadonlyMap<string, string | null> {
  const changes = new Map<string, string | null>();
  const { remove, set } = columnPropertyChanges(metadata.properties, currentSchema(metadata), result.schema, result.changes);
  for (const key of remove) changes.set(key, null);
  for (const [key, value] of Object.entries(set)) changes.set(key, value);
  const mapping = mappingAfter(metadata, result);
  if (mapping !== null) changes.set(NAME_MAPPING_PROPERTY, mapping);
  return changes;
}

/** Null when there is no mapping, it does not parse (left as it is), or nothing in it changes. */
function mappingAfter(metadata: TableMetadata, { schema, changes }: SchemaUpdateResult): string | null {
  const text = metadata.properties[NAME_MAPPING_PROPERTY];
  if (text === undefined) return null;
  const mapping = parseNameMapping(text);
  if (!isNameMapping(mapping)) return null;
  const converted = new Set(changes.replaced.values());
  const updated = formatNameMapping(
    updateNameMapping(mapping, schema, {
      ...changes,
      added: changes.added.filter((id) => !converted.has(id)),
      replaced: new Map(),
    }),
  );
  return updated === formatNameMapping(mapping) ? null : updated;
}
