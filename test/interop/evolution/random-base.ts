// Random tables to begin with, as the `base` of a conformance case: nested schemas with ids in any order, identifier
// fields, partition specs of earlier days, a sort order, properties that name columns.
import { fieldNodesOf, type NamedNode } from "./nodes.ts";
import type { JsonObject } from "../../../src/iceberg/json.ts";
import { createNameMapping, formatNameMapping } from "../../../src/iceberg/name-mapping.ts";
import { checkFormatVersion, checkPartitionSpecs, checkSchema } from "../../../src/iceberg/schema-check.ts";
import { readSchema } from "../../../src/iceberg/schema-json.ts";
import type { FormatVersion } from "../../../src/iceberg/table-metadata.ts";
import { defaultFieldName, parseTransform, transformProblem } from "../../../src/iceberg/transform.ts";
import type { Schema } from "../../../src/iceberg/type.ts";
import type { Random } from "./random.ts";
import { anyFields, placeholders } from "./random-schema.ts";

export interface RandomBase {
  readonly formatVersion: FormatVersion;
  /** In the words of the conformance format. */
  readonly base: JsonObject;
}

const TRANSFORMS = ["identity", "bucket[4]", "bucket[16]", "truncate[3]", "year", "month", "day", "hour"] as const;

export function anyBase(random: Random): RandomBase {
  const formatVersion = random.pick([1, 2, 2, 3, 3] as const);
  const { schema, lastColumnId } = anySchema(random, formatVersion);
  const read = readSchema(schema);
  return {
    formatVersion,
    base: {
      schema,
      last_column_id: lastColumnId,
      ...anySpecs(random, read, formatVersion),
      ...(random.percent(30) ? sortOrder(random, read) : {}),
      ...(random.percent(30) ? { properties: anyProperties(random, read) } : {}),
    },
  };
}

/** Again until it is one that the format takes; most are. */
function anySchema(random: Random, version: FormatVersion): { readonly schema: JsonObject; readonly lastColumnId: number } {
  for (;;) {
    const next = placeholders();
    const fields = anyFields(random, version, random.between(0, 4), next, random.between(1, 6));
    const count = next() - 1;
    // As tables are whose columns came, went and moved: any order, with gaps.
    const ids = random.shuffled(Array.from({ length: count + random.below(4) }, (_, index) => index + 1));
    const schema = random.percent(50) ? { type: "struct", fields } : renumbered({ type: "struct", fields }, ids);
    const plain = readSchema(schema);
    const identifiers = anyIdentifiers(random, plain);
    const found = { ...plain, identifierFieldIds: identifiers };
    if ([...checkSchema(found), ...checkFormatVersion(found, version)].length > 0) continue;
    const whole = identifiers.length === 0 ? schema : { ...schema, "identifier-field-ids": identifiers };
    return { schema: whole, lastColumnId: Math.max(...ids, count) + random.below(3) };
  }
}

const ID_KEYS: ReadonlySet<string> = new Set(["id", "element-id", "key-id", "value-id"]);

function renumbered(value: JsonObject, ids: readonly number[]): JsonObject {
  const text = JSON.stringify(value, (key, inner: unknown) => {
    if (typeof inner === "bigint") return `\u0000${inner}`;
    return ID_KEYS.has(key) && typeof inner === "number" ? (ids[inner - 1] ?? inner) : inner;
  });
  return JSON.parse(text, (_, inner: unknown) =>
    typeof inner === "string" && inner.startsWith("\u0000") ? BigInt(inner.slice(1)) : inner,
  ) as JsonObject;
}

function anyIdentifiers(random: Random, schema: Schema): number[] {
  if (!random.percent(35)) return [];
  return fieldNodesOf(schema)
    .filter((node) => node.canIdentify && random.percent(50))
    .map((node) => node.id)
    .sort((a, b) => a - b);
}

interface SpecField extends JsonObject {
  readonly "source-id": number;
  readonly "field-id": number;
  readonly transform: string;
  readonly name: string;
}

