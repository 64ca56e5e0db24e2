// Which live fields stay identifier fields after the plan: what several kinds of steps must know.
import { currentSchema } from "../iceberg/table-metadata.ts";
import { allMatches } from "./match-fields.ts";
import type { TablePair } from "./table-pair.ts";

/** The ids that the declaration wants; null when the file leaves the identifier alone. Unknown names are left out. */
function declaredIdentifierIds(pair: TablePair): ReadonlySet<number> | null {
  const { spec, pair: live } = pair;
  if (spec.identifierFields === undefined || live === null) return null;
  const byPath = new Map(
    [...allMatches(live.level)].flatMap(({ declared, live: node }) => (node === null ? [] : [[declared.path, node.id] as const])),
  );
  return new Set(spec.identifierFields.flatMap((field) => byPath.get(field.value) ?? []));
}

function liveIdentifierIds(pair: TablePair): ReadonlySet<number> {
  return new Set(pair.pair === null ? [] : currentSchema(pair.pair.metadata).identifierFieldIds);
}

/** Is the field an identifier field now, and does the declaration leave it one? */
export function keepsIdentifier(pair: TablePair, id: number): boolean {
  return liveIdentifierIds(pair).has(id) && declaredIdentifierIds(pair)?.has(id) !== false;
}
