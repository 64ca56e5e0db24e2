// What must hold of every plan, before anything is written: it ends at the declaration (I3), loses nothing that nobody
// acknowledged and leaves what is not ours (I5), and is only text where it is shown (I6).
import { currentSchema } from "../../src/iceberg/table-metadata.ts";
import { planFingerprint } from "../../src/plan/fingerprint.ts";
import { renderMarkdown } from "../../src/report/formats/markdown.ts";
import { planReport } from "../../src/report/plan-report.ts";
import { foreignMarkup } from "../report/markdown-tree.ts";
import { acknowledgedPaths, columnsOf, type Declared } from "./declaration.ts";
import { differences, idsByName, keysOf } from "./invariants-table.ts";
import type { Planned } from "./product.ts";
import { ensure } from "./tally.ts";
import { declaredPath, nodesOf, type World } from "./world.ts";

export function checkPlan(world: World, declared: Declared, planned: Planned): void {
  i3EndsAtDeclaration(world, declared, planned);
  i5LosesNothingInSilence(world, declared, planned);
  i6IsOnlyText(world, planned);
}

function i3EndsAtDeclaration(world: World, declared: Declared, { plan, simulated, pair }: Planned): void {
  const defect = plan.blockers.find(({ code }) => code === "simulation-differs");
  ensure(defect === undefined, "I3", () => `${defect?.what}: ${defect?.why}`);
  if (simulated !== null) {
    const left = differences(simulated, declared);
    ensure(left.length === 0, "I3", () => `after the steps ${left.join("; ")}`);
    world.tally.add("I3 plans that end at the declaration");
    world.tally.add("I3 moves", plan.steps.filter(({ kind }) => kind === "move-field").length);
  } else if (plan.blockers.length === 0 && pair.live !== null) {
    const left = differences(pair.live.metadata, declared);
    ensure(left.length === 0, "I3", () => `the plan is empty, and ${left.join("; ")}`);
    world.tally.add("I3 empty plans of tables that are in step");
  }
  for (const { code } of plan.blockers) world.tally.add(`blocked: ${code}`);
}

/** A drop only where it is acknowledged; blocked where it is not and floeplan applied the field; else drift. */
function i5LosesNothingInSilence(world: World, declared: Declared, { plan, pair }: Planned): void {
  if (pair.live === null) return;
  const { metadata } = pair.live;
  const acknowledged = new Set(acknowledgedPaths(declared));
  const keys = keysOf(declared);
  const ours = new Set([...world.idOf].flatMap(([key, id]) => (keys.has(key) ? [id] : [])));
  const named = new Set(idsByName(metadata, declared).values());
  const nodes = nodesOf(currentSchema(metadata));
  for (const { kind, field, effect } of plan.steps) {
    if (kind !== "drop-field") continue;
    const path = field?.path ?? "";
    const node = nodes.find((one) => one.field.id === field?.id);
    const isAcknowledged =
      acknowledged.has(path) || (node !== undefined && acknowledged.has(declaredPath(world, declared, node, nodes)));
    ensure(isAcknowledged, "I5", () => `"${path}" would be dropped, and nobody acknowledged it`);
    ensure(effect === "destructive", "I5", () => `the drop of "${path}" is told as ${effect}`);
    world.tally.add("I5 acknowledged drops planned");
  }
  const undeclared = new Set<number>();
  for (const node of nodes) {
    const { field, parentId, path } = node;
    const { id } = field;
    if (named.has(id) || (parentId !== null && isUnder(undeclared, parentId, nodes))) continue;
    const isTaken = plan.steps.some((step) => step.kind !== "drop-field" && step.field?.id === id);
    if (ours.has(id) || isTaken) continue;
    undeclared.add(id);
    if (acknowledged.has(path) || acknowledged.has(declaredPath(world, declared, node, nodes))) continue;
    if (world.base?.has(id) === true) {
      ensure(plan.blockers.length > 0, "I5", () => `"${path}" (id ${id}) is undeclared and was applied, and nothing blocks`);
      world.tally.add("I5 unacknowledged drops that blocked");
    } else if (plan.blockers.length === 0) {
      ensure(
        plan.drift.some((drift) => drift.field?.id === id),
        "I5",
        () => `"${path}" (id ${id}) is not ours, and is no drift`,
      );
      world.tally.add("I5 foreign columns told as drift");
    }
  }
}

/** The parent may be a list's element, whose id is no node of its own. */
function isUnder(undeclared: ReadonlySet<number>, parentId: number, nodes: ReturnType<typeof nodesOf>): boolean {
  const parent = nodes.find(
    ({ field }) => field.id === parentId || (field.type.kind === "list" && field.type.elementId === parentId),
  );
  if (parent === undefined) return false;
  return undeclared.has(parent.field.id) || (parent.parentId !== null && isUnder(undeclared, parent.parentId, nodes));
}

/** What edits and foreign writers put into names, comments and properties. */
const HOSTILE = /drop table|<[bi]>|<script>|@all/;
const ASKED = { environmentNamed: true, selectors: [], excluded: [], changedSince: null };

function i6IsOnlyText(world: World, { plan }: Planned): void {
  if (![plan.steps, plan.drift, plan.blockers].some((part) => HOSTILE.test(JSON.stringify(part)))) return;
  const whole = { environment: "prod", fingerprint: planFingerprint([plan]), tables: [plan] };
  const text = renderMarkdown(planReport(whole, { asked: ASKED, sources: () => undefined, verbose: true }), {
    budget: null,
    sourceUrl: null,
  });
  const foreign = foreignMarkup(text, null);
  ensure(foreign.length === 0, "I6", () => foreign.join("; "));
  for (const { sql } of plan.steps) {
    for (const statement of [sql.spark, sql.athena, sql.trino]) {
      if (statement === null) continue;
      // What is left outside of quotes is our own words.
      const outside = statement.replaceAll(/`(?:[^`]|``)*`|"(?:[^"]|"")*"|'(?:[^'\\]|\\.|'')*'/g, "?");
      ensure(/^[\w\s(),.;?=<>:@[\]-]*$/.test(outside), "I6", () => `a statement holds foreign text: ${outside}`);
    }
  }
  world.tally.add("I6 plans with hostile names and values shown");
}

/** I4: after an apply nothing is left to do. */
export function i4LeavesNothing(world: World, declared: Declared, { plan }: Planned): void {
  const left = [...plan.steps.map(({ kind, field }) => `${kind} ${field?.path ?? ""}`), ...plan.blockers.map(({ code }) => code)];
  ensure(
    left.length === 0,
    "I4",
    () => `planned again, there is still ${left.join(", ")} for ${columnsOf(declared).length} columns`,
  );
  world.tally.add("I4 empty plans after an apply");
}