/** One spec, or several of which one is the default; in v1 a field that went is void. */
function anySpecs(random: Random, schema: Schema, version: FormatVersion): JsonObject {
  if (random.percent(25)) return {};
  const nodes = fieldNodesOf(schema);
  let lastId = 999;
  const first = Array.from({ length: random.between(0, 3) }).flatMap((): SpecField[] => {
    const field = anySpecField(random, nodes, lastId + 1);
    if (field !== null) lastId += 1;
    return field === null ? [] : [field];
  });
  const specs = [first];
  for (let more = random.below(3); more > 0; more--) {
    const before = specs.at(-1) ?? [];
    const kept = before.flatMap((field): SpecField[] => {
      if (!random.percent(40)) return [field];
      return version > 1 ? [] : [{ ...field, transform: "void" }];
    });
    const made = random.percent(60) ? anySpecField(random, nodes, lastId + 1) : null;
    // Since version 2 a field that comes back has its old id.
    const earlier = version === 1 ? undefined : specs.flat().find((field) => made !== null && isSameField(field, made));
    if (made !== null && earlier === undefined) lastId += 1;
    specs.push(made === null ? kept : [...kept, earlier ?? made]);
  }
  const written = specs
    .map((fields, index): JsonObject => ({ "spec-id": index, fields: withoutTwins(fields) }))
    .filter((spec, index, all) => all.findIndex((one) => sameFields(one, spec)) === index);
  const problems = checkPartitionSpecs(schema, written.map(asSpec), -1);
  const sequential = written.every((spec) => asSpec(spec).fields.every((field, index) => field.fieldId === 1000 + index));
  if (problems.length > 0 || (version === 1 && !sequential)) return {};
  const chosen = random.any(written);
  return {
    partition_specs: written,
    default_spec_id: chosen?.["spec-id"] ?? 0,
    last_partition_id: lastId + (version > 1 ? random.below(3) : 0),
  };
}

function anySpecField(random: Random, nodes: readonly NamedNode[], id: number): SpecField | null {
  const node = random.any(nodes.filter((one) => one.isSource));
  if (node === undefined) return null;
  const fits = TRANSFORMS.filter((text) => transformProblem(parseTransform(text), node.type) === null);
  const transform = random.any(fits);
  if (transform === undefined) return null;
  const name = random.percent(80)
    ? defaultFieldName(parseTransform(transform), node.fullName)
    : random.pick(["p", "q", "p_1000"]);
  return { "source-id": node.id, "field-id": id, transform, name };
}

/** A spec has each name once, and each source and transform once. */
function withoutTwins(fields: readonly SpecField[]): readonly SpecField[] {
  return fields.filter(
    (field, index) =>
      fields.findIndex((one) => one.name === field.name || (isSameField(one, field) && field.transform !== "void")) === index,
  );
}

function isSameField(a: SpecField, b: SpecField): boolean {
  return a["source-id"] === b["source-id"] && a.transform === b.transform;
}

function sameFields(a: JsonObject, b: JsonObject): boolean {
  return JSON.stringify(a["fields"]) === JSON.stringify(b["fields"]);
}

function asSpec(spec: JsonObject): Parameters<typeof checkPartitionSpecs>[1][number] {
  const fields = (Array.isArray(spec["fields"]) ? spec["fields"] : []) as readonly SpecField[];
  return {
    specId: Number(spec["spec-id"]),
    fields: fields.map((field) => ({
      sourceIds: [field["source-id"]],
      fieldId: field["field-id"],
      transform: field.transform,
      name: field.name,
    })),
  };
}

function sortOrder(random: Random, schema: Schema): JsonObject {
  const node = random.any(fieldNodesOf(schema).filter((one) => one.isSource));
  if (node === undefined) return {};
  const transform = transformProblem(parseTransform("identity"), node.type) === null ? "identity" : null;
  if (transform === null) return {};
  const direction = random.pick(["asc", "desc"]);
  const nulls = random.pick(["nulls-first", "nulls-last"]);
  const field = { transform, "source-id": node.id, direction, "null-order": nulls };
  return { sort_order: { "order-id": random.between(1, 2), fields: [field] } };
}

const PREFIXES = [
  "write.metadata.metrics.column.",
  "write.parquet.bloom-filter-enabled.column.",
  "write.parquet.stats-enabled.column.",
  "write.parquet.bloom-filter-fpp.column.",
] as const;

function anyProperties(random: Random, schema: Schema): JsonObject {
  const entries = Array.from({ length: random.between(0, 3) }).map((): [string, string] => {
    const node = random.any(fieldNodesOf(schema));
    const prefix = random.pick(PREFIXES);
    return [prefix + (node?.fullName ?? "gone"), prefix.includes("metrics") ? "counts" : "true"];
  });
  const mapping: [string, string][] = random.percent(60)
    ? [["schema.name-mapping.default", formatNameMapping(createNameMapping(schema))]]
    : [];
  return Object.fromEntries([["owner", "me"], ...entries, ...mapping]);
}
