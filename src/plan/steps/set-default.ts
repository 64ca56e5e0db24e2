// set-default: the write default of a live field. The initial default never changes: it is what old rows read.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { isSameDefault } from "../../iceberg/default-value.ts";
import { formatType } from "../../iceberg/type-text.ts";
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
    return [...allMatches(pair.pair.level)].flatMap((match): readonly (PlannedStep | Diagnostic)[] => {
      const { declared, live } = match;
      if (live === null || declared.default === undefined || typeChange(match, pair).verdict === "convert") return [];
      return [...defaultStep(match, live, pair)];
    });
  },
};

function defaultStep(match: NodeMatch, live: LiveNode, pair: TablePair): (PlannedStep | Diagnostic)[] {
  const { declared } = match;
  const change = typeChange(match, pair);
  const type = change.verdict === "widen" ? change.to : live.type;
  const read = declaredDefault({ default: declared.default }, type);
  const place = declared.default?.place ?? declared.place;
  if ("why" in read) {
    return [
      diagnostic("default-invalid", {
        what: `Cannot read the default of "${declared.path}" as ${formatType(type)}`,
        why: read.why,
        mend: "Write a value of the declared type, in quotes where YAML would change it",
        place,
        table: pair.spec.name,
        field: declared.path,
      }),
    ];
  }
  const after = read.value ?? null;
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
      place,
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
