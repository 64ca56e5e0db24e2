// What can happen to a table, one entry each: edits in Git, plans, applies of every kind, other writers in between. Each
// takes two numbers, does nothing where it does not fit, and leaves the model as true as it was.
import type { TableResult } from "../../src/apply/result.ts";
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import type { Step } from "../../src/plan/plan.ts";
import { acknowledgedPaths, columnsOf, type Declared } from "./declaration.ts";
import { adopt, EDITS, type EditContext, type EditName, type LiveOf, mended } from "./edits.ts";
import { commitForeign, FOREIGN, type ForeignName } from "./foreign.ts";
import { i4LeavesNothing, checkPlan } from "./invariants-plan.ts";
import { i5DoesWhatWasApproved } from "./invariants-landing.ts";
import { i10ShowsTheRows } from "./invariants-data.ts";
import { i7EndsInTheSameState } from "./invariants-again.ts";
import { idsByName, keysOf } from "./invariants-table.ts";
import { landed, rolledBack } from "./landed.ts";
import { ensure } from "./tally.ts";
import { holdOf } from "../../src/apply/hold.ts";
import { apply, newRun, type Planned, planNow, rollback, type Run, specFor } from "./product.ts";
import { liveTable, nodesOf, type World } from "./world.ts";

export interface Operation {
  readonly kind: OperationName;
  readonly a: number;
  readonly b: number;
}

type OperationFunction = (world: World, a: number, b: number) => Promise<void>;

const OFTEN: readonly EditName[] = ["convert a column", "rename with its old name", "drop and acknowledge", "move a column"];
const EDIT_NAMES: readonly EditName[] = [...(Object.keys(EDITS) as EditName[]), ...OFTEN];
const FOREIGN_NAMES = Object.keys(FOREIGN) as ForeignName[];

async function contextOf(world: World, declared: Declared): Promise<EditContext> {
  const { metadata } = await liveTable(world);
  const nodes = nodesOf(currentSchema(metadata));
  const named = new Set(idsByName(metadata, declared).values());
  const keys = keysOf(declared);
  const ours = new Set([...world.idOf].flatMap(([key, id]) => (keys.has(key) ? [id] : [])));
  const undeclared = nodes.filter(({ field }) => !named.has(field.id) && !ours.has(field.id));
  const earlier = world.log.flatMap((one) => columnsOf(one).map(({ column }) => column.name));
  return {
    newKey: () => world.nextKey++,
    oldNames: [...new Set(earlier)].filter((name) => /^\w+$/.test(name)),
    undeclaredPaths: undeclared.map(({ path }) => path),
  };
}

/** The file after an edit; null where the edit does not fit or makes a file that is wrong. */
async function edited(world: World, declared: Declared, a: number, b: number): Promise<Declared | null> {
  const name = EDIT_NAMES[a % EDIT_NAMES.length] ?? "add a column";
  const made = EDITS[name](declared, Math.floor(a / EDIT_NAMES.length), b, await contextOf(world, declared));
  const next = made === null ? null : pruned(made);
  if (next === null || specFor(world, next) === null) return null;
  world.story.push(
    `  Git: ${name} (${columnsOf(next)
      .map(({ path }) => path)
      .join(" ")})`,
  );
  return next;
}

/** No file may hold an acknowledgement of what it declares, so it is gone for good once the name is declared. */
function pruned(declared: Declared): Declared {
  return { ...declared, dropped: acknowledgedPaths(declared) };
}

function push(world: World, next: Declared): void {
  world.log.push(world.declared);
  world.declared = next;
}

async function planned(world: World, declared: Declared): Promise<Planned> {
  const spec = specFor(world, declared);
  if (spec === null) throw new Error("The declaration is wrong");
  const found = await planNow(world, spec);
  checkPlan(world, declared, found);
  return found;
}

function intrusion(world: World, a: number, b: number): () => Promise<void> {
  return async () => {
    const name = FOREIGN_NAMES[a % FOREIGN_NAMES.length] ?? "add a column";
    if (await commitForeign(world, name, b, a)) world.tally.add("I8 foreign commits between a plan and its commit");
  };
}

