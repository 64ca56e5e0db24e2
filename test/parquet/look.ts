// Looks into a Parquet file's footer with hyparquet, for what our own reader should not judge by itself.
import { type ColumnMetaData, type FileMetaData, parquetMetadata } from "hyparquet";

export function metadataOf(bytes: Uint8Array): FileMetaData {
  return parquetMetadata(new Uint8Array(bytes).buffer);
}

/** The column's metadata a row group. */
export function columnOf(bytes: Uint8Array, path: string): readonly ColumnMetaData[] {
  return metadataOf(bytes).row_groups.flatMap((group) =>
    group.columns.flatMap((chunk) => (chunk.meta_data?.path_in_schema.join(".") === path ? [chunk.meta_data] : [])),
  );
}
