// The name of a table: `sales.orders`, or a list where a name holds a dot. At least one namespace level and a name.
import { formatPath, isPathError, parsePath } from "../../iceberg/field-path.ts";
import { type Reading, placeIn, report, textOf } from "../reading.ts";
import type { Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import type { YamlNode } from "../yaml/tree.ts";

/** Namespace levels and the table's name, last; undefined after a finding, or where the shape is wrong. */
export function readTableName(reading: Reading, node: YamlNode | undefined): Placed<readonly string[]> | undefined {
  if (node === undefined) return undefined;
  const parts = node.kind === "list" ? listedParts(node.items) : writtenParts(reading, node);
  if (parts === undefined) return undefined;
  if (parts.length < 2) {
    report(reading, "name-malformed", node, {
      what: `Cannot use ${quoted(parts.join("."))} as the name of a table`,
      why: "A table stands in a namespace",
      mend: `Write the namespace before it: sales.${parts[0] ?? "orders"}`,
    });
    return undefined;
  }
  if (parts.includes("")) {
    report(reading, "name-malformed", node, {
      what: "Cannot use an empty name in the name of a table",
      mend: 'Write every level: sales.orders, or [ lake, "b.c", orders ]',
    });
    return undefined;
  }
  return { value: parts, place: placeIn(reading, node) };
}

function listedParts(items: readonly YamlNode[]): readonly string[] | undefined {
  const parts = items.map(textOf);
  return parts.every((part) => part !== undefined) ? parts : undefined;
}

function writtenParts(reading: Reading, node: YamlNode): readonly string[] | undefined {
  const text = textOf(node);
  if (text === undefined) return undefined;
  const parts = parsePath(text);
  if (!isPathError(parts)) return parts;
  report(reading, "name-malformed", node, {
    what: `Cannot read the table name ${quoted(text)}`,
    why: parts.why,
    mend: 'Write namespace.table, or a list where a name holds a dot or a blank: [ lake, "b.c", orders ]',
  });
  return undefined;
}

/** The name as printed everywhere. */
export function formatTableName(parts: readonly string[]): string {
  return formatPath(parts);
}
