// What a person does to the declared file in one commit: each edit is a function of two numbers, and null where it does
// not fit. Careless edits are among them: renames without a hint, drops that nobody acknowledges.
import type { Field, Schema } from "../../src/iceberg/type.ts";
import {
  columnsOf,
  type Declared,
  editColumn,
  editLevel,
  isPrimitiveType,
  levelsOf,
  type ModelColumn,
  type ModelType,
  type PlacedColumn,
  PRIMITIVES,
  type Primitive,
} from "./declaration.ts";

export interface EditContext {
  readonly newKey: () => number;
  /** Names that were used before, of which a new column may take one. */
  readonly oldNames: readonly string[];
  /** Paths of live fields that no key of the file stands for. */
  readonly undeclaredPaths: readonly string[];
}

export type EditFunction = (declared: Declared, a: number, b: number, context: EditContext) => Declared | null;

const at = <T>(items: readonly T[], index: number): T | undefined => items[index % Math.max(1, items.length)];

const WIDER: Readonly<Partial<Record<Primitive, Primitive>>> = { int: "long", float: "double" };
const PROPERTIES = ["write.target-file-size-bytes", "read.split.target-size", "app.team", "app.tier"] as const;

export function newColumn(key: number, name: string, type: ModelType): ModelColumn {
  return { key, name, type, required: false, comment: null, hints: [], convert: null };
}

const addField: EditFunction = (declared, a, b, { newKey, oldNames }) => {
  const level = at(levelsOf(declared), a);
  if (level === undefined) return null;
  const key = newKey();
  const old = b % 5 === 0 ? at(oldNames, a) : undefined;
  const name = old === undefined || level.fields.some((field) => field.name === old) ? `f${key}` : old;
  const types: readonly ModelType[] = [
    { kind: "int" },
    { kind: "string" },
    { kind: "string" },
    { kind: "float" },
    { kind: "date" },
    { kind: "struct", fields: [newColumn(newKey(), `f${key + 1}`, { kind: "int" })] },
    { kind: "list", fields: [newColumn(newKey(), `f${key + 2}`, { kind: "string" })] },
  ];
  const column = newColumn(key, name, types[a % types.length] ?? { kind: "int" });
  const place = b % 3 === 0 ? level.fields.length : b % (level.fields.length + 1);
  return editLevel(declared, level.parentKey, (fields) => fields.toSpliced(place, 0, column));
};

/** Text that must stay text in every output. */
const HOSTILE = " `; drop table t; -- <b>@all</b> | ''";

function layoutKeys({ partitionBy, sortBy, identifier }: Declared): ReadonlySet<number> {
  return new Set([...[...(partitionBy ?? []), ...(sortBy ?? [])].map(({ key }) => key), ...(identifier ?? [])]);
}

function renamed(declared: Declared, a: number, b: number, hasHint: boolean, context: EditContext): Declared | null {
  const placed = at(columnsOf(declared), a);
  if (placed === undefined) return null;
  const isHostile = b % 5 === 0 && placed.parentKey === null && !layoutKeys(declared).has(placed.column.key);
  const name = `r${context.newKey()}${isHostile ? HOSTILE : ""}`;
  return editColumn(declared, placed.column.key, (column) => ({
    ...column,
    name,
    hints: hasHint ? [column.name, ...column.hints] : column.hints,
  }));
}

const moveField: EditFunction = (declared, a, b) => {
  const levels = levelsOf(declared).filter(({ fields }) => fields.length > 1);
  const level = at(levels, a);
  const field = level === undefined ? undefined : at(level.fields, b);
  if (level === undefined || field === undefined) return null;
  if (b % 3 === 0) return editLevel(declared, level.parentKey, (fields) => fields.toReversed());
  return editLevel(declared, level.parentKey, (fields) => {
    const others = fields.filter(({ key }) => key !== field.key);
    return others.toSpliced((a + b) % (others.length + 1), 0, field);
  });
};

