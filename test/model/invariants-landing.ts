// What must hold of every commit of the product, told by the two states of the table around it: nothing is lost that was
// not approved (I5), and everything of others is there as it was (I8).
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Step } from "../../src/plan/plan.ts";
import { acknowledgedPaths, columnsOf, type Declared } from "./declaration.ts";
import { idsByName } from "./invariants-table.ts";
import type { Landing, Run } from "./product.ts";
import { ensure } from "./tally.ts";
import { allIds, declaredPath, idsInside, nodesOf, type World } from "./world.ts";

/** I5: no unapproved destructive step commits. */
export function i5LosesOnlyWhatIsApproved(world: World, { run, before, after }: Landing): void {
  if (before === null) return;
  const left = allIds(currentSchema(after.metadata));
  const kept = new Set([...left, ...convertedIds(world, run, after.metadata)]);
  const acknowledged = new Set(acknowledgedPaths(run.declared));
  const excused = new Set<number>();
  const nodes = nodesOf(currentSchema(before.metadata));
  for (const node of nodes) {
    const { field, path } = node;
    if (kept.has(field.id) || excused.has(field.id)) continue;
    const isApproved = run.approved.some((step) => step.kind === "drop-field" && step.field?.id === field.id);
    ensure(isApproved, "I5", () => `"${path}" (id ${field.id}) is gone, and no approved step drops it`);
    const isAcknowledged = acknowledged.has(path) || acknowledged.has(declaredPath(world, run.declared, node, nodes));
    ensure(isAcknowledged, "I5", () => `"${path}" is gone, and nobody acknowledged it`);
    for (const id of idsInside(field)) excused.add(id);
    world.tally.add("I5 approved drops");
  }
  const specs = new Set(after.metadata.partitionSpecs.map(({ specId }) => specId));
  const lost = before.metadata.partitionSpecs.filter(({ specId }) => !specs.has(specId));
  const isApproved = lost.length === 0 || run.approved.some(({ kind }) => kind === "remove-unused-specs");
  ensure(isApproved, "I5", () => `specs ${lost.map(({ specId }) => specId).join()} are gone, and no approved step removes them`);
  world.tally.add("I5 approved removals of specs", lost.length);
}

/** Ids that a conversion of this commit retires: the key has a new one now. */
export function convertedIds(world: World, run: Run, after: TableMetadata): readonly number[] {
  const now = idsByName(after, run.declared);
  return columnsOf(run.declared).flatMap(({ column: { key, convert } }) => {
    const [known, got] = [world.idOf.get(key), now.get(key)];
    const isApproved = run.approved.some((step) => step.kind === "convert-type" && step.field?.id === known);
    return convert !== null && known !== undefined && got !== undefined && got !== known && isApproved ? [known] : [];
  });
}

/** I5: what is done is what was approved, to the last word. */
export function i5DoesWhatWasApproved(world: World, run: Run, done: readonly Step[]): void {
  const told = ({ kind, field, before, after }: Step): string => JSON.stringify([kind, field, before, after]);
  for (const step of done) {
    const isWaved = run.upTo === "behaviour" && (step.effect === "metadata" || step.effect === "behaviour");
    const approved = run.approved.filter(({ id }) => id === step.id);
    ensure(isWaved || approved.length > 0, "I5", () => `nobody approved ${told(step)}`);
    ensure(
      approved.every((one) => told(one) === told(step)),
      "I5",
      () => `${told(step)} was done, and ${approved.map(told).join()} was approved`,
    );
    world.tally.add("I5 steps done as approved");
  }
}

