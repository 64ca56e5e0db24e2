// remove-glue-parameters: a parameter of the entry in Glue that must not be set (`key: null`), or one that floeplan
// set before and that the file no longer declares.
import { planStep, type StepKind } from "../planned-step.ts";
import { glueParameterDifferences } from "../property-differences.ts";

export const removeGlueParameters: StepKind = {
  kind: "remove-glue-parameters",
  detect(pair) {
    return glueParameterDifferences(pair).flatMap((difference) => {
      if (difference.kind !== "remove") return [];
      const { key, before, place } = difference;
      return [
        planStep(pair, {
          kind: "remove-glue-parameters",
          path: null,
          effect: "metadata",
          before: { [key]: before },
          after: null,
          place,
          edit: (draft) => {
            draft.catalogParameters.set(key, null);
          },
          text: () => ({ symbol: "-", subject: key, change: `was ${before}`, detail: "Glue parameter" }),
        }),
      ];
    });
  },
};
