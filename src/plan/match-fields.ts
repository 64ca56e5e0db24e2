// Pairs declared fields with live field ids at every depth, inside the same parent, in the order of
// docs/matching.md: pin, same name, renamed-from, renamed back, restored, new. Pure. Knows nothing of types
// beyond their nesting: whether a pair may change is decided by the steps.
import { currentSchema } from "../iceberg/table-metadata.ts";
import type { LevelMatch, MatchContext, NodeMatch } from "./match.ts";
import { matchLevel } from "./match-level.ts";
import { type DeclaredNode, declaredChildren, type LiveNode, liveChildren } from "./node.ts";
import { splitPath } from "./split-path.ts";

/** The whole table; problems are added to the context. */
export function matchTable(columns: readonly DeclaredNode[], context: MatchContext): LevelMatch {
  const live = liveChildren({ kind: "struct", fields: currentSchema(context.metadata).fields }, []);
  return matchStruct(columns, live, null, [], context);
}

function matchStruct(
  declared: readonly DeclaredNode[],
  live: readonly LiveNode[],
  parentId: number | null,
  parentPath: readonly string[],
  context: MatchContext,
): LevelMatch {
  const { pairs, undeclared } = matchLevel(declared, live, parentId, context);
  const matches = pairs.map((pair): NodeMatch => ({ ...pair, ...matchBelow(pair.declared, pair.live, context) }));
  return { parentId, parentPath, matches, undeclared, live };
}

function matchBelow(declared: DeclaredNode, live: LiveNode | null, context: MatchContext): Pick<NodeMatch, "level" | "parts"> {
  if (live === null || live.type.kind !== declared.type.kind) return { level: null, parts: [] };
  const declaredSegments = splitPath(declared.path);
  const below = declaredChildren(declared.type, declaredSegments);
  const liveBelow = liveChildren(live.type, splitPath(live.path));
  if (declared.type.kind === "struct") {
    return { level: matchStruct(below, liveBelow, live.id, declaredSegments, context), parts: [] };
  }
  const parts = below.map((part, index): NodeMatch => {
    const livePart = liveBelow[index] ?? null;
    return {
      declared: part,
      live: livePart,
      how: "part",
      past: null,
      whyNotRestored: null,
      ...matchBelow(part, livePart, context),
    };
  });
  return { level: null, parts };
}

/** The id under which the field stands in the live struct; null for one that is added or comes back. */
export function standingId({ how, live }: NodeMatch): number | null {
  return how === "restored" ? null : (live?.id ?? null);
}

/** Every match of a level and below, outermost first, in declared order. */
export function* allMatches(level: LevelMatch): Generator<NodeMatch> {
  for (const match of level.matches) yield* matchAndBelow(match);
}

function* matchAndBelow(match: NodeMatch): Generator<NodeMatch> {
  yield match;
  if (match.level !== null) yield* allMatches(match.level);
  for (const part of match.parts) yield* matchAndBelow(part);
}

/** Every struct level, outermost first. */
export function* allLevels(level: LevelMatch): Generator<LevelMatch> {
  yield level;
  for (const match of level.matches) yield* levelsBelow(match);
}

function* levelsBelow(match: NodeMatch): Generator<LevelMatch> {
  if (match.level !== null) yield* allLevels(match.level);
  for (const part of match.parts) yield* levelsBelow(part);
}
