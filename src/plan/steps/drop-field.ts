// drop-field: a live field that the file no longer declares and acknowledges as lost (`dropped:`). An undeclared
// field without that is never dropped: it is blocked or drift (make-pair.ts decides).
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { Placed } from "../../desired/table-spec.ts";
import { isPrimitive } from "../../iceberg/type.ts";
import { formatType } from "../../iceberg/type-text.ts";
import { dropBlockers } from "../checks/drop-blockers.ts";
import { ddl, isTopLevel, pathHive, pathTrino, quoteHive } from "../ddl.ts";
import { declaredTypeText, shortTypeText } from "../declared-type.ts";
import { allMatches } from "../match-fields.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { TablePair, UndeclaredField } from "../table-pair.ts";
import { plural } from "../../diagnostics/number-words.ts";

export const dropField: StepKind = {
  kind: "drop-field",
  detect(pair) {
    if (pair.pair === null) return [];
    return pair.pair.undeclared.flatMap((undeclared): readonly (PlannedStep | Diagnostic)[] => {
      if (undeclared.verdict === "drop-unacknowledged") return [unacknowledged(undeclared, pair)];
      if (undeclared.verdict !== "drop") return [];
      const blockers = dropBlockers(undeclared.node, acknowledgement(undeclared, pair)?.place, pair);
      return blockers.length > 0 ? blockers : [dropStep(undeclared, pair)];
    });
  },
};

function acknowledgement({ node }: UndeclaredField, pair: TablePair): Placed<string> | undefined {
  const found = pair.spec.dropped.find((one) => one.field === node.path);
  return found === undefined ? undefined : { value: found.reason, place: found.place };
}

function dropStep(undeclared: UndeclaredField, pair: TablePair): PlannedStep {
  const { node } = undeclared;
  const acknowledged = acknowledgement(undeclared, pair);
  const held = valuesHeld(node.id, pair);
  return planStep(pair, {
    kind: "drop-field",
    path: node.path,
    fieldId: node.id,
    effect: "destructive",
    before: formatType(node.type),
    after: null,
    place: acknowledged?.place ?? null,
    evidence: { "rows-with-value": held === null ? null : String(held), reason: acknowledged?.value ?? null },
    sql: ddl(pair, ({ hive, trino }) => ({
      spark: `ALTER TABLE ${hive} DROP COLUMN ${pathHive(node.path)}`,
      athena: isTopLevel(node.path) ? `ALTER TABLE ${hive} DROP COLUMN ${quoteHive(node.name)}` : null,
      trino: `ALTER TABLE ${trino} DROP COLUMN ${pathTrino(node.path)}`,
    })),
    edit: (draft) => {
      draft.got(draft.schema.dropField(node.id));
    },
    text: () => ({
      symbol: "-",
      subject: node.path,
      change: `${shortTypeText(node.type)}, id ${node.id}`,
      detail: held === null ? "" : held === 0n ? "no row holds a value" : plural(held, "row holds a value", "rows hold a value"),
    }),
  });
}

/** Rows with a value, where the manifests prove it; null for nested types and where they do not tell. */
function valuesHeld(id: number, pair: TablePair): bigint | null {
  const field = pair.evidence?.fields.get(id);
  if (pair.evidence === null) return null;
  if (field === undefined) return pair.evidence.filesWithoutMetrics === 0 ? 0n : null;
  return field.nulls === null ? null : field.values - field.nulls;
}

function unacknowledged({ node }: UndeclaredField, pair: TablePair): Diagnostic {
  const likely = likelyRename(node, pair);
  return diagnostic("field-dropped-unacknowledged", {
    what: `Cannot drop "${node.path}" silently`,
    why: `The live table has it (id ${node.id}), floeplan applied it, and the file no longer declares it`,
    mend:
      `If it is meant, list it: \`dropped: [ { field: ${node.path}, reason: … } ]\`. If it was renamed, write \`renamed-from: [ ${node.name} ]\` on the new field` +
      (likely === null ? "" : ` ("${likely}" looks close)`),
    place: pair.spec.place,
    table: pair.spec.name,
    field: node.path,
  });
}

/** A new declared field of the same type, the only one of its kind. */
function likelyRename(node: UndeclaredField["node"], pair: TablePair): string | null {
  if (pair.pair === null || !isPrimitive(node.type)) return null;
  const type = formatType(node.type);
  const fresh = [...allMatches(pair.pair.level)].filter(
    (match) => match.live === null && declaredTypeText(match.declared.type) === type,
  );
  return fresh.length === 1 ? (fresh[0]?.declared.path ?? null) : null;
}
