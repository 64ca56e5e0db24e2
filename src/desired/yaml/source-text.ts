// The text of one file and where its lines begin: offsets become places. Knows no YAML.
import type { Place } from "../../diagnostics/diagnostic.ts";

export interface SourceText {
  /** Path relative to the project, with `/` on every system. */
  readonly file: string;
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly lineStarts: readonly number[];
}

/** A half-open range of UTF-16 offsets. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export function sourceText(file: string, text: string): SourceText {
  const lineStarts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) lineStarts.push(at + 1);
  return { file, text, lineStarts };
}

/** The place of an offset, with its end where a second offset is given. */
export function placeAt(source: SourceText, start: number, end?: number): Place {
  const line = lineIndex(source, start);
  const place = { file: source.file, line: line + 1, column: start - startOfLine(source, line) + 1 };
  if (end === undefined || end <= start) return place;
  const last = lineIndex(source, end);
  return { ...place, endLine: last + 1, endColumn: end - startOfLine(source, last) + 1 };
}

export function placeOf(source: SourceText, span: Span): Place {
  return placeAt(source, span.start, span.end);
}

/** The line's range without its line end; lines count from 0. */
export function lineSpan(source: SourceText, line: number): Span {
  const start = startOfLine(source, line);
  const next = source.lineStarts[line + 1];
  let end = next === undefined ? source.text.length : next - 1;
  if (next !== undefined && end > start && source.text[end - 1] === "\r") end--;
  return { start, end };
}

/** The line that holds the offset; lines count from 0. */
export function lineIndex(source: SourceText, offset: number): number {
  return Math.max(
    0,
    lastAtOrBefore(source.lineStarts, offset, (start) => start),
  );
}

/** Does one of the spans, which are in order and apart, hold the offset? An empty span holds its start. */
export function isInside(spans: readonly Span[], offset: number): boolean {
  const span = spans[lastAtOrBefore(spans, offset, (one) => one.start)];
  return span !== undefined && offset < Math.max(span.end, span.start + 1);
}

/** Index of the last item that starts at or before the offset, or -1. */
function lastAtOrBefore<T>(items: readonly T[], offset: number, startOf: (item: T) => number): number {
  let low = -1;
  let high = items.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    const item = items[middle];
    if (item !== undefined && startOf(item) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

function startOfLine(source: SourceText, line: number): number {
  return source.lineStarts[line] ?? source.text.length;
}
