// Partition specs that are made from fields that are to be dropped: which are in the way, and which of those no kept
// snapshot names any more.
import type { PartitionSpec } from "../iceberg/partition-spec.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";
import { idsBelow } from "./ids-below.ts";
import { partitionTexts } from "./partition-difference.ts";
import type { TablePair } from "./table-pair.ts";

/** Specs with a field made from one of the ids; a void field is made from nothing. */
export function specsUsing(metadata: TableMetadata, ids: ReadonlySet<number>): readonly PartitionSpec[] {
  return metadata.partitionSpecs.filter((spec) =>
    spec.fields.some((field) => field.transform !== "void" && field.sourceIds.some((id) => ids.has(id))),
  );
}

/** A spec that is not the default, and that every kept snapshot is past; only where the manifest lists were read. */
export function isUnusedSpec(spec: PartitionSpec, { pair, evidence }: TablePair): boolean {
  const usage = evidence?.specUsage?.get(spec.specId);
  return pair !== null && spec.specId !== pair.metadata.defaultSpecId && usage !== undefined && usage.snapshots === 0;
}

/** Unused specs that an acknowledged drop meets, unless a used one blocks that drop anyway. */
export function unusedSpecsInTheWay(pair: TablePair): readonly PartitionSpec[] {
  const live = pair.pair;
  if (live === null) return [];
  const found = new Set<PartitionSpec>();
  for (const { node, verdict } of live.undeclared) {
    if (verdict !== "drop") continue;
    const specs = specsUsing(live.metadata, idsBelow(node));
    if (specs.every((spec) => isUnusedSpec(spec, pair))) for (const spec of specs) found.add(spec);
  }
  return [...found];
}

export function specFieldTexts(spec: PartitionSpec, metadata: TableMetadata): readonly string[] {
  return partitionTexts(spec.fields, currentSchema(metadata));
}
