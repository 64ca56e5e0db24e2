// Makes a failing session small: fewer commits, operations, columns, as long as it fails. Gives a case of the
// conformance format, without its `expect`.
import type { JsonObject, JsonValue } from "../../../src/iceberg/json.ts";
import { writeJson } from "../../../src/iceberg/json-write.ts";
import type { Session } from "./session.ts";

export interface Small {
  readonly session: Session;
  readonly words: string;
  readonly text: string;
}

const TRIES = 400;

/** `isFailing` gives the words of the failure at the last commit, null where there is none. */
export async function shrink(session: Session, isFailing: (smaller: Session) => Promise<string | null>): Promise<Small> {
  let small = session;
  let words = (await failing(isFailing, small)) ?? "it does not fail when it is asked alone";
  let left = TRIES;
  for (let found = true; found && left > 0; ) {
    found = false;
    for (const smaller of smallerOnes(small)) {
      left -= 1;
      const now = await failing(isFailing, smaller);
      if (now === null || likeness(now) !== likeness(words)) continue;
      small = smaller;
      words = now;
      found = true;
      break;
    }
  }
  return { session: small, words, text: caseText(small) };
}

/** Fewer rounds, and fewer edits in each, as long as it fails. */
export async function shrinkRounds<T>(
  rounds: readonly (readonly T[])[],
  isFailing: (fewer: readonly (readonly T[])[]) => Promise<string | null>,
): Promise<{ readonly rounds: readonly (readonly T[])[]; readonly words: string }> {
  let small = rounds;
  let words = (await isFailing(small)) ?? "it does not fail when it is asked alone";
  for (let left = TRIES, found = true; found && left > 0; ) {
    found = false;
    for (const fewer of fewerRounds(small)) {
      left -= 1;
      const now = await isFailing(fewer);
      if (now === null || likeness(now) !== likeness(words)) continue;
      [small, words, found] = [fewer, now, true];
      break;
    }
  }
  return { rounds: small, words };
}

function* fewerRounds<T>(rounds: readonly (readonly T[])[]): Generator<readonly (readonly T[])[], void, undefined> {
  for (const index of rounds.keys()) yield without(rounds, index);
  for (const [index, edits] of rounds.entries()) {
    for (const at of edits.keys()) yield rounds.with(index, without(edits, at));
  }
}

/** What two failures of one kind have in common: how their lines begin. */
function likeness(words: string): string {
  return words
    .split("\n")
    .map((line) => line.slice(0, 20))
    .join("\n");
}

// A session that was cut too far makes no table at all, which is no failure of the kind that is looked for.
async function failing(isFailing: (smaller: Session) => Promise<string | null>, session: Session): Promise<string | null> {
  try {
    return await isFailing(session);
  } catch {
    return null;
  }
}

function* smallerOnes(session: Session): Generator<Session, void, undefined> {
  const { commits, base } = session;
  for (const index of commits.slice(0, -1).keys()) yield { ...session, commits: without(commits, index) };
  for (const [index, operations] of commits.entries()) {
    if (operations.length < 2) continue;
    for (const at of operations.keys()) yield { ...session, commits: commits.with(index, without(operations, at)) };
  }
  for (const key of ["properties", "sort_order", "partition_specs"]) {
    if (!(key in base)) continue;
    const { [key]: _, default_spec_id: id, ...rest } = base;
    yield { ...session, base: key === "partition_specs" || id === undefined ? rest : { ...rest, default_spec_id: id } };
  }
  const schema = base["schema"];
  if (!isObject(schema)) return;
  if ("identifier-field-ids" in schema) {
    const { "identifier-field-ids": _, ...rest } = schema;
    yield { ...session, base: { ...base, schema: rest } };
  }
  for (const smaller of fewerFields(schema)) yield { ...session, base: { ...base, schema: smaller } };
}

/** With one field less, at any depth. */
function* fewerFields(value: JsonObject): Generator<JsonObject, void, undefined> {
  for (const [key, inner] of Object.entries(value)) {
    if (isList(inner)) {
      for (const [index, one] of inner.entries()) {
        if (!isObject(one)) continue;
        yield { ...value, [key]: without(inner, index) };
        for (const smaller of fewerFields(one)) yield { ...value, [key]: inner.with(index, smaller) };
      }
    } else if (isObject(inner)) {
      for (const smaller of fewerFields(inner)) yield { ...value, [key]: smaller };
    }
  }
}

function without<T>(list: readonly T[], index: number): readonly T[] {
  return list.filter((_, at) => at !== index);
}

function isList(value: JsonValue | undefined): value is readonly JsonValue[] {
  return Array.isArray(value);
}

function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function caseText({ formatVersion, base, commits }: Session): string {
  const change = commits.flatMap((operations, index) => (index === 0 ? operations : [{ op: "commit" }, ...operations]));
  return writeJson({ format_version: formatVersion, base, change });
}
