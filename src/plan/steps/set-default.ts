// set-default: the write default of a live field. The initial default never changes: it is what old rows read.
import { isSameDefault } from "../../iceberg/default-value.ts";
import type { Type } from "../../iceberg/type.ts";
import { declaredDefault } from "../declared-schema.ts";
import { allMatches } from "../match-fields.ts";
import type { NodeMatch } from "../match.ts";
import type { LiveNode } from "../node.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import type { TablePair } from "../table-pair.ts";
import { typeChange } from "../type-change.ts";

export const setDefault: StepKind = {
  kind: "set-default",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap((match): readonly PlannedStep[] => {
      const { declared, live } = match;
      if (live === null || declared.default === undefined) return [];
      const change = typeChange(match, pair);
      // A refused type says enough, and a conversion brings its column's default along.
      if (change.verdict === "convert" || change.verdict === "refused") return [];
      return defaultStep(match, live, change.verdict === "widen" ? change.to : live.type, pair);
    });
  },
};

/** `type`: what the field will have. */
function defaultStep({ declared }: NodeMatch, live: LiveNode, type: Type, pair: TablePair): PlannedStep[] {
  const after = declaredDefault({ default: declared.default }, type) ?? null;
  const before = live.writeDefault ?? null;
  if (isSameDefault(before, after, type)) return [];
  return [
    planStep(pair, {
      kind: "set-default",
      path: declared.path,
      fieldId: live.id,
      effect: "behaviour",
      before,
      after,
      place: declared.default?.place ?? declared.place,
      edit: (draft) => {
        draft.got(draft.schema.setWriteDefault(live.id, after));
      },
      text: () => ({
        symbol: "~",
        subject: declared.path,
        change: after === null ? "default removed" : before === null ? "default set" : "default changed",
        detail: "what writers store when no value is given; rows that exist stay as they are",
      }),
    }),
  ];
}
