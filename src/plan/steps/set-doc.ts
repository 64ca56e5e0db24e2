// set-doc: the comment of a field. An absent key keeps what is live; an empty text removes it.
import { ddl, literalSpark, literalTrino, pathHive, pathTrino } from "../ddl.ts";
import { allMatches } from "../match-fields.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const setDoc: StepKind = {
  kind: "set-doc",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap(({ declared, live }) => {
      if (live === null || declared.comment === undefined) return [];
      const before = live.doc ?? "";
      const after = declared.comment.value;
      if (before === after) return [];
      return [
        planStep(pair, {
          kind: "set-doc",
          path: declared.path,
          fieldId: live.id,
          effect: "metadata",
          before: before === "" ? null : before,
          after: after === "" ? null : after,
          place: declared.comment.place,
          sql: ddl(pair, ({ hive, trino }) => ({
            spark: `ALTER TABLE ${hive} ALTER COLUMN ${pathHive(declared.path)} COMMENT ${literalSpark(after)}`,
            athena: null,
            trino: `COMMENT ON COLUMN ${trino}.${pathTrino(declared.path)} IS ${literalTrino(after)}`,
          })),
          edit: (draft) => {
            draft.got(draft.schema.setDoc(live.id, after === "" ? null : after));
          },
          text: () => ({
            symbol: "~",
            subject: declared.path,
            change: after === "" ? "comment removed" : before === "" ? "comment added" : "comment changed",
            detail: after,
          }),
        }),
      ];
    });
  },
};
