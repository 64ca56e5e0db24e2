// Random types, fields and defaults in the JSON form of metadata, with placeholder ids. Names come from a small pool,
// so that they meet: dots, letter case, parts of lists and maps, names that partition fields take.
import type { JsonObject, JsonValue } from "../../../src/iceberg/json.ts";
import type { Random } from "./random.ts";

const NAMES = ["a", "b", "c", "d", "e", "A", "Bb", "a.b", "x y", "é", "id", "ts", "a_bucket_4", "ts_day", "a_null"] as const;
const ODD_NAMES = ["element", "value", "key", "b.element", "c.value", "İ", "1000", 'q"q'] as const;

/** A value of the type in its JSON form; null where it takes no default. */
const OLD_TYPES: readonly (readonly [string, readonly JsonValue[]])[] = [
  ["boolean", [true, false]],
  ["int", [0, -7, 2_147_483_647]],
  ["long", [5, 9_223_372_036_854_775_807n, -9_007_199_254_740_993n]],
  ["float", [1.5, 0.1, -0.5]],
  ["double", [0.1, 1e300, -2.25]],
  ["date", ["2024-02-29", "1969-12-31"]],
  ["time", ["22:31:08.123456", "00:00:00"]],
  ["timestamp", ["2017-11-16T22:31:08.123456", "1969-12-31T23:59:59.999999"]],
  ["timestamptz", ["2017-11-16T22:31:08.123456+00:00"]],
  ["string", ["", "hello", 'ünï " \\ \n']],
  ["uuid", ["f79c3e09-677c-4bbd-a479-3f349cb785e7"]],
  ["fixed[3]", ["00ff10"]],
  ["fixed[16]", ["000102030405060708090a0b0c0d0e0f"]],
  ["binary", ["cafe", ""]],
  ["decimal(9, 2)", ["14.20", "-0.50"]],
  ["decimal(20, 2)", ["123456789012345678.00"]],
  ["decimal(38, 10)", ["1.0000000000"]],
  ["decimal(4, 0)", ["12"]],
];

const NEW_TYPES: readonly (readonly [string, readonly JsonValue[]])[] = [
  ["timestamp_ns", ["2017-11-16T22:31:08.123456789"]],
  ["timestamptz_ns", ["2017-11-16T22:31:08.123456789+00:00"]],
  ["unknown", []],
  ["variant", []],
  ["geometry(OGC:CRS84)", []],
  ["geometry(srid:3857)", []],
  ["geography(OGC:CRS84, spherical)", []],
  ["geography(srid:4269, karney)", []],
];

const VALUES: ReadonlyMap<string, readonly JsonValue[]> = new Map([...OLD_TYPES, ...NEW_TYPES]);
const OLD_NAMES = OLD_TYPES.map(([name]) => name);
const NEW_NAMES = NEW_TYPES.map(([name]) => name);

/** What the format lets a type become; the first of each list is the least step. */
export const PROMOTIONS: Readonly<Record<string, readonly string[]>> = {
  int: ["long"],
  float: ["double"],
  "decimal(9, 2)": ["decimal(20, 2)"],
  "decimal(4, 0)": ["decimal(9, 0)", "decimal(38, 0)"],
  "decimal(20, 2)": ["decimal(38, 2)"],
};

/** Ids that stand for none, each different: those of types that are to be added mean nothing. */
export type Placeholder = () => number;

export function placeholders(start = 1): Placeholder {
  let last = start - 1;
  return () => {
    last += 1;
    return last;
  };
}

export function anyName(random: Random): string {
  return random.percent(8) ? random.pick(ODD_NAMES) : random.pick(NAMES);
}

export function anyPrimitive(random: Random, version: number): string {
  const newer = version >= 3 ? 30 : 2;
  return (random.percent(newer) ? random.any(NEW_NAMES) : random.any(OLD_NAMES)) ?? "int";
}

/** Undefined where the type takes none. */
export function anyDefault(random: Random, type: JsonValue | undefined): JsonValue | undefined {
  return typeof type === "string" ? random.any(VALUES.get(type) ?? []) : undefined;
}

export function anyType(random: Random, version: number, depth: number, next: Placeholder): JsonValue {
  if (depth <= 0 || random.percent(60)) return anyPrimitive(random, version);
  return random.weighted<() => JsonValue>([
    [5, () => ({ type: "struct", fields: anyFields(random, version, depth - 1, next, random.below(4)) })],
    [
      3,
      () => {
        const id = next();
        const element = anyType(random, version, depth - 1, next);
        return { type: "list", "element-id": id, element, "element-required": isRequired(random, element) };
      },
    ],
    [
      3,
      () => {
        const [keyId, valueId] = [next(), next()];
        const key = random.percent(20) ? anyType(random, version, depth - 1, next) : keyType(random);
        const value = anyType(random, version, depth - 1, next);
        return {
          type: "map",
          "key-id": keyId,
          key: key === "unknown" ? "string" : key,
          "value-id": valueId,
          value,
          "value-required": isRequired(random, value),
        };
      },
    ],
  ])();
}

function keyType(random: Random): string {
  return random.pick(["string", "int", "long", "uuid"]);
}

function isRequired(random: Random, type: JsonValue): boolean {
  return type !== "unknown" && random.percent(35);
}

/** Fields of one struct, with names that differ. */
export function anyFields(random: Random, version: number, depth: number, next: Placeholder, count: number): JsonObject[] {
  const names = new Set<string>();
  for (let tries = 0; names.size < count && tries < 3 * count; tries++) names.add(anyName(random));
  return [...names].map((name) => anyField(random, version, depth, next, name));
}

export function anyField(random: Random, version: number, depth: number, next: Placeholder, name: string): JsonObject {
  const id = next();
  const type = anyType(random, version, depth, next);
  const initial = version >= 3 && random.percent(20) ? anyDefault(random, type) : undefined;
  const write = random.percent(version >= 3 ? 20 : 5) ? anyDefault(random, type) : undefined;
  return {
    id,
    name,
    required: isRequired(random, type),
    type,
    ...(random.percent(20) ? { doc: anyDoc(random) } : {}),
    ...(initial === undefined ? {} : { "initial-default": initial }),
    ...(write === undefined ? {} : { "write-default": write }),
  };
}

export function anyDoc(random: Random): string {
  return random.pick(["", "one", "two", 'ünï " \\ doc']);
}
