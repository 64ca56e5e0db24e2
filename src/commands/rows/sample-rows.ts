// The first rows of a table as texts: the first live data files, columns found by field id. Where that would tell
// less than the truth (delete files, files without ids, other formats) it says why instead.
import { liveFiles } from "../../catalog/evidence-manifests.ts";
import { ToolError } from "../../diagnostics/tool-error.ts";
import { currentSchema, type TableMetadata } from "../../iceberg/table-metadata.ts";
import type { SampleRows } from "../../report/sample-rows.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { MissingIds, readFileRows } from "./read-file-rows.ts";

/** Files are opened until the rows suffice; a table of a million empty files must not be read to its end. */
const MAX_FILES = 16;

export async function sampleRows(store: ObjectStore, metadata: TableMetadata, limit: number): Promise<SampleRows> {
  const { fields } = currentSchema(metadata);
  const columns = fields.map((field) => field.name);
  const notShown = (whyNot: string): SampleRows => ({ columns, rows: [], whyNot });
  if (metadata.currentSnapshotId === null) return { columns, rows: [], whyNot: null };
  const files: { readonly location: string; readonly sizeBytes: number }[] = [];
  for await (const { entry, kind } of liveFiles(store, metadata, metadata.currentSnapshotId)) {
    if (kind !== "data") return notShown("delete files apply to the data; an engine shows them right");
    const { fileFormat, filePath, fileSizeBytes, keyMetadata } = entry.dataFile;
    if (fileFormat.toUpperCase() !== "PARQUET") return notShown(`a data file is ${fileFormat.toUpperCase()}, not Parquet`);
    if (keyMetadata !== null) return notShown("the data files are encrypted");
    if (files.length < MAX_FILES) files.push({ location: filePath, sizeBytes: Number(fileSizeBytes) });
  }
  const rows: (readonly (string | null)[])[] = [];
  try {
    for (const file of files) {
      if (rows.length >= limit) break;
      for (const row of await readFileRows(store, file, fields, limit - rows.length)) rows.push(row);
    }
  } catch (error) {
    if (error instanceof MissingIds) return notShown("a data file holds no field ids, so names would have to be guessed");
    if (error instanceof ToolError) return notShown(`a data file cannot be read (${error.message})`);
    throw error;
  }
  return { columns, rows, whyNot: null };
}
