// A diagnostic and a place as JSON, the same in every output. Keys that a diagnostic lacks are absent.
import type { Diagnostic, Place } from "../../diagnostics/diagnostic.ts";
import type { JsonObject } from "../../iceberg/json.ts";

export function placeJson(place: Place): JsonObject {
  return {
    file: place.file,
    line: place.line,
    column: place.column,
    ...(place.endLine === undefined ? {} : { "end-line": place.endLine }),
    ...(place.endColumn === undefined ? {} : { "end-column": place.endColumn }),
  };
}

export function diagnosticJson(diagnostic: Diagnostic): JsonObject {
  const { code, severity, what, why, mend, place, table, field, correctedLine, edits } = diagnostic;
  return {
    code,
    severity,
    what,
    ...(why === undefined ? {} : { why }),
    ...(mend === undefined ? {} : { mend }),
    ...(place === undefined ? {} : { place: placeJson(place) }),
    ...(table === undefined ? {} : { table }),
    ...(field === undefined ? {} : { field }),
    ...(correctedLine === undefined ? {} : { "corrected-line": correctedLine }),
    ...(edits === undefined ? {} : { edits: edits.map(({ file, start, end, text }) => ({ file, start, end, text })) }),
  };
}

export function diagnosticsJson(diagnostics: readonly Diagnostic[]): JsonObject {
  return { floeplan: 1, diagnostics: diagnostics.map(diagnosticJson) };
}
