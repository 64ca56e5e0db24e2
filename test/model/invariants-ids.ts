// I1 and I2 at a commit of the product: who has which field id before and after it, told by the model's keys.
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { columnsOf, type PlacedColumn } from "./declaration.ts";
import { idsByName } from "./invariants-table.ts";
import type { Landing } from "./product.ts";
import { ensure } from "./tally.ts";
import { allIds, type LiveNode, nodesOf, standing, type World } from "./world.ts";

const WIDER: Readonly<Record<string, string>> = { int: "long", float: "double" };

/** I1: a field keeps its id through rename, move and widen, and gets it back when Git takes a drop back. */
export function i1KeepsIds(world: World, { run, before, after }: Landing): void {
  const ids = idsByName(after.metadata, run.declared);
  const now = byId(nodesOf(currentSchema(after.metadata)));
  const then = before === null ? new Map<number, LiveNode>() : byId(nodesOf(currentSchema(before.metadata)));
  for (const placed of columnsOf(run.declared)) {
    const { key, name } = placed.column;
    const got = ids.get(key);
    const known = world.idOf.get(key);
    const node = got === undefined ? undefined : now.get(got);
    if (got === undefined || node === undefined || before === null || known === got) {
      if (known !== undefined && known === got) countKept(world, then.get(known), node, placed);
      continue;
    }
    // Somebody else's column of that very name counts as the declared one.
    const isTheirs = then.get(got)?.field.name === name;
    const old = known === undefined ? undefined : then.get(known);
    if (old !== undefined && old.parentId === node.parentId && !isTheirs) {
      const isConverted = run.approved.some((step) => step.kind === "convert-type" && step.field?.id === known);
      ensure(
        isConverted && got > (run.idsBefore ?? before.metadata.lastColumnId),
        "I1",
        () => `"${placed.path}" was id ${known} and is id ${got}`,
      );
      world.tally.add("I1 conversions that retired an id");
    }
    if (old === undefined) expectRestored(world, { run, before, after }, placed, node, before.metadata);
  }
}

function countKept(world: World, old: LiveNode | undefined, node: LiveNode | undefined, { column }: PlacedColumn): void {
  if (node === undefined) return;
  if (old === undefined) world.tally.add("I1 restores that gave the id back");
  else {
    if (old.field.name !== column.name) world.tally.add("I1 renames that kept the id");
    if (old.field.type.kind !== node.field.type.kind) world.tally.add("I1 widenings that kept the id");
    world.tally.add("I1 fields that kept the id");
  }
}

/** A new id where the newest schema that knows the path would give the old one back. */
function expectRestored(
  world: World,
  { run }: Landing,
  { column, path }: PlacedColumn,
  node: LiveNode,
  before: TableMetadata,
): void {
  if (node.field.id <= before.lastColumnId) return;
  const older = before.schemas.filter(({ schemaId }) => schemaId !== before.currentSchemaId);
  const past = [...older, currentSchema(before)]
    .flatMap((schema) => nodesOf(schema))
    .filter(({ parentId, field }) => parentId === node.parentId && field.name === column.name)
    .at(-1)?.field;
  if (past === undefined || world.retired.has(past.id) || world.base?.has(past.id) === true) return;
  const isLive = allIds(currentSchema(before)).has(past.id);
  const fits = past.type.kind === column.type.kind || WIDER[past.type.kind] === column.type.kind;
  const isSimple = column.type.kind !== "struct" && column.type.kind !== "list";
  ensure(isLive || !fits || !isSimple, "I1", () => `"${path}" came back as id ${node.field.id}, and id ${past.id} was its own`);
  if (!fits) world.tally.add("I1 columns of another type that did not come back", run.landings);
}

/** I2: a dropped id is never given to a field other than the one that had it. */
export function i2NeverReuses(world: World, { run, before, after }: Landing): void {
  if (before === null) return;
  const then = allIds(currentSchema(before.metadata));
  const declared = new Map([...idsByName(after.metadata, run.declared)].map(([key, id]) => [id, key]));
  for (const { field, parentId, path } of nodesOf(currentSchema(after.metadata))) {
    if (then.has(field.id)) continue;
    // A struct comes back whole, also with what the file no longer names in it: that is drift then.
    const isBelowRestored = parentId !== null && !then.has(parentId);
    const isKnown = declared.has(field.id) || (isBelowRestored && field.id <= before.metadata.lastColumnId);
    ensure(isKnown, "I2", () => `"${path}" (id ${field.id}) appeared, and nobody declared it`);
    if (field.id > (run.idsBefore ?? before.metadata.lastColumnId)) {
      world.tally.add("I2 new ids");
      continue;
    }
    const stood = world.stood.get(field.id) ?? new Set();
    const isOwn = isBelowRestored
      ? [...stood].some((where) => where.startsWith(`${parentId}/`))
      : stood.has(standing(parentId, field.name));
    ensure(isOwn, "I2", () => `id ${field.id} was given to "${path}", which never had it`);
    ensure(!world.retired.has(field.id), "I2", () => `id ${field.id} of "${path}" was used up by a conversion`);
    world.tally.add("I2 ids that came back to their field");
  }
  const highest = Math.max(0, ...allIds(currentSchema(after.metadata)));
  ensure(
    after.metadata.lastColumnId >= Math.max(highest, before.metadata.lastColumnId),
    "I2",
    () => `last-column-id fell to ${after.metadata.lastColumnId}`,
  );
}

function byId(nodes: readonly LiveNode[]): Map<number, LiveNode> {
  return new Map(nodes.map((node) => [node.field.id, node]));
}