/** One apply and what must hold behind it. */
export async function applied(world: World, run: Run): Promise<TableResult> {
  const spec = specFor(world, run.declared);
  if (spec === null) throw new Error("The declaration is wrong");
  const result = await apply(world, spec, run, landed);
  world.lake.cutAfter(null);
  const { outcome, plan } = result;
  world.story.push(
    `  floeplan: ${outcome} ${(plan?.steps ?? []).map(({ kind, field }) => `${kind} ${field?.path ?? ""}`).join(", ")}`,
  );
  world.tally.add(`applies that ended as ${outcome}`);
  if (run.landings > 0 && plan !== null) i5DoesWhatWasApproved(world, run, plan.steps);
  if (run.intruded > 0) {
    if (run.landings > 0) world.tally.add("I8 conflicts that were planned again and landed");
    else if (outcome === "not-approved" || outcome === "blocked")
      world.tally.add("I5 applies refused since others came in between");
  }
  if (outcome === "applied") i4LeavesNothing(world, run.declared, await planned(world, run.declared));
  if (outcome === "differs") throw new Error(`The apply differs: ${JSON.stringify(result.problems)}`);
  if (outcome === "not-approved") countRefused(world, plan?.steps ?? [], run);
  await i10ShowsTheRows(world, await liveTable(world));
  return result;
}

function countRefused(world: World, steps: readonly Step[], run: Run): void {
  world.tally.add("I5 applies refused as not approved");
  if (steps.some(({ effect }) => effect === "destructive")) world.tally.add("I5 destructive steps refused");
  if (run.approved.length > 0) world.tally.add("I5 stale approvals refused");
}

/** Looked at and recorded, as a pull request does. */
async function record(world: World, declared: Declared): Promise<Planned> {
  const found = await planned(world, declared);
  world.recorded.push({ steps: found.plan.steps, declared });
  return found;
}

/** Other blanks, escapes that nobody needs, and a member of a version to come, with numbers that no double holds. */
function inAnotherHand(document: string): string {
  const future = '"x-future" : { "n" : 12345678901234567890123, "e" : 1.50E+2, "s" : "\\u00e9 \\/" },';
  const open = document.includes('"x-future"') ? "{ " : `{ ${future}`;
  return document
    .replace("{", open)
    .replaceAll(/"(schemas|snapshots|partition-specs|sort-orders|type|operation|spec-id)" *: */g, '"$1" : ');
}

