// Hints of a file that have done their work in one environment: old names, conversions, acknowledged drops. A hint
// may go when every environment is past it; the caller asks all of them.
import type { DoneHint } from "../desired/prune-hints.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { isPrimitive } from "../iceberg/type.ts";
import { isSamePrimitive } from "../iceberg/promotion.ts";
import { isDeclaredPrimitive } from "./declared-type.ts";
import { allMatches } from "./match-fields.ts";
import type { TablePair } from "./table-pair.ts";

/** None for a table that is not there yet: everything may still be needed. */
export function doneHints(pair: TablePair): readonly DoneHint[] {
  const live = pair.pair;
  if (live === null) return [];
  const done: DoneHint[] = [];
  for (const { declared, live: node } of allMatches(live.level)) {
    if (node === null) continue;
    for (const hint of declared.renamedFrom) {
      if (node.name === declared.name && live.history.hasBorne(node.id, hint.value))
        done.push({ kind: "renamed-from", field: declared.path, name: hint.value });
    }
    const isThere = isPrimitive(node.type) && isDeclaredPrimitive(declared.type) && isSamePrimitive(node.type, declared.type);
    if (declared.convert !== null && isThere) done.push({ kind: "convert", field: declared.path });
  }
  const livePaths = new Set(live.undeclared.map(({ node }) => node.path));
  return [...done, ...droppedHints(pair.spec, livePaths)];
}

function droppedHints({ dropped }: TableSpec, livePaths: ReadonlySet<string>): DoneHint[] {
  return dropped.filter((one) => !livePaths.has(one.field)).map((one) => ({ kind: "dropped", field: one.field }));
}

/** Hints that stand in every list. */
export function inAll(lists: readonly (readonly DoneHint[])[]): readonly DoneHint[] {
  const [first, ...others] = lists.map((list) => new Map(list.map((hint) => [JSON.stringify(hint), hint])));
  if (first === undefined) return [];
  return [...first].filter(([key]) => others.every((other) => other.has(key))).map(([, hint]) => hint);
}
