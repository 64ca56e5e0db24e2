// What a value is called in a message: `"required" in field "customer"`, `environment "dev"`. Built from the way
// from the root to the value.
import { formatPath } from "../../iceberg/field-path.ts";
import { quoted } from "../words.ts";
import { findValue, type YamlNode } from "../yaml/tree.ts";
import type { Step } from "./violation.ts";

/** Maps whose keys are names that the author chose. */
const NAMED_BY_KEY: Readonly<Record<string, string>> = {
  environments: "environment",
  catalogs: "catalog",
  lint: "lint rule",
  properties: "property",
  parameters: "Glue parameter",
};

/** Keys of a list element or a map's parts. */
const PARTS: Readonly<Record<string, string>> = { element: "the element of", key: "the key of", value: "the value of" };

/** The value itself with where it stands: `"type" in field "customer"`, `column 3`. */
export function subjectName(steps: readonly Step[], table: string | undefined): string {
  const step = steps.at(-1);
  if (step === undefined || step.key === "") return containerName(steps, table);
  const above = steps.slice(0, -1);
  const aboveKey = above.at(-1)?.key;
  if (typeof step.key === "number") {
    const list = above.at(-1)?.key ?? "";
    return `item ${step.key + 1} of "${list}" in ${containerName(above.slice(0, -1), table)}`;
  }
  const kind = typeof aboveKey === "string" ? NAMED_BY_KEY[aboveKey] : undefined;
  if (kind !== undefined) return `${kind} ${quoted(step.key)}`;
  return `"${step.key}" in ${containerName(above, table)}`;
}

/** The map or list at the end of the way: `table "sales.orders"`, `field "customer"`, `"convert" of field "day"`. */
export function containerName(steps: readonly Step[], table: string | undefined): string {
  const step = steps.at(-1);
  if (step === undefined || step.key === "") return rootName(steps[0]?.node, table);
  const above = steps.slice(0, -1);
  const aboveKey = above.at(-1)?.key;
  if (typeof step.key === "number") {
    const name = nameOf(step.node);
    if (name !== null) return name;
    return `item ${step.key + 1} of "${String(aboveKey ?? "")}"`;
  }
  const kind = typeof aboveKey === "string" ? NAMED_BY_KEY[aboveKey] : undefined;
  if (kind !== undefined) return `${kind} ${quoted(step.key)}`;
  const part = PARTS[step.key];
  if (part !== undefined) return `${part} ${containerName(above, table)}`;
  return above.length === 1 ? `"${step.key}"` : `"${step.key}" of ${containerName(above, table)}`;
}

/**
 * The path of the column that the value belongs to. Null for fields inside a column: their path depends on the
 * column's type, which may be what is wrong.
 */
export function columnPathOf(steps: readonly Step[]): string | null {
  const [, columns, column, ...inside] = steps;
  if (columns?.key !== "columns" || column?.node.kind !== "map") return null;
  if (inside.some(({ key }) => key === "fields" || PARTS[key] !== undefined)) return null;
  const name = findValue(column.node, "name");
  return name?.kind === "scalar" && name.text !== "" ? formatPath([name.text]) : null;
}

function rootName(root: YamlNode | undefined, table: string | undefined): string {
  if (table !== undefined) return `table ${quoted(table)}`;
  if (root?.kind !== "map") return "this file";
  if (findValue(root, "floeplan") !== undefined) return "the project file";
  const group = findValue(root, "columns-of");
  return group?.kind === "scalar" ? `group ${quoted(group.text)}` : "this file";
}

function nameOf(node: YamlNode): string | null {
  if (node.kind !== "map") return null;
  const name = findValue(node, "name");
  if (name?.kind === "scalar" && name.text !== "") return `field ${quoted(name.text)}`;
  const field = findValue(node, "field");
  if (field?.kind === "scalar" && field.text !== "") return `the entry for ${quoted(field.text)}`;
  const group = findValue(node, "use");
  return group?.kind === "scalar" && group.text !== "" ? `the use of group ${quoted(group.text)}` : null;
}
