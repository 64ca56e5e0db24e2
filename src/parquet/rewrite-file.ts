// The surgical rewrite of one Parquet file: untouched column chunks are copied byte for byte, the chunks of
// the rewritten columns are re-encoded, and a new footer describes both. Row groups, their rows and the order
// of chunks stay. Knows no Iceberg.
import { lowerOf, merge, noBounds, upperOf } from "./bounds.ts";
import { checkRewrite, type CheckedRewrite } from "./check-rewrite.ts";
import { SHORT_TRIAL_VALUES, TRIAL_VALUES } from "./chunk-encoder.ts";
import { openChunk } from "./chunk-pages.ts";
import { chunkTree, type ChunkSummary, movedChunkTree } from "./chunk-summary.ts";
import { loadCodecs } from "./codecs/codec.ts";
import type { ColumnChunk } from "./column-chunk.ts";
import type { ColumnResult, ColumnRewrite, FileRewriteResult } from "./column-rewrite.ts";
import type { ConversionFailure } from "./convert-page.ts";
import { writeIndexes, type WrittenChunk } from "./copy-indexes.ts";
import { rewriteDecodedChunk } from "./decoded-chunk.ts";
import type { ByteSink, ByteSource } from "./file-io.ts";
import { type FileWriter, fileWriter } from "./file-writer.ts";
import type { Footer, RowGroup } from "./footer.ts";
import { FILE_METADATA } from "./format.ts";
import { rewriteKeptDictionary } from "./kept-dictionary-chunk.ts";
import { correctKeyValues } from "./key-values.ts";
import { leavesOf, newColumnOrders, newRowGroup, newSchema } from "./new-footer.ts";
import { targetElement } from "./target-schema.ts";
import { listField, THRIFT, type ThriftStruct, withFields } from "./thrift-tree.ts";
import { writeStruct } from "./thrift-write.ts";
import { valueOrder } from "./value-order.ts";

export interface RewriteOptions {
  /** Top-level columns left out of the new file. */
  readonly droppedFieldIds?: readonly number[];
  /** Pairs added to the footer, in place of pairs of the same key. */
  readonly keyValues?: ReadonlyMap<string, string>;
}

export type FileRewriteAnswer =
  | { readonly state: "written"; readonly result: FileRewriteResult }
  /** No wanted column is in the file, or its new one is there already: the file stays as it is. Nothing was written. */
  | { readonly state: "nothing-to-rewrite" }
  /** Found from the footer; nothing was written. `why` is a clause, e.g. `it uses encoding ALP`. */
  | { readonly state: "unsupported"; readonly column: string; readonly why: string }
  /** A value does not convert, or a null stands in a required column. What was written is to be thrown away. */
  | { readonly state: ConversionFailure; readonly retiredFieldId: number };

/** Counts up whenever the bytes of a rewritten file may change: names of finished files are derived from it. */
export const ENCODER_VERSION = 1;

const MAGIC = Uint8Array.of(0x50, 0x41, 0x52, 0x31);

/** Writes the rewritten file to `sink`. Throws ToolError `corrupt` where the source breaks the format. */
export async function rewriteFile(
  source: ByteSource,
  sink: ByteSink,
  footer: Footer,
  rewrites: readonly ColumnRewrite[],
  options: RewriteOptions = {},
): Promise<FileRewriteAnswer> {
  const check = checkRewrite(footer, rewrites);
  if (check.state !== "ready") return check;
  const byLeaf = new Map(check.columns.map((column) => [column.leaf.index, column]));
  const droppedIds = options.droppedFieldIds ?? [];
  const droppedNodes = footer.root.children.filter((node) => node.fieldId !== null && droppedIds.includes(node.fieldId));
  const dropped = new Set(droppedNodes.flatMap(leavesOf).map((leaf) => leaf.index));
  await loadCodecs(codecsOf(footer, byLeaf));

  const writer = fileWriter(sink);
  await writer.write(MAGIC);
  const chunks = footer.rowGroups.flatMap((group) => group.chunks.filter((chunk) => !dropped.has(chunk.leaf.index)));
  const written = new Map<ColumnChunk, WrittenChunk>();
  /** Leaves whose last chunk held mostly distinct values. */
  const distinct = new Set<number>();
  for (const chunk of chunks.sort((a, b) => a.offset - b.offset)) {
    const column = byLeaf.get(chunk.leaf.index);
    const isDistinct = distinct.has(chunk.leaf.index);
    const done =
      column === undefined ? await copyChunk(writer, chunk) : await rewriteChunk(source, writer, chunk, column, isDistinct);
    if ("state" in done) return done;
    written.set(chunk, done);
    if (done.rewritten?.summary.isDistinct === true) distinct.add(chunk.leaf.index);
    else distinct.delete(chunk.leaf.index);
  }
  const inOrder = chunks.flatMap((chunk) => written.get(chunk) ?? []);
  await writeIndexes(source, writer, inOrder);

  const groups = footer.rowGroups.map((group) => rowGroupTree(group, written, byLeaf, dropped));
  const tree = fileTree(footer, [...byLeaf.values()], droppedNodes, groups, dropped, options.keyValues ?? new Map());
  await writeFooter(writer, tree);
  const columns = check.columns.map((column) => columnResult(column, inOrder));
  return { state: "written", result: fileResult(footer, writer, inOrder, columns, written) };
}

function codecsOf(footer: Footer, byLeaf: ReadonlyMap<number, CheckedRewrite>): Set<ColumnChunk["codec"]> {
  return new Set(
    footer.rowGroups.flatMap((group) => group.chunks.filter((chunk) => byLeaf.has(chunk.leaf.index)).map((chunk) => chunk.codec)),
  );
}

