// Live ids of declared paths, for everything that names fields by path: partition, sort, identifier.
import { allMatches } from "./match-fields.ts";
import type { TablePair } from "./table-pair.ts";

/** Undefined for a path that is not declared or not live yet. */
export function liveIdByPath(pair: TablePair): (path: string) => number | undefined {
  const level = pair.pair?.level;
  const ids = new Map<string, number>();
  if (level !== undefined) {
    for (const { declared, live } of allMatches(level)) if (live !== null) ids.set(declared.path, live.id);
    for (const { node } of pair.pair?.undeclared ?? []) if (!ids.has(node.path)) ids.set(node.path, node.id);
  }
  return (path) => ids.get(path);
}
