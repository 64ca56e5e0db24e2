// JSON as a tree that can hold what JSON may not mean: equal keys, numbers of any spelling, words that are no values. Made
// of what was parsed, changed, and printed as JSON or as YAML.
import { isJsonObject, type JsonValue } from "../../../src/iceberg/json.ts";
import { writeJson } from "../../../src/iceberg/json-write.ts";

export type Tree =
  /** `text` is what is printed. */
  { kind: "scalar"; text: string } | { kind: "list"; items: Tree[] } | { kind: "object"; members: Member[] };

export interface Member {
  /** As it is printed, quotes included. */
  key: string;
  value: Tree;
}

export function treeOf(value: JsonValue): Tree {
  if (Array.isArray(value)) return { kind: "list", items: value.map(treeOf) };
  if (isJsonObject(value)) {
    return {
      kind: "object",
      members: Object.entries(value).map(([key, one]) => ({ key: JSON.stringify(key), value: treeOf(one) })),
    };
  }
  return { kind: "scalar", text: writeJson(value) };
}

export function copyOf(tree: Tree): Tree {
  switch (tree.kind) {
    case "scalar":
      return { ...tree };
    case "list":
      return { kind: "list", items: tree.items.map(copyOf) };
    case "object":
      return { kind: "object", members: tree.members.map(({ key, value }) => ({ key, value: copyOf(value) })) };
  }
}

/** The tree and all below it, the tree first. */
export function nodesOf(tree: Tree): readonly Tree[] {
  const nodes: Tree[] = [tree];
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at];
    if (node?.kind === "list") nodes.push(...node.items);
    if (node?.kind === "object") nodes.push(...node.members.map((one) => one.value));
  }
  return nodes;
}

/** `gap` stands between the signs: nothing, a blank, a line end. */
export function printJson(tree: Tree, gap = ""): string {
  switch (tree.kind) {
    case "scalar":
      return tree.text;
    case "list":
      return `[${gap}${tree.items.map((one) => printJson(one, gap)).join(`,${gap}`)}${gap}]`;
    case "object":
      return `{${gap}${tree.members.map(({ key, value }) => `${key}:${gap}${printJson(value, gap)}`).join(`,${gap}`)}${gap}}`;
  }
}

/** Block style down to `depth`, flow style below. */
export function printYaml(tree: Tree, depth: number, indent = ""): string {
  if (tree.kind === "scalar") return ` ${tree.text}\n`;
  const isEmpty = tree.kind === "list" ? tree.items.length === 0 : tree.members.length === 0;
  if (depth === 0 || isEmpty) return ` ${printFlow(tree)}\n`;
  if (tree.kind === "list")
    return `\n${tree.items.map((one) => `${indent}-${printYaml(one, depth - 1, `${indent}  `)}`).join("")}`;
  return `\n${tree.members.map(({ key, value }) => `${indent}${key}:${printYaml(value, depth - 1, `${indent}  `)}`).join("")}`;
}

function printFlow(tree: Tree): string {
  switch (tree.kind) {
    case "scalar":
      return tree.text;
    case "list":
      return `[ ${tree.items.map(printFlow).join(", ")} ]`;
    case "object":
      return `{ ${tree.members.map(({ key, value }) => `${key}: ${printFlow(value)}`).join(", ")} }`;
  }
}
