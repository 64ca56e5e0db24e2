// What a footer tells of each top-level field, for evidence and for finding files that lack a field. Reads no
// page.
import type { ColumnChunk } from "./column-chunk.ts";
import type { Footer } from "./footer.ts";
import { flatLeaf } from "./schema.ts";
import { leavesOf } from "./new-footer.ts";

export interface ColumnInspection {
  /** Null in files that were written without ids. */
  readonly fieldId: number | null;
  readonly name: string;
  /** Null for nested and repeated fields, which are summed over their leaves. */
  readonly type: string | null;
  /** Logical type, or the older annotation, by its name in parquet.thrift. */
  readonly annotation: string | null;
  readonly isRequired: boolean;
  readonly encodings: readonly string[];
  readonly codecs: readonly string[];
  /** Compressed bytes, page headers included. */
  readonly sizeBytes: bigint;
  readonly uncompressedBytes: bigint;
  /** Nulls included; null for nested and repeated fields. */
  readonly values: bigint | null;
  /** Null when a row group does not tell, and for nested and repeated fields. */
  readonly nulls: bigint | null;
}

export function inspectColumns(footer: Footer): readonly ColumnInspection[] {
  return footer.root.children.map((node) => {
    const leaf = flatLeaf(node);
    const chunks = leavesOf(node).flatMap((one) => footer.rowGroups.flatMap((group) => group.chunks[one.index] ?? []));
    const sum = (of: (chunk: ColumnChunk) => number): bigint => chunks.reduce((total, chunk) => total + BigInt(of(chunk)), 0n);
    return {
      fieldId: node.fieldId,
      name: node.name,
      type: leaf?.type ?? null,
      annotation: leaf?.annotation ?? null,
      isRequired: leaf !== null && leaf.maxDefinition === 0,
      encodings: [...new Set(chunks.flatMap((chunk) => chunk.encodings))].sort(),
      codecs: [...new Set(chunks.map((chunk) => chunk.codec))].sort(),
      sizeBytes: sum((chunk) => chunk.compressedBytes),
      uncompressedBytes: sum((chunk) => chunk.uncompressedBytes),
      values: leaf === null ? null : BigInt(footer.rows),
      nulls: leaf === null ? null : leaf.maxDefinition === 0 ? 0n : sumOfNulls(chunks),
    };
  });
}

function sumOfNulls(chunks: readonly ColumnChunk[]): bigint | null {
  let total = 0n;
  for (const chunk of chunks) {
    if (chunk.nulls === null) return null;
    total += chunk.nulls;
  }
  return total;
}
