// The bodies that a REST catalog takes (the protocol's OpenAPI document, read 2026-08), strictly: a member that is not
// here is one that the product should not send. What is wrong is a fault of the client, so it fails the test.
import { isMap, type Json, writeJson } from "./rest-json.ts";

type Shape =
  | { readonly is: "text" | "integer" | "long" | "boolean" | "any" }
  | { readonly is: "null-or"; readonly of: Shape }
  | { readonly is: "list"; readonly of: Shape }
  | { readonly is: "map"; readonly of: Shape }
  | { readonly is: "one-of"; readonly by: string; readonly of: Readonly<Record<string, Struct>> }
  | Struct
  | { readonly is: "type" };

interface Struct {
  readonly is: "struct";
  readonly required: Readonly<Record<string, Shape>>;
  readonly optional: Readonly<Record<string, Shape>>;
}

const text: Shape = { is: "text" };
const integer: Shape = { is: "integer" };
const long: Shape = { is: "long" };
const list = (of: Shape): Shape => ({ is: "list", of });
const texts: Shape = { is: "map", of: text };
const struct = (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Struct => ({
  is: "struct",
  required,
  optional,
});

const type: Shape = { is: "type" };
const any: Shape = { is: "any" };
const boolean: Shape = { is: "boolean" };
const field = struct(
  { id: integer, name: text, type, required: boolean },
  { doc: text, "initial-default": any, "write-default": any },
);
const TYPES: Readonly<Record<string, Struct>> = {
  struct: struct({ type: text, fields: list(field) }),
  list: struct({ type: text, "element-id": integer, element: type, "element-required": boolean }),
  map: struct({ type: text, "key-id": integer, key: type, "value-id": integer, value: type, "value-required": boolean }),
};
const schema = struct({ type: text, fields: list(field) }, { "schema-id": integer, "identifier-field-ids": list(integer) });
const partitionField = struct({ "source-id": integer, transform: text, name: text }, { "field-id": integer });
const spec = struct({ fields: list(partitionField) }, { "spec-id": integer });
const sortField = struct({ "source-id": integer, transform: text, direction: text, "null-order": text });
const order = struct({ "order-id": integer, fields: list(sortField) });
const reference = {
  required: { type: text, "snapshot-id": long },
  optional: { "max-ref-age-ms": long, "max-snapshot-age-ms": long, "min-snapshots-to-keep": integer },
};
const snapshot = struct(
  { "snapshot-id": long, "timestamp-ms": long, "manifest-list": text, summary: texts },
  {
    "parent-snapshot-id": long,
    "sequence-number": long,
    "first-row-id": long,
    "added-rows": long,
    "schema-id": integer,
    "key-id": text,
  },
);

const update = (required: Readonly<Record<string, Shape>>, optional: Readonly<Record<string, Shape>> = {}): Struct =>
  struct({ action: text, ...required }, optional);

const UPDATES: Readonly<Record<string, Struct>> = {
  "assign-uuid": update({ uuid: text }),
  "upgrade-format-version": update({ "format-version": integer }),
  "add-schema": update({ schema }, { "last-column-id": integer }),
  "set-current-schema": update({ "schema-id": integer }),
  "add-spec": update({ spec }),
  "set-default-spec": update({ "spec-id": integer }),
  "add-sort-order": update({ "sort-order": order }),
  "set-default-sort-order": update({ "sort-order-id": integer }),
  "add-snapshot": update({ snapshot }),
  "set-snapshot-ref": update({ "ref-name": text, ...reference.required }, reference.optional),
  "remove-snapshots": update({ "snapshot-ids": list(long) }),
  "remove-snapshot-ref": update({ "ref-name": text }),
  "set-location": update({ location: text }),
  "set-properties": update({ updates: texts }),
  "remove-properties": update({ removals: list(text) }),
  "remove-partition-specs": update({ "spec-ids": list(integer) }),
  "remove-schemas": update({ "schema-ids": list(integer) }),
};

const requirement = (required: Readonly<Record<string, Shape>> = {}): Struct => struct({ type: text, ...required });

const REQUIREMENTS: Readonly<Record<string, Struct>> = {
  "assert-create": requirement(),
  "assert-table-uuid": requirement({ uuid: text }),
  "assert-ref-snapshot-id": requirement({ ref: text, "snapshot-id": { is: "null-or", of: long } }),
  "assert-last-assigned-field-id": requirement({ "last-assigned-field-id": integer }),
  "assert-current-schema-id": requirement({ "current-schema-id": integer }),
  "assert-last-assigned-partition-id": requirement({ "last-assigned-partition-id": integer }),
  "assert-default-spec-id": requirement({ "default-spec-id": integer }),
  "assert-default-sort-order-id": requirement({ "default-sort-order-id": integer }),
};

const identifier = struct({ namespace: list(text), name: text });

export const BODIES = {
  CreateNamespace: struct({ namespace: list(text) }, { properties: texts }),
  CreateTable: struct(
    { name: text, schema },
    { location: text, "partition-spec": spec, "write-order": order, "stage-create": boolean, properties: texts },
  ),
  CommitTable: struct(
    {
      requirements: list({ is: "one-of", by: "type", of: REQUIREMENTS }),
      updates: list({ is: "one-of", by: "action", of: UPDATES }),
    },
    { identifier },
  ),
} as const;

/** Throws where the body is not what the protocol has. */
export function checkBody(operation: keyof typeof BODIES, body: Json): void {
  check(BODIES[operation], body, operation);
}

function check(shape: Shape, value: Json, path: string): void {
  switch (shape.is) {
    case "any":
      return;
    case "text":
      return must(typeof value === "string", value, path, "a text");
    case "boolean":
      return must(typeof value === "boolean", value, path, "true or false");
    case "integer":
      return must(Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31, value, path, "a 32-bit integer");
    case "long":
      return must(typeof value === "bigint" || Number.isSafeInteger(value), value, path, "an exact integer");
    case "null-or":
      return value === null ? undefined : check(shape.of, value, path);
    case "list":
      must(Array.isArray(value), value, path, "a list");
      for (const [index, one] of (value as Json[]).entries()) check(shape.of, one, `${path}[${index}]`);
      return;
    case "map":
      must(isMap(value), value, path, "an object");
      for (const [key, one] of Object.entries(value as object)) check(shape.of, one as Json, `${path}.${key}`);
      return;
    case "type":
      return checkType(value, path);
    case "one-of": {
      const name = isMap(value) ? value[shape.by] : undefined;
      const found = typeof name === "string" ? shape.of[name] : undefined;
      if (found === undefined) throw new Error(`The protocol has no ${shape.by} ${writeJson(name ?? null)} at ${path}`);
      return check(found, value, path);
    }
    case "struct":
      return checkStruct(shape, value, path);
  }
}

function checkStruct({ required, optional }: Struct, value: Json, path: string): void {
  if (!isMap(value)) return must(false, value, path, "an object");
  for (const key of Object.keys(required)) must(value[key] !== undefined, null, `${path}.${key}`, "there");
  for (const [key, one] of Object.entries(value)) {
    const shape = required[key] ?? optional[key];
    if (shape === undefined) throw new Error(`The protocol has no member "${key}" at ${path}`);
    check(shape, one, `${path}.${key}`);
  }
}

function checkType(value: Json, path: string): void {
  if (typeof value === "string") return;
  const kind = isMap(value) ? value["type"] : undefined;
  const shape = typeof kind === "string" ? TYPES[kind] : undefined;
  if (shape === undefined) throw new Error(`No type at ${path}: ${writeJson(value)}`);
  checkStruct(shape, value, path);
}

function must(isTrue: boolean, value: Json, path: string, what: string): void {
  if (!isTrue) throw new Error(`${path} must be ${what}, and is ${writeJson(value).slice(0, 100)}`);
}
