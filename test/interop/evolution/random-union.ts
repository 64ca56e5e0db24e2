// Random schemas to be united with a table's: the table's own, changed here and there.
import type { JsonObject, JsonValue } from "../../../src/iceberg/json.ts";
import { checkSchema } from "../../../src/iceberg/schema-check.ts";
import { readSchema, writeSchema } from "../../../src/iceberg/schema-json.ts";
import { anyDefault, anyDoc, anyField, anyFields, anyType, placeholders, PROMOTIONS } from "./random-schema.ts";
import { type Scene, spelled } from "./scene.ts";

/** The schema as it stands, changed here and there: what an engine finds in the rows that it is to write. */
export function unionOperation(scene: Scene): JsonObject {
  for (;;) {
    const schema = incomingSchema(scene);
    if (checkSchema(readSchema(schema)).length === 0) return { op: "union_by_name", schema };
  }
}

function incomingSchema(scene: Scene): JsonObject {
  const { random, version, schema } = scene;
  const next = placeholders(10_000);
  const written = writeSchema(schema)["fields"];
  const fields = (Array.isArray(written) ? (written as readonly JsonObject[]) : []).flatMap((field) => {
    if (random.percent(30)) return [];
    return [variedField(scene, field, next)];
  });
  const known = new Set(fields.map((field) => field["name"]));
  const more = anyFields(random, version, 2, next, random.below(3)).filter((field) => !known.has(field["name"]));
  const incoming = random.percent(30) ? random.shuffled([...fields, ...more]) : [...fields, ...more];
  return { type: "struct", fields: withoutTwins(incoming) };
}

/** Letter case may have made two names one. */
function withoutTwins(fields: readonly JsonObject[]): readonly JsonObject[] {
  return fields.filter((field, index) => fields.findIndex((one) => one["name"] === field["name"]) === index);
}

function variedField(scene: Scene, field: JsonObject, next: () => number): JsonObject {
  const { random, version } = scene;
  const id = next();
  const type = variedType(scene, field["type"] ?? "int", next);
  const name = typeof field["name"] === "string" ? spelled(scene, field["name"]) : "a";
  if (random.percent(5)) return anyField(random, version, 1, next, name);
  const value = random.percent(15) ? anyDefault(random, type) : undefined;
  return {
    id,
    name,
    type,
    required: type !== "unknown" && random.percent(50),
    ...(random.percent(15) ? { doc: anyDoc(random) } : {}),
    ...(value === undefined ? {} : { "write-default": value }),
  };
}

function variedType(scene: Scene, type: JsonValue, next: () => number): JsonValue {
  const { random, version } = scene;
  if (random.percent(4)) return anyType(random, version, 1, next);
  if (typeof type === "string") {
    if (random.percent(15)) return random.any(PROMOTIONS[type] ?? []) ?? type;
    const narrower = Object.entries(PROMOTIONS).find(([, wider]) => wider.includes(type))?.[0];
    return random.percent(15) ? (narrower ?? type) : type;
  }
  if (typeof type !== "object" || type === null || Array.isArray(type)) return type;
  const nested = type as JsonObject;
  switch (nested["type"]) {
    case "struct": {
      const fields = (nested["fields"] as readonly JsonObject[]).filter(() => !random.percent(25));
      const varied = fields.map((field) => variedField(scene, field, next));
      const known = new Set(varied.map((field) => field["name"]));
      const more = anyFields(random, version, 1, next, random.below(2)).filter((field) => !known.has(field["name"]));
      return { type: "struct", fields: withoutTwins([...varied, ...more]) };
    }
    case "list": {
      const id = next();
      const element = variedType(scene, nested["element"] ?? "int", next);
      return { type: "list", "element-id": id, element, "element-required": element !== "unknown" && random.percent(50) };
    }
    default: {
      const [keyId, valueId] = [next(), next()];
      const value = variedType(scene, nested["value"] ?? "int", next);
      const key = random.percent(10) ? variedType(scene, nested["key"] ?? "int", next) : plainKey(nested["key"] ?? "int", next);
      return {
        type: "map",
        "key-id": keyId,
        key,
        "value-id": valueId,
        value,
        "value-required": value !== "unknown" && random.percent(50),
      };
    }
  }
}

/** The same type under other ids: an id stands only once in a schema. */
function plainKey(type: JsonValue, next: () => number): JsonValue {
  if (typeof type !== "object" || type === null || Array.isArray(type)) return type;
  const text = JSON.stringify(type, (key, value: unknown) => {
    if (typeof value === "bigint") return Number(value);
    return key === "id" || key.endsWith("-id") ? next() : value;
  });
  return JSON.parse(text) as JsonValue;
}
