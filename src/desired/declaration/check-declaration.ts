// What the parts of a table file mean together: sources that exist, transforms that fit, an identifier that can be
// one, nothing both declared and dropped. Knows no live table.
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import { diagnostic, type Place } from "../../diagnostics/diagnostic.ts";
import type { EvolutionError } from "../../iceberg/evolution-error.ts";
import { formatPath, isPathError, matchesGlob, parseGlob } from "../../iceberg/field-path.ts";
import { checkFormatVersion, checkPartitionSpecs, checkSchema, sourceProblem } from "../../iceberg/schema-check.ts";
import { indexSchema } from "../../iceberg/schema-index.ts";
import { defaultFieldName, parseTransform, transformProblem } from "../../iceberg/transform.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import type { Reading } from "../reading.ts";
import type { DeclaredPartitionField, DeclaredSortField } from "../table-spec.ts";
import { quoted } from "../words.ts";
import { checkPins } from "./check-pins.ts";
import type { TableDeclaration } from "./declaration.ts";
import { type DeclaredSchema, declaredSchema } from "./declared-schema.ts";
import type { Tell } from "./tell.ts";
import { formatTerm } from "./transform-term.ts";

export function checkDeclaration(reading: Reading, table: TableDeclaration, environments: readonly string[]): void {
  // With a column missing, what refers to it would only be told as a consequence.
  if (table.isPartial) return;
  const tell: Tell = (code, place, parts) => reading.found.push(diagnostic(code, { table: table.name, place, ...parts }));
  const declared = declaredSchema(table.columns);
  checkColumns(tell, table, declared);
  checkIdentifier(tell, table, declared);
  for (const one of [table, ...table.environments.values()]) {
    if (one.partitionBy !== undefined) checkPartition(tell, one.partitionBy.value, declared);
    if (one.sortBy !== undefined) checkSort(tell, one.sortBy.value, declared);
  }
  checkDropped(tell, table, declared);
  checkDroppedNames(tell, table, declared);
  checkUnmanaged(tell, table, declared);
  checkPins(tell, declared, environments);
}

function checkColumns(tell: Tell, table: TableDeclaration, { schema, spots }: DeclaredSchema): void {
  const version = table.formatVersion?.value;
  const tooNew = version === 1 || version === 2 || version === 3 ? checkFormatVersion(schema, version) : [];
  for (const error of [...checkSchema(schema), ...tooNew]) {
    const spot = error.fieldId === undefined ? undefined : spots.get(error.fieldId);
    if (spot === undefined) continue;
    const needsVersion = error.category === "type_needs_version";
    tell(needsVersion ? "format-version-too-low" : "field-impossible", spot.place, {
      field: spot.path,
      what: `Cannot declare field ${quoted(spot.path)}`,
      // Its ids are those of this check and mean nothing to anybody.
      why: error.why.replace(/ \(ids \d+ and \d+\)$/, ""),
      mend: needsVersion
        ? "Write `format-version: 3`; check first that every engine reads it"
        : "Rename it, or change its type or `required:`",
    });
  }
}

/** The field's id in the check, or null after a finding. */
function find(tell: Tell, path: string, place: Place, what: string, { ids }: DeclaredSchema): number | null {
  const id = ids.get(path);
  if (id !== undefined) return id;
  const mend = didYouMean(path, ids.keys());
  tell("field-not-declared", place, {
    field: path,
    what: `Cannot find ${what} ${quoted(path)} among the declared fields`,
    mend: mend ?? "Declare it under `columns:`, or correct the path",
  });
  return null;
}

function checkIdentifier(tell: Tell, table: TableDeclaration, declared: DeclaredSchema): void {
  const wanted = (table.identifierFields?.value ?? []).flatMap((field) => {
    const id = find(tell, field.value, field.place, "the identifier field", declared);
    return id === null ? [] : [{ id, place: field.place }];
  });
  const schema = { ...declared.schema, identifierFieldIds: wanted.map((field) => field.id) };
  for (const error of checkSchema(schema)) {
    const place = wanted.find((field) => field.id === error.fieldId)?.place;
    if (error.category !== "invalid_identifier" || place === undefined) continue;
    const path = declared.spots.get(error.fieldId ?? 0)?.path ?? "";
    tell("identifier-impossible", place, {
      field: path,
      what: `Cannot use ${quoted(path)} as an identifier field`,
      why: error.why.replace(/^"(?:[^"]|"")*" cannot be an identifier field: /, ""),
      mend: error.why.includes("optional")
        ? "Write `required: true` on the field"
        : "Name another field, or take it out of `identifier-fields`",
    });
  }
}

