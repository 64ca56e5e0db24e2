// What other writers do to the live table behind Git's back, as Spark and PyIceberg would: changes of schema, layout,
// properties, refs and data. Each is one commit through the catalog; the model takes note of what it must find again.
import { LAST_ADDED, type TableUpdate } from "../../src/iceberg/table-update.ts";
import { branches, currentSchema, defaultSortOrder, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field, Schema } from "../../src/iceberg/type.ts";
import { appendTo, deleteOldest } from "./foreign-data.ts";
import { idsInside, liveTable, nodesOf, noteStanding, type LiveNode, type World } from "./world.ts";

interface ForeignCommit {
  readonly updates: readonly TableUpdate[];
  /** What the model knows of it once it landed. */
  readonly note?: () => void;
}

type ForeignFunction = (
  world: World,
  metadata: TableMetadata,
  a: number,
  b: number,
) => Promise<ForeignCommit | null> | ForeignCommit | null;

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];
const NAMES = ["utm_source", "loaded_at", "f3", "f5", "r101", "x` | <b>y</b>"] as const;

function newSchema(metadata: TableMetadata, fields: readonly Field[], lastColumnId = metadata.lastColumnId): ForeignCommit {
  const { identifierFieldIds } = currentSchema(metadata);
  const told = (schema: Pick<Schema, "fields" | "identifierFieldIds">): string =>
    JSON.stringify([schema.fields, schema.identifierFieldIds.toSorted((a, b) => a - b)]);
  // A schema that is there already is named by its id, as engines do.
  const known = metadata.schemas.find((one) => told(one) === told({ fields, identifierFieldIds }));
  if (known !== undefined && lastColumnId === metadata.lastColumnId)
    return { updates: [{ action: "set-current-schema", schemaId: known.schemaId }] };
  return {
    updates: [
      { action: "add-schema", schema: { schemaId: 0, identifierFieldIds, fields }, lastColumnId },
      { action: "set-current-schema", schemaId: LAST_ADDED },
    ],
  };
}

/** One struct's fields changed, found by the id of what holds it. */
function inLevel(
  fields: readonly Field[],
  parentId: number | null,
  edit: (level: readonly Field[]) => readonly Field[],
): readonly Field[] {
  if (parentId === null) return edit(fields);
  const below = (items: readonly Field[], id: number): readonly Field[] =>
    inLevel(items, id === parentId ? null : parentId, edit);
  return fields.map((field): Field => {
    const { type } = field;
    if (type.kind === "struct") return { ...field, type: { ...type, fields: below(type.fields, field.id) } };
    if (type.kind !== "list" || type.element.kind !== "struct") return field;
    return { ...field, type: { ...type, element: { kind: "struct", fields: below(type.element.fields, type.elementId) } } };
  });
}

function levelsOf(schema: Schema): { readonly parentId: number | null; readonly fields: readonly LiveNode[] }[] {
  const nodes = nodesOf(schema);
  const parents = [null, ...new Set(nodes.flatMap(({ parentId }) => (parentId === null ? [] : [parentId])))];
  return parents.map((parentId) => ({ parentId, fields: nodes.filter((node) => node.parentId === parentId) }));
}

function edited(metadata: TableMetadata, node: LiveNode, edit: (field: Field) => Field | null): ForeignCommit {
  const fields = inLevel(currentSchema(metadata).fields, node.parentId, (level) =>
    level.flatMap((field) => (field.id === node.field.id ? (edit(field) ?? []) : [field])),
  );
  return newSchema(metadata, fields);
}

const addColumn: ForeignFunction = (world, metadata, a, b) => {
  const level = at(levelsOf(currentSchema(metadata)), a);
  if (level === undefined) return null;
  const taken = level.fields.map(({ field }) => field.name);
  const name = [at(NAMES, b) ?? "utm", `foreign_${metadata.lastColumnId}`].find((one) => !taken.includes(one)) ?? "other";
  const id = metadata.lastColumnId + 1;
  const kinds = ["string", "int", "long", "date"] as const;
  const field: Field = { id, name, required: false, type: { kind: kinds[a % kinds.length] ?? "string" }, doc: "theirs" };
  const place = b % 3 === 0 ? a % (level.fields.length + 1) : level.fields.length;
  const fields = inLevel(currentSchema(metadata).fields, level.parentId, (known) => known.toSpliced(place, 0, field));
  return { ...newSchema(metadata, fields, id), note: () => world.tally.add("foreign columns added") };
};

const renameColumn: ForeignFunction = (world, metadata, a, b) => {
  const node = at(nodesOf(currentSchema(metadata)), a);
  if (node === undefined) return null;
  const siblings = nodesOf(currentSchema(metadata)).filter(({ parentId }) => parentId === node.parentId);
  const name = [at(NAMES, b) ?? "utm", `theirs_${world.nextSnapshot}_${node.field.id}`].find(
    (one) => !siblings.some(({ field }) => field.name === one),
  );
  return name === undefined ? null : edited(metadata, node, (field) => ({ ...field, name }));
};

