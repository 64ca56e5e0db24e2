// Rows of one Parquet file through hyparquet, columns and nested fields found by field id. Annotations of numbers
// are taken off first: hyparquet would round decimals and cut microseconds.
import {
  type CompressionCodec,
  type Compressors,
  type FileMetaData,
  parquetMetadataAsync,
  parquetReadObjects,
  parquetSchema,
  type SchemaElement,
  type SchemaTree,
} from "hyparquet";
import { ToolError } from "../../diagnostics/tool-error.ts";
import type { Field } from "../../iceberg/type.ts";
import { checkPages } from "../../parquet/check-pages.ts";
import { canDecompress, decompressor, loadCodecs } from "../../parquet/codecs/codec.ts";
import { readFooter } from "../../parquet/footer.ts";
import { storeSource } from "../../rewrite/store-io.ts";
import type { ObjectStore } from "../../storage/object-store.ts";
import { fieldText } from "./value-text.ts";

/** The file's columns carry no field ids. */
export class MissingIds extends Error {}

export async function readFileRows(
  store: ObjectStore,
  file: { readonly location: string; readonly sizeBytes: number },
  fields: readonly Field[],
  limit: number,
): Promise<readonly (readonly (string | null)[])[]> {
  const buffer = {
    byteLength: file.sizeBytes,
    slice: async (start: number, end: number = file.sizeBytes) => {
      const bytes = await store.readRange(file.location, start, end - start);
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength) as ArrayBuffer;
    },
  };
  try {
    const source = storeSource(store, file.location, file.sizeBytes);
    await checkPages(source, await readFooter(source), new Set(fields.map((field) => field.id)), limit);
    const metadata = plain(await parquetMetadataAsync(buffer));
    const tree = parquetSchema(metadata);
    if (tree.children.length > 0 && tree.children.every((child) => child.element.field_id === undefined)) throw new MissingIds();
    const wanted = tree.children.filter((child) => fields.some((field) => field.id === child.element.field_id));
    if (wanted.length === 0)
      return Array.from({ length: Math.min(limit, Number(metadata.num_rows)) }, () =>
        fields.map((field) => fieldText(undefined, field, undefined)),
      );
    const objects = await parquetReadObjects({
      file: buffer,
      metadata,
      columns: wanted.map((child) => child.element.name),
      rowEnd: Math.min(limit, Number(metadata.num_rows)),
      utf8: false,
      compressors: await compressorsOf(metadata),
    });
    return objects.map((object) => fields.map((field) => cell(object, field, wanted)));
  } catch (error) {
    if (error instanceof MissingIds || error instanceof ToolError) throw error;
    throw new ToolError("corrupt", `Cannot read rows of "${file.location}"`, {
      why: error instanceof Error ? error.message : String(error),
      cause: error,
    });
  }
}

function cell(object: Record<string, unknown>, field: Field, columns: readonly SchemaTree[]): string | null {
  const column = columns.find((child) => child.element.field_id === field.id);
  return fieldText(column === undefined ? undefined : object[column.element.name], field, column);
}

/** The same metadata without annotations on numbers and bytes. */
function plain(metadata: FileMetaData): FileMetaData {
  return { ...metadata, schema: metadata.schema.map(withoutAnnotation) };
}

function withoutAnnotation(element: SchemaElement): SchemaElement {
  const isText = element.converted_type === "UTF8" || element.logical_type?.type === "STRING";
  if (element.type === undefined || isText) return element;
  const { converted_type: annotation, logical_type: logical, ...rest } = element;
  return annotation === undefined && logical === undefined ? element : rest;
}

async function compressorsOf(metadata: FileMetaData): Promise<Compressors> {
  const names = new Set<CompressionCodec>(
    metadata.row_groups.flatMap((group) => group.columns.flatMap((column) => column.meta_data?.codec ?? [])),
  );
  const known = [...names].filter((name) => canDecompress(name));
  await loadCodecs(known);
  return Object.fromEntries(known.map((name) => [name, decompressor(name)]));
}
