// One shared file as a reusable group of columns. A group uses no other group and pins no ids.
import type { Diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ParsedYaml } from "../parse-yaml.ts";
import { itemsOf, placeIn, type Reading, report, textOf } from "../reading.ts";
import { checkShape } from "../schema/check-shape.ts";
import { findValue } from "../yaml/tree.ts";
import type { ColumnGroup } from "./declaration.ts";
import { isOfOtherKind } from "./file-kind.ts";
import { readFields } from "./read-fields.ts";
import { readPart } from "./read-part.ts";

export interface ReadGroup {
  /** Null where not even the name can be read. */
  readonly group: ColumnGroup | null;
  readonly diagnostics: readonly Diagnostic[];
}

export function readGroup(parsed: ParsedYaml, environments: readonly string[]): ReadGroup {
  const { root, source, misread } = parsed;
  if (root === null) return { group: null, diagnostics: parsed.diagnostics };
  const found: Diagnostic[] = [...parsed.diagnostics];
  const reading: Reading = { source, table: undefined, found, misread };
  if (root.kind === "map" && isOfOtherKind(reading, root, "shared")) return { group: null, diagnostics: found };
  const hasShape = checkShape(reading, "shared", root);
  if (root.kind !== "map") return { group: null, diagnostics: found };
  const nameNode = findValue(root, "columns-of");
  const name = textOf(nameNode);
  const fields = readFields(
    {
      ...reading,
      path: [],
      group: name ?? "",
      groups: new Map(),
      usedGroups: new Set(),
      environments,
      nested: { fields: readFields, part: readPart },
    },
    itemsOf(findValue(root, "columns")) ?? [],
  );
  if (name === undefined || nameNode === undefined) return { group: null, diagnostics: found };
  if (name === "") {
    report(reading, "name-malformed", nameNode, { what: "Cannot use an empty name for a group", mend: "Write the group's name" });
    return { group: null, diagnostics: found };
  }
  const group = { name, file: source.file, place: placeIn(reading, nameNode), fields: hasShape ? (fields ?? null) : null };
  return { group, diagnostics: found };
}
