// Why a conversion cannot be proved safe on this table, by named checks over metadata and manifest evidence.
// Each check is one entry of the table; a blocked conversion is never half done.
import { type Diagnostic, diagnostic, type DiagnosticParts } from "../../diagnostics/diagnostic.ts";
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import { branches, currentSchema, defaultSortOrder } from "../../iceberg/table-metadata.ts";
import type { NodeMatch } from "../match.ts";
import type { LivePair, TablePair } from "../table-pair.ts";
import { plural } from "../../diagnostics/number-words.ts";

interface CheckInput {
  readonly match: NodeMatch;
  readonly id: number;
  readonly pair: TablePair;
  readonly live: LivePair;
}

interface Finding {
  readonly why: string;
  readonly mend: string;
}

interface Check {
  readonly code: DiagnosticCode;
  readonly find: (input: CheckInput) => Finding | null;
}

const CHECKS: readonly Check[] = [
  {
    code: "convert-nested",
    find: ({ match, live }) =>
      currentSchema(live.metadata).fields.some((field) => field.id === match.live?.id)
        ? null
        : {
            why: "The rewrite of fields inside structs, lists and maps is not built yet",
            mend: "Convert the column as a whole by a job of yours, or wait for a later version",
          },
  },
  {
    code: "convert-partition-source",
    find: ({ id, live }) => {
      const spec = live.metadata.partitionSpecs.find((one) =>
        one.fields.some((field) => field.sourceIds.includes(id) && field.transform !== "void"),
      );
      return spec === undefined
        ? null
        : {
            why: `Partition spec ${spec.specId} is made from it; its retired source would make the table unwritable for Trino and Athena`,
            mend: "Converting partition sources is not built yet: keep the type, or move the partition to another column and expire the old spec first",
          };
    },
  },
  {
    code: "convert-sort-source",
    find: ({ id, live }) =>
      defaultSortOrder(live.metadata).fields.some((field) => field.sourceIds.includes(id))
        ? {
            why: `The default sort order (id ${live.metadata.defaultSortOrderId}) sorts by it`,
            mend: "Take the column out of the sort order first (`sort-by:`)",
          }
        : null,
  },
  {
    code: "convert-identifier",
    find: ({ id, live }) =>
      currentSchema(live.metadata).identifierFieldIds.includes(id)
        ? {
            why: "Writers that upsert by it would go on writing the retired field",
            mend: "Take it out of `identifier-fields` first",
          }
        : null,
  },
  {
    code: "convert-required",
    find: ({ match }) =>
      match.live?.required === true
        ? {
            why: "A file that a running writer appends after the commit holds only the retired field, and Java readers then fail on the whole table",
            mend: "Make the column optional first (`required: false`), convert it, and require it again later",
          }
        : null,
  },
  {
    code: "convert-row-lineage",
    find: ({ live }) =>
      live.metadata.formatVersion >= 3 && live.metadata.currentSnapshotId !== null
        ? {
            why: "The table has format version 3 and rows; keeping row ids through a rewrite is not built yet",
            mend: "Wait for a later version of floeplan",
          }
        : null,
  },
  {
    code: "convert-branches",
    find: ({ live }) => {
      const others = branches(live.metadata).filter((branch) => branch.name !== "main");
      return others.length === 0
        ? null
        : {
            why: `${plural(others.length, "branch", "branches")} besides main would read null: ${others.map((branch) => `"${branch.name}"`).join(", ")}`,
            mend: "Merge or drop the branches first",
          };
    },
  },
  {
    code: "convert-staged",
    find: ({ live }) => {
      const staged = stagedSnapshots(live);
      return staged === 0
        ? null
        : {
            why: `${plural(staged, "staged snapshot", "staged snapshots")} (wap.id) would publish the retired column`,
            mend: "Publish or drop them first",
          };
    },
  },
  {
    code: "convert-delete-files",
    find: ({ pair: { evidence } }) => {
      if (evidence === null) return null;
      const count = evidence.positionDeleteFiles + evidence.deletionVectors + evidence.equalityDeleteFiles;
      return count === 0
        ? null
        : {
            why: `${plural(count, "live delete file applies", "live delete files apply")} to the data; carrying them over is not built yet`,
            mend: "Compact the table first (Spark: rewrite_data_files; Athena: OPTIMIZE), so that no delete file is live",
          };
    },
  },
  {
    code: "convert-file-format",
    find: ({ pair: { evidence } }) => {
      const others = evidence === null ? [] : [...evidence.formats].filter(([format]) => format !== "PARQUET");
      return others.length === 0
        ? null
        : {
            why: `Live files are ${others.map(([format, count]) => `${format} (${count})`).join(", ")}; the embedded rewrite knows Parquet`,
            mend: "Rewrite these files as Parquet first (`write.format.default=parquet`, then compaction)",
          };
    },
  },
  {
    code: "convert-encrypted",
    find: ({ pair: { evidence } }) =>
      evidence === null || evidence.encryptedFiles === 0
        ? null
        : {
            why: `${plural(evidence.encryptedFiles, "live file is", "live files are")} encrypted`,
            mend: "floeplan has no keys of the table: convert with an engine that has",
          },
  },
];

export function conversionBlockers(match: NodeMatch, pair: TablePair): Diagnostic[] {
  const live = pair.pair;
  const node = match.live;
  if (live === null || node === null) return [];
  return CHECKS.flatMap(({ code, find }) => {
    const finding = find({ match, id: node.id, pair, live });
    if (finding === null) return [];
    const parts: DiagnosticParts = {
      what: `Cannot convert "${match.declared.path}"`,
      ...finding,
      table: pair.spec.name,
      field: match.declared.path,
      place: match.declared.convert?.place ?? match.declared.typePlace,
    };
    return [diagnostic(code, parts)];
  });
}

/** Snapshots with `wap.id` that are no ancestor of any ref: staged and not published. */
function stagedSnapshots(live: LivePair): number {
  const { metadata } = live;
  const byId = new Map([...metadata.snapshots].map((snapshot) => [snapshot.snapshotId, snapshot]));
  const staged = [...byId.values()].filter((snapshot) => snapshot.summary["wap.id"] !== undefined);
  if (staged.length === 0) return 0;
  const reached = new Set<bigint>();
  for (const ref of Object.values(metadata.refs)) {
    for (let at = byId.get(ref.snapshotId); at !== undefined && !reached.has(at.snapshotId); ) {
      reached.add(at.snapshotId);
      at = at.parentSnapshotId === null ? undefined : byId.get(at.parentSnapshotId);
    }
  }
  const published = new Set([...byId.values()].flatMap((snapshot) => snapshot.summary["published-wap-id"] ?? []));
  return staged.filter((snapshot) => !reached.has(snapshot.snapshotId) && !published.has(snapshot.summary["wap.id"] ?? ""))
    .length;
}
