// Renames that are not certain: a hint whose old name still stands beside the new one, swaps without pins, and
// names that differ only in letter case. Each becomes a blocker; nothing is guessed.
import { diagnostic } from "../diagnostics/diagnostic.ts";
import { type Claims, freeByName } from "./match-claims.ts";
import type { DeclaredNode } from "./node.ts";

export function checkRenames(declared: readonly DeclaredNode[], claims: Claims): void {
  const byName = new Map(declared.map((node) => [node.name, node]));
  for (const node of declared) {
    const pair = claims.byDeclared.get(node);
    if (pair?.how === "same-name") checkAmbiguous(node, byName, claims);
    if (pair === undefined) checkLetterCase(node, claims);
  }
}

/** The declared name is live, and so is an old name of it that is not done. */
function checkAmbiguous(node: DeclaredNode, byName: ReadonlyMap<string, DeclaredNode>, claims: Claims): void {
  const live = claims.byDeclared.get(node)?.live;
  if (live === undefined || live === null) return;
  for (const hint of node.renamedFrom) {
    if (claims.context.history.hasBorne(live.id, hint.value)) continue;
    const other = freeByName(hint.value, claims);
    if (other !== undefined) {
      claims.context.problems.push(
        diagnostic("rename-ambiguous", {
          what: `Cannot tell which column "${node.path}" is`,
          why: `The live table has both "${node.name}" (id ${live.id}) and "${hint.value}" (id ${other.id}), which \`renamed-from\` names`,
          mend: `Remove "${hint.value}" from \`renamed-from\` if "${node.name}" is the column, or pin the one that is meant: \`id: ${other.id}\``,
          place: hint.place,
          table: claims.context.table,
          field: node.path,
        }),
      );
      return;
    }
    if (isSwap(node, hint.value, byName, claims)) {
      claims.context.problems.push(
        diagnostic("rename-cycle", {
          what: `Cannot swap names with "${hint.value}" by \`renamed-from\` alone`,
          why: `The live table has both "${node.name}" (id ${live.id}) and "${hint.value}" (id ${claims.liveByName.get(hint.value)?.id}), and each names the other`,
          mend: `Pin both: \`id: ${claims.liveByName.get(hint.value)?.id}\` on "${node.name}" and \`id: ${live.id}\` on "${hint.value}"`,
          place: hint.place,
          table: claims.context.table,
          field: node.path,
        }),
      );
      return;
    }
  }
}

/** Do the hints lead from this field over declared live fields back to it? */
function isSwap(start: DeclaredNode, firstHint: string, byName: ReadonlyMap<string, DeclaredNode>, claims: Claims): boolean {
  let name = firstHint;
  for (let steps = 0; steps < byName.size; steps++) {
    const node = byName.get(name);
    const live = node === undefined ? undefined : claims.byDeclared.get(node)?.live;
    if (node === undefined || live === undefined || live === null) return false;
    if (node === start) return true;
    const next = node.renamedFrom.find(
      (hint) => claims.liveByName.has(hint.value) && !claims.context.history.hasBorne(live.id, hint.value),
    );
    if (next === undefined) return false;
    name = next.value;
  }
  return name === start.name;
}

/** A new name beside one that only letter case tells apart: engines without case cannot read both. */
function checkLetterCase(node: DeclaredNode, claims: Claims): void {
  const lower = node.name.toLowerCase();
  const isOther = (name: string): boolean => name !== node.name && name.toLowerCase() === lower;
  const live = [...claims.liveById.values()].find(
    ({ id, name, path }) => isOther(name) && !claims.claimed.has(id) && !claims.context.isDropped(path),
  );
  const declared = [...claims.declaredNames].find(isOther);
  if (live === undefined && declared === undefined) return;
  const canBe = live !== undefined && freeByName(live.name, claims) !== undefined;
  claims.context.problems.push(
    diagnostic("name-differs-in-case", {
      what: `Cannot add "${node.path}" beside "${live?.name ?? declared}"`,
      why: `The ${live === undefined ? `file declares "${declared}"` : `live table has "${live.name}" (id ${live.id})`}, and Athena, Spark and Glue do not tell letter case apart`,
      mend: canBe
        ? `Write "${live.name}" as the live table does, or rename it: \`renamed-from: [ ${live.name} ]\``
        : "Give it another name",
      place: node.place,
      table: claims.context.table,
      field: node.path,
    }),
  );
}
