// The planner against Iceberg Java: random declarations under random edits. What a plan sends in the REST model must
// pass Java's requirements and end in the same metadata; the same change by names must end in the same schema.
import { isDeepStrictEqual } from "node:util";
import { applyUpdates } from "../../../src/iceberg/apply-update.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { writeJson } from "../../../src/iceberg/json-write.ts";
import { writeRequirement } from "../../../src/iceberg/requirement-json.ts";
import { indexSchema } from "../../../src/iceberg/schema-index.ts";
import { writeSchema } from "../../../src/iceberg/schema-json.ts";
import { readMetadata } from "../../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../../src/iceberg/table-update.ts";
import { writeUpdate } from "../../../src/iceberg/update-json.ts";
import { baseProperties } from "../../../src/plan/base.ts";
import { planTable } from "../../../src/plan/plan-table.ts";
import { declaredFieldIds, simulatedPair } from "../../../src/plan/simulate.ts";
import type { PlanInput } from "../../../src/plan/table-pair.ts";
import { Declaration } from "../../plan/declaration.ts";
import type { Edit } from "../../plan/model.ts";
import { inputOf, liveOf } from "../../plan/support.ts";
import { operationsByName } from "./by-name.ts";
import { categoryOf } from "./categories.ts";
import { differences, documentOf } from "./compare.ts";
import type { JavaAnswer, Oracle, OracleCommit, OracleSession } from "./oracle.ts";
import { random } from "./random.ts";
import { textOf } from "./session.ts";
import { shrinkRounds } from "./shrink.ts";
import { type Tally, tally } from "./tally.ts";

interface PlannerCase {
  readonly formatVersion: number;
  readonly rounds: readonly (readonly Edit[])[];
}

/** One plan that was taken. */
interface Taken {
  readonly before: TableMetadata | null;
  readonly after: TableMetadata;
  readonly commit: OracleCommit;
}

interface Played {
  readonly taken: readonly Taken[];
  /** Codes of the blockers that ended it. */
  readonly blockedBy: readonly string[];
  /** Plans without a step. */
  readonly empty: number;
  readonly steps: readonly string[];
}

export interface PlannerResult {
  readonly plans: Tally;
  readonly byName: Tally;
  readonly steps: Tally;
  readonly refusals: Tally;
  readonly failures: string[];
}

const BATCH = 25;
const SHOWN = 3;

/** So many plans that are taken; stops early at a handful of differences. */
export async function runPlanner(oracle: Oracle, seed: number, plans: number): Promise<PlannerResult> {
  const result: PlannerResult = { plans: tally(), byName: tally(), steps: tally(), refusals: tally(), failures: [] };
  for (let stream = 0; result.plans.total() < plans && result.failures.length < SHOWN; stream += BATCH) {
    const cases = Array.from({ length: BATCH }, (_, index) => makeCase(seed, stream + index));
    for (const [index, verdict] of (await compare(oracle, cases, result)).entries()) {
      const one = cases[index];
      if (verdict === null || one === undefined) continue;
      const isFailing = async (rounds: PlannerCase["rounds"]): Promise<string | null> =>
        (await compare(oracle, [{ ...one, rounds }], null))[0] ?? null;
      const small = await shrinkRounds(one.rounds, isFailing);
      const text = writeJson(JSON.parse(JSON.stringify({ formatVersion: one.formatVersion, rounds: small.rounds })));
      result.failures.push(`seed ${seed}, stream ${stream + index}\n${small.words}\n${text}`);
    }
  }
  return result;
}

function makeCase(seed: number, stream: number): PlannerCase {
  const numbers = random(seed, 1_000_000 + stream);
  const edit = (): Edit => ({ kind: numbers.below(1000), a: numbers.below(1000), b: numbers.below(1000) });
  const rounds = Array.from({ length: numbers.between(2, 7) }, () => Array.from({ length: numbers.between(1, 10) }, edit));
  return { formatVersion: numbers.pick([1, 2, 3, 3]), rounds };
}

