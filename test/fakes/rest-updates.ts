// Updates of the REST protocol on a table's metadata as plain JSON: a small server of its own, written from the protocol's
// and the format's documents. Shares nothing with the product. The ways in which known servers go other ways are switches.
import {
  copyOf,
  fromLong,
  isEqual,
  isMap,
  type Json,
  type JsonMap,
  listOf,
  longOf,
  mapOf,
  mapsOf,
  numberOf,
  textOf,
  writeJson,
} from "./rest-json.ts";
import { bad, RestRefusal, type RestWays } from "./rest-ways.ts";

interface Change {
  readonly table: JsonMap;
  readonly ways: RestWays;
  readonly nowMs: number;
  /** What -1 means; null where nothing new was added in this commit. */
  lastSchema: number | null;
  lastSpec: number | null;
  lastOrder: number | null;
  readonly added: Set<string>;
}

/** The changed table, a new one; the same content where the updates change nothing. */
export function applyUpdates(base: JsonMap, updates: readonly JsonMap[], nowMs: number, ways: RestWays): JsonMap {
  const table = copyOf(base);
  const change: Change = { table, ways, nowMs, lastSchema: null, lastSpec: null, lastOrder: null, added: new Set() };
  for (const update of updates) {
    const action = textOf(update["action"]);
    const apply = APPLIERS[action];
    if (apply === undefined) bad(`Unknown update: ${action}`);
    if (ways.ignoresUpdates?.includes(action) === true) continue;
    apply?.(change, ways.roundsLongs === true ? rounded(update) : update);
  }
  return table;
}

function rounded<T extends Json>(value: T): T {
  return JSON.parse(writeJson(value)) as T;
}

const APPLIERS: Readonly<Record<string, (change: Change, update: JsonMap) => void>> = {
  "assign-uuid": ({ table }, { uuid }) => {
    if (!isEqual(table["table-uuid"], uuid)) bad("Cannot reassign the table UUID");
  },
  "upgrade-format-version": ({ table }, update) => {
    const [from, to] = [numberOf(table["format-version"]), numberOf(update["format-version"])];
    if (to < from) bad(`Cannot downgrade v${from} table to v${to}`);
    if (to > 3) bad(`Unsupported format version: v${to}`);
    table["format-version"] = to;
    if (to >= 3) table["next-row-id"] ??= 0;
  },
  "add-schema": addSchema,
  "set-current-schema": (change, update) => {
    const id = lastOr(numberOf(update["schema-id"]), change.lastSchema, "schema");
    if (!has(change.table["schemas"], "schema-id", id)) bad(`Cannot set current schema to unknown schema: ${id}`);
    change.table["current-schema-id"] = id;
  },
  "add-spec": addSpec,
  "set-default-spec": (change, update) => {
    const id = lastOr(numberOf(update["spec-id"]), change.lastSpec, "partition spec");
    if (!has(change.table["partition-specs"], "spec-id", id)) bad(`Cannot set default partition spec to unknown spec: ${id}`);
    change.table["default-spec-id"] = id;
  },
  "add-sort-order": addOrder,
  "set-default-sort-order": (change, update) => {
    const id = lastOr(numberOf(update["sort-order-id"]), change.lastOrder, "sort order");
    if (!has(change.table["sort-orders"], "order-id", id)) bad(`Cannot set default sort order to unknown sort order: ${id}`);
    change.table["default-sort-order-id"] = id;
  },
  "add-snapshot": addSnapshot,
  "set-snapshot-ref": setRef,
  "remove-snapshots": ({ table }, update) => {
    const ids = listOf(update["snapshot-ids"]);
    const isGone = (id: Json | undefined): boolean => ids.some((one) => isEqual(one, id));
    for (const ref of Object.values(mapOf(table["refs"])))
      if (isGone(mapOf(ref)["snapshot-id"])) bad("Cannot remove a snapshot that is still referenced");
    table["snapshots"] = mapsOf(table["snapshots"]).filter((one) => !isGone(one["snapshot-id"]));
    table["snapshot-log"] = mapsOf(table["snapshot-log"]).filter((one) => !isGone(one["snapshot-id"]));
  },
  "remove-snapshot-ref": ({ table }, update) => {
    const name = textOf(update["ref-name"]);
    delete mapOf(table["refs"])[name];
    if (name === "main") table["current-snapshot-id"] = -1;
  },
  "set-location": ({ table }, { location }) => {
    table["location"] = textOf(location).replace(/\/+$/, "");
  },
  "set-properties": ({ table }, { updates }) => {
    Object.assign(mapOf(table["properties"]), mapOf(updates));
  },
  "remove-properties": ({ table }, { removals }) => {
    for (const key of listOf(removals)) delete mapOf(table["properties"])[textOf(key)];
  },
  "remove-partition-specs": ({ table }, update) => {
    const ids = listOf(update["spec-ids"]);
    if (ids.includes(table["default-spec-id"] ?? null)) bad("Cannot remove the default partition spec");
    table["partition-specs"] = mapsOf(table["partition-specs"]).filter((one) => !ids.includes(one["spec-id"] ?? null));
  },
  "remove-schemas": ({ table }, update) => {
    const ids = listOf(update["schema-ids"]);
    if (ids.includes(table["current-schema-id"] ?? null)) bad("Cannot remove the current schema");
    table["schemas"] = mapsOf(table["schemas"]).filter((one) => !ids.includes(one["schema-id"] ?? null));
  },
};

