// Walks the pages that hold a file's first rows without decoding them, for readers that trust what a page header
// claims. Knows sizes, counts and checksums; no values.
import { openChunk } from "./chunk-pages.ts";
import type { ByteSource } from "./file-io.ts";
import type { Footer } from "./footer.ts";
import { leavesOf } from "./new-footer.ts";

/** Throws ToolError `corrupt` where a page of the fields, found by id, breaks the format within the first `rows` rows. */
export async function checkPages(source: ByteSource, footer: Footer, fieldIds: ReadonlySet<number>, rows: number): Promise<void> {
  const leaves = footer.root.children.filter((node) => node.fieldId !== null && fieldIds.has(node.fieldId)).flatMap(leavesOf);
  let left = rows;
  for (const group of footer.rowGroups) {
    if (left <= 0) return;
    for (const leaf of leaves) {
      const chunk = group.chunks[leaf.index];
      if (chunk === undefined) continue;
      const reader = openChunk(source, chunk);
      await reader.dictionary();
      let values = 0;
      for await (const page of reader.dataPages()) {
        values += page.header.values;
        if (leaf.maxRepetition === 0 && values >= left) break;
      }
    }
    left -= group.rows;
  }
}
