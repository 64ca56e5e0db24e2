// What Glue keeps of one table beside its metadata, as a CatalogState: the entry of a read with the metadata of the
// same read. Pure; the commit takes the entry from here, so that nothing of it is lost.
import type { CatalogComment, CatalogDifference, CatalogNote, CatalogProblem, CatalogState } from "./catalog-state.ts";
import { isCopyOf } from "./glue-columns.ts";
import { columnDifferences, oldColumns } from "./glue-difference.ts";
import type { GlueTable, GlueTableInput } from "./glue-entry.ts";
import {
  type EntryAfter,
  type EntryBefore,
  glueDescriptionOf,
  glueTableInput,
  ownParameters,
  shortened,
  wantedColumns,
} from "./glue-input.ts";
import { glueProblems, MAX_REQUEST_BYTES, requestBytes, SHORTENED_FROM_BYTES } from "./glue-limits.ts";
import { glueComment, glueDescription } from "./glue-text.ts";
import { sameLocation } from "./location.ts";
import { metadataFolder } from "./metadata-file.ts";
import { currentSchema, type TableMetadata } from "./table-metadata.ts";

export interface GlueState extends CatalogState {
  /** Null: Glue has no such table. */
  readonly before: EntryBefore | null;
}

type EntryParameters = EntryAfter["parameters"];

export function isGlueState(state: CatalogState | undefined): state is GlueState {
  return state !== undefined && "before" in state;
}

/** `name` is what a new table will be called. */
export function glueState(name: string, before: EntryBefore | null): GlueState {
  return {
    before,
    parameters: ownParameters(before?.entry),
    differences: (metadata) => (before === null ? [] : differences(before, metadata)),
    problems: (metadata, parameters) => problems(name, before, metadata, parameters),
    notes: (metadata) => notes(name, before, metadata),
    comments: (metadata) => (before === null ? [] : comments(before.entry, metadata)),
  };
}

/** What is sent: the whole entry, or one without comments and marks where the whole would be too large. */
export function fitting(input: GlueTableInput): GlueTableInput {
  return requestBytes(input) <= MAX_REQUEST_BYTES ? input : shortened(input);
}

function differences(before: EntryBefore, metadata: TableMetadata): readonly CatalogDifference[] {
  const { entry } = before;
  const listed = entry.StorageDescriptor?.Columns ?? [];
  const whole = wantedInput(entry.Name ?? "", before, metadata);
  const wanted = isShortened(entry, whole) ? shortened(whole) : whole;
  const found = [...columnDifferences(wanted.StorageDescriptor?.Columns ?? [], listed)];
  const location = entry.StorageDescriptor?.Location;
  if (location !== undefined && !sameLocation(location, metadata.location))
    found.push({ subject: "table", what: "another location", before: location, after: metadata.location });
  return found;
}

function problems(
  name: string,
  before: EntryBefore | null,
  metadata: TableMetadata,
  parameters: EntryParameters,
): readonly CatalogProblem[] {
  const live = before === null ? null : currentSchema(before.metadata);
  return glueProblems(currentSchema(metadata), live, wantedInput(name, before, metadata, parameters));
}

// The next metadata file's name is not known yet, and as long as any other.
function wantedInput(
  name: string,
  before: EntryBefore | null,
  metadata: TableMetadata,
  parameters: EntryParameters = {},
): GlueTableInput {
  const location = `${metadataFolder(metadata)}/00000-00000000-0000-0000-0000-000000000000.gz.metadata.json`;
  return glueTableInput(name, before, { metadata, metadataLocation: location, previousLocation: location, parameters });
}

// A large list without any comment or mark is one that was shortened to fit: the plan shall not ask for them for ever.
function isShortened(entry: GlueTable, whole: GlueTableInput): boolean {
  const columns = entry.StorageDescriptor?.Columns ?? [];
  const isBare = columns.every((column) => (column.Comment ?? "") === "" && Object.keys(column.Parameters ?? {}).length === 0);
  return isBare && columns.length > 0 && requestBytes(whole) >= SHORTENED_FROM_BYTES;
}

function notes(name: string, before: EntryBefore | null, metadata: TableMetadata): readonly CatalogNote[] {
  const found: CatalogNote[] = [];
  const old = oldColumns(wantedColumns(before, metadata), before?.entry.StorageDescriptor?.Columns ?? []);
  if (old.length > 0)
    found.push({
      what: `Glue also lists ${old.map((column) => `"${column}"`).join(", ")}, marked as of an older schema`,
      why: "Iceberg's Java and Python writers keep such columns in the list at each commit; readers that know the mark leave them out",
    });
  for (const { name: column, doc = "" } of currentSchema(metadata).fields) {
    if (glueComment(doc) !== doc)
      found.push({
        what: `The comment of "${column}" is shown in Glue in a shorter form`,
        why: "Glue takes one line of at most 255 characters; the table keeps all of it",
      });
  }
  const comment = metadata.properties["comment"] ?? "";
  if (glueDescription(comment) !== comment)
    found.push({
      what: "The comment of the table is shown in Glue in a shorter form",
      why: "Glue takes at most 2,048 characters; the table keeps all of it",
    });
  // As the table is now: a comment that a plan changes is no news.
  if (before !== null && (glueDescriptionOf(before, before.metadata) ?? "") !== (before.entry.Description ?? ""))
    found.push({
      what: "Glue shows another description than the comment of the table",
      why: "PyIceberg leaves it out at each commit; the next commit of floeplan sets it again",
    });
  if (requestBytes(wantedInput(name, before, metadata)) > MAX_REQUEST_BYTES)
    found.push({
      what: "Glue is sent names and types of the columns only",
      why: "With comments and field ids the list would be larger than Glue takes; Iceberg's readers take all from the table",
    });
  return found;
}

function comments(entry: GlueTable, metadata: TableMetadata): readonly CatalogComment[] {
  const found: CatalogComment[] = [];
  const description = entry.Description ?? "";
  if (description !== "" && (metadata.properties["comment"] ?? "") === "") found.push({ column: null, comment: description });
  const wanted = wantedColumns({ entry, metadata }, metadata);
  for (const [index, field] of currentSchema(metadata).fields.entries()) {
    const comment = wanted[index]?.Comment ?? "";
    if (comment !== "" && !isCopyOf(comment, field.doc ?? "")) found.push({ column: field.name, comment });
  }
  return found;
}
