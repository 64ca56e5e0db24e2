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
  const column = start - startOfLine(source, line) + 1;
  if (end === undefined || end <= start) return { file: source.file, line: line + 1, column };
  const next = source.lineStarts[line + 1] ?? Number.POSITIVE_INFINITY;
  const last = end < next ? line : lineIndex(source, end);
  // Written out, not spread: there are many places, and spread objects take far more room.
  return { file: source.file, line: line + 1, column, endLine: last + 1, endColumn: end - startOfLine(source, last) + 1 };
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
export function lineIndex({ lineStarts }: SourceText, offset: number): number {
  let low = 0;
  let high = lineStarts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((lineStarts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Does one of the spans, which are in order and apart, hold the offset? An empty span holds its start. */
export function isInside(spans: readonly Span[], offset: number): boolean {
  let low = 0;
  let high = spans.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((spans[middle]?.start ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  const span = spans[low];
  return span !== undefined && span.start <= offset && offset < Math.max(span.end, span.start + 1);
}

function startOfLine(source: SourceText, line: number): number {
  return source.lineStarts[line] ?? source.text.length;
}
