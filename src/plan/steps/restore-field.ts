// restore-field: a dropped field that comes back under its old id, and its old values with it. It comes back
// optional: rows written in between hold no value (spec: a deletion can be rolled back for a nullable field).
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { isPrimitive, type Type } from "../../iceberg/type.ts";
import { formatType } from "../../iceberg/type-text.ts";
import { idsBelow } from "../ids-below.ts";
import { shortTypeText } from "../declared-type.ts";
import type { FieldKey } from "../level-order.ts";
import { allLevels } from "../match-fields.ts";
import type { LevelMatch, NodeMatch } from "../match.ts";
import type { PastField } from "../schema-history.ts";
import { placementsBehind } from "../placements.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { LivePair, TablePair } from "../table-pair.ts";
import { plural } from "../../diagnostics/number-words.ts";

export const restoreField: StepKind = {
  kind: "restore-field",
  detect(pair) {
    const live = pair.pair;
    if (live === null) return [];
    return [...allLevels(live.level)].flatMap((level) =>
      level.matches.flatMap((match, rank): readonly (PlannedStep | Diagnostic)[] => {
        if (match.how !== "restored" || match.past === null) return [];
        if (match.declared.required) return [mustBeOptional(match, match.past, pair)];
        return [restoreStep(match, match.past, rank, level, live, pair)];
      }),
    );
  },
};

function mustBeOptional({ declared }: NodeMatch, past: PastField, pair: TablePair): Diagnostic {
  return diagnostic("restored-field-required", {
    what: `Cannot bring "${declared.path}" back as required`,
    why: `It was dropped (id ${past.field.id}), and rows written since hold no value for it`,
    mend: "Declare it optional, or ask for a new column: `id: new`",
    place: declared.place,
    table: pair.spec.name,
    field: declared.path,
  });
}

function restoreStep(
  match: NodeMatch,
  past: PastField,
  rank: number,
  level: LevelMatch,
  live: LivePair,
  pair: TablePair,
): PlannedStep {
  const { declared } = match;
  const { field } = past;
  const key: FieldKey = `new:${rank}`;
  const order = live.orders.get(level);
  const files = pair.evidence === null ? null : (filesHolding(field.id, field.type, pair) ?? 0);
  return planStep(pair, {
    kind: "restore-field",
    path: declared.path,
    fieldId: field.id,
    effect: "behaviour",
    before: null,
    after: { type: formatType(field.type), id: field.id },
    place: declared.place,
    evidence: { "files-with-values": files },
    edit: (draft) => {
      const { initialDefault, writeDefault } = field;
      const id = draft.got(
        draft.schema.addField(level.parentId, {
          id: field.id,
          name: declared.name,
          type: field.type,
          required: false,
          ...(field.doc === undefined ? {} : { doc: field.doc }),
          ...(initialDefault === undefined ? {} : { initialDefault }),
          ...(writeDefault === undefined ? {} : { writeDefault }),
        }),
      );
      const known = draft.newIds.get(level) ?? new Map<string, number>();
      draft.newIds.set(level, known.set(key, id ?? -1));
      if (order !== undefined) for (const each of placementsBehind(order, key)) draft.place(level, each);
      return { newId: id };
    },
    text: () => ({
      symbol: "+",
      subject: declared.path,
      change: `${shortTypeText(field.type)}, restored as id ${field.id}`,
      detail:
        files === null
          ? "old values become visible again"
          : files === 0
            ? "no live file holds old values"
            : `old values in ${plural(files, "live file", "live files")} become visible again`,
    }),
  });
}

function filesHolding(id: number, type: Type, pair: TablePair): number | undefined {
  const { evidence } = pair;
  if (evidence === null) return undefined;
  const ids = isPrimitive(type) ? [id] : [...idsBelow({ id, type })];
  return Math.max(0, ...ids.map((one) => evidence.fields.get(one)?.files ?? 0));
}
