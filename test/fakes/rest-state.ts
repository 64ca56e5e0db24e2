// What the fake REST catalog holds: namespaces and tables, and the steps on them. Metadata files are written to the
// test's store; a commit is checked again where another one came first. Knows no HTTP.
import { randomUUID } from "node:crypto";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { copyOf, isEqual, isMap, type Json, type JsonMap, mapOf, mapsOf, numberOf, textOf, writeJson } from "./rest-json.ts";
import { checkRequirements } from "./rest-requirements.ts";
import { applyUpdates } from "./rest-updates.ts";
import { RestRefusal, type RestWays } from "./rest-ways.ts";

export type Namespace = readonly string[];

export interface StoredTable {
  readonly namespace: Namespace;
  readonly name: string;
  metadata: JsonMap;
  location: string;
}

export interface RestState {
  readonly store: ObjectStore;
  /** Without a slash at the end. */
  readonly warehouse: string;
  readonly namespaces: Map<string, Namespace>;
  readonly tables: Map<string, StoredTable>;
  readonly views: Set<string>;
  readonly ways: RestWays;
  readonly nowMs: () => number;
  /** Added to new tables, as some servers do. */
  readonly ownProperties: Readonly<Record<string, string>>;
}

export function keyOf(...levels: readonly string[]): string {
  return levels.join("\u001f");
}

export function requireNamespace(state: RestState, namespace: Namespace): void {
  if (!state.namespaces.has(keyOf(...namespace)))
    throw new RestRefusal(404, "NoSuchNamespaceException", `Namespace does not exist: ${namespace.join(".")}`);
}

/** A level above must be there. */
export function createNamespace(state: RestState, namespace: Namespace): void {
  if (namespace.length > 1) requireNamespace(state, namespace.slice(0, -1));
  if (state.namespaces.has(keyOf(...namespace)))
    throw new RestRefusal(409, "AlreadyExistsException", `Namespace already exists: ${namespace.join(".")}`);
  state.namespaces.set(keyOf(...namespace), namespace);
}

export function tableOf(state: RestState, namespace: Namespace, name: string): StoredTable {
  const table = state.tables.get(keyOf(...namespace, name));
  if (table !== undefined) return table;
  throw new RestRefusal(404, "NoSuchTableException", `Table does not exist: ${[...namespace, name].join(".")}`);
}

export interface Answer {
  readonly metadata: JsonMap;
  /** Null: staged. */
  readonly location: string | null;
}

export async function createTable(state: RestState, namespace: Namespace, request: JsonMap): Promise<Answer> {
  requireNamespace(state, namespace);
  const name = textOf(request["name"]);
  const taken = state.tables.get(keyOf(...namespace, name));
  if (taken !== undefined && state.ways.answersTakenNames === true) return taken;
  requireFreeName(state, namespace, name);
  const metadata = newMetadata(state, namespace, request);
  if (request["stage-create"] === true) return { metadata, location: null };
  return await register(state, namespace, name, metadata);
}

function requireFreeName(state: RestState, namespace: Namespace, name: string): void {
  const key = keyOf(...namespace, name);
  if (state.tables.has(key)) throw new RestRefusal(409, "AlreadyExistsException", `Table already exists: ${name}`);
  if (state.views.has(key)) throw new RestRefusal(409, "AlreadyExistsException", `View with same name already exists: ${name}`);
}

async function register(state: RestState, namespace: Namespace, name: string, metadata: JsonMap): Promise<Answer> {
  const location = await writeFile(state, metadata, -1);
  requireFreeName(state, namespace, name);
  state.tables.set(keyOf(...namespace, name), { namespace, name, metadata, location });
  return { metadata, location };
}

export async function commitTable(state: RestState, namespace: Namespace, name: string, request: JsonMap): Promise<Answer> {
  const requirements = mapsOf(request["requirements"]);
  const isCreation = requirements.some((one) => one["type"] === "assert-create");
  for (;;) {
    const table = state.tables.get(keyOf(...namespace, name));
    if (table === undefined && !isCreation) tableOf(state, namespace, name);
    checkRequirements(requirements, table?.metadata ?? null, state.ways);
    if (table === undefined)
      throw new RestRefusal(501, "UnsupportedOperationException", "Staged creations are not committed here");
    const { metadata: base, location: before } = table;
    const changed = applyUpdates(base, mapsOf(request["updates"]), state.nowMs(), state.ways);
    if (isEqual(changed, base)) return { metadata: base, location: before };
    const metadata = logged(state, changed, base, before);
    const location = await writeFile(state, metadata, versionOf(before));
    // Another commit came first: its state is checked in turn.
    if (table.location !== before) {
      if (state.store.canRemove) await state.store.remove(location);
      continue;
    }
    table.metadata = metadata;
    table.location = location;
    return { metadata, location };
  }
}

function logged(state: RestState, changed: JsonMap, base: JsonMap, before: string): JsonMap {
  const properties = mapOf(changed["properties"]);
  const most = Number(properties["write.metadata.previous-versions-max"] ?? "100");
  const entry = { "timestamp-ms": base["last-updated-ms"] ?? 0, "metadata-file": before };
  const log = [...mapsOf(base["metadata-log"]), entry].slice(-most);
  // As Java's builder does: a new snapshot's time is the table's, also where the client's clock is ahead.
  const ofSnapshots = mapsOf(changed["snapshots"] ?? []).map((snapshot) => numberOf(snapshot["timestamp-ms"]));
  return {
    ...changed,
    "last-updated-ms": Math.max(state.nowMs(), numberOf(base["last-updated-ms"]), ...ofSnapshots),
    ...(state.ways.keepsNoLog === true ? {} : { "metadata-log": log }),
  };
}

