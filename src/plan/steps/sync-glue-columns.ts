// sync-glue-columns: Glue's own list of a table's columns differs from the table. Each commit writes the list whole;
// this step is for a list that somebody else left behind.
import type { CatalogDifference } from "../../iceberg/catalog-state.ts";
import { planStep, type StepKind } from "../planned-step.ts";
import { catalogDifferences } from "../catalog-differences.ts";
import { plural } from "../../diagnostics/number-words.ts";

export const syncGlueColumns: StepKind = {
  kind: "sync-glue-columns",
  detect(pair) {
    const differences = catalogDifferences(pair);
    if (differences.length === 0) return [];
    return [
      planStep(pair, {
        kind: "sync-glue-columns",
        path: null,
        effect: "metadata",
        // What somebody else left there is not part of what is meant.
        before: null,
        after: null,
        place: null,
        evidence: { differences: differences.map((difference) => ({ ...difference })) },
        edit: (draft) => {
          draft.syncsCatalog = true;
        },
        text: () => ({
          symbol: "~",
          subject: "Glue columns",
          change: `${plural(differences.length, "difference", "differences")}`,
          detail: differencesText(differences),
        }),
      }),
    ];
  },
};

const SHOWN = 4;

function differencesText(differences: readonly CatalogDifference[]): string {
  const shown = differences.slice(0, SHOWN).map(({ subject, what }) => `${subject} ${what}`);
  const more = differences.length - shown.length;
  return [...shown, ...(more > 0 ? [`${more} more`] : [])].join(", ");
}
