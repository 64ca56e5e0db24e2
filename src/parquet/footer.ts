// Reads the footer of a Parquet file: checks the magic, the lengths and that row groups fit the schema and the
// file, and keeps the whole tree. Knows no page: their bytes are read by chunk-pages.ts.
import { readColumnChunk, count, type ColumnChunk } from "./column-chunk.ts";
import { corrupt, unsupported } from "./corrupt.ts";
import type { ByteSource } from "./file-io.ts";
import { FILE_METADATA, ROW_GROUP } from "./format.ts";
import { buildSchema, type Leaf, type SchemaNode } from "./schema.ts";
import { readStruct, ThriftTruncated } from "./thrift-read.ts";
import { hasField, structsAt, textAt, type ThriftStruct } from "./thrift-tree.ts";

export interface RowGroup {
  readonly tree: ThriftStruct;
  readonly rows: number;
  /** One a leaf, in the order of the leaves. */
  readonly chunks: readonly ColumnChunk[];
}

export interface Footer {
  /** The whole FileMetaData, unknown fields too. */
  readonly tree: ThriftStruct;
  readonly fileSizeBytes: number;
  readonly root: SchemaNode;
  readonly leaves: readonly Leaf[];
  readonly rows: number;
  readonly rowGroups: readonly RowGroup[];
  readonly createdBy: string | null;
}

/** Most footers fit, so that one request does. */
const TAIL_BYTES = 64 * 1024;
/** Magic at both ends and the footer's length. */
const FRAME_BYTES = 12;

/** The footer. Throws ToolError `corrupt` or, for encrypted files, `unsupported`. */
export async function readFooter(source: ByteSource): Promise<Footer> {
  const size = source.sizeBytes;
  if (size < FRAME_BYTES) throw corrupt(`The file has ${size} bytes, fewer than any Parquet file`);
  const tailStart = Math.max(0, size - TAIL_BYTES);
  const tail = await source.read(tailStart, size - tailStart);
  if (tail.length !== size - tailStart) throw corrupt("The file ended before its size was reached");
  const magic = String.fromCharCode(...tail.subarray(-4));
  if (magic === "PARE") throw unsupported("The file is encrypted, footer included");
  if (magic !== "PAR1") throw corrupt("The file does not end with the magic PAR1");
  const view = new DataView(tail.buffer, tail.byteOffset, tail.byteLength);
  const lengthBytes = view.getUint32(tail.length - 8, true);
  const start = size - 8 - lengthBytes;
  if (start < 4) throw corrupt(`The footer claims ${lengthBytes} bytes in a file of ${size}`);
  const bytes = start >= tailStart ? tail.subarray(start - tailStart, tail.length - 8) : await source.read(start, lengthBytes);
  return parseFooter(treeOf(bytes), start, size);
}

function treeOf(bytes: Uint8Array): ThriftStruct {
  try {
    return readStruct(bytes).value;
  } catch (error) {
    if (error instanceof ThriftTruncated) throw corrupt("The footer ends within a structure");
    throw error;
  }
}

/** The checked view of a FileMetaData tree whose bytes start at `start`. */
export function parseFooter(tree: ThriftStruct, start: number, fileSizeBytes: number): Footer {
  if (hasField(tree, FILE_METADATA.encryption)) throw unsupported("The file is encrypted with a plain footer");
  const { root, leaves } = buildSchema(structsAt(tree, FILE_METADATA.schema, "schema"));
  const rowGroups = structsAt(tree, FILE_METADATA.rowGroups, "list of row groups").map((group) => {
    const rows = count(group, ROW_GROUP.rows, "number of rows of a row group");
    const trees = structsAt(group, ROW_GROUP.columns, "list of column chunks");
    if (trees.length !== leaves.length) throw corrupt(`A row group has ${trees.length} columns, the schema ${leaves.length}`);
    const chunks = leaves.map((leaf, index) => {
      const chunk = trees[index];
      if (chunk === undefined) throw corrupt("A row group lacks a column");
      return readColumnChunk(chunk, leaf, rows, start);
    });
    return { tree: group, rows, chunks };
  });
  const rows = count(tree, FILE_METADATA.rows, "number of rows");
  const sum = rowGroups.reduce((total, group) => total + group.rows, 0);
  if (sum !== rows) throw corrupt(`The file claims ${rows} rows, its row groups ${sum}`);
  checkOverlap(rowGroups);
  return { tree, fileSizeBytes, root, leaves, rows, rowGroups, createdBy: textAt(tree, FILE_METADATA.createdBy) ?? null };
}

// Chunks that share bytes would let a small file grow without bound when they are copied.
function checkOverlap(rowGroups: readonly RowGroup[]): void {
  const chunks = rowGroups.flatMap((group) => group.chunks.filter((chunk) => chunk.compressedBytes > 0));
  let end = 0;
  for (const chunk of chunks.sort((a, b) => a.offset - b.offset)) {
    if (chunk.offset < end) throw corrupt(`Column "${chunk.leaf.path.join(".")}" overlaps another column's bytes`);
    end = chunk.offset + chunk.compressedBytes;
  }
}
