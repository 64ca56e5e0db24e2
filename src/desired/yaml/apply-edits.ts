// Applies text edits to one text. Everything outside the edited ranges stays byte for byte. Knows no YAML.
import { bug } from "../../diagnostics/tool-error.ts";

export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Edits in any order; equal ones count once, and of two that insert at one spot the first comes first. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const ordered = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  const pieces: string[] = [];
  let at = 0;
  let before: Edit | undefined;
  for (const edit of ordered) {
    if (before !== undefined && edit.start === before.start && edit.end === before.end && edit.text === before.text) continue;
    if (edit.start < at || edit.end < edit.start || edit.end > text.length) {
      throw bug("Two edits of one text overlap, or one lies outside of it", { start: edit.start, end: edit.end });
    }
    pieces.push(text.slice(at, edit.start), edit.text);
    at = edit.end;
    before = edit;
  }
  pieces.push(text.slice(at));
  return pieces.join("");
}
