// Ids of a live node and of everything inside it.
import type { Type } from "../iceberg/type.ts";
import type { LiveNode } from "./node.ts";

export function idsBelow(node: Pick<LiveNode, "id" | "type">): Set<number> {
  const ids = new Set([node.id]);
  const open: Type[] = [node.type];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "struct") {
      for (const field of type.fields) {
        ids.add(field.id);
        open.push(field.type);
      }
    } else if (type.kind === "list") {
      ids.add(type.elementId);
      open.push(type.element);
    } else if (type.kind === "map") {
      ids.add(type.keyId).add(type.valueId);
      open.push(type.key, type.value);
    }
  }
  return ids;
}