function without(declared: Declared, a: number, isAcknowledged: boolean): Declared | null {
  const placed = at(columnsOf(declared), a);
  if (placed === undefined) return null;
  const { column, path, parentKey } = placed;
  const level = levelsOf(declared).find((one) => one.parentKey === parentKey);
  if (level === undefined || level.fields.length < 2) return null;
  const gone = new Set([column.key, ...columnsOf({ columns: [column] }).map((one) => one.column.key)]);
  const kept = editLevel(declared, parentKey, (fields) => fields.filter(({ key }) => key !== column.key));
  return {
    ...kept,
    partitionBy: kept.partitionBy?.filter(({ key }) => !gone.has(key)) ?? null,
    sortBy: kept.sortBy?.filter(({ key }) => !gone.has(key)) ?? null,
    identifier: kept.identifier?.filter((key) => !gone.has(key)) ?? null,
    dropped: isAcknowledged ? [...kept.dropped, path] : kept.dropped,
  };
}

const widen: EditFunction = (declared, a) => {
  const able = columnsOf(declared).filter(({ column }) => WIDER[column.type.kind as Primitive] !== undefined);
  const placed = at(able, a);
  const to = placed === undefined ? undefined : WIDER[placed.column.type.kind as Primitive];
  if (placed === undefined || to === undefined) return null;
  return editColumn(declared, placed.column.key, (column) => ({ ...column, type: { kind: to } }));
};

const convert: EditFunction = (declared, a, b) => {
  const used = layoutKeys(declared);
  const texts = columnsOf(declared).filter(
    ({ column, parentKey }) => column.type.kind === "string" && parentKey === null && !used.has(column.key) && !column.required,
  );
  const placed = at(texts, a);
  if (placed === undefined) return null;
  const onError = b % 3 === 0 ? "fail" : "set-null";
  const isDate = b % 2 === 0;
  return editColumn(declared, placed.column.key, (column) => ({
    ...column,
    type: { kind: isDate ? "date" : "int" },
    convert: `{ from: string, ${isDate ? "format: yyyyMMdd, " : ""}on-error: ${onError} }`,
  }));
};

const requireField: EditFunction = (declared, a) => {
  const placed = at(columnsOf(declared), a);
  if (placed === undefined || declared.identifier?.includes(placed.column.key) === true) return null;
  return editColumn(declared, placed.column.key, (column) => ({ ...column, required: !column.required }));
};

const primitives = (declared: Declared): readonly PlacedColumn[] =>
  columnsOf(declared).filter(
    ({ column, isInStructs, path }) => isInStructs && isPrimitiveType(column.type) && /^[\w.]+$/.test(path),
  );

const partition: EditFunction = (declared, a, b) => {
  if (b % 4 === 0) return declared.partitionBy === null ? null : { ...declared, partitionBy: declared.partitionBy.slice(1) };
  const sources = primitives(declared).filter(({ column }) => ["int", "long", "string"].includes(column.type.kind));
  const source = at(sources, a);
  const transform = (["identity", "bucket[4]", "truncate[3]"] as const)[b % 3] ?? "identity";
  const now = declared.partitionBy ?? [];
  if (source === undefined || now.length > 1 || now.some(({ key }) => key === source.column.key)) return null;
  return { ...declared, partitionBy: [...now, { key: source.column.key, transform }] };
};

const sort: EditFunction = (declared, a, b) => {
  const source = at(primitives(declared), a);
  if (source === undefined) return null;
  return { ...declared, sortBy: b % 4 === 0 ? [] : [{ key: source.column.key, direction: b % 2 === 0 ? "asc" : "desc" }] };
};

const identify: EditFunction = (declared, a) => {
  const able = primitives(declared).filter(
    ({ column, path }) => column.required && !path.includes(".") && !["float", "double"].includes(column.type.kind),
  );
  const source = at(able, a);
  return { ...declared, identifier: source === undefined ? [] : [source.column.key] };
};

