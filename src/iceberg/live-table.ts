// A table as the catalog shows it now: the metadata document and where the pointer to it stood in the same
// read. `token` is the catalog's own lock word and opaque to everyone else.
import type { CatalogState } from "./catalog-state.ts";
import type { TableMetadata } from "./table-metadata.ts";

/** Namespace levels and the table's name, last. At least two parts. */
export interface TableIdentifier {
  readonly namespace: readonly string[];
  readonly name: string;
}

export interface LiveTable {
  readonly identifier: TableIdentifier;
  readonly metadata: TableMetadata;
  /** Where the metadata file is. */
  readonly metadataLocation: string;
  /** The catalog's lock word of the same read (Glue VersionId, S3 Tables versionToken, local version number). */
  readonly token: string | null;
  /** What this catalog keeps of the table beside the metadata, e.g. Glue's own column list. */
  readonly catalogState?: CatalogState;
}
