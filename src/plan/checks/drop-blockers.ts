// Why a live field cannot be dropped although the file acknowledges the loss: partition specs of any age, the
// sort order, identifier fields, equality deletes. (Dropping the source of even an old partition spec makes the
// table unwritable for Trino and Athena and aborts DuckDB; the reference implementation does not check it.)
import { type Diagnostic, diagnostic, type Place } from "../../diagnostics/diagnostic.ts";
import { defaultSortOrder } from "../../iceberg/table-metadata.ts";
import type { PartitionSpec } from "../../iceberg/partition-spec.ts";
import { keepsIdentifier } from "../identifier.ts";
import type { LiveNode } from "../node.ts";
import { idsBelow } from "../ids-below.ts";
import { isUnusedSpec, specsUsing } from "../spec-sources.ts";
import type { TablePair } from "../table-pair.ts";
import { plural } from "../../diagnostics/number-words.ts";

export function dropBlockers(node: LiveNode, place: Place | undefined, pair: TablePair): Diagnostic[] {
  const live = pair.pair;
  if (live === null) return [];
  const { metadata } = live;
  const ids = idsBelow(node);
  const about = {
    what: `Cannot drop "${node.path}"`,
    table: pair.spec.name,
    field: node.path,
    ...(place === undefined ? {} : { place }),
  };
  const found: Diagnostic[] = [];

  const specs = specsUsing(metadata, ids).filter((one) => !isUnusedSpec(one, pair));
  if (specs.length > 0) found.push(partitionSource(about, specs, ids, pair));
  if (
    defaultSortOrder(metadata).fields.some((field) => field.sourceIds.some((id) => ids.has(id))) &&
    pair.spec.sortBy === undefined
  ) {
    found.push(
      diagnostic("sort-source-dropped", {
        ...about,
        why: `The default sort order (id ${metadata.defaultSortOrderId}) sorts by it, and readers refuse an order without its column`,
        mend: "Declare the new order in the same change: `sort-by: [ … ]`, or `sort-by: []` for none",
      }),
    );
  }
  if ([...ids].some((id) => keepsIdentifier(pair, id))) {
    found.push(
      diagnostic("identifier-dropped", {
        ...about,
        why: "It is, or contains, an identifier field of the table",
        mend: "Declare the new identifier in the same change: `identifier-fields: [ … ]`, or `[]` for none",
      }),
    );
  }
  const deletes = pair.evidence?.equalityIds;
  if (deletes !== undefined && [...ids].some((id) => deletes.has(id))) {
    found.push(
      diagnostic("equality-delete-field-dropped", {
        ...about,
        why: "Live equality deletes compare it; readers fail on the table without the column",
        mend: "Compact the table first, so that no equality delete is live",
      }),
    );
  }
  return found;
}

type About = Pick<Diagnostic, "what" | "table" | "field" | "place">;

/** With the way round and how far the table is on it. */
function partitionSource(
  about: About,
  specs: readonly PartitionSpec[],
  ids: ReadonlySet<number>,
  { pair, evidence }: TablePair,
): Diagnostic {
  const names = specs.map((spec) => {
    const field = spec.fields.find((one) => one.sourceIds.some((id) => ids.has(id)));
    const usage = evidence?.specUsage?.get(spec.specId);
    const far =
      usage === undefined
        ? ""
        : `, used by ${plural(usage.liveFiles, "live file", "live files")} and ${plural(usage.snapshots, "kept snapshot", "kept snapshots")}`;
    return `"${field?.name ?? ""}" (spec ${spec.specId}${far})`;
  });
  const isDefault = specs.some((spec) => spec.specId === pair?.metadata.defaultSpecId);
  const way = [
    ...(isDefault ? ["declare a `partition-by` without it and apply"] : []),
    "bring all files to the new spec by compaction (Spark: rewrite_data_files with rewrite-all; Athena: OPTIMIZE)",
    "expire the old snapshots",
    "plan again: floeplan removes the unused spec and drops the column in one commit",
  ];
  return diagnostic("partition-source-dropped", {
    ...about,
    why: `${specs.length === 1 ? "partition field" : "partition fields"} ${names.join(", ")} ${specs.length === 1 ? "is" : "are"} made from it; without the column Trino and Athena can no longer write the table`,
    mend: `The way round: ${way.map((step, index) => `${index + 1}. ${step}`).join("; ")}`,
  });
}
