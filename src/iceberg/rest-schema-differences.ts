// What a schema lacks of another, field by field in the words of a person: for schemas that a catalog answered. Pure.
import { isSameDefault } from "./default-value.ts";
import { formatPath } from "./field-path.ts";
import { indexSchema } from "./schema-index.ts";
import { isPrimitive, type Schema, type Type } from "./type.ts";
import { formatType } from "./type-text.ts";
import type { SchemaNode } from "./walk.ts";

/** More are counted, not told. */
const MOST_TOLD = 5;

/** Never empty for schemas that are not the same. */
export function schemaDifferences(wanted: Schema, found: Schema): readonly string[] {
  const all = [...fieldDifferences(wanted, found), ...orderDifferences(wanted, found)];
  if (all.length === 0) return ["the schema is another than the one that was sent"];
  return all.length <= MOST_TOLD
    ? all
    : [...all.slice(0, MOST_TOLD), `and ${all.length - MOST_TOLD} more differences of the schema`];
}

function* fieldDifferences(wanted: Schema, found: Schema): Generator<string> {
  const [should, present] = [indexSchema(wanted), indexSchema(found)];
  for (const node of should.nodes) {
    const path = formatPath(should.segments(node.id));
    const other = present.byPath(should.segments(node.id));
    if (other === undefined) yield `the field "${path}" is missing`;
    else yield* nodeDifferences(path, node, other);
  }
  for (const node of present.nodes) {
    const segments = present.segments(node.id);
    if (should.byPath(segments) === undefined) yield `the field "${formatPath(segments)}" is there and was not sent`;
  }
}

function* nodeDifferences(path: string, wanted: SchemaNode, found: SchemaNode): Generator<string> {
  const { type } = found;
  if (kindOf(type) !== kindOf(wanted.type)) yield `the field "${path}" is ${kindOf(type)}, not ${kindOf(wanted.type)}`;
  if (found.id !== wanted.id) yield `the field "${path}" has the id ${found.id}, not ${wanted.id}`;
  if (found.required !== wanted.required) yield `the field "${path}" is ${wanted.required ? "optional" : "required"}`;
  const [should, present] = [wanted.field, found.field];
  if (should === null || present === null) return;
  if (should.doc !== present.doc) yield `the doc of "${path}" is ${present.doc === undefined ? "missing" : "another"}`;
  if (!isSameDefault(should.initialDefault, present.initialDefault, type)) yield `the initial default of "${path}" is lost`;
  if (!isSameDefault(should.writeDefault, present.writeDefault, type)) yield `the write default of "${path}" is lost`;
}

function* orderDifferences(wanted: Schema, found: Schema): Generator<string> {
  const [should, present] = [pathsOf(wanted), pathsOf(found)];
  const haveSameFields = should.length === present.length && new Set([...should, ...present]).size === should.length;
  if (haveSameFields && should.some((path, index) => path !== present[index])) yield "the fields stand in another order";
  const identifier = ({ identifierFieldIds }: Schema): string => [...identifierFieldIds].sort((a, b) => a - b).join(", ");
  if (identifier(wanted) !== identifier(found))
    yield `the identifier fields are (${identifier(found)}), not (${identifier(wanted)})`;
}

function pathsOf(schema: Schema): readonly string[] {
  const index = indexSchema(schema);
  return index.nodes.map(({ id }) => formatPath(index.segments(id)));
}

function kindOf(type: Type): string {
  return isPrimitive(type) ? formatType(type) : type.kind;
}
