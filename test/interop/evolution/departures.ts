// Where the core departs from Iceberg Java on purpose, each with its reason and with what must hold for a difference to
// be one of these: an answer of Java itself, never a mere likeness. They are counted apart from what is the same.
import { isDeepStrictEqual } from "node:util";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../src/iceberg/json.ts";
import { readMetadata } from "../../../src/iceberg/metadata-json.ts";
import { NAME_MAPPING_PROPERTY } from "../../../src/iceberg/name-mapping.ts";
import { writeUpdate } from "../../../src/iceberg/update-json.ts";
import { documentOf } from "./compare.ts";
import { currentSchema, defaultSpec, type TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import { writeJson } from "../../../src/iceberg/json-write.ts";
import type { JavaAnswer, Oracle } from "./oracle.ts";
import { commitOurs, compareCommit, type OwnCommit, textOf } from "./session.ts";
import { updatesBetween } from "./updates-between.ts";

/** What has to be shown before a difference counts as the departure. */
type Proof =
  /** An operation that is refused here and of which Java does nothing good: without it both end the same. */
  | { readonly kind: "does-nothing"; readonly ours: RegExp }
  /** Java's update API refuses, but its metadata takes the very result: both end the same. */
  | { readonly kind: "metadata-takes-it"; readonly java: RegExp }
  /** Java loses identifier fields, or refuses since it does: with the ids given by themselves both end the same. */
  | { readonly kind: "identifier-ids" }
  /** Both take a field of an earlier spec, of which there are several. */
  | { readonly kind: "some-earlier-field" }
  /** Some of the operations alone bring Java's metadata to where one spec has a field id twice. */
  | { readonly kind: "field-id-twice" }
  /** Java takes what is refused here in such words. */
  | { readonly kind: "java-takes-it"; readonly ours: RegExp };

export interface Departure {
  readonly name: string;
  readonly reason: string;
  readonly proof: Proof;
}

export const DEPARTURES: readonly Departure[] = [
  {
    name: "a name, doc or default for a list element or map value",
    reason: "the format has no place for it; Java takes the request and loses it, but for a name in the name mapping",
    proof: { kind: "does-nothing", ours: /has no place for/ },
  },
  {
    name: "a change inside what is dropped in the same update",
    reason: "the two contradict; Java looks at the dropped field alone and loses the change",
    proof: { kind: "does-nothing", ours: /is dropped in the same update|is changed in the same update, so/ },
  },
  {
    name: "a change of a map key that changes nothing",
    reason: "spec: map keys cannot be changed; Java compares the key before and after, so lets through a move to where it was",
    proof: { kind: "does-nothing", ours: /map keys cannot be changed/ },
  },
  {
    name: "identifier fields follow their ids",
    reason: "spec: identifier fields are ids; Java keeps names, and loses them at a rename or another letter case",
    proof: { kind: "identifier-ids" },
  },
  {
    name: "the name of a partition field that is renamed in the same update",
    reason: "spec: names are unique in the resulting spec, and they are; Java looks at the names before",
    proof: { kind: "metadata-takes-it", java: /^Cannot add duplicate partition field name/ },
  },
  {
    name: "a partition field that earlier specs have under several names or ids",
    reason: "the format does not say which one counts: here the newest, in Java the first of a hash set",
    proof: { kind: "some-earlier-field" },
  },
  {
    name: "an old partition field of a table that was once version 1",
    reason: "spec: field ids are unique in a spec; Java gives the id that a void field of the present spec still has",
    proof: { kind: "field-id-twice" },
  },
  {
    name: "the name of its own column for a partition field that is no identity",
    reason: "PyIceberg and Java's own builder of specs refuse it; Java's update API does not look",
    proof: { kind: "java-takes-it", ours: /is not the source of an identity partition field of that name/ },
  },
  {
    name: "a void partition field of what is inside a list or map",
    reason: "spec: a source cannot be contained in a map or list; Java does not look where the transform is void",
    proof: { kind: "java-takes-it", ours: /^Cannot partition by .*: .* is inside a (?:list|map)$/ },
  },
  {
    name: "the union of a struct, list or map with a variant",
    reason: "spec: no promotion leads from one to the other; Java's union passes over a variant",
    proof: { kind: "java-takes-it", ours: /a (?:struct|list|map) cannot become variant$/ },
  },
];

/** The departure that the difference is, or null. */
export async function departureOf(commit: OwnCommit, java: JavaAnswer, oracle: Oracle): Promise<Departure | null> {
  for (const departure of DEPARTURES) {
    if (await holds(departure.proof, commit, java, oracle)) return departure;
  }
  return null;
}

async function holds(proof: Proof, commit: OwnCommit, java: JavaAnswer, oracle: Oracle): Promise<boolean> {
  const { outcome } = commit;
  switch (proof.kind) {
    case "does-nothing": {
      if (!("why" in outcome) || !proof.ours.test(outcome.why)) return false;
      if (typeof java === "string") return someEndSo(commit, java);
      const rest = withoutRefused(commit, proof.ours);
      return rest !== null && (await agrees(rest, oracle));
    }
    case "metadata-takes-it":
      return typeof java !== "string" && proof.java.test(java.message ?? "") && (await metadataTakes(commit, oracle));
    case "identifier-ids":
      return await losesIdentifiers(commit, java, oracle);
    case "some-earlier-field":
      return typeof java === "string" && "after" in outcome && isSomeEarlierField(commit.before, outcome.after, java);
    case "field-id-twice":
      return await someHaveIdTwice(commit, oracle);
    case "java-takes-it":
      return typeof java === "string" && "why" in outcome && proof.ours.test(outcome.why);
  }
}

function isSame(ours: string, java: string): boolean {
  return isDeepStrictEqual(documentOf(ours), documentOf(java));
}

function withoutNameMapping(text: string): JsonObject {
  const document = documentOf(text);
  const { properties } = document;
  if (!isJsonObject(properties)) return document;
  const { [NAME_MAPPING_PROPERTY]: _, ...rest } = properties;
  return { ...document, properties: rest };
}

/** The commit without the operations that are refused in such words; null where one is refused otherwise. */
function withoutRefused({ before, operations }: OwnCommit, words: RegExp): OwnCommit | null {
  let left = operations;
  for (;;) {
    const commit = commitOurs(before, left);
    const { outcome } = commit;
    if (!("why" in outcome) || !words.test(outcome.why)) return commit;
    const { why } = outcome;
    const at = left.findIndex((_, index) => isRefusedSo(commitOurs(before, left.slice(0, index + 1)), why));
    if (at < 0) return null;
    left = left.filter((_, index) => index !== at);
  }
}

async function someHaveIdTwice({ before, operations }: OwnCommit, oracle: Oracle): Promise<boolean> {
  const table = textOf(before);
  if (hasIdTwice(table)) return false;
  const some = subsets(operations).filter((change) => change.some(({ op }) => op === "add_partition_field"));
  if (some.length === 0) return false;
  const answers = await oracle.ask(some.map((change) => ({ table, commits: [{ change }] })));
  return answers.some(([answer]) => typeof answer === "string" && hasIdTwice(answer));
}

function hasIdTwice(text: string): boolean {
  return readMetadata(new TextEncoder().encode(text), "oracle").partitionSpecs.some(
    ({ fields }) => new Set(fields.map((field) => field.fieldId)).size < fields.length,
  );
}

async function metadataTakes({ before, outcome }: OwnCommit, oracle: Oracle): Promise<boolean> {
  if (!("after" in outcome)) return false;
  const updates = updatesBetween(before, outcome.after).map((update) => writeUpdate(update));
  const [[answer] = []] = await oracle.ask([{ table: textOf(before), commits: [{ requirements: [], updates }] }]);
  return typeof answer === "string" && isSame(textOf(outcome.after), answer);
}

async function losesIdentifiers(commit: OwnCommit, java: JavaAnswer, oracle: Oracle): Promise<boolean> {
  const { before, operations, outcome } = commit;
  if (typeof java === "string") {
    if (!("after" in outcome) || operations.some(({ op }) => op === "set_identifier_fields")) return false;
    const ids = currentSchema(before).identifierFieldIds;
    const keepsIds = isDeepStrictEqual(currentSchema(outcome.after).identifierFieldIds, ids);
    const [ours, theirs] = [textOf(outcome.after), java].map(withoutIdentifiers);
    return keepsIds && ids.length > 0 && isDeepStrictEqual(ours, theirs);
  }
  if (!/^Cannot (?:add field .* as an|delete) identifier field|delete nested identifier field/.test(java.message ?? ""))
    return false;
  if ("after" in outcome) return await metadataTakes(commit, oracle);
  return await agrees(commitOurs(before, [...operations, { op: "set_identifier_fields", columns: [] }]), oracle);
}

function withoutIdentifiers(text: string): unknown {
  return JSON.parse(writeJson(documentOf(text)), (key, value: unknown) => (key === "identifier-field-ids" ? undefined : value));
}

/** Is each field of Java's spec either one of ours or one that the table had, made from the same source alike? */
function isSomeEarlierField(before: TableMetadata, after: TableMetadata, java: string): boolean {
  const theirs = readMetadata(new TextEncoder().encode(java), "oracle");
  const [ourFields, javaFields] = [defaultSpec(after).fields, defaultSpec(theirs).fields];
  const known = [...ourFields, ...before.partitionSpecs.flatMap((spec) => spec.fields)];
  return (
    ourFields.length === javaFields.length &&
    javaFields.every((field, index) => {
      const { sourceIds, transform } = ourFields[index] ?? field;
      const isAlike = isDeepStrictEqual(field.sourceIds, sourceIds) && field.transform === transform;
      return isAlike && known.some((one) => isDeepStrictEqual(one, field));
    }) &&
    isDeepStrictEqual(withoutSpecs(textOf(after)), withoutSpecs(java))
  );
}

function withoutSpecs(text: string): JsonObject {
  const left = new Set(["partition-spec", "partition-specs", "default-spec-id", "last-partition-id"]);
  return Object.fromEntries(Object.entries(documentOf(text)).filter(([key]) => !left.has(key)));
}

/** Do some of the operations alone end as Java says that all do? */
function someEndSo({ before, operations }: OwnCommit, java: string): boolean {
  // An addition that comes to nothing has used up ids.
  const form = operations.some(({ op }) => op === "add" || op === "union_by_name") ? withoutIds : withoutNameMapping;
  const wanted = form(java);
  return [[], ...subsets(operations)].some((some) => {
    const { outcome } = commitOurs(before, some);
    return "after" in outcome && isDeepStrictEqual(form(textOf(outcome.after)), wanted);
  });
}

function withoutIds(text: string): unknown {
  return JSON.parse(writeJson(withoutNameMapping(text)), (key, value: unknown) =>
    /^(?:id|element-id|key-id|value-id|last-column-id)$/.test(key) ? undefined : value,
  );
}

async function agrees(commit: OwnCommit, oracle: Oracle): Promise<boolean> {
  if (commit.operations.length === 0) return false;
  const [[answer = ""] = []] = await oracle.ask([{ table: textOf(commit.before), commits: [{ change: commit.operations }] }]);
  const { kind } = compareCommit(commit, answer);
  return kind === "same" || kind === "both-refused";
}

function isRefusedSo({ outcome }: OwnCommit, why: string): boolean {
  return "why" in outcome && outcome.why === why;
}

/** Parts of the commit that are refused in the category here, the smallest first. */
export function partsRefusedFor({ before, operations }: OwnCommit, category: string): readonly OwnCommit[] {
  return parts(operations)
    .map((part) => commitOurs(before, part))
    .filter(({ outcome }) => "category" in outcome && outcome.category === category)
    .sort((a, b) => sizeOf(a.operations) - sizeOf(b.operations));
}

function sizeOf(operations: readonly JsonObject[]): number {
  const fields = operations[0]?.["fields"];
  return Array.isArray(fields) ? fields.length : operations.length;
}

/** Some of the operations; of a sort order, some of its fields. */
function parts(operations: readonly JsonObject[]): readonly (readonly JsonObject[])[] {
  const [first] = operations;
  const fields = first?.["fields"];
  if (first === undefined || !Array.isArray(fields)) return subsets(operations);
  return subsets(fields as readonly JsonValue[]).map((some) => [{ ...first, fields: some }]);
}

function subsets<T>(list: readonly T[]): readonly (readonly T[])[] {
  const count = 2 ** list.length;
  return Array.from({ length: count - 1 }, (_, mask) => list.filter((__, index) => ((mask + 1) >> index) % 2 === 1));
}
