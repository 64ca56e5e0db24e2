// Reads the metadata file that a catalog's pointer names, and says what a missing one means for the table. The
// document's own form is iceberg/metadata-json.ts's business.
import { ToolError } from "../diagnostics/tool-error.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";

/** `table` is the table's printed name. */
export async function readTableMetadata(store: ObjectStore, location: string, table: string): Promise<TableMetadata> {
  try {
    return readMetadata(await store.read(location), location);
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind !== "not-found") throw error;
    throw new ToolError("corrupt", `Cannot load "${table}": its metadata file is missing`, {
      why: `The catalog names "${location}", and nothing is there`,
      mend: "Restore the file, or point the catalog to the metadata file before it",
      context: { location },
      cause: error,
    });
  }
}
