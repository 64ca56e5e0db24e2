// Table updates of the REST model in their JSON form, both ways (REST spec, TableUpdate), one entry an action.
// Ids are exact. Applying them is apply-update.ts's.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonObject, JsonValue } from "./json.ts";
import {
  arrayMember,
  corrupt,
  intAt,
  intMember,
  isAbsent,
  join,
  longAt,
  member,
  objectAt,
  optionalInt,
  stringMapAt,
  stringMember,
} from "./json-fields.ts";
import { readPartitionSpec, writePartitionSpec } from "./partition-spec-json.ts";
import { indexSchema } from "./schema-index.ts";
import { readSchema, writeSchema } from "./schema-json.ts";
import { readSnapshot, readSnapshotRef, writeSnapshot, writeSnapshotRef } from "./snapshot-json.ts";
import { readSortOrder, writeSortOrder } from "./sort-order-json.ts";
import type { TableUpdate, TableUpdateAction } from "./table-update.ts";
import type { Schema } from "./type.ts";

/** The update of each action. */
export type UpdateByAction = { readonly [A in TableUpdateAction]: Extract<TableUpdate, { readonly action: A }> };

interface UpdateForm<U> {
  /** The members of the object beside `action`. */
  readonly write: (update: U) => JsonObject;
  readonly read: (object: JsonObject, path: string) => U;
}

type UpdateForms = { readonly [A in TableUpdateAction]: UpdateForm<UpdateByAction[A]> };

const FORMS: UpdateForms = {
  "assign-uuid": {
    write: ({ uuid }) => ({ uuid }),
    read: (object, path) => ({ action: "assign-uuid", uuid: stringMember(object, "uuid", path) }),
  },
  "upgrade-format-version": {
    write: ({ formatVersion }) => ({ "format-version": formatVersion }),
    read: (object, path) => ({ action: "upgrade-format-version", formatVersion: intMember(object, "format-version", path) }),
  },
  "add-schema": {
    write: ({ schema, lastColumnId }) => ({ schema: writeSchema(schema), "last-column-id": lastColumnId }),
    read: (object, path) => {
      const schema = readSchema(member(object, "schema"), join(path, "schema"));
      return {
        action: "add-schema",
        schema,
        lastColumnId: optionalInt(object, "last-column-id", path) ?? highestFieldId(schema),
      };
    },
  },
  "set-current-schema": {
    write: ({ schemaId }) => ({ "schema-id": schemaId }),
    read: (object, path) => ({ action: "set-current-schema", schemaId: intMember(object, "schema-id", path) }),
  },
  "add-spec": {
    write: ({ spec }) => ({ spec: writePartitionSpec(spec) }),
    read: (object, path) => ({ action: "add-spec", spec: readPartitionSpec(member(object, "spec"), join(path, "spec")) }),
  },
  "set-default-spec": {
    write: ({ specId }) => ({ "spec-id": specId }),
    read: (object, path) => ({ action: "set-default-spec", specId: intMember(object, "spec-id", path) }),
  },
  "add-sort-order": {
    write: ({ sortOrder }) => ({ "sort-order": writeSortOrder(sortOrder) }),
    read: (object, path) => ({
      action: "add-sort-order",
      sortOrder: readSortOrder(member(object, "sort-order"), join(path, "sort-order")),
    }),
  },
  "set-default-sort-order": {
    write: ({ sortOrderId }) => ({ "sort-order-id": sortOrderId }),
    read: (object, path) => ({ action: "set-default-sort-order", sortOrderId: intMember(object, "sort-order-id", path) }),
  },
  "add-snapshot": {
    write: ({ snapshot }) => ({ snapshot: writeSnapshot(snapshot) }),
    read: (object, path) => ({
      action: "add-snapshot",
      snapshot: readSnapshot(member(object, "snapshot"), join(path, "snapshot")),
    }),
  },
  "set-snapshot-ref": {
    write: ({ refName, ref }) => ({ "ref-name": refName, ...writeSnapshotRef(ref) }),
    read: (object, path) => ({
      action: "set-snapshot-ref",
      refName: stringMember(object, "ref-name", path),
      ref: readSnapshotRef(object, path),
    }),
  },
  "remove-snapshots": {
    write: ({ snapshotIds }) => ({ "snapshot-ids": snapshotIds }),
    read: (object, path) => ({ action: "remove-snapshots", snapshotIds: readAll(object, "snapshot-ids", path, longAt) }),
  },
  "remove-snapshot-ref": {
    write: ({ refName }) => ({ "ref-name": refName }),
    read: (object, path) => ({ action: "remove-snapshot-ref", refName: stringMember(object, "ref-name", path) }),
  },
  "set-location": {
    write: ({ location }) => ({ location }),
    read: (object, path) => ({ action: "set-location", location: stringMember(object, "location", path) }),
  },
  "set-properties": {
    write: ({ updates }) => ({ updates }),
    read: (object, path) => {
      const key = newerKey(object, "updates", "updated");
      return { action: "set-properties", updates: stringMapAt(member(object, key), join(path, key)) };
    },
  },
  "remove-properties": {
    write: ({ removals }) => ({ removals }),
    read: (object, path) => ({
      action: "remove-properties",
      removals: readAll(object, newerKey(object, "removals", "removed"), path, textAt),
    }),
  },
  "remove-partition-specs": {
    write: ({ specIds }) => ({ "spec-ids": specIds }),
    read: (object, path) => ({ action: "remove-partition-specs", specIds: readAll(object, "spec-ids", path, intAt) }),
  },
  "remove-schemas": {
    write: ({ schemaIds }) => ({ "schema-ids": schemaIds }),
    read: (object, path) => ({ action: "remove-schemas", schemaIds: readAll(object, "schema-ids", path, intAt) }),
  },
};

export function writeUpdate(update: TableUpdate): JsonObject {
  return { action: update.action, ...writeMembers(update.action, update) };
}

function writeMembers<A extends TableUpdateAction>(action: A, update: UpdateByAction[A]): JsonObject {
  return FORMS[action].write(update);
}

/** Throws `unsupported` for an action that is not known, as a server must refuse it. */
export function readUpdate(value: JsonValue | undefined, path = "update"): TableUpdate {
  const object = objectAt(value, path);
  const action = stringMember(object, "action", path).toLowerCase();
  if (isAction(action)) return FORMS[action].read(object, path);
  throw new ToolError("unsupported", `Cannot read "${join(path, "action")}"`, {
    why: `The table update "${action}" is not known`,
    context: { at: join(path, "action") },
  });
}

function isAction(text: string): text is TableUpdateAction {
  return Object.hasOwn(FORMS, text);
}

/** Older writers used the second key; where both stand, the first counts. */
function newerKey(object: JsonObject, newer: string, older: string): string {
  return isAbsent(object, newer) && !isAbsent(object, older) ? older : newer;
}

function readAll<T>(object: JsonObject, key: string, path: string, read: (value: JsonValue, path: string) => T): readonly T[] {
  return arrayMember(object, key, path).map((value, index) => read(value, `${join(path, key)}[${index}]`));
}

function textAt(value: JsonValue, path: string): string {
  if (typeof value === "string") return value;
  throw corrupt(path, "A text is required");
}

function highestFieldId(schema: Schema): number {
  return indexSchema(schema).nodes.reduce((highest, node) => Math.max(highest, node.id), 0);
}
