// The matching of one struct's fields: which declared field stands for which live id, or why that is not
// certain. One rule a function, tried in order over all fields, so that a stronger rule claims first.
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { MatchContext } from "./match.ts";
import { claim, type Claims, freeByName, isFree, type Pair } from "./match-claims.ts";
import { checkRenames } from "./match-renames.ts";
import { findRestorable } from "./match-restore.ts";
import { type DeclaredNode, liveField, type LiveNode } from "./node.ts";
import { splitPath } from "./split-path.ts";

export function matchLevel(
  declared: readonly DeclaredNode[],
  live: readonly LiveNode[],
  parentId: number | null,
  context: MatchContext,
): { readonly pairs: readonly Pair[]; readonly undeclared: readonly LiveNode[] } {
  const claims: Claims = {
    declaredNames: new Set(declared.map((node) => node.name)),
    liveByName: new Map(live.map((node) => [node.name, node])),
    liveById: new Map(live.map((node) => [node.id, node])),
    parentId,
    context,
    byDeclared: new Map(),
    claimed: new Set(),
  };
  for (const rule of [byPin, byName, byHint, byOlderName]) {
    for (const node of declared) if (!claims.byDeclared.has(node)) rule(node, claims);
  }
  checkRenames(declared, claims);
  for (const node of declared) if (!claims.byDeclared.has(node)) claims.byDeclared.set(node, restoredOrNew(node, claims));
  const pairs = declared.flatMap((node) => claims.byDeclared.get(node) ?? []);
  return { pairs, undeclared: live.filter((node) => !claims.claimed.has(node.id)) };
}

function byPin(node: DeclaredNode, claims: Claims): void {
  const pin = node.id?.value;
  if (typeof pin !== "number") return;
  const live = claims.liveById.get(pin);
  if (live !== undefined && !claims.claimed.has(pin)) claim(node, live, "pinned", claims);
}

function byName(node: DeclaredNode, claims: Claims): void {
  if (typeof node.id?.value === "number") return;
  const live = claims.liveByName.get(node.name);
  if (live !== undefined && !claims.claimed.has(live.id)) claim(node, live, "same-name", claims);
}

/** The first hint that is live, undeclared and not unmanaged. */
function byHint(node: DeclaredNode, claims: Claims): void {
  if (node.id !== null) return;
  for (const hint of node.renamedFrom) {
    const live = freeByName(hint.value, claims);
    if (live !== undefined) {
      claim(node, live, "renamed", claims);
      return;
    }
  }
}

/** A name that an older schema gives to a live field which is itself undeclared: a rename that Git took back. */
function byOlderName(node: DeclaredNode, claims: Claims): void {
  if (node.id !== null) return;
  const bearers = [...claims.context.history.bearersOf(node.name)].flatMap((id) => {
    const live = claims.liveById.get(id);
    return live !== undefined && isFree(live, claims) ? [live] : [];
  });
  const [only, second] = bearers;
  if (only !== undefined && second === undefined) claim(node, only, "renamed-back", claims);
}

function restoredOrNew(node: DeclaredNode, claims: Claims): Pair {
  const pinProblem = unknownPin(node, claims);
  if (pinProblem !== null) claims.context.problems.push(pinProblem);
  const { past, why } = findRestorable(node, claims);
  if (past !== null) {
    // It comes back as it was, but optional; what else differs are steps on top of that.
    const live = liveField({ ...past.field, required: false }, splitPath(node.path).slice(0, -1));
    return { declared: node, live, how: "restored", past, whyNotRestored: null };
  }
  return { declared: node, live: null, how: "new", past: null, whyNotRestored: why };
}

/** A pin must name a live field of this struct, or one that this table once had. */
function unknownPin(node: DeclaredNode, claims: Claims): Diagnostic | null {
  const pin = node.id;
  if (pin === null || typeof pin.value !== "number") return null;
  const past = claims.context.history.newestOf(pin.value);
  if (past !== undefined && past.parentId === claims.parentId && !claims.claimed.has(pin.value)) return null;
  const why =
    past === undefined
      ? `the table never had a field with id ${pin.value}`
      : claims.claimed.has(pin.value)
        ? `another declared field is pinned to id ${pin.value} too`
        : `the field with id ${pin.value} is "${past.field.name}" in another struct, and a field cannot change its parent`;
  return diagnostic("pinned-id-unknown", {
    what: `Cannot find field id ${pin.value} for "${node.path}"`,
    why,
    mend: "Correct the id, or remove the pin: floeplan finds fields by name",
    place: pin.place,
    table: claims.context.table,
    field: node.path,
  });
}