function versionOf(location: string): number {
  return Number(/\/(\d+)-[^/]+$/.exec(location)?.[1] ?? "-1");
}

async function writeFile(state: RestState, metadata: JsonMap, version: number): Promise<string> {
  const name = `${String(version + 1).padStart(5, "0")}-${randomUUID()}.metadata.json`;
  const location = `${textOf(metadata["location"])}/metadata/${name}`;
  const written = await state.store.putIfAbsent(location, new TextEncoder().encode(writeJson(metadata)));
  if (written !== "written") throw new Error(`The file ${location} was there already`);
  return location;
}

const DEFAULT_VERSION = "2";

function newMetadata(state: RestState, namespace: Namespace, request: JsonMap): JsonMap {
  const { "format-version": version = DEFAULT_VERSION, ...properties } = copyOf(mapOf(request["properties"] ?? {}));
  const ids = new Map<number, number>();
  const schema =
    state.ways.numbersDepthFirst === true ? depthFirst(mapOf(request["schema"]), ids) : levelFirst(mapOf(request["schema"]), ids);
  const fresh = (id: Json | undefined): number => ids.get(numberOf(id)) ?? numberOf(id);
  const spec = isMap(request["partition-spec"]) ? mapsOf(request["partition-spec"]["fields"]) : [];
  const order = isMap(request["write-order"]) ? mapsOf(request["write-order"]["fields"]) : [];
  const location = textOf(request["location"] ?? `${state.warehouse}/${[...namespace, textOf(request["name"])].join("/")}`);
  const formatVersion = Number(version);
  return {
    "format-version": formatVersion,
    "table-uuid": randomUUID(),
    location: location.replace(/\/+$/, ""),
    "last-sequence-number": 0,
    "last-updated-ms": state.nowMs(),
    "last-column-id": Math.max(0, ...ids.values()),
    "current-schema-id": 0,
    schemas: [{ ...schema, "schema-id": 0 }],
    "default-spec-id": 0,
    "partition-specs": [
      {
        "spec-id": 0,
        fields: spec.map((field, index) => ({ ...field, "source-id": fresh(field["source-id"]), "field-id": 1000 + index })),
      },
    ],
    "last-partition-id": 999 + spec.length,
    "default-sort-order-id": order.length === 0 ? 0 : 1,
    "sort-orders": [
      {
        "order-id": order.length === 0 ? 0 : 1,
        fields: order.map((field) => ({ ...field, "source-id": fresh(field["source-id"]) })),
      },
    ],
    properties: { ...state.ownProperties, ...properties },
    "current-snapshot-id": -1,
    refs: {},
    snapshots: [],
    "snapshot-log": [],
    "metadata-log": [],
    statistics: [],
    "partition-statistics": [],
    ...(formatVersion > 2 ? { "next-row-id": 0 } : {}),
  };
}

/** All fields of a struct before what is inside them; key and value before what is inside either. */
function levelFirst(schema: JsonMap, ids: Map<number, number>): JsonMap {
  let last = 0;
  const give = (old: Json | undefined): number => {
    ids.set(numberOf(old), ++last);
    return last;
  };
  const visit = (type: Json): Json => {
    if (!isMap(type)) return type;
    if (type["type"] === "list")
      return { ...type, "element-id": give(type["element-id"]), element: visit(type["element"] ?? null) };
    if (type["type"] === "map") {
      const [key, value] = [give(type["key-id"]), give(type["value-id"])];
      return { ...type, "key-id": key, "value-id": value, key: visit(type["key"] ?? null), value: visit(type["value"] ?? null) };
    }
    const numbered = mapsOf(type["fields"]).map((field) => ({ ...field, id: give(field["id"]) }) as JsonMap);
    return { ...type, fields: numbered.map((field) => ({ ...field, type: visit(field["type"] ?? null) })) };
  };
  return renamed(mapOf(visit(schema)), ids);
}

/** Each field before the next, with what is inside it. */
function depthFirst(schema: JsonMap, ids: Map<number, number>): JsonMap {
  let last = 0;
  const visit = (value: Json): Json => {
    if (Array.isArray(value)) return value.map(visit);
    if (!isMap(value)) return value;
    const copy: JsonMap = { ...value };
    for (const key of ["id", "element-id", "key-id", "value-id"]) {
      if (copy[key] === undefined) continue;
      ids.set(numberOf(copy[key]), ++last);
      copy[key] = last;
    }
    for (const key of ["fields", "type", "element", "key", "value"])
      if (copy[key] !== undefined) copy[key] = visit(copy[key] ?? null);
    return copy;
  };
  return renamed(mapOf(visit(schema)), ids);
}

function renamed(schema: JsonMap, ids: ReadonlyMap<number, number>): JsonMap {
  const identifier = schema["identifier-field-ids"];
  if (!Array.isArray(identifier)) return schema;
  return { ...schema, "identifier-field-ids": identifier.map((id) => ids.get(numberOf(id)) ?? numberOf(id)) };
}