const setProperty: EditFunction = (declared, a, b) => {
  const key = PROPERTIES[a % PROPERTIES.length] ?? "app.team";
  const { [key]: _, ...others } = declared.properties;
  if (b % 4 === 0) return { ...declared, properties: others };
  return { ...declared, properties: { ...others, [key]: b % 5 === 0 ? null : String(b % 7) } };
};

const acknowledge: EditFunction = (declared, _a, _b, { undeclaredPaths }) =>
  undeclaredPaths.length === 0 ? null : { ...declared, dropped: [...declared.dropped, ...undeclaredPaths] };

/** What is live of a column; null where somebody else dropped it. Undefined: it never was. */
export type LiveOf = (key: number) => Pick<Field, "type" | "required"> | null | undefined;

/** Theirs is taken: what somebody dropped goes from the file too, types and requiredness follow, the rest is acknowledged. */
export function mended(declared: Declared, liveOf: LiveOf, context: EditContext): Declared {
  const columns = columnsOf(declared);
  const kept = columns
    .filter(({ column }) => liveOf(column.key) === null)
    .reduce<Declared>((next, { column, parentKey }) => {
      const level = levelsOf(next).find((one) => one.parentKey === parentKey);
      if (level === undefined || level.fields.length < 2 || layoutKeys(next).has(column.key)) return next;
      return editLevel(next, parentKey, (fields) => fields.filter(({ key }) => key !== column.key));
    }, declared);
  const followed = columns.reduce<Declared>((next, { column: { key } }) => {
    const live = liveOf(key);
    const kind = PRIMITIVES.find((one) => one === live?.type.kind);
    return editColumn(next, key, (column) => ({
      ...column,
      required: column.required && live?.required === true,
      ...(kind === undefined || column.type.kind === kind || !isPrimitiveType(column.type)
        ? {}
        : { type: { kind }, convert: null }),
    }));
  }, kept);
  return acknowledge(followed, 0, 0, context) ?? followed;
}

export const EDITS = {
  "add a column": addField,
  "rename with its old name": (declared, a, b, context) => renamed(declared, a, b, true, context),
  "rename without a hint": (declared, a, b, context) => renamed(declared, a, b, false, context),
  "move a column": moveField,
  "drop and acknowledge": (declared, a) => without(declared, a, true),
  "drop in silence": (declared, a) => without(declared, a, false),
  "acknowledge what is undeclared": acknowledge,
  "widen a column": widen,
  "convert a column": convert,
  "require or loosen": requireField,
  "comment a column": (declared, a, b) => {
    const placed = at(columnsOf(declared), a);
    const comment = b % 5 === 0 ? "" : `note ${b} | <i>x</i> \`y\``;
    return placed === undefined ? null : editColumn(declared, placed.column.key, (column) => ({ ...column, comment }));
  },
  "comment the table": (declared, _a, b) => ({ ...declared, comment: `about ${b % 9}` }),
  "partition by": partition,
  "sort by": sort,
  "identify by": identify,
  "set a property": setProperty,
} as const satisfies Readonly<Record<string, EditFunction>>;

export type EditName = keyof typeof EDITS;

/** A live column that nobody declares is taken into the file as it is. */
export function adopt(
  declared: Declared,
  schema: Pick<Schema, "fields">,
  a: number,
  { newKey, undeclaredPaths }: EditContext,
): Declared | null {
  const able = schema.fields.filter(
    ({ name, type }) => undeclaredPaths.includes(name) && PRIMITIVES.some((kind) => kind === type.kind),
  );
  const field = at(able, a);
  const kind = PRIMITIVES.find((one) => one === field?.type.kind);
  if (field === undefined || kind === undefined) return null;
  const column = { ...newColumn(newKey(), field.name, { kind }), required: field.required };
  return { ...declared, columns: [...declared.columns, column], dropped: declared.dropped.filter((path) => path !== field.name) };
}
