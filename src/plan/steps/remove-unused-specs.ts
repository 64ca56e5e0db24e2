// remove-unused-specs: old partition specs that no manifest of a kept snapshot names, where they stand in the way of
// an acknowledged drop. The last metadata step of the way round a dropped partition source.
import { specFieldTexts, unusedSpecsInTheWay } from "../spec-sources.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const removeUnusedSpecs: StepKind = {
  kind: "remove-unused-specs",
  detect(pair) {
    const specs = unusedSpecsInTheWay(pair);
    if (specs.length === 0 || pair.pair === null) return [];
    const { metadata } = pair.pair;
    const ids = specs.map((spec) => spec.specId);
    return [
      planStep(pair, {
        kind: "remove-unused-specs",
        path: null,
        effect: "destructive",
        before: specs.map((spec) => ({ "spec-id": spec.specId, fields: specFieldTexts(spec, metadata) })),
        after: null,
        place: pair.spec.dropped[0]?.place ?? pair.spec.place,
        evidence: { "snapshots-with-spec": 0 },
        edit: (draft) => {
          draft.removedSpecs.push(...ids);
        },
        text: () => ({
          symbol: "-",
          subject: `partition ${ids.length === 1 ? "spec" : "specs"} ${ids.join(", ")}`,
          change: specs.map((spec) => specFieldTexts(spec, metadata).join(", ")).join("; "),
          detail: "no kept snapshot uses it",
        }),
      }),
    ];
  },
};
