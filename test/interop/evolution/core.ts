// The core against Iceberg Java's own update API: random tables, several random commits to each. Tells what was the
// same by kind of change, and shrinks what was not to a case of the conformance format.
import { isDeepStrictEqual } from "node:util";
import { textOf } from "../../../scripts/conformance-json.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { departureOf, partsRefusedFor } from "./departures.ts";
import type { JavaAnswer, Oracle } from "./oracle.ts";
import { random } from "./random.ts";
import { anyBase } from "./random-base.ts";
import { anyChange } from "./random-changes.ts";
import {
  afterOf,
  commitOurs,
  compareCommit,
  type OwnCommit,
  type Session,
  startOf,
  textOf as metadataText,
  toOracle,
} from "./session.ts";
import { shrink } from "./shrink.ts";
import { type Tally, tally } from "./tally.ts";

interface Made {
  readonly stream: number;
  readonly session: Session;
  readonly own: readonly OwnCommit[];
}

export interface Failure {
  readonly words: string;
}

export interface CoreResult {
  readonly counts: Tally;
  readonly departures: Tally;
  readonly failures: readonly Failure[];
}

const BATCH = 50;
const SHOWN = 5;

/** At least so many commits; stops early at a handful of differences. */
export async function runCore(oracle: Oracle, seed: number, commits: number): Promise<CoreResult> {
  const result = { counts: tally(), departures: tally(), failures: [] as Failure[] };
  let waiting = ask(oracle, batch(seed, 0));
  for (let stream = BATCH; result.counts.total() < commits && result.failures.length < SHOWN; stream += BATCH) {
    const { sessions, answers } = await waiting;
    // Java works on the next ones meanwhile.
    waiting = ask(oracle, batch(seed, stream));
    for (const [index, made] of sessions.entries()) await judge(oracle, seed, made, answers[index] ?? [], result);
  }
  await waiting;
  return result;
}

function batch(seed: number, from: number): readonly Made[] {
  return Array.from({ length: BATCH }, (_, index) => make(seed, from + index));
}

function make(seed: number, stream: number): Made {
  const numbers = random(seed, stream);
  const base = anyBase(numbers);
  const own: OwnCommit[] = [];
  let table = startOf(base);
  for (let count = numbers.between(1, 5); count > 0; count--) {
    const commit = commitOurs(table, anyChange(numbers, table));
    own.push(commit);
    table = afterOf(commit);
  }
  return { stream, session: { ...base, commits: own.map((commit) => commit.operations) }, own };
}

async function ask(
  oracle: Oracle,
  sessions: readonly Made[],
): Promise<{ readonly sessions: readonly Made[]; readonly answers: readonly (readonly JavaAnswer[])[] }> {
  return { sessions, answers: await oracle.ask(sessions.map(({ session }) => toOracle(session))) };
}

async function judge(
  oracle: Oracle,
  seed: number,
  { stream, session, own }: Made,
  answers: readonly JavaAnswer[],
  { counts, departures, failures }: { counts: Tally; departures: Tally; failures: Failure[] },
): Promise<void> {
  for (const [index, commit] of own.entries()) {
    const verdict = await verdictOn(oracle, commit, answers[index] ?? "");
    if (verdict.kind === "different") {
      const commits = session.commits.slice(0, index + 1);
      const isStill = async (smaller: Session): Promise<string | null> => await lastDifference(oracle, smaller);
      const small = await shrink({ ...session, commits }, isStill);
      failures.push({ words: `seed ${seed}, stream ${stream}, commit ${index + 1}\n${small.words}\n${small.text}` });
      return;
    }
    if (verdict.kind === "departure") departures.add(verdict.name);
    else counts.add(`${familyOf(commit.operations)}: ${verdict.kind}`);
    // From here on the two tables are not the same any more.
    if (verdict.kind === "departure") return;
  }
}

type Verdict =
  | { readonly kind: "the same" | "both refuse" | "both refuse, two faults" }
  | { readonly kind: "departure"; readonly name: string }
  | { readonly kind: "different"; readonly words: string };

async function verdictOn(oracle: Oracle, commit: OwnCommit, answer: JavaAnswer): Promise<Verdict> {
  const agreement = compareCommit(commit, answer);
  if (!("words" in agreement)) return { kind: agreement.kind === "same" ? "the same" : "both refuse" };
  if (agreement.kind === "other-category") {
    const other = await otherFault(oracle, commit, agreement);
    if (other !== null) return other;
  }
  const departure = await departureOf(commit, answer, oracle);
  return departure === null ? { kind: "different", words: agreement.words } : { kind: "departure", name: departure.name };
}

/**
 * What a commit is that both refuse for different reasons, if it has both faults: a part of it alone is refused here for
 * Java's reason, or a part that is refused for ours comes to the same with Java.
 */
async function otherFault(
  oracle: Oracle,
  commit: OwnCommit,
  { ours, java }: { readonly ours: string; readonly java: string },
): Promise<Verdict | null> {
  if (partsRefusedFor(commit, java).length > 0) return { kind: "both refuse, two faults" };
  const [smallest] = partsRefusedFor(commit, ours);
  if (smallest === undefined || isDeepStrictEqual(smallest.operations, commit.operations)) return null;
  const [[answer = ""] = []] = await oracle.ask([
    { table: metadataText(commit.before), commits: [{ change: smallest.operations }] },
  ]);
  const verdict = await verdictOn(oracle, smallest, answer);
  if (verdict.kind === "departure") return verdict;
  return verdict.kind === "different" ? null : { kind: "both refuse, two faults" };
}

/** The words of the difference at the last commit of the session; null when there is none, or one before it. */
async function lastDifference(oracle: Oracle, session: Session): Promise<string | null> {
  const own: OwnCommit[] = [];
  let table = startOf(session);
  for (const operations of session.commits) {
    const commit = commitOurs(table, operations);
    own.push(commit);
    table = afterOf(commit);
  }
  const [answers = []] = await oracle.ask([toOracle(session)]);
  for (const [index, commit] of own.entries()) {
    const verdict = await verdictOn(oracle, commit, answers[index] ?? "");
    const isLast = index === own.length - 1;
    if (isLast) return verdict.kind === "different" ? verdict.words : null;
    if (verdict.kind === "different" || verdict.kind === "departure") return null;
  }
  return null;
}

const FAMILIES: Readonly<Record<string, string>> = {
  add_partition_field: "partition spec",
  remove_partition_field: "partition spec",
  rename_partition_field: "partition spec",
  spec_case_insensitive: "partition spec",
  non_default_spec: "partition spec",
  set_sort_order: "sort order",
  set_properties: "properties",
  remove_properties: "properties",
  upgrade_format_version: "format version",
};

function familyOf([first]: readonly JsonObject[]): string {
  return FAMILIES[first === undefined ? "" : textOf(first, "op")] ?? "schema";
}