/** The words of each case's first difference, null where there is none. */
async function compare(
  oracle: Oracle,
  cases: readonly PlannerCase[],
  result: PlannerResult | null,
): Promise<readonly (string | null)[]> {
  const played = cases.map((one) => play(one));
  const sessions = played.map(({ taken }) => ({ table: null, commits: taken.map(({ commit }) => commit) }));
  const named = played.map(({ taken }) => taken.map(changeByName));
  const answers = await oracle.ask(sessions);
  const namedAnswers = await askNamed(oracle, played, named);
  return played.map(({ taken, blockedBy, empty, steps }, index) => {
    for (const code of blockedBy) result?.refusals.add(code);
    for (const kind of steps) result?.steps.add(kind);
    if (empty > 0) result?.plans.add("no step", empty);
    for (const [number, one] of taken.entries()) {
      const answer = answers[index]?.[number] ?? "";
      const change = named[index]?.[number] ?? "same schema";
      const verdict =
        metadataDifference(one, answer) ?? nameDifference(one, change, namedAnswers[index]?.[number], result?.byName ?? null);
      if (verdict !== null) return `${verdict}\n${writeJson({ commit: { ...one.commit } })}`;
      result?.plans.add(one.before === null ? "new table: the same" : "changed table: the same");
    }
    return null;
  });
}

function metadataDifference({ after }: Taken, java: JavaAnswer): string | null {
  if (typeof java !== "string") return `java refuses: ${java.type}: ${java.message}`;
  const found = differences(documentOf(textOf(after)), documentOf(java));
  return found.length === 0 ? null : found.join("\n");
}

/** The change of the schema for Java's update API; a text where there is none. */
type NamedChange = readonly JsonObject[] | "same schema" | "restore";

function changeByName({ before, after }: Taken): NamedChange {
  if (before === null || before.formatVersion !== after.formatVersion) return "same schema";
  const change = operationsByName(currentSchema(before), currentSchema(after), before.lastColumnId);
  if (change === null) return "restore";
  return change.length === 0 ? "same schema" : change;
}

/** One request for all of them. */
async function askNamed(
  oracle: Oracle,
  played: readonly Played[],
  named: readonly (readonly NamedChange[])[],
): Promise<readonly (readonly (JavaAnswer | undefined)[])[]> {
  const sessions: OracleSession[] = [];
  const places = played.map(({ taken }, row) =>
    taken.map(({ before }, index) => {
      const change = named[row]?.[index];
      if (before === null || change === undefined || typeof change === "string") return -1;
      return sessions.push({ table: textOf(before), commits: [{ change }] }) - 1;
    }),
  );
  const answers = await oracle.ask(sessions);
  return places.map((row) => row.map((place) => answers[place]?.[0]));
}

function nameDifference(
  { after }: Taken,
  change: NamedChange,
  answer: JavaAnswer | undefined,
  byName: Tally | null,
): string | null {
  if (change === "same schema") return null;
  if (change === "restore") {
    byName?.add("a field comes back with its old id: Java has no word for it");
    return null;
  }
  if (answer === undefined) throw new Error("Nothing was asked by name");
  if (typeof answer !== "string") {
    byName?.add(`Java refuses by name: ${categoryOf(answer, change) ?? answer.message ?? answer.type}`);
    return null;
  }
  byName?.add("the same by name");
  const java = readMetadata(new TextEncoder().encode(answer), "oracle");
  const [ours, theirs] = [after, java].map((one) => ({ lastColumnId: one.lastColumnId, ...withoutId(one) }));
  if (isDeepStrictEqual(ours, theirs)) return null;
  return `by name ${writeJson(change)}\n  ours ${writeJson({ ...ours })}\n  java ${writeJson({ ...theirs })}`;
}

function withoutId(table: TableMetadata): JsonObject {
  const { "schema-id": _, ...schema } = writeSchema(currentSchema(table));
  return schema;
}