/** I8: no foreign commit is ever lost. */
export function i8KeepsTheirs(world: World, { run, before, after }: Landing): void {
  if (before === null) return;
  const [was, is] = [before.metadata, after.metadata];
  ensure(
    world.head === before.metadataLocation,
    "I8",
    () => `the commit stands on ${before.metadataLocation}, and ${world.head} was the newest`,
  );
  const log = is.metadataLog.at(-1)?.metadataFile;
  ensure(
    log === before.metadataLocation,
    "I8",
    () => `the log says that ${log} came before, and it was ${before.metadataLocation}`,
  );
  ensure(was.tableUuid === is.tableUuid && was.location === is.location, "I8", () => "the table is another one");
  keepsFields(world, run, was, is);
  keepsSnapshots(world, was, is);
  keepsProperties(world, run.declared, was, is);
  const schemas = new Set(is.schemas.map(({ schemaId, fields }) => JSON.stringify([schemaId, fields])));
  const lost = was.schemas.find(({ schemaId, fields }) => !schemas.has(JSON.stringify([schemaId, fields])));
  ensure(lost === undefined, "I8", () => `schema ${lost?.schemaId} is gone`);
  world.tally.add("I8 commits that kept all that was theirs");
  if (run.intruded > 0) world.tally.add("I8 commits after others came in between");
}

/** Undeclared fields are as they were, to the last attribute. */
function keepsFields(world: World, { declared }: Run, was: TableMetadata, is: TableMetadata): void {
  const now = new Map(nodesOf(currentSchema(is)).map((node) => [node.field.id, node]));
  const ours = new Set(idsByName(is, declared).values());
  const acknowledged = new Set(acknowledgedPaths(declared));
  const nodes = nodesOf(currentSchema(was));
  for (const node of nodes) {
    const { field, parentId, path } = node;
    const declaredAs = declaredPath(world, declared, node, nodes);
    const isOurs = ours.has(field.id) || world.base?.has(field.id) === true;
    if (isOurs || [...acknowledged].some((one) => [path, declaredAs].some((as) => as === one || as.startsWith(`${one}.`))))
      continue;
    const left = now.get(field.id);
    if (left === undefined && parentId !== null && !now.has(parentId)) continue;
    const same = (one: typeof field): string => JSON.stringify({ ...one, type: one.type.kind });
    ensure(
      left !== undefined && same(left.field) === same(field),
      "I8",
      () => `the foreign column "${path}" (id ${field.id}) changed`,
    );
    world.tally.add("I8 foreign columns kept");
  }
}

function keepsSnapshots(world: World, was: TableMetadata, is: TableMetadata): void {
  const ids = new Set([...is.snapshots].map(({ snapshotId }) => snapshotId));
  const lost = [...was.snapshots].find(({ snapshotId }) => !ids.has(snapshotId));
  ensure(lost === undefined, "I8", () => `snapshot ${lost?.snapshotId} is gone`);
  for (const [name, ref] of Object.entries(was.refs)) {
    const now = is.refs[name];
    const known = world.refs.get(name);
    ensure(
      known === undefined || known === ref.snapshotId,
      "I8",
      () => `ref "${name}" was at ${ref.snapshotId}, and ${known} was set`,
    );
    const isChild = [...is.snapshots].some(
      (one) => one.snapshotId === now?.snapshotId && one.parentSnapshotId === ref.snapshotId,
    );
    const isKept = now?.snapshotId === ref.snapshotId && now.type === ref.type;
    ensure(isKept || (name === "main" && isChild), "I8", () => `ref "${name}" went from ${ref.snapshotId} to ${now?.snapshotId}`);
    if (isKept && name !== "main") world.tally.add("I8 branches and tags kept");
  }
}

function keepsProperties(world: World, { properties, comment }: Declared, was: TableMetadata, is: TableMetadata): void {
  for (const key of new Set([...Object.keys(was.properties), ...Object.keys(is.properties)])) {
    const isOurs = key.startsWith("floeplan.") || Object.hasOwn(properties, key) || (key === "comment" && comment !== null);
    // What floeplan set and Git no longer declares is taken back, unless somebody changed it.
    const isTakenBack = world.baseProperties[key] !== undefined && world.baseProperties[key] === was.properties[key];
    if (isOurs || isTakenBack) continue;
    ensure(
      was.properties[key] === is.properties[key],
      "I8",
      () => `property "${key}" went from ${was.properties[key]} to ${is.properties[key]}`,
    );
    world.tally.add("I8 foreign properties kept");
  }
}
