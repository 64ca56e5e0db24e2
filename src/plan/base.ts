// The memory that floeplan keeps in the table itself: what it last applied of what was declared (properties
// `floeplan.applied.*`), which conversions were done (`floeplan.conversion.<new id>`), who owns the table and
// whether it is held. Reading and writing of these properties only; what follows from them is the planner's.
import { ATTEMPT_PROPERTY } from "../iceberg/commit.ts";
import type { ConversionRule } from "../iceberg/conversion-rule.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../iceberg/json.ts";
import { parseJson } from "../iceberg/json-parse.ts";
import { canonicalJson } from "../iceberg/json-write.ts";
import { readField, writeField } from "../iceberg/schema-json.ts";
import { formatIdRanges, parseIdRanges } from "../iceberg/id-ranges.ts";
import type { Field } from "../iceberg/type.ts";

export const OWN_PREFIX = "floeplan.";
const APPLIED = "floeplan.applied.";
const CONVERSION = "floeplan.conversion.";
export const OWNER_KEY = "floeplan.owner";
export const HOLD_KEY = "floeplan.hold";

/** What floeplan last applied of what was declared. */
export interface AppliedBase {
  /** Ids of the declared fields, nested ones too. */
  readonly fieldIds: ReadonlySet<number>;
  readonly schemaId: number | null;
  readonly specId: number | null;
  readonly sortOrderId: number | null;
  /** Properties that were set, with the values given. */
  readonly properties: Readonly<Record<string, string>>;
  /** Parameters of the entry in Glue that were set, with the values given. */
  readonly glueParameters: Readonly<Record<string, string>>;
  readonly commit: string | null;
  readonly plan: string | null;
  readonly environment: string | null;
}

/** A conversion that the table remembers. `retired` is the whole old field, since expiry removes old schemas. */
export interface ConversionMemory {
  readonly newId: number;
  readonly retired: Field;
  /** Id of the node that holds the field; null at the top level. */
  readonly parentId: number | null;
  readonly rule: ConversionRule;
  /** Snapshots of all branches before the conversion, by branch name: what `rollback` goes back to. */
  readonly before: { readonly schemaId: number; readonly refs: Readonly<Record<string, bigint>> };
  /** Heads that the conversion made, by branch name: later commits stand on these. */
  readonly after: Readonly<Record<string, bigint>>;
}

type Properties = Readonly<Record<string, string>>;

/** Null when floeplan never applied here, or its memory was given up. */
export function readBase(properties: Properties): AppliedBase | null {
  const ids = properties[`${APPLIED}field-ids`];
  if (ids === undefined) return null;
  const fieldIds = parseIdRanges(ids);
  if (fieldIds === null) return null;
  return {
    fieldIds,
    schemaId: readInteger(properties[`${APPLIED}schema-id`]),
    specId: readInteger(properties[`${APPLIED}spec-id`]),
    sortOrderId: readInteger(properties[`${APPLIED}sort-order-id`]),
    properties: readTextMap(properties[`${APPLIED}properties`]),
    glueParameters: readTextMap(properties[`${APPLIED}glue-parameters`]),
    commit: properties[`${APPLIED}commit`] ?? null,
    plan: properties[`${APPLIED}plan`] ?? null,
    environment: properties[`${APPLIED}env`] ?? null,
  };
}

export interface BaseToWrite extends Omit<AppliedBase, "fieldIds" | "schemaId" | "specId" | "sortOrderId"> {
  readonly fieldIds: Iterable<number>;
  readonly schemaId: number;
  readonly specId: number;
  readonly sortOrderId: number;
  readonly attempt: string;
  readonly reason: string | null;
}

/** The properties that hold a base: to set, and to remove where nothing is known. */
export function baseProperties(base: BaseToWrite): { readonly set: Record<string, string>; readonly remove: readonly string[] } {
  const optional: Record<string, string | null> = {
    commit: base.commit,
    env: base.environment,
    reason: base.reason,
    plan: base.plan,
    "glue-parameters": Object.keys(base.glueParameters).length === 0 ? null : canonicalJson(base.glueParameters),
  };
  const set: Record<string, string> = {
    [`${APPLIED}field-ids`]: formatIdRanges(base.fieldIds),
    [`${APPLIED}schema-id`]: String(base.schemaId),
    [`${APPLIED}spec-id`]: String(base.specId),
    [`${APPLIED}sort-order-id`]: String(base.sortOrderId),
    [`${APPLIED}properties`]: canonicalJson(base.properties),
    [ATTEMPT_PROPERTY]: base.attempt,
  };
  const remove: string[] = [];
  for (const [key, value] of Object.entries(optional)) {
    if (value === null) remove.push(APPLIED + key);
    else set[APPLIED + key] = value;
  }
  return { set, remove };
}

/** All remembered conversions, ascending by new id; entries that do not parse are left out and named. */
export function readConversions(properties: Properties): {
  readonly known: readonly ConversionMemory[];
  readonly unreadable: readonly string[];
} {
  const known: ConversionMemory[] = [];
  const unreadable: string[] = [];
  for (const [key, text] of Object.entries(properties)) {
    if (!key.startsWith(CONVERSION)) continue;
    const memory = parseConversion(key, text);
    if (memory === null) unreadable.push(key);
    else known.push(memory);
  }
  return { known: known.sort((a, b) => a.newId - b.newId), unreadable };
}

export function conversionProperty(memory: ConversionMemory): readonly [string, string] {
  const { rule } = memory;
  const value: JsonObject = {
    retired: writeField(memory.retired),
    parent: memory.parentId,
    rule: { ...rule } as unknown as JsonObject,
    before: { "schema-id": memory.before.schemaId, refs: memory.before.refs },
    after: memory.after,
  };
  return [CONVERSION + String(memory.newId), canonicalJson(value)];
}

function parseConversion(key: string, text: string): ConversionMemory | null {
  const newId = readInteger(key.slice(CONVERSION.length));
  try {
    const value = parseJson(text);
    if (newId === null || !isJsonObject(value) || value["retired"] === undefined) return null;
    const before = isJsonObject(value["before"]) ? value["before"] : {};
    const schemaId = before["schema-id"];
    return {
      newId,
      retired: readField(value["retired"], key),
      parentId: typeof value["parent"] === "number" ? value["parent"] : null,
      rule: value["rule"] as unknown as ConversionRule,
      before: { schemaId: typeof schemaId === "number" ? schemaId : -1, refs: readIdMap(before["refs"]) },
      after: readIdMap(value["after"]),
    };
  } catch {
    return null;
  }
}

function readIdMap(value: JsonValue | undefined): Record<string, bigint> {
  if (!isJsonObject(value)) return {};
  const entries = Object.entries(value).flatMap(([name, id]) =>
    typeof id === "bigint" || typeof id === "number" ? [[name, BigInt(id)] as const] : [],
  );
  return Object.fromEntries(entries);
}

function readTextMap(text: string | undefined): Record<string, string> {
  if (text === undefined) return {};
  try {
    const value = parseJson(text);
    if (!isJsonObject(value)) return {};
    return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === "string"));
  } catch {
    return {};
  }
}

function readInteger(text: string | undefined): number | null {
  return text !== undefined && /^\d{1,10}$/.test(text) ? Number(text) : null;
}
