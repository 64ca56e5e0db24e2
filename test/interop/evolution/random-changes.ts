// Random commits to a table as it stands: schema updates, spec updates, sort orders, properties, upgrades, in the words
// of the conformance format. Most operations can be taken; some name what is not there or ask for what is refused.
import type { JsonObject, JsonValue } from "../../../src/iceberg/json.ts";
import { checkSchema } from "../../../src/iceberg/schema-check.ts";
import { readSchema, writeSchema } from "../../../src/iceberg/schema-json.ts";
import { currentSchema, defaultSpec, type TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import { parseTransform, transformProblem } from "../../../src/iceberg/transform.ts";
import { formatTypeJson } from "../../../src/iceberg/type-text.ts";
import { isPrimitive, type Schema } from "../../../src/iceberg/type.ts";
import { type NamedNode, nodesOf } from "./nodes.ts";
import type { Random } from "./random.ts";
import {
  anyDefault,
  anyDoc,
  anyField,
  anyFields,
  anyName,
  anyPrimitive,
  anyType,
  placeholders,
  PROMOTIONS,
} from "./random-schema.ts";

const TRANSFORMS = ["identity", "bucket[4]", "bucket[16]", "truncate[3]", "year", "month", "day", "hour", "void"] as const;

/** What an update works on, and what it has asked for so far. */
interface Scene {
  readonly random: Random;
  readonly version: number;
  readonly schema: Schema;
  readonly nodes: readonly NamedNode[];
  /** Full names of columns that this update adds. */
  readonly added: string[];
  ignoresCase: boolean;
}

/** One commit. */
export function anyChange(random: Random, table: TableMetadata): readonly JsonObject[] {
  const schema = currentSchema(table);
  const scene: Scene = {
    random,
    version: table.formatVersion,
    schema,
    nodes: nodesOf(schema),
    added: [],
    ignoresCase: false,
  };
  return random.weighted<() => readonly JsonObject[]>([
    [60, () => schemaChange(scene)],
    [24, () => specChange(scene, table)],
    [8, () => [sortChange(scene)]],
    [6, () => [propertyChange(scene, table)]],
    [3, () => [{ op: "upgrade_format_version", version: random.pick([1, 2, 3, 3]) }]],
  ])();
}

function schemaChange(scene: Scene): readonly JsonObject[] {
  const { random } = scene;
  const operations: JsonObject[] = [];
  if (random.percent(6)) {
    scene.ignoresCase = true;
    operations.push({ op: "case_insensitive" });
  }
  if (random.percent(12)) operations.push({ op: "allow_incompatible" });
  for (let count = random.between(1, 5); count > 0; count--) operations.push(schemaOperation(scene));
  return operations;
}

function schemaOperation(scene: Scene): JsonObject {
  const { random } = scene;
  const column = (role?: "any"): string => spelled(scene, anyColumn(scene, role));
  return random.weighted<() => JsonObject>([
    [22, () => addOperation(scene)],
    [11, () => ({ op: "drop", column: column() })],
    [13, () => ({ op: "rename", column: column(), to: random.percent(5) ? lastPart(column()) : anyName(random) })],
    [15, () => moveOperation(scene)],
    [11, () => typeOperation(scene)],
    [4, () => ({ op: "set_required", column: column("any") })],
    [7, () => ({ op: "set_optional", column: column("any") })],
    [6, () => ({ op: "update_doc", column: column("any"), doc: random.percent(30) ? null : anyDoc(random) })],
    [scene.version >= 3 ? 8 : 3, () => defaultOperation(scene)],
    [6, () => identifierOperation(scene)],
    [5, () => unionOperation(scene)],
    [1, () => ({ op: "allow_incompatible" })],
  ])();
}

/** Mostly a field; `any` also takes parts of lists and maps. */
function anyColumn({ random, nodes, added }: Scene, role?: "any"): string {
  if (random.percent(4)) return random.pick(["gone", "a.gone", "a.element", "x.value.y"]);
  if (added.length > 0 && random.percent(15)) return random.any(added) ?? "gone";
  const candidates = role === "any" || random.percent(8) ? nodes : nodes.filter((node) => node.role === "field");
  const node = random.any(candidates);
  if (node === undefined) return "gone";
  return random.percent(25) ? node.shortName : node.fullName;
}

function spelled({ random, ignoresCase }: Scene, name: string): string {
  if (!ignoresCase || random.percent(50)) return name;
  return random.percent(50) ? name.toUpperCase() : name.toLowerCase();
}

function lastPart(name: string): string {
  return name.split(".").at(-1) ?? name;
}

function addOperation(scene: Scene): JsonObject {
  const { random, version, nodes, added } = scene;
  const name = anyName(random);
  const nested = nodes.filter((node) => !isPrimitive(node.type));
  const candidates = nested.length > 0 && !random.percent(6) ? nested : nodes;
  const parent = random.percent(45) ? undefined : random.percent(20) ? null : (random.any(candidates) ?? null);
  const type = anyType(random, version, random.between(0, 2), placeholders());
  const value = random.percent(version >= 3 ? 40 : 4) ? defaultOf(random, type) : undefined;
  if (parent === undefined || parent === null) added.push(name);
  else added.push(`${parent.fullName}${partOf(parent)}.${name}`, `${parent.fullName}.${name}`);
  return {
    op: "add",
    name,
    type,
    ...(parent === undefined ? {} : { parent: parent === null ? null : spelled(scene, nameOf(random, parent)) }),
    ...(random.percent(30) ? { required: true } : {}),
    ...(random.percent(20) ? { doc: anyDoc(random) } : {}),
    ...(value === undefined ? {} : { default: value }),
  };
}

function partOf({ type }: NamedNode): string {
  return type.kind === "list" ? ".element" : type.kind === "map" ? ".value" : "";
}

function nameOf(random: Random, node: NamedNode): string {
  return random.percent(25) ? node.shortName : node.fullName;
}

function defaultOf(random: Random, type: JsonValue): JsonValue | undefined {
  if (random.percent(4)) return random.pick<JsonValue>(["nonsense", 1.25, true, []]);
  return anyDefault(random, type);
}

function moveOperation(scene: Scene): JsonObject {
  const { random, nodes, added } = scene;
  const column = spelled(scene, anyColumn(scene));
  const moved = nodes.find((node) => node.fullName === column || node.shortName === column);
  const siblings = nodes.filter((node) => node.parentId === (moved?.parentId ?? null) && node.role === "field");
  const isNear = random.percent(85);
  const reference = isNear && !(added.length > 0 && random.percent(15)) ? random.any(siblings)?.fullName : undefined;
  const other = spelled(scene, reference ?? anyColumn(scene));
  return {
    op: "move",
    column,
    ...random.pick<JsonObject>([{ first: true }, { after: other }, { before: other }]),
  };
}

function typeOperation(scene: Scene): JsonObject {
  const { random, nodes, version } = scene;
  const widenable = nodes.filter((node) => isPrimitive(node.type) && PROMOTIONS[formatTypeJson(node.type)] !== undefined);
  const node = random.percent(70) ? random.any(widenable) : undefined;
  if (node === undefined || !isPrimitive(node.type)) {
    return { op: "update_type", column: spelled(scene, anyColumn(scene, "any")), type: plainType(random, version) };
  }
  const type = random.any(PROMOTIONS[formatTypeJson(node.type)] ?? []) ?? "long";
  return { op: "update_type", column: spelled(scene, nameOf(random, node)), type };
}

/** Java's API takes primitive types here, and variant is none to it. */
function plainType(random: Random, version: number): string {
  const type = anyPrimitive(random, version);
  return type === "variant" ? "string" : type;
}

function defaultOperation(scene: Scene): JsonObject {
  const { random, nodes } = scene;
  const column = anyColumn(scene, "any");
  const node = nodes.find((one) => one.fullName === column || one.shortName === column);
  const type = node !== undefined && isPrimitive(node.type) ? formatTypeJson(node.type) : "string";
  const value = random.percent(25) ? null : (defaultOf(random, type) ?? null);
  return { op: "set_default", column: spelled(scene, column), default: value };
}

function identifierOperation(scene: Scene): JsonObject {
  const { random, nodes } = scene;
  const fit = nodes.filter((node) => node.canIdentify);
  const from = random.percent(85) ? fit : nodes;
  const columns = Array.from({ length: random.between(0, 2) }).flatMap(() => {
    const node = random.any(from);
    return node === undefined ? [] : [spelled(scene, nameOf(random, node))];
  });
  return { op: "set_identifier_fields", columns: [...new Set(columns)] };
}

/** The schema as it stands, changed here and there: what an engine finds in the rows that it is to write. */
function unionOperation(scene: Scene): JsonObject {
  for (;;) {
    const schema = incomingSchema(scene);
    if (checkSchema(readSchema(schema)).length === 0)
      return { op: "union_by_name", schema };
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

function specChange(scene: Scene, table: TableMetadata): readonly JsonObject[] {
  const { random } = scene;
  const operations: JsonObject[] = [];
  if (random.percent(5)) {
    scene.ignoresCase = true;
    operations.push({ op: "spec_case_insensitive" });
  }
  for (let count = random.between(1, 3); count > 0; count--) operations.push(specOperation(scene, table));
  if (random.percent(6)) operations.push({ op: "non_default_spec" });
  return operations;
}

function specOperation(scene: Scene, table: TableMetadata): JsonObject {
  const { random, nodes } = scene;
  const present = defaultSpec(table).fields;
  const past = table.partitionSpecs.flatMap((spec) => spec.fields);
  const field = random.any(random.percent(75) ? present : past);
  const name = field === undefined || random.percent(4) ? "gone" : field.name;
  const source = nodes.find((node) => node.id === field?.sourceIds[0])?.fullName ?? anyColumn(scene);
  const newName = (): string => random.pick(["p", "q", "p_1000", anyName(random), random.any(past)?.name ?? "r"]);
  return random.weighted<() => JsonObject>([
    [45, () => addFieldOperation(scene, past, newName)],
    [20, () => ({ op: "remove_partition_field", name })],
    [
      10,
      () => ({
        op: "remove_partition_field",
        source: spelled(scene, source),
        transform: field?.transform ?? random.pick(TRANSFORMS),
      }),
    ],
    [22, () => ({ op: "rename_partition_field", name, to: newName() })],
  ])();
}

function addFieldOperation(
  scene: Scene,
  past: TableMetadata["partitionSpecs"][number]["fields"],
  newName: () => string,
): JsonObject {
  const { random, nodes } = scene;
  const again = random.percent(35) ? random.any(past) : undefined;
  const againNode = nodes.find((node) => node.id === again?.sourceIds[0]);
  const node = againNode ?? random.any(nodes.filter((one) => one.isSource || random.percent(5)));
  const fits = TRANSFORMS.filter((text) => node !== undefined && transformProblem(parseTransform(text), node.type) === null);
  const transform =
    (againNode === undefined ? undefined : again?.transform) ??
    (random.percent(90) ? random.any(fits.filter((text) => text !== "void" || (node?.isSource === true && random.percent(10)))) : undefined) ??
    random.pick(TRANSFORMS);
  const name = random.percent(25) ? newName() : againNode !== undefined && random.percent(30) ? again?.name : undefined;
  return {
    op: "add_partition_field",
    source: spelled(scene, node === undefined ? "gone" : nameOf(random, node)),
    transform,
    ...(name === undefined ? {} : { name }),
  };
}

function sortChange(scene: Scene): JsonObject {
  const { random, nodes } = scene;
  if (random.percent(8)) scene.ignoresCase = true;
  const fields = Array.from({ length: random.between(0, 3) }).map((): JsonObject => {
    const node = random.any(nodes.filter((one) => one.isSource || random.percent(8)));
    const fits = TRANSFORMS.filter((text) => node !== undefined && transformProblem(parseTransform(text), node.type) === null);
    return {
      source: spelled(scene, node === undefined || random.percent(3) ? "gone" : nameOf(random, node)),
      transform: (random.percent(92) ? random.any(fits.filter((text) => text !== "void")) : undefined) ?? random.pick(TRANSFORMS),
      direction: random.pick(["asc", "desc"]),
      null_order: random.pick(["nulls-first", "nulls-last", null]),
    };
  });
  return { op: "set_sort_order", fields, ...(scene.ignoresCase ? { case_insensitive: true } : {}) };
}

function propertyChange(scene: Scene, table: TableMetadata): JsonObject {
  const { random, nodes } = scene;
  const keys = Object.keys(table.properties);
  if (random.percent(35)) {
    return { op: "remove_properties", keys: [random.any(keys) ?? "nothing", ...(random.percent(20) ? ["nothing"] : [])] };
  }
  const column = random.any(nodes)?.fullName ?? "a";
  const key = random.pick([
    "owner",
    "write.parquet.bloom-filter-enabled.column." + column,
    "write.parquet.stats-enabled.column." + column,
    "uuid",
    random.any(keys) ?? "comment",
  ]);
  return { op: "set_properties", updates: { [key]: random.pick(["1", "2", "true"]), ...(random.percent(30) ? { b: "x" } : {}) } };
}
