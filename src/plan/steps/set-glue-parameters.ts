// set-glue-parameters: parameters of the entry in Glue, which no engine's table properties show. One step a key; a
// new table gets them with its creation.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { conflictText } from "../conflict-text.ts";
import { type PlannedStep, planStep, type StepKind } from "../planned-step.ts";
import { glueParameterDifferences, type PropertyDifference } from "../property-differences.ts";
import type { TablePair } from "../table-pair.ts";

export const setGlueParameters: StepKind = {
  kind: "set-glue-parameters",
  detect(pair) {
    if (pair.pair === null) return newParameters(pair);
    return glueParameterDifferences(pair).flatMap((difference): readonly (PlannedStep | Diagnostic)[] => {
      if (difference.kind === "conflict") return [conflict(difference, pair)];
      return difference.kind === "set" ? [setStep(difference, pair)] : [];
    });
  },
};

function newParameters(pair: TablePair): readonly PlannedStep[] {
  if (pair.catalogState === undefined || pair.catalogState.parameters === null) return [];
  return [...pair.spec.glueParameters].flatMap(([key, { value, place }]) =>
    value === null ? [] : [setStep({ kind: "set", key, before: null, after: value, place }, pair)],
  );
}

function setStep({ key, before, after, place }: Extract<PropertyDifference, { kind: "set" }>, pair: TablePair): PlannedStep {
  return planStep(pair, {
    kind: "set-glue-parameters",
    path: null,
    effect: "metadata",
    before: before === null ? null : { [key]: before },
    after: { [key]: after },
    place,
    edit: (draft) => {
      draft.catalogParameters.set(key, after);
    },
    text: () => ({
      symbol: before === null ? "+" : "~",
      subject: key,
      change: before === null ? after : `${before} → ${after}`,
      detail: "Glue parameter",
    }),
  });
}

function conflict(difference: Extract<PropertyDifference, { kind: "conflict" }>, pair: TablePair): Diagnostic {
  return diagnostic("property-conflict", {
    what: `Cannot decide about Glue parameter "${difference.key}": Git and another writer both changed it`,
    ...conflictText(difference),
    place: difference.place,
    table: pair.spec.name,
  });
}
