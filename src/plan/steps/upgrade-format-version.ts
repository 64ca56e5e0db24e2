// upgrade-format-version: one way only; a declared version below the live one changes nothing and is said.
import { diagnostic } from "../../diagnostics/diagnostic.ts";
import { formatVersionSql } from "../layout-sql.ts";
import { planStep, type StepKind } from "../planned-step.ts";

export const upgradeFormatVersion: StepKind = {
  kind: "upgrade-format-version",
  detect(pair) {
    const live = pair.pair;
    const wanted = pair.spec.formatVersion;
    if (live === null || wanted === undefined || wanted === live.metadata.formatVersion) return [];
    const before = live.metadata.formatVersion;
    const place = pair.spec.places["format-version"] ?? pair.spec.place;
    if (wanted < before) {
      return [
        diagnostic("format-version-lowered", {
          what: `Cannot lower the format version of "${pair.spec.name}" from ${before} to ${wanted}`,
          why: "The format has no way back",
          mend: `Write \`format-version: ${before}\`, or leave the key out`,
          place,
          table: pair.spec.name,
        }),
      ];
    }
    return [
      planStep(pair, {
        kind: "upgrade-format-version",
        path: null,
        effect: "behaviour",
        before,
        after: wanted,
        place,
        sql: formatVersionSql(pair, wanted),
        edit: (draft) => {
          draft.formatVersion = wanted;
        },
        text: () => ({
          symbol: "~",
          subject: "format version",
          change: `${before} → ${wanted}`,
          detail: wanted >= 3 ? "cannot be undone; Athena and older engines do not read version 3" : "cannot be undone",
        }),
      }),
    ];
  },
};
