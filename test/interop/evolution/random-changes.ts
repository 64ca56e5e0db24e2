// Random commits to a table as it stands: schema updates, spec updates, sort orders, properties, upgrades, in the words
// of the conformance format. Most operations can be taken; some name what is not there or ask for what is refused.
import type { JsonObject, JsonValue } from "../../../src/iceberg/json.ts";
import { currentSchema, type TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import { formatTypeJson } from "../../../src/iceberg/type-text.ts";
import { isPrimitive } from "../../../src/iceberg/type.ts";
import { type NamedNode, nodesOf } from "./nodes.ts";
import type { Random } from "./random.ts";
import { propertyChange, sortChange, specChange } from "./random-layout-changes.ts";
import { anyDefault, anyDoc, anyName, anyPrimitive, anyType, placeholders, PROMOTIONS } from "./random-schema.ts";
import { unionOperation } from "./random-union.ts";
import { anyColumn, nameOf, type Scene, spelled } from "./scene.ts";

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
  for (let count = random.pick([1, 1, 2, 2, 3, 5]); count > 0; count--) operations.push(schemaOperation(scene));
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
