// One line of a file around a diagnostic, and the part of it that the caret points at. Knows offsets only;
// widths and colours are the format's.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { redactInPlace } from "../diagnostics/redact.ts";
import type { Finding } from "./report.ts";

/** The text of a file as it was read, or undefined where it is not known. */
export type Sources = (file: string) => string | undefined;

export const NO_SOURCES: Sources = () => undefined;

/** Lines end at LF, CRLF or CR; the line's own text comes without its end. */
export function lineOf(source: string, line: number): string | null {
  return source.split(/\r\n|\n|\r/)[line - 1] ?? null;
}

export function findingOf(diagnostic: Diagnostic, sources: Sources): Finding {
  const place = diagnostic.place;
  const source = place === undefined ? undefined : sources(place.file);
  const line = place === undefined || source === undefined ? null : lineOf(source, place.line);
  // A format shows a part of a long line: half a secret is not known for one.
  return { diagnostic, excerpt: line === null ? null : redactInPlace(line) };
}

/** The marked part of the excerpt as offsets `[start, end)`: never empty, never past the line's end plus one. */
export function markedRange({ diagnostic, excerpt }: Finding): { readonly start: number; readonly end: number } | null {
  const place = diagnostic.place;
  if (place === undefined || excerpt === null) return null;
  const start = Math.min(Math.max(place.column - 1, 0), excerpt.length);
  const sameLine = place.endLine === undefined || place.endLine === place.line;
  const wanted = sameLine ? (place.endColumn ?? place.column + 1) - 1 : excerpt.length;
  return { start, end: Math.max(start + 1, Math.min(wanted, excerpt.length)) };
}