function checkPartition(tell: Tell, fields: readonly DeclaredPartitionField[], declared: DeclaredSchema): void {
  const names = new Map<string, Place>();
  const sources = new Map<string, Place>();
  for (const field of fields) {
    const id = find(tell, field.source, field.place, "the source of a partition field", declared);
    if (id === null) continue;
    const name = field.name ?? defaultFieldName(parseTransform(field.transform), field.source);
    const spec = { specId: 0, fields: [{ sourceIds: [id], fieldId: 1000, transform: field.transform, name }] };
    for (const error of checkPartitionSpecs(declared.schema, [spec], 0)) tell(...impossible(error, field));
    twice(
      tell,
      sources,
      `${field.transform} ${field.source}`,
      field.place,
      "partition-malformed",
      `Cannot partition by ${quoted(formatTerm(field.transform, field.source))} twice`,
    );
    twice(tell, names, name, field.place, "partition-malformed", `Cannot name two partition fields ${quoted(name)}`);
  }
}

function impossible(error: EvolutionError, field: DeclaredPartitionField | DeclaredSortField): Parameters<Tell> {
  const why = error.why.replace(/^Partition field "(?:[^"]|"")*":\s*|\s+of spec 0\b/g, "");
  return [
    "transform-impossible",
    field.place,
    {
      field: field.source,
      what: `Cannot make a partition field from ${quoted(field.source)}`,
      why: sentence(why),
      mend: OTHER_TRANSFORM,
    },
  ];
}

const OTHER_TRANSFORM = "Choose a transform that takes this type, or another field";

/** The format's half sentences name a transform or a type first. */
function sentence(why: string): string {
  return why.replace(/^(\w+) does not take/, 'Transform "$1" does not take').replace(/^[a-z]/, (first) => first.toUpperCase());
}

function twice(tell: Tell, seen: Map<string, Place>, key: string, place: Place, code: DiagnosticCode, what: string): void {
  const before = seen.get(key);
  if (before === undefined) {
    seen.set(key, place);
    return;
  }
  if (before.line === place.line && before.column === place.column) return;
  tell(code, place, { what, why: `Line ${before.line} says so already`, mend: "Remove one of them" });
}

function checkSort(tell: Tell, fields: readonly DeclaredSortField[], declared: DeclaredSchema): void {
  const index = indexSchema(declared.schema);
  const sources = new Map<string, Place>();
  for (const field of fields) {
    const id = find(tell, field.source, field.place, "the source of a sort field", declared);
    const node = id === null ? undefined : index.byId(id);
    if (node === undefined) continue;
    const why = sourceProblem(node, transformProblem(parseTransform(field.transform), node.type));
    if (why !== null) {
      const what = `Cannot sort by ${quoted(field.source)}`;
      tell("transform-impossible", field.place, { field: field.source, what, why: sentence(why), mend: OTHER_TRANSFORM });
    }
    twice(
      tell,
      sources,
      `${field.transform} ${field.source}`,
      field.place,
      "sort-malformed",
      `Cannot sort by ${quoted(formatTerm(field.transform, field.source))} twice`,
    );
  }
}

function checkDropped(tell: Tell, table: TableDeclaration, { ids, spots }: DeclaredSchema): void {
  for (const { field, place } of table.dropped) {
    const spot = spots.get(ids.get(field) ?? 0);
    if (spot === undefined) continue;
    tell("dropped-and-declared", place, {
      field,
      what: `Cannot declare field ${quoted(field)} and list it under "dropped" at once`,
      why: `It is declared at ${spot.place.file}:${spot.place.line}; an old acknowledgement must not fire when a field comes back`,
      mend: 'Remove the entry under "dropped", or the field',
    });
  }
}

/** A field cannot be dropped and live on under another name. */
function checkDroppedNames(tell: Tell, table: TableDeclaration, { spots }: DeclaredSchema): void {
  const dropped = new Map(table.dropped.map((entry) => [entry.field, entry.place]));
  if (dropped.size === 0) return;
  for (const { path, segments, renamedFrom } of spots.values()) {
    for (const name of renamedFrom) {
      const before = formatPath([...segments.slice(0, -1), name.value]);
      const place = dropped.get(before);
      if (place === undefined) continue;
      tell("dropped-and-renamed", place, {
        field: before,
        what: `Cannot list field ${quoted(before)} under "dropped" and rename it to ${quoted(path)} at once`,
        why: `${name.place.file}:${name.place.line} keeps it under its new name; dropped, its values would be gone`,
        mend: 'Remove the entry under "dropped" if it was renamed; remove the name from `renamed-from` if it is to be dropped',
      });
    }
  }
}

/** So many comparisons take some tenths of a second; no file of a person comes near. */
const MAX_COMPARISONS = 2_000_000;

function checkUnmanaged(tell: Tell, table: TableDeclaration, { spots }: DeclaredSchema): void {
  if (table.unmanaged.length * spots.size > MAX_COMPARISONS) return;
  for (const { value, place } of table.unmanaged) {
    const glob = parseGlob(value);
    if (isPathError(glob)) continue;
    const spot = [...spots.values()].find((one) => matchesGlob(glob, one.segments));
    if (spot === undefined) continue;
    tell("unmanaged-and-declared", place, {
      field: spot.path,
      what: `Field ${quoted(spot.path)} is declared and matches ${quoted(value)} under "unmanaged"`,
      why: "A declared field is managed, whatever the glob says",
      mend: "Narrow the glob, or remove the field",
    });
  }
}
