// The embedded engine: the surgical rewrite of Parquet files in this process. Two files at a time; finished
// files stand in a journal, and each is proved present before it counts.
import { runMany } from "../catalog/evidence-jobs.ts";
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { PreflightCounts } from "../conversion/preflight.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { locationKey } from "../iceberg/location.ts";
import { hasFieldIds } from "../parquet/assign-field-ids.ts";
import { checkRewrite } from "../parquet/check-rewrite.ts";
import { columnRewrite } from "./column-rewrites.ts";
import { convertFile, dataFileFooter } from "./convert-file.ts";
import { openJournal } from "./journal.ts";
import type { DataFileRef } from "./live-data.ts";
import { outputLocation } from "./output-location.ts";
import { countsOf, newTally, tallyFile } from "./preflight.ts";
import type { ConvertedFile, RewriteEngine, RewriteJob, RewriteProgress } from "./rewrite-engine.ts";

/** Files at once: decoding keeps one core busy, the other waits on the store. */
const PARALLEL_FILES = 2;
/** Footers are small and slow to fetch. */
const PARALLEL_FOOTERS = 8;

export const embeddedEngine: RewriteEngine = {
  name: "embedded",
  check,
  preflight,
  convert,
};

async function check(job: RewriteJob, progress: RewriteProgress): Promise<readonly Diagnostic[]> {
  const { store, conversions, table, files } = job;
  const rewrites = conversions.map(columnRewrite);
  const found = new Map<string, Diagnostic>();
  let done = 0;
  await runMany([...files.values()], PARALLEL_FOOTERS, async (file) => {
    progress.checkpoint();
    const footer = await dataFileFooter(store, file);
    if (!hasFieldIds(footer)) {
      found.set("no-field-ids", noFieldIds(table, file));
    } else {
      const checked = checkRewrite(footer, rewrites);
      if (checked.state === "unsupported") found.set(checked.column + checked.why, unsupportedColumn(table, file, checked));
    }
    progress.report("Checking data files", ++done, files.size);
  });
  return [...found.values()];
}

function noFieldIds(table: string, file: DataFileRef): Diagnostic {
  return diagnostic("convert-no-field-ids", {
    what: `Cannot convert columns of "${table}"`,
    why: `Live data file "${file.location}" holds no field ids (it was added from outside); converting such files is not built yet`,
    mend: "Rewrite these files with an engine first (Spark: rewrite_data_files), which gives them ids",
    table,
  });
}

function unsupportedColumn(
  table: string,
  file: DataFileRef,
  { column, why }: { readonly column: string; readonly why: string },
): Diagnostic {
  return diagnostic("convert-file-unsupported", {
    what: `Cannot rewrite column "${column}" of "${table}"`,
    why: `${why} (in "${file.location}")`,
    mend: "Rewrite these files with an engine first (Spark: rewrite_data_files; Athena: OPTIMIZE)",
    table,
    field: column,
  });
}

async function preflight(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<number, PreflightCounts>> {
  const { store, conversions, files } = job;
  const tallies = new Map(conversions.map((conversion) => [conversion, newTally()]));
  let done = 0;
  await runMany([...files.values()], PARALLEL_FILES, async (file) => {
    await tallyFile(store, file, tallies, () => {
      progress.checkpoint();
    });
    progress.report("Checking values", ++done, files.size);
  });
  return new Map([...tallies].map(([{ fieldId }, tally]) => [fieldId, countsOf(tally)]));
}

async function convert(job: RewriteJob, progress: RewriteProgress): Promise<ReadonlyMap<string, ConvertedFile>> {
  const { store, metadata, conversions, files } = job;
  const journal = await openJournal(store, metadata);
  const converted = new Map<string, ConvertedFile>();
  let done = 0;
  await runMany([...files], PARALLEL_FILES, async ([key, file]) => {
    progress.checkpoint();
    const result = await finishedOrNew(job, file, journal.finished, conversions);
    converted.set(key, result);
    journal.add(result);
    await journal.saveSometimes();
    progress.report("Rewriting data files", ++done, files.size);
  });
  await journal.save();
  return converted;
}

/** A finished file counts only if it is there with its length; else it is made again. */
async function finishedOrNew(
  { store, metadata }: RewriteJob,
  file: DataFileRef,
  finished: ReadonlyMap<string, ConvertedFile>,
  conversions: readonly ColumnConversion[],
): Promise<ConvertedFile> {
  const target = outputLocation(metadata, file.location, conversions);
  const known = finished.get(locationKey(target));
  if (known?.target !== null && known !== undefined && known.source === file.location) {
    const there = await store.head(known.target.location);
    if (there !== null && BigInt(there.sizeBytes) === known.target.sizeBytes) return known;
  }
  return await convertFile(store, file, conversions, target);
}
