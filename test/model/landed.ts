// A commit of the product has landed: every invariant that two states can tell is held against it, and then the model
// takes over what is so now.
import type { Rollback } from "../../src/apply/rollback.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { currentSchema, schemaById } from "../../src/iceberg/table-metadata.ts";
import { i1KeepsIds, i2NeverReuses } from "./invariants-ids.ts";
import { convertedFiles, i9KeepsChunks, i9KeepsSections, i10RequiresWhatIsThere } from "./invariants-data.ts";
import { convertedIds, i5LosesOnlyWhatIsApproved, i8KeepsTheirs } from "./invariants-landing.ts";
import { differences, idsByName } from "./invariants-table.ts";
import type { Landing } from "./product.ts";
import { ensure } from "./tally.ts";
import { nodesOf, noteStanding, type World } from "./world.ts";

export async function landed(world: World, landing: Landing): Promise<void> {
  const { run, before, after } = landing;
  const left = differences(after.metadata, run.declared);
  ensure(left.length === 0, "I3", () => `the commit landed, and ${left.join("; ")}`);
  world.tally.add("I3 commits that ended at the declaration");
  i1KeepsIds(world, landing);
  i2NeverReuses(world, landing);
  i5LosesOnlyWhatIsApproved(world, landing);
  i8KeepsTheirs(world, landing);
  await i9KeepsSections(world, landing);
  await i9KeepsChunks(world, landing);
  await i10RequiresWhatIsThere(world, landing);
  takeOverData(world, landing);
  const now = idsByName(after.metadata, run.declared);
  const retired = convertedIds(world, run, after.metadata);
  for (const id of retired) world.retired.add(id);
  if (retired.length > 0) world.conversionSchema = after.metadata.currentSchemaId;
  for (const [key, id] of now) world.idOf.set(key, id);
  remembersWhatWasApplied(world, landing, new Set(now.values()));
  noteStanding(world, after.metadata);
  world.head = after.metadataLocation;
  world.lastApplied = run.declared;
  world.story.push(`  floeplan landed on ${before?.metadata.currentSchemaId ?? "nothing"}`);
}

function takeOverData(world: World, landing: Landing): void {
  const { before, after } = landing;
  const [was, is] = [before?.metadata.refs["main"]?.snapshotId, after.metadata.refs["main"]?.snapshotId];
  const refs = new Map(Object.entries(after.metadata.refs).map(([name, { snapshotId }]) => [name, snapshotId]));
  if (was !== undefined && is !== undefined && was !== is) {
    world.snapshots.set(is, convertedFiles(world, landing, world.snapshots.get(was) ?? []));
    world.tally.add("I10 conversions of data");
  }
  world.refs = refs;
}

/** The base of the next three-way comparison is in the table: the ids of all that is declared, and the properties. */
function remembersWhatWasApplied(world: World, { run, after }: Landing, named: ReadonlySet<number>): void {
  const { properties } = after.metadata;
  const ids = idsIn(properties["floeplan.applied.field-ids"] ?? "");
  const lost = [...named].filter((id) => !ids.has(id));
  ensure(lost.length === 0, "I5", () => `the table does not remember that ids ${lost.join()} were applied`);
  const declared = Object.entries(run.declared.properties).filter(([, value]) => value !== null);
  const told = JSON.parse(properties["floeplan.applied.properties"] ?? "{}") as Record<string, string>;
  ensure(
    declared.length === Object.keys(told).length && declared.every(([key, value]) => told[key] === value),
    "I5",
    () => `the table remembers properties ${JSON.stringify(told)}`,
  );
  world.base = ids;
  world.baseProperties = told;
}

function idsIn(ranges: string): Set<number> {
  const ids = new Set<number>();
  for (const range of ranges.split(",").filter((one) => one !== "")) {
    const [from = 0, to = from] = range.split("-").map(Number);
    for (let id = from; id <= to; id++) ids.add(id);
  }
  return ids;
}

/** The schema and the heads of before are back, and all that others did since is there. */
export async function rolledBack(world: World, way: Rollback, before: LiveTable, after: LiveTable): Promise<void> {
  const of = new Map(way.undone.map(({ newId, retired }) => [newId, retired]));
  const now = new Map(nodesOf(currentSchema(after.metadata)).map(({ field }) => [field.id, field]));
  const isLast = before.metadata.currentSchemaId === world.conversionSchema;
  const wanted = schemaById(before.metadata, way.undone[0]?.before.schemaId ?? -1);
  const isBack = JSON.stringify(currentSchema(after.metadata).fields) === JSON.stringify(wanted?.fields);
  ensure(isBack || !isLast, "I7", () => "the rollback ends at another schema than that of before");
  for (const { field } of isLast ? [] : nodesOf(currentSchema(before.metadata))) {
    const retiredId = of.get(field.id)?.id ?? field.id;
    ensure(now.get(retiredId)?.name === field.name, "I8", () => `"${field.name}" (id ${field.id}) is lost by the rollback`);
    world.tally.add("I8 columns kept by rollbacks");
  }
  ensure(world.head === before.metadataLocation, "I8", () => "the rollback stands on another commit than the newest");
  const [first] = way.undone;
  for (const [name, { snapshotId, type }] of Object.entries(before.metadata.refs)) {
    const isOld = Object.values(first?.before.refs ?? {}).includes(snapshotId);
    const isMade = Object.values(first?.after ?? {}).includes(snapshotId);
    ensure(type === "tag" || isOld || isMade, "I8", () => `"${name}" had rows on top of the conversion`);
  }
  const back = new Map(way.undone.map(({ newId, retired }) => [newId, retired.id]));
  for (const [key, id] of world.idOf) {
    const old = back.get(id);
    if (old === undefined) continue;
    world.idOf.set(key, old);
    world.retired.delete(old);
  }
  const snapshots = [...after.metadata.snapshots].map(({ snapshotId }) => snapshotId);
  for (const { snapshotId } of before.metadata.snapshots)
    ensure(snapshots.includes(snapshotId), "I8", () => `snapshot ${snapshotId} is gone after the rollback`);
  world.refs = new Map(Object.entries(after.metadata.refs).map(([name, { snapshotId }]) => [name, snapshotId]));
  world.base = idsIn(after.metadata.properties["floeplan.applied.field-ids"] ?? "");
  noteStanding(world, after.metadata);
  world.head = after.metadataLocation;
  world.tally.add("I7 conversions rolled back");
  world.story.push("  floeplan: rolled back");
}