const dropColumn: ForeignFunction = (world, metadata, a) => {
  const kept = new Set([
    ...metadata.partitionSpecs.flatMap(({ fields }) => fields.flatMap(({ sourceIds }) => sourceIds)),
    ...defaultSortOrder(metadata).fields.flatMap(({ sourceIds }) => sourceIds),
    ...currentSchema(metadata).identifierFieldIds,
  ]);
  const nodes = nodesOf(currentSchema(metadata));
  const able = nodes.filter(
    ({ field, parentId }) =>
      !idsInside(field).some((id) => kept.has(id)) && nodes.filter((one) => one.parentId === parentId).length > 1,
  );
  const node = at(able, a);
  if (node === undefined) return null;
  return { ...edited(metadata, node, () => null), note: () => world.tally.add("foreign columns dropped") };
};

const reorder: ForeignFunction = (_world, metadata, a) => {
  const level = at(levelsOf(currentSchema(metadata)), a);
  if (level === undefined || level.fields.length < 2) return null;
  return newSchema(
    metadata,
    inLevel(currentSchema(metadata).fields, level.parentId, (known) => [...known.slice(1), ...known.slice(0, 1)]),
  );
};

const widenColumn: ForeignFunction = (_world, metadata, a) => {
  const able = nodesOf(currentSchema(metadata)).filter(({ field }) => field.type.kind === "int" || field.type.kind === "float");
  const node = at(able, a);
  if (node === undefined) return null;
  return edited(metadata, node, (field) => ({ ...field, type: { kind: field.type.kind === "int" ? "long" : "double" } }));
};

const changeDoc: ForeignFunction = (_world, metadata, a, b) => {
  const node = at(nodesOf(currentSchema(metadata)), a);
  return node === undefined ? null : edited(metadata, node, (field) => ({ ...field, doc: `theirs ${b} \`<script>\`` }));
};

const setProperties: ForeignFunction = (_world, _metadata, a, b) => {
  const keys = ["app.team", "app.tier", "foreign.job", "foreign.token", "read.split.target-size"] as const;
  const key = keys[a % keys.length] ?? "foreign.job";
  if (b % 5 === 0) return { updates: [{ action: "remove-properties", removals: [key] }] };
  return { updates: [{ action: "set-properties", updates: { [key]: `theirs ${b} | @all` } }] };
};

function onBranch(
  write: (world: World, metadata: TableMetadata, branch: string, a: number, b: number) => ReturnType<typeof deleteOldest>,
): ForeignFunction {
  return async (world, metadata, a, b) => {
    const names = branches(metadata).map(({ name }) => name);
    const branch = (b % 4 === 0 ? at(names, a) : undefined) ?? "main";
    const commit = await write(world, metadata, branch, a, b);
    if (commit === null) return null;
    const { updates, snapshotId, files } = commit;
    return {
      updates,
      note: () => {
        world.snapshots.set(snapshotId, files);
        world.refs = new Map([...world.refs, [branch, snapshotId]]);
        world.tally.add("foreign snapshots");
      },
    };
  };
}

const append = onBranch((world, metadata, branch, a) => appendTo(world, metadata, branch, currentSchema(metadata), a));

/** By a writer that loaded the table earlier. */
const lateAppend = onBranch((world, metadata, branch, a, b) => {
  const older = at(metadata.schemas, b) ?? currentSchema(metadata);
  return appendTo(world, metadata, branch, older, a);
});

const deleteFile = onBranch((world, metadata, branch) => deleteOldest(world, metadata, branch, currentSchema(metadata)));

const evolveSpec: ForeignFunction = (_world, metadata, a, b) => {
  const able = currentSchema(metadata).fields.filter(({ type }) => ["int", "long", "string"].includes(type.kind));
  const source = at(able, a);
  if (source === undefined) return null;
  const fieldId = metadata.lastPartitionId + 1;
  const fields =
    b % 3 === 0 || metadata.formatVersion === 1
      ? []
      : [{ sourceIds: [source.id], fieldId, name: `p_${fieldId}`, transform: b % 2 === 0 ? "bucket[4]" : "identity" }];
  if (fields.length === 0 && metadata.formatVersion === 1) return null;
  const known = metadata.partitionSpecs.find((spec) => spec.fields.length === 0);
  if (fields.length === 0 && known !== undefined) return { updates: [{ action: "set-default-spec", specId: known.specId }] };
  return {
    updates: [
      { action: "add-spec", spec: { specId: 0, fields } },
      { action: "set-default-spec", specId: LAST_ADDED },
    ],
  };
};

