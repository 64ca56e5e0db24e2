// Tells a file of another kind in one finding: a group among the tables, a table among the groups. Its keys would
// otherwise all be told as unknown.
import { type Reading, report } from "../reading.ts";
import { findEntry, type MapNode } from "../yaml/tree.ts";

const KINDS = {
  table: { key: "table", is: "a table", belongs: "tables" },
  shared: { key: "columns-of", is: "a group of columns", belongs: "shared" },
} as const;

/** True after a finding: the file has the key of the other kind and not its own. */
export function isOfOtherKind(reading: Reading, root: MapNode, kind: keyof typeof KINDS): boolean {
  const own = KINDS[kind];
  const other = KINDS[kind === "table" ? "shared" : "table"];
  const entry = findEntry(root, other.key);
  if (entry === undefined || findEntry(root, own.key) !== undefined) return false;
  report(reading, "file-of-other-kind", entry.key, {
    what: `Cannot read this file as ${own.is}: it declares ${other.is}`,
    why: `A glob under \`${own.belongs}:\` of the project file matches it`,
    mend: `Move it to where \`${other.belongs}:\` looks, or correct the globs`,
  });
  return true;
}
