// The schema of a Parquet file: its flat list of elements as a tree with the leaves that row groups hold in
// order. Knows levels and repetition; knows nothing of Iceberg's types.
import { corrupt } from "./corrupt.ts";
import { CONVERTED_TYPE_NAMES, LOGICAL_TYPE_NAMES, REPETITION, SCHEMA_ELEMENT, type StoredType, TYPES } from "./format.ts";
import { numberAt, structAt, textAt, type ThriftStruct } from "./thrift-tree.ts";

export interface SchemaNode {
  readonly element: ThriftStruct;
  /** Index in the footer's list of elements. */
  readonly elementIndex: number;
  readonly name: string;
  readonly fieldId: number | null;
  /** REPETITION of format.ts; the root counts as required. */
  readonly repetition: number;
  /** Empty for a leaf. */
  readonly children: readonly SchemaNode[];
  /** Null for a group. */
  readonly leaf: Leaf | null;
}

/** A column as row groups store it. */
export interface Leaf {
  /** Position among the leaves, which is its position in every row group. */
  readonly index: number;
  readonly path: readonly string[];
  readonly type: StoredType;
  /** For FIXED_LEN_BYTE_ARRAY; 12 for INT96; else 0. */
  readonly typeLength: number;
  /** E.g. `DECIMAL`, from the logical type or, without one, the converted type; null when plain. */
  readonly annotation: string | null;
  readonly maxDefinition: number;
  readonly maxRepetition: number;
}

/** Deeper than any table format allows; stops a hostile file from exhausting the stack. */
const MAX_DEPTH = 200;

export function buildSchema(elements: readonly ThriftStruct[]): { readonly root: SchemaNode; readonly leaves: readonly Leaf[] } {
  const leaves: Leaf[] = [];
  let next = 0;
  const build = (path: readonly string[], definition: number, repetition: number): SchemaNode => {
    const elementIndex = next++;
    const element = elements[elementIndex];
    if (element === undefined) throw corrupt("The schema promises more elements than it has");
    if (path.length > MAX_DEPTH) throw corrupt("The schema is nested too deeply");
    const isRoot = elementIndex === 0;
    const name = textAt(element, SCHEMA_ELEMENT.name) ?? "";
    const own = isRoot ? REPETITION.required : (numberAt(element, SCHEMA_ELEMENT.repetition) ?? REPETITION.required);
    const ownPath = isRoot ? [] : [...path, name];
    const ownDefinition = definition + (own === REPETITION.required ? 0 : 1);
    const ownRepetition = repetition + (own === REPETITION.repeated ? 1 : 0);
    const childCount = numberAt(element, SCHEMA_ELEMENT.children) ?? 0;
    const common = { element, elementIndex, name, fieldId: numberAt(element, SCHEMA_ELEMENT.fieldId) ?? null, repetition: own };
    const isLeaf = !isRoot && childCount === 0 && numberAt(element, SCHEMA_ELEMENT.type) !== undefined;
    if (isLeaf) {
      const leaf = leafOf(element, leaves.length, ownPath, ownDefinition, ownRepetition);
      leaves.push(leaf);
      return { ...common, children: [], leaf };
    }
    if (childCount < 0 || childCount > elements.length - next)
      throw corrupt(`Schema element "${name}" has a wrong number of children`);
    const children: SchemaNode[] = [];
    for (let child = 0; child < childCount; child++) children.push(build(ownPath, ownDefinition, ownRepetition));
    return { ...common, children, leaf: null };
  };
  const root = build([], 0, 0);
  if (next !== elements.length) throw corrupt("The schema has elements outside its root");
  return { root, leaves };
}

function leafOf(
  element: ThriftStruct,
  index: number,
  path: readonly string[],
  maxDefinition: number,
  maxRepetition: number,
): Leaf {
  const type = TYPES[numberAt(element, SCHEMA_ELEMENT.type) ?? -1];
  if (type === undefined) throw corrupt(`Column "${path.join(".")}" has an unknown physical type`);
  const length = numberAt(element, SCHEMA_ELEMENT.typeLength) ?? 0;
  if (type === "FIXED_LEN_BYTE_ARRAY" && length <= 0) throw corrupt(`Column "${path.join(".")}" has a wrong type length`);
  const typeLength = type === "INT96" ? 12 : type === "FIXED_LEN_BYTE_ARRAY" ? length : 0;
  return { index, path, type, typeLength, annotation: annotationOf(element), maxDefinition, maxRepetition };
}

function annotationOf(element: ThriftStruct): string | null {
  const logical = structAt(element, SCHEMA_ELEMENT.logicalType)?.fields[0];
  if (logical !== undefined) return LOGICAL_TYPE_NAMES[logical.id] ?? `LogicalType ${logical.id}`;
  const converted = numberAt(element, SCHEMA_ELEMENT.convertedType);
  return converted === undefined ? null : (CONVERTED_TYPE_NAMES[converted] ?? `ConvertedType ${converted}`);
}

/** The one leaf of a top-level primitive column that is not repeated, else null. */
export function flatLeaf(node: SchemaNode): Leaf | null {
  return node.leaf !== null && node.repetition !== REPETITION.repeated ? node.leaf : null;
}
