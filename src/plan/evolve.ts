// The commit of a change to a live table: one schema, one set of properties, in the order that every catalog
// takes, with the requirements that pin what the ids were computed from.
import { type EvolutionError, evolutionError, isEvolutionError } from "../iceberg/evolution-error.ts";
import { assignSchemaId } from "../iceberg/apply/assign-id.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { TableRequirement } from "../iceberg/table-requirement.ts";
import { LAST_ADDED, type TableUpdate } from "../iceberg/table-update.ts";
import type { Schema } from "../iceberg/type.ts";
import { columnKeyChanges } from "./column-keys.ts";
import type { PlacedField, TableDraft } from "./draft.ts";
import type { TableChange } from "./table-change.ts";
import type { FieldKey } from "./level-order.ts";
import { partitionPart, sortPart } from "./evolve-layout.ts";
import { splitPath } from "./split-path.ts";
import type { LivePair } from "./table-pair.ts";

export function makeEvolution(draft: TableDraft, live: LivePair): TableChange | EvolutionError {
  const { metadata } = live;
  placeFields(draft);
  setIdentifier(draft);
  const result = draft.schema.apply();
  if (isEvolutionError(result)) return result;

  const updates: TableUpdate[] = [];
  const requirements: TableRequirement[] =
    metadata.tableUuid === null ? [] : [{ type: "assert-table-uuid", uuid: metadata.tableUuid }];
  if (draft.formatVersion !== null) updates.push({ action: "upgrade-format-version", formatVersion: draft.formatVersion });
  if (draft.removedSpecs.length > 0) {
    updates.push({ action: "remove-partition-specs", specIds: draft.removedSpecs });
    requirements.push({ type: "assert-default-spec-id", defaultSpecId: metadata.defaultSpecId });
  }
  let schema = currentSchema(metadata);
  if (result.schema !== draft.schema.base) {
    const made = schemaUpdates(metadata, result.schema, result.lastColumnId);
    schema = made.schema;
    updates.push(...made.updates);
    requirements.push(
      { type: "assert-current-schema-id", currentSchemaId: metadata.currentSchemaId },
      { type: "assert-last-assigned-field-id", lastAssignedFieldId: metadata.lastColumnId },
    );
  }
  for (const part of [partitionPart(draft, live, schema), sortPart(draft, live, schema)]) {
    if (isEvolutionError(part)) return part;
    updates.push(...part.updates);
    requirements.push(...part.requirements);
  }
  const properties = new Map([...columnKeyChanges(metadata, result), ...draft.properties]);
  updates.push(...propertyUpdates(properties, metadata));
  if (draft.needsSameData || draft.conversions.length > 0 || draft.removedSpecs.length > 0)
    requirements.push(...refRequirements(metadata));
  const { conversions, catalogParameters, syncsCatalog } = draft;
  return { createsNamespace: false, newTable: null, updates, requirements, schema, conversions, catalogParameters, syncsCatalog };
}

/** A schema that the metadata knows already is made current by its own id, never added again (REST: −1 would then be refused). */
function schemaUpdates(
  metadata: TableMetadata,
  made: Schema,
  lastColumnId: number,
): { readonly updates: readonly TableUpdate[]; readonly schema: Schema } {
  const { id, isKnown } = assignSchemaId(metadata, made);
  const schema: Schema = { ...made, schemaId: id };
  if (isKnown) return { updates: [{ action: "set-current-schema", schemaId: id }], schema };
  return {
    updates: [
      { action: "add-schema", schema, lastColumnId },
      { action: "set-current-schema", schemaId: LAST_ADDED },
    ],
    schema,
  };
}

export function propertyUpdates(
  properties: ReadonlyMap<string, string | null>,
  metadata: Pick<TableMetadata, "properties"> | null,
): TableUpdate[] {
  const set = [...properties].filter((entry): entry is [string, string] => entry[1] !== null);
  const removals = [...properties].flatMap(([key, value]) =>
    value === null && Object.hasOwn(metadata?.properties ?? {}, key) ? [key] : [],
  );
  return [
    ...(set.length === 0 ? [] : [{ action: "set-properties" as const, updates: Object.fromEntries(set) }]),
    ...(removals.length === 0 ? [] : [{ action: "remove-properties" as const, removals }]),
  ];
}

function refRequirements(metadata: TableMetadata): TableRequirement[] {
  const refs = Object.entries(metadata.refs).filter(([, ref]) => ref.type === "branch");
  if (refs.length === 0) return [{ type: "assert-ref-snapshot-id", ref: "main", snapshotId: null }];
  return refs.map(([ref, { snapshotId }]) => ({ type: "assert-ref-snapshot-id", ref, snapshotId }));
}

/** By declared paths on the schema as the other edits leave it. */
function setIdentifier(draft: TableDraft): void {
  if (draft.identifierPaths === null) return;
  const index = indexSchema(draft.schema.preview());
  const ids = draft.identifierPaths.flatMap((path) => {
    const node = index.byPath(splitPath(path));
    if (node === undefined)
      draft.errors.push(evolutionError("missing_column", `The identifier field "${path}" is no declared column`));
    return node === undefined ? [] : [node.id];
  });
  draft.schema.setIdentifierFieldIds(ids);
}

/** In target order of each struct, so that every field finds its predecessor already in place. */
function placeFields(draft: TableDraft): void {
  const replaced = new Map(draft.conversions.map((conversion) => [conversion.fieldId, conversion.newId]));
  const byLevel = new Map<PlacedField["level"], PlacedField[]>();
  for (const placed of draft.placed) {
    const known = byLevel.get(placed.level);
    if (known === undefined) byLevel.set(placed.level, [placed]);
    else known.push(placed);
  }
  for (const [level, placed] of byLevel) {
    const target = draft.pair.pair?.orders.get(level)?.target ?? [];
    const rank = new Map(target.map((key, index) => [key, index]));
    const idOf = (key: FieldKey): number => {
      if (key.startsWith("new:")) return draft.newIds.get(level)?.get(key) ?? -1;
      const id = Number(key.slice("id:".length));
      return replaced.get(id) ?? id;
    };
    for (const { placement } of [...placed].sort((a, b) => (rank.get(a.placement.key) ?? 0) - (rank.get(b.placement.key) ?? 0))) {
      draft.got(
        draft.schema.moveField(idOf(placement.key), placement.after === null ? "first" : { after: idOf(placement.after) }),
      );
    }
  }
}