/** Snapshots that no ref reaches within its history go, and schemas that nothing uses. */
const expire: ForeignFunction = (world, metadata, _a, b) => {
  const heads = new Set(Object.values(metadata.refs).map(({ snapshotId }) => snapshotId));
  const gone = [...metadata.snapshots].map(({ snapshotId }) => snapshotId).filter((id) => !heads.has(id));
  const used = new Set([
    metadata.currentSchemaId,
    ...[...metadata.snapshots].filter(({ snapshotId }) => heads.has(snapshotId)).map(({ schemaId }) => schemaId),
  ]);
  const schemaIds = b % 2 === 0 ? [] : metadata.schemas.map(({ schemaId }) => schemaId).filter((id) => !used.has(id));
  if (gone.length + schemaIds.length === 0) return null;
  return {
    updates: [
      ...(gone.length === 0 ? [] : [{ action: "remove-snapshots" as const, snapshotIds: gone }]),
      ...(schemaIds.length === 0 ? [] : [{ action: "remove-schemas" as const, schemaIds }]),
    ],
    note: () => {
      world.tally.add("foreign snapshots expired", gone.length);
      world.tally.add("foreign schemas removed", schemaIds.length);
    },
  };
};

function setRef(world: World, refName: string, snapshotId: bigint, type: "branch" | "tag"): ForeignCommit {
  return {
    updates: [{ action: "set-snapshot-ref", refName, ref: { type, snapshotId } }],
    note: () => {
      world.refs = new Map([...world.refs, [refName, snapshotId]]);
    },
  };
}

const addRef: ForeignFunction = (world, metadata, a, b) => {
  const head = metadata.refs["main"]?.snapshotId;
  const isBranch = b % 3 === 0;
  const refName = `${isBranch ? "audit" : "release"}_${a % 2}`;
  return head === undefined || metadata.refs[refName] !== undefined
    ? null
    : setRef(world, refName, head, isBranch ? "branch" : "tag");
};

const removeRef: ForeignFunction = (world, metadata, a) => {
  const refName = at(
    Object.keys(metadata.refs).filter((name) => name !== "main" && !name.startsWith("floeplan")),
    a,
  );
  if (refName === undefined) return null;
  return {
    updates: [{ action: "remove-snapshot-ref", refName }],
    note: () => {
      world.refs = new Map([...world.refs].filter(([name]) => name !== refName));
    },
  };
};

const rollBack: ForeignFunction = (world, metadata) => {
  const head = [...metadata.snapshots].find(({ snapshotId }) => snapshotId === metadata.currentSnapshotId);
  const parent = head?.parentSnapshotId ?? null;
  const isThere = [...metadata.snapshots].some(({ snapshotId }) => snapshotId === parent);
  return parent === null || !isThere ? null : setRef(world, "main", parent, "branch");
};

export const FOREIGN = {
  "add a column": addColumn,
  "rename a column": renameColumn,
  "drop a column": dropColumn,
  "reorder columns": reorder,
  "widen a column": widenColumn,
  "change a comment": changeDoc,
  "set a property": setProperties,
  "append rows": append,
  "append by an old schema": lateAppend,
  "delete a file": deleteFile,
  "evolve the partition spec": evolveSpec,
  "expire snapshots": expire,
  "make a branch or tag": addRef,
  "remove a branch or tag": removeRef,
  "roll back": rollBack,
} as const satisfies Readonly<Record<string, ForeignFunction>>;

export type ForeignName = keyof typeof FOREIGN;

/** One foreign commit, if it fits; says whether it landed. */
export async function commitForeign(world: World, name: ForeignName, a: number, b: number): Promise<boolean> {
  const live = await liveTable(world);
  const commit = await FOREIGN[name](world, live.metadata, a, b);
  if (commit === null) return false;
  const requirements =
    live.metadata.tableUuid === null ? [] : [{ type: "assert-table-uuid" as const, uuid: live.metadata.tableUuid }];
  const outcome = await world.lake.catalog.commit(live, { requirements, updates: commit.updates, attempt: crypto.randomUUID() });
  if (outcome.state !== "done") throw new Error(`The foreign commit "${name}" ended as ${outcome.state}: ${outcome.why}`);
  commit.note?.();
  world.head = outcome.live.metadataLocation;
  noteStanding(world, outcome.live.metadata);
  world.story.push(`  another writer: ${name} (${describe(commit.updates)})`);
  return true;
}

function describe(updates: readonly TableUpdate[]): string {
  return updates
    .map((update) => {
      if (update.action === "add-schema")
        return nodesOf(update.schema)
          .map(({ path, field }) => `${path}:${field.id}`)
          .join(" ");
      return update.action === "set-properties" ? JSON.stringify(update.updates) : update.action;
    })
    .join("; ");
}
