// The shape of a finding that a person can mend in their files or their table. Data, collected many at
// once, never thrown (what the world does to us is a ToolError). Knows nothing of files or rendering.
import { CODES, type DiagnosticCode } from "./codes.ts";
import { toldParts } from "./told.ts";

export type Severity = "error" | "warning" | "note";

/** A spot in a text file. Lines and columns count from 1; columns count UTF-16 units. */
export interface Place {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

/** Replace the half-open range of UTF-16 offsets `[start, end)` of `file` by `text`. */
export interface TextEdit {
  readonly file: string;
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** Four questions in this order: what (`Cannot …`), where (`place`, `table`, `field`), why, how to mend. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Sentence case, names quoted, no full stop at the end. */
  readonly what: string;
  readonly why?: string;
  readonly mend?: string;
  readonly place?: Place;
  /** Declared table name as printed, e.g. `sales.orders`. */
  readonly table?: string;
  /** Field path in the one path grammar, e.g. `items.element.sku`. */
  readonly field?: string;
  /** The whole line as it should read, where one line mends it. */
  readonly correctedLine?: string;
  /** What `validate --fix` and `fmt` do about it. */
  readonly edits?: readonly TextEdit[];
}

export type DiagnosticParts = Omit<Diagnostic, "code" | "severity"> & { readonly severity?: Severity };

/** A diagnostic with the default severity of its code. */
export function diagnostic(code: DiagnosticCode, parts: DiagnosticParts): Diagnostic {
  return { code, severity: CODES[code], ...parts, ...toldParts(parts) };
}

/** Errors first by file and line; equal findings once. */
export function sortDiagnostics(found: readonly Diagnostic[]): Diagnostic[] {
  const seen = new Set<string>();
  const unique = found.filter((one) => {
    const key = JSON.stringify([one.code, one.place?.file, one.place?.line, one.place?.column, one.table, one.field, one.what]);
    if (seen.has(key)) return false;
    seen.add(key);
    return true;
  });
  const text = (one: Diagnostic): string => one.place?.file ?? one.table ?? "";
  return unique.sort(
    (a, b) =>
      compareText(text(a), text(b)) ||
      (a.place?.line ?? 0) - (b.place?.line ?? 0) ||
      (a.place?.column ?? 0) - (b.place?.column ?? 0) ||
      compareText(a.code, b.code),
  );
}

/** `tables/sales/orders.yaml:18:11`, printed the same way everywhere. */
export function formatPlace(place: Place): string {
  return `${place.file}:${place.line}:${place.column}`;
}

export function hasErrors(found: readonly Diagnostic[]): boolean {
  return found.some((one) => one.severity === "error");
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
