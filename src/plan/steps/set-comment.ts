// set-comment: the comment of the table (Iceberg property `comment`). Absent keeps, empty removes.
import { ddl, literalSpark, literalTrino } from "../ddl.ts";
import { planStep, type StepKind } from "../planned-step.ts";

/** The property that engines show as the table's comment. */
export const COMMENT_PROPERTY = "comment";

export const setComment: StepKind = {
  kind: "set-comment",
  detect(pair) {
    const { pair: live, spec } = pair;
    if (live === null || spec.comment === undefined) return [];
    const before = live.metadata.properties[COMMENT_PROPERTY] ?? "";
    const after = spec.comment.value;
    if (before === after) return [];
    return [
      planStep(pair, {
        kind: "set-comment",
        path: null,
        effect: "metadata",
        before: before === "" ? null : before,
        after: after === "" ? null : after,
        place: spec.comment.place,
        sql: ddl(pair, ({ hive, trino }) => ({
          spark: `COMMENT ON TABLE ${hive} IS ${literalSpark(after)}`,
          athena: null,
          trino: `COMMENT ON TABLE ${trino} IS ${literalTrino(after)}`,
        })),
        edit: (draft) => {
          if (after === "") draft.removeProperty(COMMENT_PROPERTY);
          else draft.setProperty(COMMENT_PROPERTY, after);
        },
        text: () => ({
          symbol: "~",
          subject: "table comment",
          change: after === "" ? "removed" : before === "" ? "added" : "changed",
          detail: after,
        }),
      }),
    ];
  },
};
