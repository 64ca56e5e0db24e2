// Checks over the whole table that belong to no single step: who owns it, what an earlier conversion left
// behind, limits of the policy. One entry a check; each answers with blockers.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { isWithin, localPath } from "../../iceberg/location.ts";
import { OWNER_KEY } from "../base.ts";
import { fieldConflicts } from "./field-conflicts.ts";
import { looksRenamed } from "./looks-renamed.ts";
import type { PlannedStep } from "../planned-step.ts";
import type { TablePair } from "../table-pair.ts";
import { formatBytes, plural } from "../../diagnostics/number-words.ts";

type TableCheck = (pair: TablePair, steps: readonly PlannedStep[]) => readonly Diagnostic[];

const otherOwner: TableCheck = ({ spec, live }) => {
  const owner = live?.metadata.properties[OWNER_KEY];
  if (owner === undefined || spec.project === null || owner === spec.project) return [];
  return [
    diagnostic("other-owner", {
      what: `Cannot change "${spec.name}": it belongs to project "${owner}"`,
      why: `This project is "${spec.project}", and two projects that manage one table undo each other`,
      mend: `Remove the file here, or hand the table over: let "${owner}" stop declaring it and remove property "${OWNER_KEY}"`,
      place: spec.place,
      table: spec.name,
    }),
  ];
};

const lateFiles: TableCheck = ({ spec, evidence, pair }) => {
  if (evidence === null || pair === null) return [];
  return evidence.lateFiles.flatMap((late) => {
    if (late.files === 0 && late.equalityDeleteFiles === 0) return [];
    const retired = pair.conversions.find((memory) => memory.newId === late.newId)?.retired.name ?? `id ${late.newId}`;
    const what =
      late.files > 0
        ? `${plural(late.files, "live file", "live files")} (${plural(late.records, "row", "rows")}) ${late.files === 1 ? "holds" : "hold"} "${retired}" only under its retired field id ${late.retiredId}`
        : `${plural(late.equalityDeleteFiles, "live equality delete compares", "live equality deletes compare")} the retired field id ${late.retiredId} of "${retired}"`;
    return [
      diagnostic("late-files", {
        what: `Cannot go on with "${spec.name}": ${what}`,
        why: "A writer that loaded the table before the conversion appended after it; readers see null in these rows",
        mend: "Redeploy that writer, then let it delete the rows that it appended since and write them again; healing late files in place is not built yet",
        place: spec.place,
        table: spec.name,
      }),
    ];
  });
};

const maxRewrite: TableCheck = ({ spec, policy, evidence }, steps) => {
  if (policy.maxRewriteBytes === null || evidence === null) return [];
  const ids = steps.filter((step) => step.effect === "rewrite").flatMap((step) => step.field?.id ?? []);
  const bytes = ids.reduce((sum, id) => sum + (evidence.fields.get(id)?.sizeBytes ?? 0n), 0n);
  if (bytes <= BigInt(policy.maxRewriteBytes)) return [];
  return [
    diagnostic("rewrite-too-large", {
      what: `Cannot rewrite ${formatBytes(bytes)} of converted columns in "${spec.name}"`,
      why: `\`policy.max-rewrite\` of environment "${spec.environment}" allows ${formatBytes(policy.maxRewriteBytes)}`,
      mend: "Convert fewer columns at once, or raise `policy.max-rewrite` in floeplan.yaml",
      place: spec.place,
      table: spec.name,
    }),
  ];
};

/** A folder that was copied names the files of the original: a rewrite would write there. */
const copied: TableCheck = ({ spec, live }, steps) => {
  if (live === null || !steps.some((step) => step.effect === "rewrite")) return [];
  const { location, properties } = live.metadata;
  if (localPath(location) === null || isWithin(properties["write.metadata.path"] ?? location, live.metadataLocation)) return [];
  return [
    diagnostic("table-copied", {
      what: `Cannot rewrite data of "${spec.name}": its metadata names another folder`,
      why: `The metadata file is "${live.metadataLocation}", and it says that the table is at "${location}"`,
      mend: "If the folder was copied, give the copy its own paths (Spark: rewrite_table_path); else plan the table where it says it is",
      place: spec.place,
      table: spec.name,
    }),
  ];
};

const CHECKS: readonly TableCheck[] = [otherOwner, looksRenamed, fieldConflicts, lateFiles, maxRewrite, copied];

export function checkTable(pair: TablePair, steps: readonly PlannedStep[]): readonly Diagnostic[] {
  return CHECKS.flatMap((check) => check(pair, steps));
}
