// The entry that a commit leaves in Glue: the whole entry as it was read, with floeplan's part made anew from the
// metadata. Glue replaces everything by what it is sent, so what is left out here is lost there.
import { type GlueColumn, type GlueTable, type GlueTableInput, POINTER_PARAMETERS } from "./glue-entry.ts";
import { METADATA_LOCATION, PREVIOUS_METADATA_LOCATION, TABLE_TYPE } from "./glue-entry.ts";
import { glueColumns } from "./glue-columns.ts";
import { glueDescription } from "./glue-text.ts";
import { currentSchema, type TableMetadata } from "./table-metadata.ts";

/** An entry and the metadata to which it pointed, of one read; null for a table that is new. */
export interface EntryBefore {
  readonly entry: GlueTable;
  readonly metadata: TableMetadata;
  /** When the entry was read. */
  readonly readAtMs?: number;
}

export interface EntryAfter {
  readonly metadata: TableMetadata;
  readonly metadataLocation: string;
  /** Null: the entry says none, or keeps the one that it has. */
  readonly previousLocation: string | null;
  /** Parameters of others to set, or null to remove. */
  readonly parameters?: Readonly<Record<string, string | null>> | undefined;
}

/** As Iceberg's writers call it, whatever an engine may do with the data. */
const EXTERNAL_TABLE = "EXTERNAL_TABLE";

/** The property whose text Glue shows as the table's description. */
const COMMENT = "comment";

/** Properties that put files elsewhere: Glue is told, for Lake Formation. In the order of Iceberg's writers. */
const OTHER_LOCATIONS = [
  "write.data.path",
  "write.metadata.path",
  "write.object-storage.path",
  "write.folder-storage.path",
] as const;

export function glueTableInput(name: string, before: EntryBefore | null, after: EntryAfter): GlueTableInput {
  const { metadata } = after;
  const entry = before?.entry;
  const storage = entry?.StorageDescriptor;
  const { Owner, LastAccessTime, LastAnalyzedTime, Retention, PartitionKeys, ViewOriginalText, ViewExpandedText, TargetTable } =
    entry ?? {};
  return {
    Owner,
    LastAccessTime,
    LastAnalyzedTime,
    Retention,
    PartitionKeys,
    ViewOriginalText,
    ViewExpandedText,
    TargetTable,
    Name: entry?.Name ?? name,
    TableType: entry?.TableType ?? EXTERNAL_TABLE,
    Description: glueDescriptionOf(before, metadata),
    Parameters: parametersOf(entry?.Parameters ?? {}, after),
    StorageDescriptor: {
      ...storage,
      Location: metadata.location,
      AdditionalLocations: otherLocations(before, metadata),
      Columns: wantedColumns(before, metadata),
    },
  };
}

export function wantedColumns(before: EntryBefore | null, metadata: TableMetadata): readonly GlueColumn[] {
  return glueColumns(currentSchema(metadata), {
    columns: before?.entry.StorageDescriptor?.Columns ?? [],
    schema: before === null ? null : currentSchema(before.metadata),
  });
}

/** The same entry with names and types of the columns only: what fits where comments and marks do not. */
export function shortened(input: GlueTableInput): GlueTableInput {
  const columns = input.StorageDescriptor?.Columns ?? [];
  return {
    ...input,
    StorageDescriptor: { ...input.StorageDescriptor, Columns: columns.map(({ Name, Type }) => ({ Name, Type })) },
  };
}

/** A description that only Glue has stays; one that was the comment of the table goes with it. */
export function glueDescriptionOf(before: EntryBefore | null, metadata: TableMetadata): string | undefined {
  const comment = metadata.properties[COMMENT] ?? "";
  if (comment !== "") return glueDescription(comment);
  const description = before?.entry.Description;
  const old = before?.metadata.properties[COMMENT] ?? "";
  return old !== "" && (description === old || description === glueDescription(old)) ? undefined : description;
}

function parametersOf(present: Readonly<Record<string, string>>, after: EntryAfter): Record<string, string> {
  const parameters = new Map(Object.entries(present));
  for (const [key, value] of Object.entries(after.parameters ?? {})) {
    if (value === null) parameters.delete(key);
    else parameters.set(key, value);
  }
  parameters.set(TABLE_TYPE, "ICEBERG");
  parameters.set(METADATA_LOCATION, after.metadataLocation);
  if (after.previousLocation !== null) parameters.set(PREVIOUS_METADATA_LOCATION, after.previousLocation);
  return Object.fromEntries(parameters);
}

/** Those of others stay; those that properties gave are made anew. */
function otherLocations(before: EntryBefore | null, metadata: TableMetadata): readonly string[] | undefined {
  const given = locationsOf(before?.metadata);
  const kept = (before?.entry.StorageDescriptor?.AdditionalLocations ?? []).filter((location) => !given.has(location));
  const all = [...new Set([...kept, ...locationsOf(metadata)])];
  return all.length === 0 ? undefined : all;
}

function locationsOf(metadata: TableMetadata | undefined): ReadonlySet<string> {
  return new Set(OTHER_LOCATIONS.map((key) => metadata?.properties[key] ?? "").filter((location) => location !== ""));
}

/** The parameters that are not the pointer to the metadata. */
export function ownParameters(entry: GlueTable | undefined): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(entry?.Parameters ?? {}).filter(([key]) => !POINTER_PARAMETERS.has(key)));
}