function addSchema(change: Change, update: JsonMap): void {
  const { table, ways } = change;
  const schema = spoiled(mapOf(update["schema"]), ways);
  const schemas = mapsOf(table["schemas"]);
  const highest = Math.max(numberOf(table["last-column-id"]), ...fieldIds(schema));
  const known = schemas.find((one) => isEqual(contentOf(one), contentOf(schema)));
  if (known !== undefined && highest === table["last-column-id"]) {
    const id = numberOf(known["schema-id"]);
    change.lastSchema = change.added.has(`schema ${id}`) ? id : null;
    return;
  }
  table["last-column-id"] = highest;
  const next = Math.max(-1, ...schemas.map((one) => numberOf(one["schema-id"]))) + (ways.renumbersSchemas === true ? 7 : 1);
  const id = known === undefined ? next : numberOf(known["schema-id"]);
  if (known === undefined) table["schemas"] = [...schemas, { ...schema, "schema-id": id }];
  change.lastSchema = id;
  change.added.add(`schema ${id}`);
}

/** What a schema says, its id apart; identifier fields in any order. */
function contentOf(schema: JsonMap): Json {
  const ids = listOf(schema["identifier-field-ids"] ?? []).map(numberOf);
  return { fields: schema["fields"] ?? [], ids: ids.sort((a, b) => a - b) };
}

function spoiled(schema: JsonMap, ways: RestWays): JsonMap {
  const copy = copyOf(schema);
  const visit = (type: Json | undefined, depth: number): void => {
    if (!isMap(type)) return;
    for (const field of type["type"] === "struct" ? mapsOf(type["fields"]) : []) {
      if (ways.dropsNestedDocs === true && depth > 0) delete field["doc"];
      if (ways.dropsDefaults === true) for (const key of ["initial-default", "write-default"]) delete field[key];
      visit(field["type"], depth + 1);
    }
    for (const part of ["element", "key", "value"]) visit(type[part], depth + 1);
  };
  visit(copy, 0);
  return copy;
}

function fieldIds(type: Json | undefined): number[] {
  if (!isMap(type)) return [];
  const own = ["id", "element-id", "key-id", "value-id"].flatMap((key) => (typeof type[key] === "number" ? [type[key]] : []));
  const fields = Array.isArray(type["fields"]) ? type["fields"].flatMap(fieldIds) : [];
  return [...own, ...fields, ...["type", "element", "key", "value"].flatMap((key) => fieldIds(type[key]))];
}

