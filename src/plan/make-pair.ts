// Builds the pair that all steps look at: the match at every depth, the order of each struct, the verdict on
// each live field that nobody declared, and the table's own memory. Problems found on the way are returned.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { formatPath, isPathError, matchesGlob, parseGlob, parsePath } from "../iceberg/field-path.ts";
import { readBase, readConversions } from "./base.ts";
import { orderLevel, type LevelOrder } from "./level-order.ts";
import { allLevels, matchTable, standingId } from "./match-fields.ts";
import type { LevelMatch, MatchContext } from "./match.ts";
import { declaredField, type LiveNode } from "./node.ts";
import { readPending } from "./pending-schema.ts";
import { schemaHistory } from "./schema-history.ts";
import { splitPath } from "./split-path.ts";
import type { LivePair, PlanInput, TablePair, UndeclaredField } from "./table-pair.ts";

export function makePair(input: PlanInput): { readonly pair: TablePair; readonly problems: readonly Diagnostic[] } {
  const { spec, live } = input;
  if (live === null) return { pair: { ...input, pair: null }, problems: [] };
  const { metadata } = live;
  const base = readBase(metadata.properties);
  const { known: conversions, unreadable } = readConversions(metadata.properties);
  const problems: Diagnostic[] = unreadable.map((key) =>
    diagnostic("conversion-memory-unreadable", {
      what: `Cannot read the table's memory of a conversion in property "${key}"`,
      why: "Late files of that conversion cannot be found without it",
      mend: "Restore the property from an older metadata file, or remove it if the conversion is long past",
      table: spec.name,
    }),
  );
  const dropped = new Set(spec.dropped.map(({ field }) => normalPath(field)));
  const unmanaged = spec.unmanaged.flatMap(({ value }) => {
    const glob = parseGlob(value);
    return isPathError(glob) ? [] : [glob];
  });
  const pending = readPending(metadata);
  const history = schemaHistory(metadata, pending?.schema ?? null);
  const context: MatchContext = {
    metadata,
    history,
    baseIds: base?.fieldIds ?? null,
    retiredIds: new Set(conversions.map((memory) => memory.retired.id)),
    isUnmanaged: (path) => unmanaged.some((glob) => matchesGlob(glob, splitPath(path))),
    isDropped: (path) => dropped.has(path),
    table: spec.name,
    problems,
  };
  const level = matchTable(
    spec.columns.map((field) => declaredField(field, [])),
    context,
  );
  const undeclared = [...allLevels(level)].flatMap((one) => verdicts(one, context));
  const orders = new Map<LevelMatch, LevelOrder>();
  const goes = new Set(undeclared.filter((one) => one.verdict === "drop").map((one) => one.node.id));
  for (const one of allLevels(level)) {
    orders.set(
      one,
      orderLevel({
        live: one.live.map((node) => node.id).filter((id) => !goes.has(id)),
        declared: one.matches.map(standingId),
        columnOrder: input.policy.columnOrder,
      }),
    );
  }
  const pair: LivePair = { table: live, metadata, level, orders, undeclared, base, conversions, history, pending };
  return { pair: { ...input, pair }, problems };
}

/** No base: nothing is ever a drop unless the file acknowledges it. */
function verdicts(level: LevelMatch, context: MatchContext): UndeclaredField[] {
  const { parentId } = level;
  return level.undeclared.map((node): UndeclaredField => ({ node, parentId, verdict: verdict(node, level, context) }));
}

function verdict(node: LiveNode, level: LevelMatch, context: MatchContext): UndeclaredField["verdict"] {
  const declaredPath = formatPath([...level.parentPath, node.name]);
  if (context.isDropped(node.path) || context.isDropped(declaredPath)) return "drop";
  if (context.isUnmanaged(node.path) || context.isUnmanaged(declaredPath)) return "unmanaged";
  return context.baseIds?.has(node.id) === true ? "drop-unacknowledged" : "drift";
}

function normalPath(text: string): string {
  const segments = parsePath(text);
  return isPathError(segments) ? text : formatPath(segments);
}
