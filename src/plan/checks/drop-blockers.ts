// Why a live field cannot be dropped although the file acknowledges the loss: partition specs of any age, the
// sort order, identifier fields, equality deletes. (Dropping the source of even an old partition spec makes the
// table unwritable for Trino and Athena and aborts DuckDB; the reference implementation does not check it.)
import { type Diagnostic, diagnostic, type Place } from "../../diagnostics/diagnostic.ts";
import { defaultSortOrder } from "../../iceberg/table-metadata.ts";
import type { Type } from "../../iceberg/type.ts";
import { keepsIdentifier } from "../identifier.ts";
import type { LiveNode } from "../node.ts";
import type { TablePair } from "../table-pair.ts";

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

  const spec = metadata.partitionSpecs.find((one) => one.fields.some((field) => field.sourceIds.some((id) => ids.has(id))));
  const partition = spec?.fields.find((field) => field.sourceIds.some((id) => ids.has(id)));
  if (spec !== undefined && partition !== undefined) {
    found.push(
      diagnostic("partition-source-dropped", {
        ...about,
        why: `partition field "${partition.name}" (spec ${spec.specId}) is made from it; without the column Trino and Athena can no longer write the table`,
        mend: "In this order: change the partition spec, bring all files to the new spec by compaction, expire the old snapshots, remove the unused spec, then drop",
      }),
    );
  }
  if (
    defaultSortOrder(metadata).fields.some((field) => field.sourceIds.some((id) => ids.has(id))) &&
    pair.spec.sortBy === undefined
  ) {
    found.push(
      diagnostic("sort-source-dropped", {
        ...about,
        why: `the default sort order (id ${metadata.defaultSortOrderId}) sorts by it, and readers refuse an order without its column`,
        mend: "Declare the new order in the same change: sort-by: [ … ], or sort-by: [] for none",
      }),
    );
  }
  if ([...ids].some((id) => keepsIdentifier(pair, id))) {
    found.push(
      diagnostic("identifier-dropped", {
        ...about,
        why: "it is, or contains, an identifier field of the table",
        mend: "Declare the new identifier in the same change: identifier-fields: [ … ], or [] for none",
      }),
    );
  }
  const deletes = pair.evidence?.equalityIds;
  if (deletes !== undefined && [...ids].some((id) => deletes.has(id))) {
    found.push(
      diagnostic("equality-delete-field-dropped", {
        ...about,
        why: "live equality deletes compare it; readers fail on the table without the column",
        mend: "Compact the table first, so that no equality delete is live",
      }),
    );
  }
  return found;
}

/** Ids of a node and of everything inside it. */
export function idsBelow(node: Pick<LiveNode, "id" | "type">): Set<number> {
  const ids = new Set([node.id]);
  const open: Type[] = [node.type];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "struct") {
      for (const field of type.fields) {
        ids.add(field.id);
        open.push(field.type);
      }
    } else if (type.kind === "list") {
      ids.add(type.elementId);
      open.push(type.element);
    } else if (type.kind === "map") {
      ids.add(type.keyId).add(type.valueId);
      open.push(type.key, type.value);
    }
  }
  return ids;
}
