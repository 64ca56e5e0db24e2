// A Thrift struct as a generic tree (compact protocol): every field is kept, known or not, so that what is
// read can be written again. Edits make a new struct. Knows no field of Parquet: their numbers are in format.ts.
import { corrupt } from "./corrupt.ts";

/** Type codes of the compact protocol. A boolean field always carries TRUE here; its value tells. */
export const THRIFT = {
  boolean: 1,
  byte: 3,
  i16: 4,
  i32: 5,
  i64: 6,
  double: 7,
  binary: 8,
  list: 9,
  set: 10,
  map: 11,
  struct: 12,
  uuid: 13,
} as const;

export type ThriftType = (typeof THRIFT)[keyof typeof THRIFT];

/** byte, i16, i32 → number; i64 → bigint; binary, double and uuid → their bytes. */
export type ThriftValue = boolean | number | bigint | Uint8Array | ThriftList | ThriftMap | ThriftStruct;

export interface ThriftField {
  readonly id: number;
  readonly type: ThriftType;
  readonly value: ThriftValue;
}

export interface ThriftStruct {
  readonly kind: "struct";
  readonly fields: readonly ThriftField[];
}

interface ThriftList {
  readonly kind: "list";
  readonly elementType: ThriftType;
  readonly items: readonly ThriftValue[];
}

interface ThriftMap {
  readonly kind: "map";
  readonly keyType: ThriftType;
  readonly valueType: ThriftType;
  readonly entries: readonly (readonly [ThriftValue, ThriftValue])[];
}

export function struct(...fields: readonly (ThriftField | null)[]): ThriftStruct {
  return { kind: "struct", fields: fields.filter((field) => field !== null) };
}

export function i32Field(id: number, value: number): ThriftField {
  return { id, type: THRIFT.i32, value };
}

export function i64Field(id: number, value: bigint): ThriftField {
  return { id, type: THRIFT.i64, value };
}

export function booleanField(id: number, value: boolean): ThriftField {
  return { id, type: THRIFT.boolean, value };
}

export function binaryField(id: number, value: Uint8Array): ThriftField {
  return { id, type: THRIFT.binary, value };
}

export function structField(id: number, value: ThriftStruct): ThriftField {
  return { id, type: THRIFT.struct, value };
}

export function listField(id: number, elementType: ThriftType, items: readonly ThriftValue[]): ThriftField {
  return { id, type: THRIFT.list, value: { kind: "list", elementType, items } };
}

/** The struct with these fields put in or replaced; a new one stands before the first of a higher id. */
export function withFields(base: ThriftStruct, ...changes: readonly ThriftField[]): ThriftStruct {
  const fields = [...base.fields];
  for (const change of changes) {
    const same = fields.findIndex((field) => field.id === change.id);
    const higher = fields.findIndex((field) => field.id > change.id);
    if (same >= 0) fields[same] = change;
    else fields.splice(higher < 0 ? fields.length : higher, 0, change);
  }
  return { kind: "struct", fields };
}

export function withoutFields(base: ThriftStruct, ...ids: readonly number[]): ThriftStruct {
  return { kind: "struct", fields: base.fields.filter((field) => !ids.includes(field.id)) };
}

function find(base: ThriftStruct, id: number): ThriftValue | undefined {
  return base.fields.find((field) => field.id === id)?.value;
}

export function hasField(base: ThriftStruct, id: number): boolean {
  return find(base, id) !== undefined;
}

export function numberAt(base: ThriftStruct, id: number): number | undefined {
  const value = find(base, id);
  return typeof value === "number" ? value : undefined;
}

export function bigintAt(base: ThriftStruct, id: number): bigint | undefined {
  const value = find(base, id);
  return typeof value === "bigint" ? value : undefined;
}

export function booleanAt(base: ThriftStruct, id: number): boolean | undefined {
  const value = find(base, id);
  return typeof value === "boolean" ? value : undefined;
}

function bytesAt(base: ThriftStruct, id: number): Uint8Array | undefined {
  const value = find(base, id);
  return value instanceof Uint8Array ? value : undefined;
}

/** Text of a binary field; bytes that are not UTF-8 become U+FFFD. */
export function textAt(base: ThriftStruct, id: number): string | undefined {
  const bytes = bytesAt(base, id);
  return bytes === undefined ? undefined : new TextDecoder().decode(bytes);
}

export function structAt(base: ThriftStruct, id: number): ThriftStruct | undefined {
  const value = find(base, id);
  return isStruct(value) ? value : undefined;
}

export function itemsAt(base: ThriftStruct, id: number): readonly ThriftValue[] | undefined {
  const value = find(base, id);
  return typeof value === "object" && "kind" in value && value.kind === "list" ? value.items : undefined;
}

/** Elements of a list field that must be structs. */
export function structsAt(base: ThriftStruct, id: number, what: string): readonly ThriftStruct[] {
  return (itemsAt(base, id) ?? []).map((item) => {
    if (!isStruct(item)) throw corrupt(`The ${what} holds an element that is not a struct`);
    return item;
  });
}

function isStruct(value: ThriftValue | undefined): value is ThriftStruct {
  return typeof value === "object" && "kind" in value && value.kind === "struct";
}
