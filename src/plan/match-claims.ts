// What the rules of one struct's matching share: who is declared, who is live, and who stands for whom already.
import type { MatchContext, MatchHow, NodeMatch } from "./match.ts";
import type { DeclaredNode, LiveNode } from "./node.ts";

export type Pair = Omit<NodeMatch, "level" | "parts">;

/** What the rules share while they claim. */
export interface Claims {
  readonly declaredNames: ReadonlySet<string>;
  readonly liveByName: ReadonlyMap<string, LiveNode>;
  readonly liveById: ReadonlyMap<number, LiveNode>;
  readonly parentId: number | null;
  readonly context: MatchContext;
  readonly byDeclared: Map<DeclaredNode, Pair>;
  readonly claimed: Set<number>;
}

export function claim(declared: DeclaredNode, live: LiveNode, how: MatchHow, claims: Claims): void {
  claims.byDeclared.set(declared, { declared, live, how, past: null, whyNotRestored: null });
  claims.claimed.add(live.id);
}

export function freeByName(name: string, claims: Claims): LiveNode | undefined {
  const live = claims.liveByName.get(name);
  return live !== undefined && isFree(live, claims) ? live : undefined;
}

export function isFree(live: LiveNode, claims: Claims): boolean {
  return (
    !claims.claimed.has(live.id) &&
    !claims.declaredNames.has(live.name) &&
    !claims.context.isUnmanaged(live.path) &&
    !claims.context.isDropped(live.path)
  );
}
