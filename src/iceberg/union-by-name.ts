// Makes a schema able to take the rows of another one, matched by names: adds what is missing as optional, loosens,
// widens, describes. Nothing is dropped, renamed or moved. Records its changes in a schema update.
import { isSameDefault, promoteDefault } from "./default-value.ts";
import { type EvolutionError, evolutionError, isEvolutionError } from "./evolution-error.ts";
import { isPromotionAllowed } from "./promotion.ts";
import { fieldPath } from "./schema-index.ts";
import type { SchemaUpdate } from "./schema-update.ts";
import type { FormatVersion } from "./table-metadata.ts";
import { isPrimitive, type Schema, type Type } from "./type.ts";
import { childNodes, fieldNodes, type SchemaNode } from "./walk.ts";

export interface UnionOptions {
  readonly formatVersion: FormatVersion;
  readonly ignoresCase?: boolean;
}

/** The children of one nested type on both sides; `parentId` null is the top level. */
interface Level {
  readonly parentId: number | null;
  readonly present: readonly SchemaNode[];
  readonly incoming: readonly SchemaNode[];
}

/** Ids in `incoming` mean nothing. Stops at the first change that is not allowed. */
export function unionByName(
  update: SchemaUpdate,
  incoming: Pick<Schema, "fields">,
  options: UnionOptions,
): EvolutionError | null {
  const levels: Level[] = [];
  const waiting: Level[] = [
    { parentId: null, present: fieldNodes(update.base.fields, null), incoming: fieldNodes(incoming.fields, null) },
  ];
  for (let level = waiting.pop(); level !== undefined; level = waiting.pop()) {
    const ambiguous = options.ignoresCase === true ? collisionError(level) : null;
    if (ambiguous !== null) return ambiguous;
    levels.push(level);
    for (const pair of pairLevel(level, options)) {
      if (pair.present === null || isPrimitive(pair.present.type) || isPrimitive(pair.incoming.type)) continue;
      waiting.push(levelOf(pair.present.id, pair.present.type, pair.incoming.type));
    }
  }
  // The reference implementation looks into nested types before it adds beside them: deep additions get the lower ids.
  for (const level of levels.reverse()) {
    for (const { present, incoming: wanted } of pairLevel(level, options)) {
      const error = present === null ? add(update, level.parentId, wanted) : adjust(update, present, wanted, options);
      if (error !== null) return error;
    }
  }
  return null;
}

function collisionError({ present, incoming }: Level): EvolutionError | null {
  const names = new Map<string, string>();
  for (const { name } of incoming.length === 0 ? [] : present) {
    const other = names.get(name.toLowerCase());
    if (other !== undefined) return evolutionError("ambiguous_name", `"${other}" and "${name}" differ only in case`);
    names.set(name.toLowerCase(), name);
  }
  return null;
}

function levelOf(parentId: number, present: Type, incoming: Type): Level {
  const isSameKind = present.kind === incoming.kind;
  return {
    parentId,
    present: isSameKind ? childNodes(present, null) : [],
    incoming: isSameKind ? childNodes(incoming, null) : [],
  };
}

function pairLevel(
  level: Level,
  options: UnionOptions,
): { readonly present: SchemaNode | null; readonly incoming: SchemaNode }[] {
  const key = (name: string): string => (options.ignoresCase === true ? name.toLowerCase() : name);
  const byName = new Map(level.present.map((node) => [key(node.name), node]));
  return level.incoming.map((incoming) => ({ present: byName.get(key(incoming.name)) ?? null, incoming }));
}

function add(update: SchemaUpdate, parentId: number | null, wanted: SchemaNode): EvolutionError | null {
  const { doc, initialDefault, writeDefault } = wanted.field ?? {};
  const id = update.addField(parentId, {
    name: wanted.name,
    type: wanted.type,
    ...(doc === undefined ? {} : { doc }),
    ...(initialDefault === undefined ? {} : { initialDefault }),
    ...(writeDefault === undefined ? {} : { writeDefault }),
  });
  return isEvolutionError(id) ? id : null;
}

function adjust(update: SchemaUpdate, present: SchemaNode, wanted: SchemaNode, options: UnionOptions): EvolutionError | null {
  const error = present.required && !wanted.required ? update.setOptional(present.id) : null;
  return error ?? adjustType(update, present, wanted.type, options) ?? adjustWords(update, present, wanted);
}

function adjustType(update: SchemaUpdate, present: SchemaNode, wanted: Type, options: UnionOptions): EvolutionError | null {
  if (isPrimitive(present.type) && isPrimitive(wanted)) {
    // A narrower incoming type fits into the present one and asks for nothing.
    return isPromotionAllowed(wanted, present.type, options.formatVersion) ? null : update.updateType(present.id, wanted);
  }
  if (isPrimitive(wanted)) return update.updateType(present.id, wanted);
  if (present.type.kind === wanted.kind) return null;
  const path = fieldPath(update.base, present.id) ?? present.name;
  return evolutionError(
    "illegal_type_change",
    `"${path}" is a ${present.type.kind} and cannot take values of a ${wanted.kind}`,
    present.id,
  );
}

function adjustWords(update: SchemaUpdate, present: SchemaNode, wanted: SchemaNode): EvolutionError | null {
  const { doc, writeDefault } = wanted.field ?? {};
  const error = doc !== undefined && doc !== present.field?.doc ? update.setDoc(present.id, doc) : null;
  if (error !== null || writeDefault === undefined || writeDefault === null) return error;
  if (isSameDefault(writeDefault, present.field?.writeDefault, present.type)) return null;
  const type = update.primitiveType(present.id);
  // The value is one of the incoming type, whose rows it stands for: 0.1 as a float is another double than 0.1.
  const value = type !== null && isPrimitive(wanted.type) ? promoteDefault(writeDefault, wanted.type, type) : writeDefault;
  return update.setWriteDefault(present.id, value);
}