/** Plans and takes round after round, as an apply would, until one is blocked. */
function play({ formatVersion, rounds }: PlannerCase): Played {
  const declaration = new Declaration(formatVersion);
  const taken: Taken[] = [];
  const steps: string[] = [];
  let live: TableMetadata | null = null;
  let ids: ReadonlyMap<number, number> = new Map();
  let empty = 0;
  for (const round of [[], ...rounds]) {
    declaration.model.nextRound();
    for (const edit of round) declaration.edit(edit);
    const input = inputFor(declaration, live, ids);
    const { plan, change } = planTable(input);
    if (plan.blockers.length > 0) return { taken, blockedBy: plan.blockers.map(({ code }) => code), empty, steps };
    if (change === null) {
      empty += 1;
      continue;
    }
    steps.push(...plan.steps.map(({ kind }) => kind));
    const updates: readonly TableUpdate[] = [
      ...(live === null ? START : []),
      ...change.updates,
      { action: "set-properties", updates: memory(input, change, plan.fingerprint) },
    ];
    const after = applyUpdates(live, updates, { nowMs: live?.lastUpdatedMs ?? NOW_MS, previousMetadataLocation: null });
    const commit = {
      requirements: change.requirements.map((requirement) => writeRequirement(requirement)),
      updates: updates.map((update) => writeUpdate(update)),
    };
    taken.push({ before: live, after, commit });
    live = after;
    ids = new Map([...ids, ...idsNow(declaration, live)]);
  }
  return { taken, blockedBy: [], empty, steps };
}

const NOW_MS = 1_700_000_000_000;
/** What apply says of a new table. */
const START: readonly TableUpdate[] = [
  { action: "assign-uuid", uuid: "9c12d441-03fe-4693-9a96-a0705ddf69c1" },
  { action: "set-location", location: "file:/table" },
];

function inputFor(declaration: Declaration, live: TableMetadata | null, ids: ReadonlyMap<number, number>): PlanInput {
  const base = inputOf("table: ns.t\ncolumns:\n  - { name: x, type: int }\n", null);
  const spec = declaration.spec(live === null ? [] : droppedPaths(declaration, live, ids));
  return { ...base, spec, live: live === null ? null : liveOf(live) };
}

function memory(input: PlanInput, change: Parameters<typeof simulatedPair>[1], fingerprint: string): Record<string, string> {
  const after = simulatedPair(input, change);
  const metadata = after.live?.metadata;
  const { set } = baseProperties({
    fieldIds: declaredFieldIds(after),
    schemaId: metadata?.currentSchemaId ?? 0,
    specId: metadata?.defaultSpecId ?? 0,
    sortOrderId: metadata?.defaultSortOrderId ?? 0,
    properties: {},
    glueParameters: {},
    commit: null,
    plan: fingerprint,
    environment: "prod",
    reason: null,
    attempt: "a",
  });
  return { ...set };
}

/** Live paths of what the model no longer declares: the drops are meant. */
function droppedPaths(declaration: Declaration, live: TableMetadata, ids: ReadonlyMap<number, number>): string[] {
  const index = indexSchema(currentSchema(live));
  const alive = new Set(declaration.model.levels().flatMap(({ fields }) => fields.map(({ key }) => key)));
  return [...ids].flatMap(([key, id]) => (alive.has(key) || index.byId(id) === undefined ? [] : [index.segments(id).join(".")]));
}

/** Which id each key has, by walking both trees by name. */
function idsNow(declaration: Declaration, live: TableMetadata): readonly (readonly [number, number])[] {
  const index = indexSchema(currentSchema(live));
  return declaration.model.levels().flatMap(({ fields, path }) =>
    fields.flatMap(({ key, name }) => {
      const node = index.byPath([...path, name]);
      return node === undefined ? [] : [[key, node.id] as const];
    }),
  );
}
