// A commit in two parts, for catalogs that give ids by a rule of their own: first the schema is added and not yet made
// current, then everything else names it by the id that it got. What stands in files of a rewrite is that id; the
// partition specs and sort orders of rewritten files do not change. Pure.
import { sameSchema } from "./apply/same-schema.ts";
import { PENDING_PROPERTY } from "./commit.ts";
import { formatIdRanges } from "./id-ranges.ts";
import { indexSchema } from "./schema-index.ts";
import { highestFieldId, type TableMetadata } from "./table-metadata.ts";
import type { TableRequirement } from "./table-requirement.ts";
import { LAST_ADDED, type TableUpdate } from "./table-update.ts";
import type { Schema } from "./type.ts";

/** What of a planned change has to do with ids. */
export interface PlannedIds {
  readonly requirements: readonly TableRequirement[];
  readonly updates: readonly TableUpdate[];
  /** As it will stand. */
  readonly schema: Schema;
}

/**
 * The first part, on the table that was read; null where the change adds no schema. The table says that the schema waits, so
 * that an apply that is killed before the second part is taken up with the same ids.
 */
export function definitionsOnly(change: PlannedIds, before: TableMetadata): Omit<PlannedIds, "schema"> | null {
  const added = change.updates.filter(({ action }) => action === "add-schema");
  if (added.length === 0) return null;
  const given = highestFieldId(before);
  const newIds = indexSchema(change.schema).nodes.flatMap(({ id }) => (id > given ? [id] : []));
  const waits = { action: "set-properties" as const, updates: { [PENDING_PROPERTY]: formatIdRanges(newIds) } };
  return { requirements: change.requirements, updates: newIds.length === 0 ? added : [...added, waits] };
}

/** The second part, on the table that the first one left; null where the added schema is not there. */
export function withKnownIds<C extends PlannedIds>(change: C, after: TableMetadata): C | null {
  const known = after.schemas.find((schema) => sameSchema(schema, change.schema));
  if (known === undefined) return null;
  return {
    ...change,
    schema: { ...change.schema, schemaId: known.schemaId },
    updates: change.updates.flatMap((update): readonly TableUpdate[] => {
      if (update.action === "add-schema") return [];
      const isAdded = update.action === "set-current-schema" && update.schemaId === LAST_ADDED;
      return [isAdded ? { action: "set-current-schema", schemaId: known.schemaId } : update];
    }),
    requirements: change.requirements.map((requirement) =>
      requirement.type === "assert-last-assigned-field-id"
        ? { ...requirement, lastAssignedFieldId: after.lastColumnId }
        : requirement,
    ),
  };
}
