// A tree as the plain values that the compiled validators walk. Objects have no prototype, so that no key of a file
// can reach one. Whole numbers beyond 2^53 lose digits here: only their kind is looked at.
import type { YamlNode } from "../yaml/tree.ts";

export function plainData(node: YamlNode): unknown {
  if (node.kind === "scalar") return typeof node.value === "bigint" ? Number(node.value) : node.value;
  if (node.kind === "list") return node.items.map(plainData);
  const data: Record<string, unknown> = Object.create(null);
  for (const { key, value } of node.entries) data[key.text] = plainData(value);
  return data;
}