export const OPERATIONS = {
  "edit the file": async (world, a, b) => {
    const next = await edited(world, world.declared, a, b);
    if (next !== null) push(world, next);
  },
  "revert in Git": async (world, a) => {
    const earlier = world.log.at(-1 - (a % Math.max(1, Math.min(4, world.log.length))));
    if (earlier === undefined) return;
    push(world, { ...earlier, formatVersion: world.declared.formatVersion });
    world.story.push("  Git: an earlier file is back");
    world.tally.add("reverts in Git");
  },
  "mend the file": async (world, _a, b) => {
    const { metadata } = await liveTable(world);
    const live = new Map(nodesOf(currentSchema(metadata)).map(({ field }) => [field.id, field]));
    const liveOf: LiveOf = (key) => {
      const id = world.idOf.get(key);
      return id === undefined ? undefined : (live.get(id) ?? (world.base?.has(id) === true ? null : undefined));
    };
    const from = b % 2 === 0 ? world.declared : world.lastApplied;
    const next = mended({ ...from, formatVersion: world.declared.formatVersion }, liveOf, await contextOf(world, from));
    if (specFor(world, next) === null) return;
    push(world, next);
    world.story.push("  Git: mended");
  },
  "adopt the drift": async (world, a) => {
    const { metadata } = await liveTable(world);
    const next = adopt(world.declared, currentSchema(metadata), a, await contextOf(world, world.declared));
    if (next === null || specFor(world, next) === null) return;
    push(world, next);
    world.story.push("  Git: a foreign column is adopted");
  },
  "another writer commits": async (world, a, b) => {
    if (await commitForeign(world, FOREIGN_NAMES[a % FOREIGN_NAMES.length] ?? "add a column", b, a))
      await i10ShowsTheRows(world, await liveTable(world));
  },
  "another hand writes the document": async (world, a) => {
    const isTheServers = world.lake.catalog.capabilities.serverWritesMetadata;
    if (isTheServers || !(await commitForeign(world, "set a property", a, 1))) return;
    const { metadataLocation } = await liveTable(world);
    const text = new TextDecoder().decode(await world.lake.store.read(metadataLocation));
    await world.lake.store.replace(metadataLocation, new TextEncoder().encode(inAnotherHand(text)));
  },
  "another writer appends": async (world, a, b) => {
    await commitForeign(world, "append rows", a, b);
  },
  plan: async (world) => {
    await record(world, world.declared);
  },
  apply: async (world) => {
    const { plan } = await record(world, world.declared);
    await applied(world, newRun(world.declared, plan.steps));
  },
  "apply while others commit": async (world, a, b) => {
    const { plan } = await record(world, world.declared);
    const intrusions = [intrusion(world, a, b), ...(b % 2 === 0 ? [intrusion(world, b, a)] : [])];
    await applied(world, newRun(world.declared, plan.steps, { intrusions }));
  },
  "apply with an old plan": async (world, a) => {
    const old = world.recorded[a % Math.max(1, world.recorded.length)];
    await applied(world, newRun(world.declared, old?.steps ?? []));
  },
  "apply with no approval": async (world, _a, b) => {
    await applied(world, newRun(world.declared, [], { upTo: b % 2 === 0 ? "behaviour" : null }));
  },
  "apply that dies": async (world, a, b) => {
    const before = await record(world, world.declared);
    const { steps } = before.plan;
    const dies = (["before", "after", null] as const)[b % 3] ?? null;
    if (dies === null) world.lake.cutAfter(a % 60);
    const run = newRun(world.declared, steps, { dies });
    await applied(world, run);
    const again = await applied(world, newRun(world.declared, steps));
    i7EndsInTheSameState(world, before, again, await liveTable(world), run.landings > 0);
  },
  "two branches are merged": async (world, a, b) => {
    const [start, { metadata }] = [world.declared, await liveTable(world)];
    const mine = await edited(world, start, a, b);
    const theirs = await edited(world, start, b, a);
    if (mine === null || theirs === null) return;
    const [first, second] = [await record(world, mine), await record(world, theirs)];
    const isMineFirst = (a + b) % 2 === 0;
    push(world, isMineFirst ? mine : theirs);
    await applied(world, newRun(world.declared, (isMineFirst ? first : second).plan.steps));
    const merged = isMineFirst ? await edited(world, mine, b, a) : await edited(world, theirs, a, b);
    if (merged === null) return;
    push(world, merged);
    const union = [...first.plan.steps, ...second.plan.steps];
    await applied(world, newRun(merged, union));
    if ((await liveTable(world)).metadata !== metadata) world.tally.add("two branches merged one after the other");
  },
  "two applies at once": async (world, a, b) => {
    const other = await edited(world, world.declared, a, b);
    const mine = await record(world, world.declared);
    if (other === null) return;
    const theirs = await record(world, other);
    const intrusions = [
      async (): Promise<void> => {
        await applied(world, newRun(other, theirs.plan.steps));
      },
    ];
    await applied(world, newRun(world.declared, mine.plan.steps, { intrusions }));
    push(world, other);
    world.tally.add("two applies at once");
  },
  "a loss and its return": async (world, a, b) => {
    const lost = EDITS["drop and acknowledge"](world.declared, a);
    if (lost === null || specFor(world, lost) === null) return;
    const before = world.declared;
    push(world, lost);
    const { plan } = await record(world, lost);
    await applied(world, newRun(lost, plan.steps));
    const isRevert = b % 2 === 0;
    const made = isRevert ? before : EDITS["add a column"](lost, a, b, await contextOf(world, lost));
    const next = made === null ? null : pruned(made);
    if (next === null || specFor(world, next) === null) return;
    push(world, next);
    const again = await record(world, next);
    await applied(world, newRun(next, again.plan.steps));
  },
  "a property of two owners": async (world, a, b) => {
    const key = a % 2 === 0 ? "app.team" : "app.tier";
    const ours = { ...world.declared, properties: { ...world.declared.properties, [key]: `ours ${a % 7}` } };
    push(world, ours);
    const { plan } = await record(world, ours);
    await applied(world, newRun(ours, plan.steps));
    await commitForeign(world, "set a property", a % 2, 1 + (b % 4));
    const { [key]: _, ...others } = ours.properties;
    const without = { ...ours, properties: others };
    push(world, without);
    const again = await record(world, without);
    await applied(world, newRun(without, again.plan.steps));
  },
  "roll back a conversion": async (world) => {
    const spec = specFor(world, world.declared);
    if (spec === null) return;
    const before = await liveTable(world);
    const way = await rollback(world, spec);
    if (way === null || "code" in way) return;
    const after = await liveTable(world);
    await rolledBack(world, way, before, after);
    const { plan } = await planNow(world, spec);
    const isHeld = plan.steps.length === 0 || holdOf(plan, after.metadata.properties) !== null;
    ensure(isHeld, "I7", () => "the next apply would convert again what was rolled back");
    await i10ShowsTheRows(world, await liveTable(world));
  },
} as const satisfies Readonly<Record<string, OperationFunction>>;

export type OperationName = keyof typeof OPERATIONS;
