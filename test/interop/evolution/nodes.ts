// The nodes of a schema as the generators look at them: names by which they can be addressed, what they may be used for.
import { enclosing, indexSchema } from "../../../src/iceberg/schema-index.ts";
import { isNested, type Schema, type Type } from "../../../src/iceberg/type.ts";
import type { SchemaNode } from "../../../src/iceberg/walk.ts";

export interface NamedNode {
  readonly id: number;
  readonly role: SchemaNode["role"];
  readonly name: string;
  readonly fullName: string;
  /** Without `element` and `value` of lists and maps of structs. */
  readonly shortName: string;
  readonly type: Type;
  readonly required: boolean;
  readonly parentId: number | null;
  /** Can it be the source of a partition or sort field, as far as its place goes? */
  readonly isSource: boolean;
  readonly canIdentify: boolean;
}

/** Every node, parts of lists and maps too. */
export function nodesOf(schema: Schema): readonly NamedNode[] {
  const index = indexSchema(schema);
  return index.nodes.map((node): NamedNode => {
    const around = [...enclosing(node)].slice(1);
    const isInStructs = around.every((outer) => outer.type.kind === "struct");
    const isPrimitive = !isNested(node.type);
    return {
      id: node.id,
      role: node.role,
      name: node.name,
      fullName: index.fullName(node.id) ?? node.name,
      shortName: shortNameOf(node),
      type: node.type,
      required: node.required,
      parentId: node.parent?.id ?? null,
      isSource: isPrimitive && isInStructs && node.type.kind !== "variant",
      canIdentify:
        isPrimitive &&
        isInStructs &&
        node.required &&
        around.every((outer) => outer.required) &&
        !["float", "double", "variant", "unknown"].includes(node.type.kind),
    };
  });
}

export function fieldNodesOf(schema: Schema): readonly NamedNode[] {
  return nodesOf(schema).filter((node) => node.role === "field");
}

function shortNameOf(node: SchemaNode): string {
  const names: string[] = [];
  for (const one of enclosing(node)) {
    const isLeftOut = (one.role === "element" || one.role === "value") && one.type.kind === "struct" && one !== node;
    if (!isLeftOut) names.push(one.name);
  }
  return names.reverse().join(".");
}
