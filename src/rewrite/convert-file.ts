// One live data file → one new file with the same rows in the same order, or the answer that it needs none.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { lowerBoundOf, upperBoundOf } from "../iceberg/bounds-truncate.ts";
import type { SingleValue } from "../iceberg/bound.ts";
import type { ColumnMetrics } from "../iceberg/metrics.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import type { ColumnResult } from "../parquet/column-rewrite.ts";
import { type Footer, readFooter } from "../parquet/footer.ts";
import type { ColumnValue } from "../parquet/physical.ts";
import { rewriteFile } from "../parquet/rewrite-file.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { columnRewrite } from "./column-rewrites.ts";
import type { DataFileRef } from "./live-data.ts";
import { fromPhysical } from "./physical-values.ts";
import type { ConvertedFile } from "./rewrite-engine.ts";
import { storeSource, writerSink } from "./store-io.ts";

/** The footer of a data file; a missing or damaged file is told with its name. */
export async function dataFileFooter(store: ObjectStore, file: DataFileRef): Promise<Footer> {
  try {
    return await readFooter(storeSource(store, file.location, file.sizeBytes));
  } catch (error) {
    throw placed(error, file);
  }
}

export async function convertFile(
  store: ObjectStore,
  file: DataFileRef,
  conversions: readonly ColumnConversion[],
  target: string,
): Promise<ConvertedFile> {
  const footer = await dataFileFooter(store, file);
  const writer = await store.create(target);
  try {
    const source = storeSource(store, file.location, file.sizeBytes);
    const answer = await rewriteFile(source, writerSink(writer, file.location), footer, conversions.map(columnRewrite));
    if (answer.state === "nothing-to-rewrite") {
      await writer.abort();
      return { source: file.location, target: null };
    }
    if (answer.state !== "written") {
      await writer.abort();
      throw notWritten(answer, file, conversions);
    }
    if (answer.result.rows !== file.records) throw rowsDiffer(file, answer.result.rows);
    const { sizeBytes } = await writer.close();
    const columns = new Map(answer.result.columns.map((column) => columnMetrics(column, conversions)));
    return {
      source: file.location,
      target: { location: target, sizeBytes: BigInt(sizeBytes), splitOffsets: answer.result.splitOffsets, columns },
    };
  } catch (error) {
    await writer.abort();
    throw placed(error, file);
  }
}

/** Bounds are whole here; the manifest cuts them by the table's metrics settings. */
function columnMetrics(result: ColumnResult, conversions: readonly ColumnConversion[]): [number, ColumnMetrics] {
  const conversion = conversions.find((one) => one.newId === result.newFieldId);
  if (conversion === undefined) throw new ToolError("internal", "A rewritten column belongs to no conversion");
  const { to, fieldId } = conversion;
  return [
    fieldId,
    {
      fieldId: result.newFieldId,
      sizeBytes: result.sizeBytes,
      valueCount: result.values,
      nullCount: result.nulls,
      nanCount: result.nans,
      lowerBound: bound(to, result.lower, lowerBoundOf),
      upperBound: bound(to, result.upper, upperBoundOf),
    },
  ];
}

function bound(type: PrimitiveType, stored: ColumnValue | null, encode: typeof lowerBoundOf): Uint8Array | null {
  if (stored === null) return null;
  const value: SingleValue | undefined =
    type.kind === "string" && stored instanceof Uint8Array ? new TextDecoder().decode(stored) : fromPhysical(type)(stored);
  return value === undefined ? null : encode(type, value, null);
}

type Refusal = Exclude<Awaited<ReturnType<typeof rewriteFile>>, { readonly state: "written" | "nothing-to-rewrite" }>;

function notWritten(answer: Refusal, file: DataFileRef, conversions: readonly ColumnConversion[]): ToolError {
  if (answer.state === "unsupported") {
    return new ToolError("unsupported", `Cannot rewrite column "${answer.column}" of a data file`, {
      why: answer.why,
      context: { file: file.location },
    });
  }
  const path = conversions.find((one) => one.fieldId === answer.retiredFieldId)?.path ?? `id ${answer.retiredFieldId}`;
  return new ToolError("refused", `Cannot convert "${path}": a value of a data file does not convert`, {
    why: "The preflight found none, so the file changed in between, or the preflight is wrong",
    mend: "Run the apply again",
    context: { file: file.location },
  });
}

function rowsDiffer(file: DataFileRef, rows: bigint): ToolError {
  return new ToolError("corrupt", "Cannot trust a data file: it holds another number of rows than its manifest says", {
    why: `The file has ${rows} rows, the manifest says ${file.records}`,
    context: { file: file.location },
  });
}

function placed(error: unknown, file: DataFileRef): unknown {
  if (!(error instanceof ToolError) || error.context["file"] !== undefined) return error;
  return new ToolError(error.kind, `Cannot read the data file "${file.location}"`, {
    why: error.why === undefined ? error.message : `${error.message}: ${error.why}`,
    mend: error.mend ?? "Restore the file from a backup, or remove its rows with an engine that tolerates it",
    context: { ...error.context, file: file.location },
    retryable: error.retryable,
    cause: error,
  });
}
