// widen-type: a promotion that the format allows; no data is touched.
import { formatType } from "../../iceberg/type-text.ts";
import { ddl, isTopLevel, pathHive, pathTrino, quoteHive } from "../ddl.ts";
import { athenaType, sparkType, trinoType } from "../ddl-types.ts";
import { allMatches } from "../match-fields.ts";
import { planStep, type StepKind } from "../planned-step.ts";
import { typeChange } from "../type-change.ts";

export const widenType: StepKind = {
  kind: "widen-type",
  detect(pair) {
    if (pair.pair === null) return [];
    return [...allMatches(pair.pair.level)].flatMap((match) => {
      const change = typeChange(match, pair);
      const { declared, live } = match;
      if (change.verdict !== "widen" || live === null) return [];
      const { from, to } = change;
      return [
        planStep(pair, {
          kind: "widen-type",
          path: declared.path,
          fieldId: live.id,
          effect: "behaviour",
          before: formatType(from),
          after: formatType(to),
          place: declared.typePlace,
          sql: ddl(pair, ({ hive, trino }) => ({
            spark: `ALTER TABLE ${hive} ALTER COLUMN ${pathHive(declared.path)} TYPE ${sparkType(to)}`,
            athena: isTopLevel(declared.path)
              ? `ALTER TABLE ${hive} CHANGE COLUMN ${quoteHive(declared.name)} ${quoteHive(declared.name)} ${athenaType(to)}`
              : null,
            trino: `ALTER TABLE ${trino} ALTER COLUMN ${pathTrino(declared.path)} SET DATA TYPE ${trinoType(to)}`,
          })),
          edit: (draft) => {
            draft.got(draft.schema.updateType(live.id, to));
          },
          text: () => ({
            symbol: "~",
            subject: declared.path,
            change: `${formatType(from)} → ${formatType(to)}`,
            detail: "readers see the wider type; no data is touched",
          }),
        }),
      ];
    });
  },
};
