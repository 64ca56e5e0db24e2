// A declared field that is not live but stood here before: does it come back under its old id, and if not, why?
// (Spec: a deletion can be rolled back only for a nullable field.)
import { diagnostic } from "../diagnostics/diagnostic.ts";
import { formatType } from "../iceberg/type-text.ts";
import { canBecome } from "./declared-type.ts";
import type { Claims } from "./match-claims.ts";
import type { DeclaredNode } from "./node.ts";
import type { PastField } from "./schema-history.ts";

type Answer = { readonly past: PastField; readonly why: null } | { readonly past: null; readonly why: string | null };

export function findRestorable(node: DeclaredNode, claims: Claims): Answer {
  if (node.id?.value === "new") return { past: null, why: null };
  const { history, baseIds, retiredIds, metadata } = claims.context;
  const pin = typeof node.id?.value === "number" ? node.id.value : null;
  const past = pin === null ? history.newestNamed(claims.parentId, node.name) : history.newestOf(pin);
  if (past === undefined || past.parentId !== claims.parentId) return { past: null, why: null };
  const { field } = past;
  if (claims.liveById.has(field.id)) return { past: null, why: null };
  if (retiredIds.has(field.id)) {
    return { past: null, why: `The former "${node.name}" (id ${field.id}) was used up by a conversion` };
  }
  if (baseIds?.has(field.id) === true && pin === null) {
    claims.context.problems.push(
      diagnostic("field-dropped-elsewhere", {
        what: `Cannot decide about "${node.path}": it is declared, and somebody else dropped it from the live table`,
        why: `floeplan applied it as id ${field.id}; a later commit of another writer has no such field`,
        mend: `To bring it back with its data, write \`id: ${field.id}\` on the field. To accept the drop, remove the field from this file. For an empty new column, write \`id: new\``,
        place: node.place,
        table: claims.context.table,
        field: node.path,
      }),
    );
    return { past: null, why: null };
  }
  if (!canBecome(field.type, node.type, metadata.formatVersion)) {
    return {
      past: null,
      why: `The former "${node.name}" (id ${field.id}) was ${formatType(field.type)}, which cannot become the declared type`,
    };
  }
  return { past, why: null };
}
