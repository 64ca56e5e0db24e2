// The schema that a rollback goes back to: that of before, or, where columns were changed on top of the conversion, the one of
// now with the converted columns as they were. Pure.
import { assignSchemaId } from "../iceberg/apply/assign-id.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { currentSchema, snapshotById, type TableMetadata } from "../iceberg/table-metadata.ts";
import { LAST_ADDED, type TableUpdate } from "../iceberg/table-update.ts";
import type { Field, Schema } from "../iceberg/type.ts";
import type { ConversionMemory } from "../plan/base.ts";

export type Undone = readonly [ConversionMemory, ...ConversionMemory[]];

export function schemaBack(metadata: TableMetadata, undone: Undone): readonly TableUpdate[] {
  const [first] = undone;
  if (metadata.currentSchemaId === madeSchemaId(metadata, undone))
    return [{ action: "set-current-schema", schemaId: first.before.schemaId }];
  const { fields, identifierFieldIds } = currentSchema(metadata);
  const retired = new Map(undone.map((memory) => [memory.newId, memory.retired]));
  const schema: Schema = {
    schemaId: 0,
    identifierFieldIds,
    fields: fields.map((field) => asBefore(field, retired.get(field.id))),
  };
  const { id, isKnown } = assignSchemaId(metadata, schema);
  if (isKnown) return [{ action: "set-current-schema", schemaId: id }];
  return [
    { action: "add-schema", schema, lastColumnId: metadata.lastColumnId },
    { action: "set-current-schema", schemaId: LAST_ADDED },
  ];
}

/** Under the name and the doc of now. */
function asBefore(field: Field, retired: Field | undefined): Field {
  if (retired === undefined) return field;
  const { doc: _, ...before } = retired;
  return { ...before, name: field.name, ...(field.doc === undefined ? {} : { doc: field.doc }) };
}

/** The schema of the conversion's commit: its snapshot names it; without one, it is the first that has the new columns. */
function madeSchemaId(metadata: TableMetadata, [first]: Undone): number | null {
  const [snapshotId] = Object.values(first.after);
  const named = snapshotId === undefined ? undefined : snapshotById(metadata, snapshotId)?.schemaId;
  if (named !== undefined && named !== null) return named;
  const made = metadata.schemas.filter((schema) => indexSchema(schema).byId(first.newId) !== undefined);
  return made.length === 0 ? null : Math.min(...made.map(({ schemaId }) => schemaId));
}
