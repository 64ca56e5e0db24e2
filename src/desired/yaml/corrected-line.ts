// The line of a finding as it should read, where its edits stay within one line. Knows nothing of findings.
import { MAX_CORRECTED_LINE } from "../limits.ts";
import { applyEdits, type Edit } from "./apply-edits.ts";
import { lineIndex, lineSpan, type SourceText } from "./source-text.ts";

/** The line that holds `offset` with those of the edits that lie within it, or null where one goes beyond, or
 * where the line is too long to be shown. */
export function correctedLine(source: SourceText, offset: number, edits: readonly Edit[]): string | null {
  const { start, end } = lineSpan(source, lineIndex(source, offset));
  if (end - start > MAX_CORRECTED_LINE) return null;
  const own: Edit[] = [];
  for (const edit of edits) {
    if (edit.end < start || edit.start > end) continue;
    if (edit.start < start || edit.end > end || edit.text.includes("\n")) return null;
    own.push({ start: edit.start - start, end: edit.end - start, text: edit.text });
  }
  return own.length === 0 ? null : applyEdits(source.text.slice(start, end), own);
}
