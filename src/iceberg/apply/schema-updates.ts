// add-schema, set-current-schema and remove-schemas, by the rules of Java's TableMetadata.Builder. Whether the
// default spec and sort order fit the current schema is checked at the end of the commit (finish.ts).
import { checkFormatVersion, checkPartitionSpecs, checkSchema } from "../schema-check.ts";
import { indexSchema } from "../schema-index.ts";
import { schemaById } from "../table-metadata.ts";
import { LAST_ADDED } from "../table-update.ts";
import type { UpdateByAction } from "../update-json.ts";
import { assignSchemaId } from "./assign-id.ts";
import { change, type Draft, refused } from "./draft.ts";

/** No spec has it: sources are checked for none. */
const NO_SPEC_ID = -1;

/** The id in the update is only a hint, and so is its last column id: Java counts the schema's own highest. */
export function addSchema(draft: Draft, { schema }: UpdateByAction["add-schema"]): Draft {
  const { metadata } = draft;
  const problems = [...checkSchema(schema), ...checkFormatVersion(schema, metadata.formatVersion)];
  if (problems.length > 0) throw refused("Cannot add the schema", problems.map(({ why }) => why).join("; "));
  const lastColumnId = indexSchema(schema).nodes.reduce((highest, node) => Math.max(highest, node.id), metadata.lastColumnId);
  const { id, isKnown } = assignSchemaId(metadata, schema);
  if (isKnown && lastColumnId === metadata.lastColumnId) {
    // Java's rule: once a schema that the table has was "added", nothing counts as added last any more.
    const isOurs = draft.lastAdded.schemaId !== null && draft.addedSchemaIds.has(id);
    return { ...draft, lastAdded: { ...draft.lastAdded, schemaId: isOurs ? id : null } };
  }
  const schemas = isKnown ? metadata.schemas : [...metadata.schemas, { ...schema, schemaId: id }];
  return {
    ...change(draft, { schemas, lastColumnId }),
    lastAdded: { ...draft.lastAdded, schemaId: id },
    addedSchemaIds: new Set([...draft.addedSchemaIds, id]),
  };
}

/** Column names must not clash with the partition fields of any spec, historical ones too; sources are checked at the end. */
export function setCurrentSchema(draft: Draft, update: UpdateByAction["set-current-schema"]): Draft {
  const schemaId = update.schemaId === LAST_ADDED ? draft.lastAdded.schemaId : update.schemaId;
  if (schemaId === null) {
    throw refused("Cannot set the current schema", "It should be the one added last, and this commit has added none that is new");
  }
  const { metadata } = draft;
  if (schemaId === metadata.currentSchemaId) return draft;
  const schema = schemaById(metadata, schemaId);
  if (schema === undefined) throw refused("Cannot set the current schema", `The table has no schema ${schemaId}`);
  const conflicts = checkPartitionSpecs(schema, metadata.partitionSpecs, NO_SPEC_ID);
  if (conflicts.length > 0) throw refused("Cannot set the current schema", conflicts.map(({ why }) => why).join("; "));
  return change(draft, { currentSchemaId: schemaId });
}

export function removeSchemas(draft: Draft, { schemaIds }: UpdateByAction["remove-schemas"]): Draft {
  const { schemas, currentSchemaId } = draft.metadata;
  if (schemaIds.includes(currentSchemaId)) throw refused(`Cannot remove schema ${currentSchemaId}`, "It is the current schema");
  const kept = schemas.filter((schema) => !schemaIds.includes(schema.schemaId));
  return kept.length === schemas.length ? draft : change(draft, { schemas: kept });
}
