// evolve-partition-spec: the default spec of a live table changes for files that are yet to be written. Existing
// files keep their spec.
import { currentSchema, defaultSpec } from "../../iceberg/table-metadata.ts";
import { partitioningSql } from "../layout-sql.ts";
import { liveIdByPath } from "../live-ids.ts";
import {
  isSamePartitioning,
  partitionDifference,
  partitionText,
  partitionTexts,
  shownPartitionTexts,
} from "../partition-difference.ts";
import { planStep, type StepKind } from "../planned-step.ts";
import { plural } from "../../diagnostics/number-words.ts";

export const evolvePartitionSpec: StepKind = {
  kind: "evolve-partition-spec",
  detect(pair) {
    const live = pair.pair;
    const declared = pair.spec.partitionBy;
    if (live === null || declared === undefined) return [];
    const { metadata } = live;
    const difference = partitionDifference(declared, defaultSpec(metadata).fields, liveIdByPath(pair));
    if (isSamePartitioning(difference)) return [];
    const place = pair.spec.places["partition-by"] ?? pair.spec.place;
    const before = partitionTexts(defaultSpec(metadata).fields, currentSchema(metadata));
    const shown = shownPartitionTexts(defaultSpec(metadata).fields, currentSchema(metadata));
    const after = declared.map(
      (field) => partitionText(field.transform, field.source) + (field.name === null ? "" : ` as ${field.name}`),
    );
    const files = pair.evidence?.filesBySpec.get(metadata.defaultSpecId);
    return [
      planStep(pair, {
        kind: "evolve-partition-spec",
        path: null,
        effect: "behaviour",
        before,
        after,
        place,
        sql: partitioningSql(pair, declared, defaultSpec(metadata).fields, difference),
        evidence: { "files-in-old-spec": files ?? null },
        edit: (draft) => {
          draft.partition = difference;
        },
        text: () => ({
          symbol: "~",
          subject: "partitioning",
          change: `${shown.length === 0 ? "none" : shown.join(", ")} → ${after.length === 0 ? "none" : after.join(", ")}`,
          detail:
            files === undefined
              ? "new files only"
              : `new files only; ${plural(files, "file keeps its spec", "files keep their spec")}`,
        }),
      }),
    ];
  },
};
