// Writes a manifest as the reference implementation does (spec "Manifests"), v1 to v3, and the record for the
// manifest list that goes with it. Which entries a snapshot needs is decided by the caller.
import { bug } from "../diagnostics/tool-error.ts";
import type { WriteCodec } from "./avro-codec.ts";
import { newAvroFile } from "./avro-container.ts";
import type { AvroRecord } from "./avro-schema.ts";
import { type AvroSink, writeLong } from "./avro-sink.ts";
import { writeJson } from "./json-write.ts";
import {
  type DataFile,
  isLive,
  type ManifestContent,
  type ManifestEntry,
  type NewManifestFile,
  type PartitionColumn,
} from "./manifest.ts";
import { carriedFields, carriedWriter } from "./manifest-carried.ts";
import { ENTRY_COLUMNS, FILE_COLUMNS } from "./manifest-columns.ts";
import {
  BLOCK_SIZE_BYTES,
  BLOCK_SIZE_FIELD_ID,
  DATA_FILE_FIELD_ID,
  dataFileFields,
  entryFields,
  PARTITION_FIELD_ID,
} from "./manifest-fields.ts";
import { partitionWriter } from "./manifest-partition.ts";
import type { CarriedColumns } from "./manifest-read.ts";
import { avroRecordOf, icebergSchemaText } from "./manifest-schema.ts";
import type { PartitionSpec } from "./partition-spec.ts";
import { writePartitionFields } from "./partition-spec-json.ts";
import { partitionSummarizer } from "./partition-summary.ts";
import { writeSchema } from "./schema-json.ts";
import type { FormatVersion } from "./table-metadata.ts";
import type { Field, Schema } from "./type.ts";

export interface ManifestWriteOptions {
  /** Where the manifest will be; stands in its record. */
  readonly location: string;
  readonly formatVersion: FormatVersion;
  readonly content: ManifestContent;
  /** The table's schema, for the header. */
  readonly schema: Schema;
  readonly spec: PartitionSpec;
  /** The columns of the entries' tuples, in the order of the spec (`partitionColumnsOf`, or those of the manifest that is rewritten). */
  readonly partitionColumns: readonly PartitionColumn[];
  /** The snapshot that adds the manifest. */
  readonly snapshotId: bigint;
  /** `write.manifest.compression-codec`; deflate when absent. */
  readonly codec?: WriteCodec;
  /** Unknown columns of the manifests that entries come from. */
  readonly carried?: CarriedColumns;
}

export interface WrittenManifest {
  readonly bytes: Uint8Array;
  readonly record: NewManifestFile;
}

/** Entries are taken one at a time, so they may come from a generator. */
export function writeManifest(options: ManifestWriteOptions, entries: Iterable<ManifestEntry>): WrittenManifest {
  const { formatVersion, content, spec, partitionColumns } = options;
  if (formatVersion === 1 && content === "deletes") throw bug("A v1 table has no delete manifests");
  const file = newAvroFile({ schema: entrySchema(options), codec: options.codec ?? "deflate", metadata: headerOf(options) });
  const write = entryWriter(options);
  const summarizer = partitionSummarizer(partitionColumns);
  const files = { existing: 0, added: 0, deleted: 0 };
  const rows = { existing: 0n, added: 0n, deleted: 0n };
  let minSequenceNumber: bigint | null = null;

  for (const entry of entries) {
    checkEntry(entry, options);
    const { status, sequenceNumber, dataFile } = entry;
    files[status]++;
    rows[status] += dataFile.recordCount;
    summarizer.add(dataFile.partition);
    if (isLive(entry) && sequenceNumber !== null && (minSequenceNumber === null || sequenceNumber < minSequenceNumber)) {
      minSequenceNumber = sequenceNumber;
    }
    file.append((sink) => write(sink, entry));
  }

  const bytes = file.finish();
  return {
    bytes,
    record: {
      path: options.location,
      lengthBytes: BigInt(bytes.byteLength),
      partitionSpecId: spec.specId,
      content,
      sequenceNumber: null,
      minSequenceNumber,
      addedSnapshotId: options.snapshotId,
      addedFilesCount: files.added,
      existingFilesCount: files.existing,
      deletedFilesCount: files.deleted,
      addedRowsCount: rows.added,
      existingRowsCount: rows.existing,
      deletedRowsCount: rows.deleted,
      partitions: summarizer.summaries(),
      keyMetadata: null,
      firstRowId: null,
      carried: null,
    },
  };
}