async function copyChunk(writer: FileWriter, chunk: ColumnChunk): Promise<WrittenChunk> {
  const offset = writer.position;
  await writer.copy(chunk.offset, chunk.compressedBytes);
  return { source: chunk, offset, rewritten: null, tree: movedChunkTree(chunk, offset) };
}

async function rewriteChunk(
  source: ByteSource,
  writer: FileWriter,
  chunk: ColumnChunk,
  { rewrite }: CheckedRewrite,
  wasDistinct: boolean,
): Promise<WrittenChunk | { readonly state: ConversionFailure; readonly retiredFieldId: number }> {
  const reader = openChunk(source, chunk);
  const summary: ChunkSummary | ConversionFailure =
    (await rewriteKeptDictionary(reader, rewrite, writer)) ??
    (await rewriteDecodedChunk(reader, rewrite, writer, wasDistinct ? SHORT_TRIAL_VALUES : TRIAL_VALUES));
  if (typeof summary === "string") return { state: summary, retiredFieldId: rewrite.retiredFieldId };
  const { offset } = summary;
  const tree = chunkTree(chunk, summary, rewrite.target);
  return { source: chunk, offset, rewritten: { summary, order: valueOrder(rewrite.target) }, tree };
}

function rowGroupTree(
  group: RowGroup,
  written: ReadonlyMap<ColumnChunk, WrittenChunk>,
  byLeaf: ReadonlyMap<number, CheckedRewrite>,
  dropped: ReadonlySet<number>,
): ThriftStruct {
  const keptOrder = (leafIndex: number): boolean => {
    const chunk = group.chunks[leafIndex];
    const summary = chunk === undefined ? undefined : written.get(chunk)?.rewritten?.summary;
    if (summary === undefined || chunk === undefined) return true;
    // A value that became null stands where its order does not put nulls.
    return byLeaf.get(leafIndex)?.rewrite.keepsOrder === true && chunk.nulls === BigInt(summary.bounds.nulls);
  };
  const trees = group.chunks.flatMap((chunk) => written.get(chunk)?.tree ?? []);
  return newRowGroup(group, trees, dropped, keptOrder);
}

function fileTree(
  footer: Footer,
  columns: readonly CheckedRewrite[],
  droppedNodes: Parameters<typeof newSchema>[2],
  groups: readonly ThriftStruct[],
  dropped: ReadonlySet<number>,
  keyValues: ReadonlyMap<string, string>,
): ThriftStruct {
  const replaced = new Map(
    columns.map(({ node, rewrite }) => [
      node.elementIndex,
      targetElement(node.element, rewrite.target, rewrite.newFieldId, rewrite.required),
    ]),
  );
  const orders = newColumnOrders(footer, new Set(columns.map(({ leaf }) => leaf.index)), dropped);
  const changed = [
    ...columns.map(({ node, rewrite }) => ({ name: node.name, target: rewrite.target, isRequired: rewrite.required })),
    ...droppedNodes.map((node) => ({ name: node.name, target: null, isRequired: false })),
  ];
  const tree = withFields(
    footer.tree,
    listField(FILE_METADATA.schema, THRIFT.struct, newSchema(footer, replaced, droppedNodes)),
    listField(FILE_METADATA.rowGroups, THRIFT.struct, groups),
    ...(orders === null ? [] : [listField(FILE_METADATA.columnOrders, THRIFT.struct, orders)]),
  );
  return correctKeyValues(tree, changed, keyValues);
}

async function writeFooter(writer: FileWriter, tree: ThriftStruct): Promise<void> {
  const bytes = writeStruct(tree);
  const end = new Uint8Array(8);
  new DataView(end.buffer).setUint32(0, bytes.length, true);
  end.set(MAGIC, 4);
  await writer.write(bytes);
  await writer.write(end);
  await writer.flush();
}

function columnResult({ rewrite, leaf }: CheckedRewrite, chunks: readonly WrittenChunk[]): ColumnResult {
  const order = valueOrder(rewrite.target);
  const bounds = noBounds();
  let values = 0n;
  let sizeBytes = 0n;
  for (const { source, rewritten } of chunks) {
    if (rewritten === null || source.leaf.index !== leaf.index) continue;
    merge(bounds, order, rewritten.summary.bounds);
    values += BigInt(source.values);
    sizeBytes += BigInt(rewritten.summary.compressedBytes);
  }
  return {
    newFieldId: rewrite.newFieldId,
    values,
    nulls: BigInt(bounds.nulls),
    nans: order.hasNans ? BigInt(bounds.nans) : null,
    lower: lowerOf(bounds, order),
    upper: upperOf(bounds, order),
    sizeBytes,
  };
}

function fileResult(
  footer: Footer,
  writer: FileWriter,
  chunks: readonly WrittenChunk[],
  columns: readonly ColumnResult[],
  written: ReadonlyMap<ColumnChunk, WrittenChunk>,
): FileRewriteResult {
  const sum = (of: (summary: ChunkSummary) => number): number =>
    chunks.reduce((total, { rewritten }) => total + (rewritten === null ? 0 : of(rewritten.summary)), 0);
  const offsets = footer.rowGroups.flatMap((group) => {
    const starts = group.chunks.flatMap((chunk) => written.get(chunk)?.offset ?? []);
    return starts.length === 0 ? [] : [Math.min(...starts)];
  });
  return {
    rows: BigInt(footer.rows),
    sizeBytes: writer.position,
    columns,
    splitOffsets: offsets.sort((a, b) => a - b).map(BigInt),
    decodedBytes: sum((summary) => summary.decodedBytes),
    copiedBytes: writer.copiedBytes + sum((summary) => summary.keptBytes),
  };
}