function addSpec(change: Change, update: JsonMap): void {
  const { table } = change;
  const fields = mapsOf(mapOf(update["spec"])["fields"]);
  const current = mapsOf(table["schemas"]).find((one) => isEqual(one["schema-id"], table["current-schema-id"]));
  const sources = fieldIds(current);
  for (const field of fields)
    if (!sources.includes(numberOf(field["source-id"])))
      bad(`Cannot find source column for partition field: ${textOf(field["name"])}`);
  const specs = mapsOf(table["partition-specs"]);
  const plain = (list: readonly JsonMap[]): Json =>
    list.map(({ name, transform, "source-id": source }) => [name ?? null, transform ?? null, source ?? null]);
  const known = specs.find((one) => isEqual(plain(mapsOf(one["fields"])), plain(fields)));
  if (known !== undefined) {
    const id = numberOf(known["spec-id"]);
    change.lastSpec = change.added.has(`spec ${id}`) ? id : null;
    return;
  }
  const id = Math.max(-1, ...specs.map((one) => numberOf(one["spec-id"]))) + 1;
  let last = numberOf(table["last-partition-id"]);
  const numbered = fields.map((field) => {
    const fieldId = typeof field["field-id"] === "number" ? field["field-id"] : last + 1;
    last = Math.max(last, fieldId);
    return { ...field, "field-id": fieldId };
  });
  table["partition-specs"] = [...specs, { "spec-id": id, fields: numbered }];
  table["last-partition-id"] = last;
  change.lastSpec = id;
  change.added.add(`spec ${id}`);
}

function addOrder(change: Change, update: JsonMap): void {
  const { table } = change;
  const fields = mapsOf(mapOf(update["sort-order"])["fields"]);
  const orders = mapsOf(table["sort-orders"]);
  const known = orders.find((one) => isEqual(one["fields"], fields));
  if (known !== undefined) {
    const id = numberOf(known["order-id"]);
    change.lastOrder = change.added.has(`order ${id}`) ? id : null;
    return;
  }
  const id = fields.length === 0 ? 0 : Math.max(0, ...orders.map((one) => numberOf(one["order-id"]))) + 1;
  table["sort-orders"] = [...orders, { "order-id": id, fields }];
  change.lastOrder = id;
  change.added.add(`order ${id}`);
}

function addSnapshot({ table, added }: Change, update: JsonMap): void {
  const snapshot = mapOf(update["snapshot"]);
  const id = snapshot["snapshot-id"];
  if (mapsOf(table["snapshots"]).some((one) => isEqual(one["snapshot-id"], id)))
    bad(`Snapshot already exists for id: ${writeJson(id ?? null)}`);
  if (numberOf(table["format-version"]) > 1) {
    const [last, own] = [longOf(table["last-sequence-number"]), longOf(snapshot["sequence-number"] ?? 0)];
    if (own <= last && snapshot["parent-snapshot-id"] !== undefined)
      throw new RestRefusal(
        409,
        "CommitFailedException",
        `Cannot add snapshot with sequence number ${own} older than last sequence number ${last}`,
      );
    table["last-sequence-number"] = fromLong(own > last ? own : last);
  }
  if (numberOf(table["format-version"]) > 2) {
    const next = longOf(table["next-row-id"] ?? 0);
    if (snapshot["first-row-id"] !== undefined && longOf(snapshot["first-row-id"]) < next)
      throw new RestRefusal(409, "CommitFailedException", "Cannot add a snapshot, first-row-id is behind table next-row-id");
    table["next-row-id"] = fromLong(next + longOf(snapshot["added-rows"] ?? 0));
  }
  listOf(table["snapshots"]).push(snapshot);
  added.add(`snapshot ${writeJson(id ?? null)}`);
}

function setRef({ table, added, nowMs }: Change, update: JsonMap): void {
  const { action: _, "ref-name": nameJson, ...ref } = update;
  const [name, id] = [textOf(nameJson), ref["snapshot-id"]];
  const snapshot = mapsOf(table["snapshots"]).find((one) => isEqual(one["snapshot-id"], id));
  if (snapshot === undefined) return bad(`Cannot set ${name} to unknown snapshot: ${writeJson(id ?? null)}`);
  const refs = mapOf(table["refs"]);
  if (isEqual(refs[name], ref)) return;
  refs[name] = ref;
  if (name !== "main") return;
  if (ref["type"] !== "branch") bad("main must be a branch");
  table["current-snapshot-id"] = id ?? null;
  const isNew = added.has(`snapshot ${writeJson(id ?? null)}`);
  listOf(table["snapshot-log"]).push({
    "timestamp-ms": isNew ? (snapshot["timestamp-ms"] ?? 0) : nowMs,
    "snapshot-id": id ?? null,
  });
}

function lastOr(id: number, last: number | null, what: string): number {
  if (id !== -1) return id;
  return last ?? bad(`Cannot set last added ${what}: no ${what} has been added`);
}

function has(list: Json | undefined, key: string, id: number): boolean {
  return mapsOf(list).some((one) => one[key] === id);
}
