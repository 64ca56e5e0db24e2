// Changes of a Thrift struct: numbers and texts at any depth, fields without, twice, under another id or of another type,
// lists that are longer, shorter or out of order, structures inside of structures.
import {
  i32Field,
  i64Field,
  THRIFT,
  type ThriftField,
  type ThriftStruct,
  type ThriftValue,
} from "../../../src/parquet/thrift-tree.ts";
import type { Random } from "../random.ts";
import { mutateBytes, randomBytes } from "./bytes.ts";

const SMALL = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 15, 16, 31, 32, 33, 63, 64, 65, 127, 255, 256, 1000];
const WIDE = [-1, 32_767, 65_536, 1_000_000, 0x7fff_fffe, 0x7fff_ffff, -0x8000_0000];
const WIDER = [2n ** 31n, 2n ** 32n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 63n - 1n, -(2n ** 63n), -1n];

/** The struct with one thing changed, somewhere. */
export function mutateStruct(base: ThriftStruct, random: Random): ThriftStruct {
  const { fields } = base;
  if (fields.length === 0) return { kind: "struct", fields: [anyField(random, random.below(20))] };
  const at = random.below(fields.length);
  const field = fields[at];
  if (field === undefined) return base;
  const put = (...changed: readonly ThriftField[]): ThriftStruct => ({
    kind: "struct",
    fields: fields.toSpliced(at, 1, ...changed),
  });
  // Deep structs hold most of what can be changed.
  const isNested = typeof field.value === "object" && !(field.value instanceof Uint8Array);
  if (isNested && !random.once(6)) return put({ ...field, value: mutateValue(field.value, random) });
  switch (random.below(12)) {
    case 0:
      return put();
    case 1:
      return put(field, field);
    case 2:
      return put({ ...field, id: random.once(4) ? random.pick(WIDE) : random.below(20) });
    case 3:
      return put(anyField(random, field.id));
    case 4:
      return put(field, anyField(random, field.id + 1));
    default:
      return put({ ...field, value: mutateValue(field.value, random) });
  }
}

function mutateValue(value: ThriftValue, random: Random): ThriftValue {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return numberNear(value, random);
  if (typeof value === "bigint") {
    return random.once(3) ? random.pick(WIDER) : BigInt(numberNear(Number(BigInt.asIntN(31, value)), random));
  }
  if (value instanceof Uint8Array) return mutateBytes(value, random, value, 2);
  if (value.kind === "struct") return mutateStruct(value, random);
  if (value.kind === "map") return { ...value, entries: value.entries.slice(1) };
  const items = [...value.items];
  const at = random.below(Math.max(1, items.length));
  const item = items[at];
  switch (random.below(8)) {
    case 0:
      return { ...value, items: items.toSpliced(at, 1) };
    case 1:
      return item === undefined ? value : { ...value, items: items.toSpliced(random.below(items.length + 1), 0, item) };
    case 2:
      return { ...value, items: items.toReversed() };
    case 3:
      return { ...value, items: [] };
    default:
      return item === undefined ? value : { ...value, items: items.with(at, mutateValue(item, random)) };
  }
}

function numberNear(value: number, random: Random): number {
  switch (random.below(6)) {
    case 0:
      return value + 1;
    case 1:
      return value - 1;
    case 2:
      return random.pick(WIDE);
    case 3:
      return Math.floor(value / 2);
    case 4:
      return (value * 2) | 0;
    default:
      return random.pick(SMALL);
  }
}

function anyField(random: Random, id: number): ThriftField {
  switch (random.below(6)) {
    case 0:
      return i32Field(id, random.pick(random.once(2) ? SMALL : WIDE));
    case 1:
      return i64Field(id, random.pick(WIDER));
    case 2:
      return { id, type: THRIFT.binary, value: randomBytes(random, random.below(20)) };
    case 3:
      return { id, type: THRIFT.boolean, value: random.once(2) };
    case 4:
      return { id, type: THRIFT.list, value: { kind: "list", elementType: THRIFT.i32, items: [1, random.pick(SMALL)] } };
    default:
      return { id, type: THRIFT.struct, value: nested(random.pick([1, 3, 30, 31, 32, 33, 40])) };
  }
}

function nested(depth: number): ThriftStruct {
  let inner: ThriftStruct = { kind: "struct", fields: [] };
  for (let left = depth; left > 0; left--) inner = { kind: "struct", fields: [{ id: 1, type: THRIFT.struct, value: inner }] };
  return inner;
}
