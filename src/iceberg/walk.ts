// Visits the nodes of one schema, or of two side by side, in schema order: each field before what is inside it.
// Loops instead of recursion, so that nesting is limited by memory alone. Knows no names beyond the nodes' own.
import type { Field, Type } from "./type.ts";

/** `field` of a struct or of the schema; the others are the parts of lists and maps. */
export type NodeRole = "field" | "element" | "key" | "value";

/** Anything of a schema that carries a field id. */
export interface SchemaNode {
  readonly id: number;
  /** The field's name, or `element`, `key`, `value`. */
  readonly name: string;
  readonly role: NodeRole;
  readonly required: boolean;
  readonly type: Type;
  readonly parent: SchemaNode | null;
  /** What only struct fields have: doc, defaults, unknown keys. */
  readonly field: Field | null;
}

/** The direct children of a type, in order. */
export function childNodes(type: Type, parent: SchemaNode | null): SchemaNode[] {
  switch (type.kind) {
    case "struct":
      return fieldNodes(type.fields, parent);
    case "list":
      return [part("element", type.elementId, type.element, type.elementRequired, parent)];
    case "map":
      return [
        part("key", type.keyId, type.key, true, parent),
        part("value", type.valueId, type.value, type.valueRequired, parent),
      ];
    default:
      return [];
  }
}

export function fieldNodes(fields: readonly Field[], parent: SchemaNode | null): SchemaNode[] {
  return fields.map((field) => ({
    id: field.id,
    name: field.name,
    role: "field" as const,
    required: field.required,
    type: field.type,
    parent,
    field,
  }));
}

function part(role: NodeRole, id: number, type: Type, required: boolean, parent: SchemaNode | null): SchemaNode {
  return { id, name: role, role, required, type, parent, field: null };
}

/** Every node under these fields. */
export function* walkFields(fields: readonly Field[]): Generator<SchemaNode, void, undefined> {
  const waiting = fieldNodes(fields, null).reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    for (const child of childNodes(node.type, node).reverse()) waiting.push(child);
  }
}

/** A node of the left schema with its partner on the right; one of the two may be missing. */
export type NodePair =
  | { readonly left: SchemaNode; readonly right: SchemaNode }
  | { readonly left: SchemaNode; readonly right: null }
  | { readonly left: null; readonly right: SchemaNode };

/**
 * Both schemas at once, siblings paired by id or by name: the left ones in their order, then the right ones
 * without a partner. Goes deeper where both sides have the same kind of nested type; a node without a partner
 * is given once, for all that is inside it.
 */
export function* walkTogether(
  left: readonly Field[],
  right: readonly Field[],
  pairBy: "id" | "name",
): Generator<NodePair, void, undefined> {
  const waiting = pairUp(fieldNodes(left, null), fieldNodes(right, null), pairBy).reverse();
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    yield pair;
    if (pair.left === null || pair.right === null || pair.left.type.kind !== pair.right.type.kind) continue;
    const inner = pairUp(childNodes(pair.left.type, pair.left), childNodes(pair.right.type, pair.right), pairBy);
    for (const one of inner.reverse()) waiting.push(one);
  }
}

function pairUp(left: readonly SchemaNode[], right: readonly SchemaNode[], pairBy: "id" | "name"): NodePair[] {
  const partners = new Map(right.map((node) => [node[pairBy], node]));
  const pairs: NodePair[] = [];
  for (const node of left) {
    const partner = partners.get(node[pairBy]);
    if (partner === undefined) {
      pairs.push({ left: node, right: null });
    } else {
      partners.delete(node[pairBy]);
      pairs.push({ left: node, right: partner });
    }
  }
  for (const node of partners.values()) pairs.push({ left: null, right: node });
  return pairs;
}
