// Gives field ids to a file that was written without them, so that its columns can be named by id. The caller
// knows the name mapping; here the layouts of lists and maps become the plain paths it speaks of
// (LogicalTypes.md "Nested Types", backward-compatibility rules).
import { CONVERTED_TYPE, FILE_METADATA, LOGICAL_TYPE, REPETITION, SCHEMA_ELEMENT } from "./format.ts";
import type { Footer } from "./footer.ts";
import { buildSchema, type SchemaNode } from "./schema.ts";
import {
  hasField,
  i32Field,
  listField,
  numberAt,
  structAt,
  structsAt,
  THRIFT,
  type ThriftStruct,
  withFields,
} from "./thrift-tree.ts";

/** Path of a field, e.g. `["items", "element", "sku"]`; list elements are `element`, map parts `key` and `value`. */
export type FieldIdOf = (path: readonly string[]) => number | undefined;

/** True when some element of the schema carries a field id. */
export function hasFieldIds(footer: Footer): boolean {
  return structsAt(footer.tree, FILE_METADATA.schema, "schema").some((element) => hasField(element, SCHEMA_ELEMENT.fieldId));
}

/** The footer with ids where `fieldIdOf` knows them. Elements that have one keep it. */
export function assignFieldIds(footer: Footer, fieldIdOf: FieldIdOf): Footer {
  const elements = [...structsAt(footer.tree, FILE_METADATA.schema, "schema")];
  for (const child of footer.root.children) assign(child, [child.name], elements, fieldIdOf);
  const { root, leaves } = buildSchema(elements);
  const tree = withFields(footer.tree, listField(FILE_METADATA.schema, THRIFT.struct, elements));
  return { ...footer, tree, root, leaves };
}

function assign(node: SchemaNode, path: readonly string[], elements: ThriftStruct[], fieldIdOf: FieldIdOf): void {
  const id = fieldIdOf(path);
  const element = elements[node.elementIndex];
  if (id !== undefined && element !== undefined && node.fieldId === null) {
    elements[node.elementIndex] = withFields(element, i32Field(SCHEMA_ELEMENT.fieldId, id));
  }
  for (const [part, child] of partsOf(node)) assign(child, [...path, part], elements, fieldIdOf);
}

function partsOf(node: SchemaNode): readonly (readonly [string, SchemaNode])[] {
  const inner = node.children[0];
  const isRepeated = node.children.length === 1 && inner?.repetition === REPETITION.repeated;
  if (isRepeated && isList(node)) return [["element", listElement(node, inner)]];
  const [key, value] = inner?.children ?? [];
  if (isRepeated && isMap(node) && key !== undefined) {
    return value === undefined
      ? [["key", key]]
      : [
          ["key", key],
          ["value", value],
        ];
  }
  return node.children.map((child) => [child.name, child] as const);
}

/** The repeated node itself is the element in the older layouts with two levels. */
function listElement(list: SchemaNode, repeated: SchemaNode): SchemaNode {
  const only = repeated.children[0];
  if (only === undefined || repeated.children.length > 1) return repeated;
  return repeated.name === "array" || repeated.name === `${list.name}_tuple` ? repeated : only;
}

function isList(node: SchemaNode): boolean {
  return isAnnotated(node, LOGICAL_TYPE.list, [CONVERTED_TYPE.list]);
}

function isMap(node: SchemaNode): boolean {
  return isAnnotated(node, LOGICAL_TYPE.map, [CONVERTED_TYPE.map, CONVERTED_TYPE.mapKeyValue]);
}

function isAnnotated(node: SchemaNode, logical: number, converted: readonly number[]): boolean {
  const annotation = structAt(node.element, SCHEMA_ELEMENT.logicalType);
  if (annotation !== undefined) return hasField(annotation, logical);
  return converted.includes(numberAt(node.element, SCHEMA_ELEMENT.convertedType) ?? -1);
}
