// `partition-by`, `sort-by` and `identifier-fields`: texts with transforms, names and directions. Whether the fields
// they name exist is checked in check-declaration.ts.
import { formatPath, isPathError, parsePath } from "../../iceberg/field-path.ts";
import { itemsOf, placeIn, type Reading, report, spotIn, textOf } from "../reading.ts";
import type { DeclaredPartitionField, DeclaredSortField, Placed } from "../table-spec.ts";
import { quoted } from "../words.ts";
import { scalarText } from "../yaml/quoting.ts";
import type { MapEntry, ScalarNode, YamlNode } from "../yaml/tree.ts";
import type { PlacedList } from "./declaration.ts";
import { formatTerm, parseTerm, type TermError, type TransformTerm } from "./transform-term.ts";

/** Undefined where the key is absent; items that cannot be read are told and left out. */
export function readPartitionBy(reading: Reading, entry: MapEntry | undefined): PlacedList<DeclaredPartitionField> | undefined {
  return readItems(reading, entry, readPartitionField);
}

export function readSortBy(reading: Reading, entry: MapEntry | undefined): PlacedList<DeclaredSortField> | undefined {
  return readItems(reading, entry, readSortField);
}

export function readIdentifierFields(reading: Reading, entry: MapEntry | undefined): PlacedList<Placed<string>> | undefined {
  return readItems(reading, entry, readPath);
}

function readItems<T>(
  reading: Reading,
  entry: MapEntry | undefined,
  read: (reading: Reading, node: ScalarNode) => T | undefined,
): PlacedList<T> | undefined {
  const items = itemsOf(entry?.value);
  if (entry === undefined || items === undefined) return undefined;
  const value = items.flatMap((item) => (item.kind === "scalar" && item.value !== null ? (read(reading, item) ?? []) : []));
  return { value, place: placeIn(reading, entry.key) };
}

/** A field path in canonical form, or undefined after a finding. */
export function readPath(reading: Reading, node: YamlNode | undefined): Placed<string> | undefined {
  const text = textOf(node);
  if (node === undefined || text === undefined) return undefined;
  const path = parsePath(text);
  if (!isPathError(path)) return { value: formatPath(path), place: placeIn(reading, node) };
  const { why, mend } = path;
  report(reading, "path-malformed", node, {
    what: `Cannot read the field path ${quoted(text)}`,
    why,
    ...(mend === undefined ? {} : { mend: `Write ${scalarText(mend)}` }),
  });
  return undefined;
}

function readTerm(reading: Reading, node: ScalarNode, code: "partition-malformed" | "sort-malformed"): TransformTerm | undefined {
  const term = parseTerm(node.text);
  if (!("kind" in term)) {
    if (term.alias !== null) noteAlias(reading, node, term.alias);
    return term;
  }
  reportTerm(reading, node, term.kind === "path" ? "path-malformed" : code, term);
  return undefined;
}

function reportTerm(
  reading: Reading,
  node: ScalarNode,
  code: "partition-malformed" | "sort-malformed" | "path-malformed",
  error: Omit<TermError, "kind" | "offset">,
): void {
  const what = code === "sort-malformed" ? "sort field" : code === "partition-malformed" ? "partition field" : "field path in";
  report(reading, code, node, {
    what: `Cannot read the ${what} ${quoted(node.text)}`,
    why: error.why,
    ...(error.mend === undefined ? {} : { mend: error.mend }),
  });
}

function noteAlias(reading: Reading, node: ScalarNode, { written, transform }: NonNullable<TransformTerm["alias"]>): void {
  const start = spotIn(reading, node, node.text.indexOf(written)).start;
  const end = start + written.length;
  const isVerbatim = reading.source.text.slice(start, end) === written;
  report(reading, "transform-alias", node, {
    what: `Transform ${quoted(written)} is read as ${quoted(transform)}`,
    mend: `Write ${transform}(…), as \`floeplan fmt\` does`,
    ...(isVerbatim ? { edits: [{ file: reading.source.file, start, end, text: transform }] } : {}),
  });
}

function readPartitionField(reading: Reading, node: ScalarNode): DeclaredPartitionField | undefined {
  const term = readTerm(reading, node, "partition-malformed");
  if (term === undefined) return undefined;
  const { source, transform, rest } = term;
  const place = placeIn(reading, node);
  if (rest === "") return { source, transform, name: null, place };
  const name = /^as\s+(?:"((?:[^"]|"")+)"|([^\s"]+))$/i.exec(rest);
  if (name !== null) return { source, transform, name: name[1]?.replaceAll('""', '"') ?? name[2] ?? "", place };
  reportTerm(reading, node, "partition-malformed", {
    why: `Only a name may follow the transform, found ${quoted(rest)}`,
    mend: `Write ${formatTerm(transform, source)} as NAME, or only ${formatTerm(transform, source)}`,
  });
  return undefined;
}

const ORDER = /^(?:(asc|desc)\b)?\s*(?:nulls\s+(first|last))?$/i;

function readSortField(reading: Reading, node: ScalarNode): DeclaredSortField | undefined {
  const term = readTerm(reading, node, "sort-malformed");
  if (term === undefined) return undefined;
  const { source, transform, rest } = term;
  const order = ORDER.exec(rest);
  if (order === null) {
    reportTerm(reading, node, "sort-malformed", {
      why: `Only "asc" or "desc" and "nulls first" or "nulls last" may follow the field, found ${quoted(rest)}`,
      mend: `Write it like this: ${formatTerm(transform, source)} desc nulls last`,
    });
    return undefined;
  }
  const direction = order[1]?.toLowerCase() === "desc" ? "desc" : "asc";
  // The reference implementation's rule for a direction without a word about nulls.
  const standard = direction === "asc" ? "nulls-first" : "nulls-last";
  const nulls = order[2]?.toLowerCase();
  const nullOrder = nulls === undefined ? standard : nulls === "first" ? "nulls-first" : "nulls-last";
  return { source, transform, direction, nullOrder, place: placeIn(reading, node) };
}
