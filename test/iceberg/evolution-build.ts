// Short ways to write schemas in the evolution tests, and random ones for the property tests.
import fc from "fast-check";
import { type EvolutionError, isEvolutionError } from "../../src/iceberg/evolution-error.ts";
import type { Field, PrimitiveType, Schema, Type } from "../../src/iceberg/type.ts";
import { parseType } from "../../src/iceberg/type-text.ts";

export function type(text: string): PrimitiveType {
  const found = parseType(text);
  if (found === null) throw new Error(`${text} is no type`);
  return found;
}

/** `name!` is required; the type is a text or a nested type. */
export function field(id: number, name: string, of: string | Type, more: Partial<Field> = {}): Field {
  return {
    id,
    name: name.replace(/!$/, ""),
    required: name.endsWith("!"),
    type: typeof of === "string" ? type(of) : of,
    ...more,
  };
}

export function struct(...fields: Field[]): Type {
  return { kind: "struct", fields };
}

export function list(elementId: number, element: string | Type, elementRequired = false): Type {
  return { kind: "list", elementId, element: typeof element === "string" ? type(element) : element, elementRequired };
}

export function map(keyId: number, key: string | Type, valueId: number, value: string | Type, valueRequired = false): Type {
  return {
    kind: "map",
    keyId,
    key: typeof key === "string" ? type(key) : key,
    valueId,
    value: typeof value === "string" ? type(value) : value,
    valueRequired,
  };
}

export function schemaOf(...fields: Field[]): Schema {
  return { schemaId: 0, identifierFieldIds: [], fields };
}

export function ok<T>(result: T | EvolutionError): T {
  if (isEvolutionError(result)) throw new Error(`${result.category}: ${result.why}`);
  return result;
}

export function category(result: unknown): string | null {
  return isEvolutionError(result) ? result.category : null;
}

const PRIMITIVES = [
  "int",
  "long",
  "float",
  "double",
  "decimal(9,2)",
  "date",
  "timestamptz",
  "string",
  "uuid",
  "binary",
  "boolean",
];

/** A type without ids of its own; they are given by `numbered`. */
const shape = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 4, depthSize: "small", withCrossShrink: true },
    fc.constantFrom(...PRIMITIVES).map(type),
    fc
      .uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c", "x.y", "Z"), required: fc.boolean(), of: tie("type") }), {
        selector: (one) => one.name,
        maxLength: 4,
      })
      .map((fields) => struct(...fields.map((one) => field(0, one.required ? `${one.name}!` : one.name, one.of)))),
    fc.tuple(tie("type"), fc.boolean()).map(([element, required]) => list(0, element, required)),
    fc
      .tuple(fc.constantFrom("string", "int").map(type), tie("type"), fc.boolean())
      .map(([key, value, required]) => map(0, key, 0, value, required)),
  ),
})).type;

/** Types with placeholder ids, for adding. */
export const anyType: fc.Arbitrary<Type> = shape;

/** Fields with placeholder ids. */
export const anyFields: fc.Arbitrary<Field[]> = fc
  .uniqueArray(fc.record({ name: fc.constantFrom("a", "b", "c", "d", "e", "f.g"), required: fc.boolean(), of: shape }), {
    selector: (one) => one.name,
    minLength: 1,
    maxLength: 6,
  })
  .map((fields) => fields.map((one) => field(0, one.required ? `${one.name}!` : one.name, one.of)));
