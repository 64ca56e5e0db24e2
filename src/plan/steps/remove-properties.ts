// remove-properties: a key that must not be set (`key: null`), or one that floeplan set before and that the file
// no longer declares.
import { isBehaviourProperty } from "../behaviour-properties.ts";
import { ddl, literalSpark } from "../ddl.ts";
import { planStep, type StepKind } from "../planned-step.ts";
import { propertyDifferences } from "../property-differences.ts";

export const removeProperties: StepKind = {
  kind: "remove-properties",
  detect(pair) {
    return propertyDifferences(pair).flatMap((difference) => {
      if (difference.kind !== "remove") return [];
      const { key, before, place } = difference;
      return [
        planStep(pair, {
          kind: "remove-properties",
          path: null,
          effect: isBehaviourProperty(key) ? "behaviour" : "metadata",
          before: { [key]: before },
          after: null,
          place,
          sql: ddl(pair, ({ hive }) => ({
            spark: `ALTER TABLE ${hive} UNSET TBLPROPERTIES (${literalSpark(key)})`,
            athena: null,
            trino: null,
          })),
          edit: (draft) => {
            draft.removeProperty(key);
          },
          text: () => ({ symbol: "-", subject: key, change: `was ${before}`, detail: "table property" }),
        }),
      ];
    });
  },
};