function checkEntry(entry: ManifestEntry, { content, formatVersion }: ManifestWriteOptions): void {
  if ((entry.dataFile.content === "data") !== (content === "data")) throw bug("A manifest does not mix data and deletes");
  if (entry.status === "added") return;
  // The spec lets only added entries inherit; a null here would take the number of this commit.
  const numbered = formatVersion === 1 || entry.sequenceNumber !== null;
  if (entry.snapshotId === null || !numbered) throw bug("An existing or deleted entry must carry its numbers explicitly");
}

function headerOf({
  schema,
  spec,
  formatVersion,
  content,
  partitionColumns,
}: ManifestWriteOptions): Readonly<Record<string, string>> {
  return {
    schema: writeJson(writeSchema(schema)),
    "schema-id": String(schema.schemaId),
    "partition-spec": writeJson(writePartitionFields(spec.fields)),
    "partition-spec-id": String(spec.specId),
    "format-version": String(formatVersion),
    ...(formatVersion === 1 ? {} : { content }),
    "iceberg.schema": icebergSchemaText(entryFields(formatVersion, partitionColumns)),
  };
}

function entrySchema({ formatVersion, partitionColumns, carried }: ManifestWriteOptions): AvroRecord {
  const record = avroRecordOf(entryFields(formatVersion, partitionColumns), "manifest_entry");
  if (carried === undefined) return record;
  const fields = record.fields.map((field) =>
    field.schema.kind === "record"
      ? { ...field, schema: { ...field.schema, fields: [...field.schema.fields, ...carriedFields(carried.dataFile)] } }
      : field,
  );
  return { ...record, fields: [...fields, ...carriedFields(carried.entry)] };
}

type Write<Row> = (sink: AvroSink, row: Row) => void;

function entryWriter(options: ManifestWriteOptions): Write<ManifestEntry> {
  const writeFile = dataFileWriter(options);
  const writers = entryFields(options.formatVersion, options.partitionColumns).map((field): Write<ManifestEntry> => {
    if (field.id === DATA_FILE_FIELD_ID) return (sink, entry) => writeFile(sink, entry.dataFile);
    return writerFor(ENTRY_COLUMNS, field);
  });
  const writeRest = carriedWriter(options.carried?.entry ?? []);
  return (sink, entry) => {
    for (const write of writers) write(sink, entry);
    writeRest(sink, entry.carried);
  };
}

function dataFileWriter({ formatVersion, partitionColumns, carried }: ManifestWriteOptions): Write<DataFile> {
  const writePartition = partitionWriter(partitionColumns);
  const writers = dataFileFields(formatVersion, partitionColumns).map((field): Write<DataFile> => {
    if (field.id === PARTITION_FIELD_ID) return (sink, file) => writePartition(sink, file.partition);
    if (field.id === BLOCK_SIZE_FIELD_ID) return (sink) => writeLong(sink, BLOCK_SIZE_BYTES);
    return writerFor(FILE_COLUMNS, field);
  });
  const writeRest = carriedWriter(carried?.dataFile ?? []);
  return (sink, file) => {
    for (const write of writers) write(sink, file);
    writeRest(sink, file.carried);
  };
}

function writerFor<Row>(
  columns: readonly { readonly id: number; writer(required: boolean): Write<Row> }[],
  field: Field,
): Write<Row> {
  const column = columns.find((one) => one.id === field.id);
  if (column === undefined) throw bug(`No column is written for the manifest field ${field.id}`);
  return column.writer(field.required);
}
