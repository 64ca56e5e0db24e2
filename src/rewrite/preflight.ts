// Converts the columns without writing: counts what does not convert, what becomes null and what is lost, by
// reason. Reads dictionary pages alone where they decide.
import type { ColumnConversion } from "../conversion/column-conversion.ts";
import type { FailureReason, Loss } from "../conversion/conversion.ts";
import type { PreflightCounts } from "../conversion/preflight.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ByteSource } from "../parquet/file-io.ts";
import type { Footer } from "../parquet/footer.ts";
import { scanColumn } from "../parquet/scan-column.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { storedConverter } from "./column-rewrites.ts";
import { dataFileFooter } from "./convert-file.ts";
import type { DataFileRef } from "./live-data.ts";
import { storeSource } from "./store-io.ts";

export interface PreflightTally {
  values: bigint;
  nulls: bigint;
  becomeNull: bigint;
  readonly failures: Map<FailureReason, bigint>;
  readonly losses: Map<Loss, bigint>;
  files: number;
  bytesRead: number;
}

export function newTally(): PreflightTally {
  return { values: 0n, nulls: 0n, becomeNull: 0n, failures: new Map(), losses: new Map(), files: 0, bytesRead: 0 };
}

export function countsOf(tally: PreflightTally): PreflightCounts {
  return { ...tally, failures: new Map(tally.failures), losses: new Map(tally.losses) };
}

/** Adds one file's counts, a tally a conversion. */
export async function tallyFile(
  store: ObjectStore,
  file: DataFileRef,
  tallies: ReadonlyMap<ColumnConversion, PreflightTally>,
  checkpoint: () => void,
): Promise<void> {
  const footer = await dataFileFooter(store, file);
  const source = storeSource(store, file.location, file.sizeBytes);
  for (const [conversion, tally] of tallies) {
    checkpoint();
    await tallyColumn(source, footer, conversion, tally, file);
  }
}

async function tallyColumn(
  source: ByteSource,
  footer: Footer,
  conversion: ColumnConversion,
  tally: PreflightTally,
  file: DataFileRef,
): Promise<void> {
  const answer = storedConverter(conversion);
  const setsNull = conversion.rule.onError === "set-null";
  const scanned = await scanColumn(source, footer, conversion.fieldId, {
    counts: (value) => {
      const converted = answer(value);
      return "failure" in converted || converted.value === null || converted.loss !== undefined;
    },
    found: (value, rows) => {
      const converted = answer(value);
      if ("failure" in converted) {
        add(tally.failures, converted.failure, rows);
        if (setsNull) tally.becomeNull += BigInt(rows);
      } else if (converted.value === null) {
        tally.becomeNull += BigInt(rows);
      } else if (converted.loss !== undefined) {
        add(tally.losses, converted.loss, rows);
      }
    },
  });
  if (scanned.state === "unsupported") {
    throw new ToolError("unsupported", `Cannot read column "${scanned.column}" of a data file`, {
      why: scanned.why,
      context: { file: file.location },
    });
  }
  if (scanned.state === "absent") return;
  tally.values += scanned.rows;
  tally.nulls += scanned.nulls ?? 0n;
  tally.files++;
  tally.bytesRead += scanned.bytesRead;
}

function add<K>(counts: Map<K, bigint>, key: K, rows: number): void {
  counts.set(key, (counts.get(key) ?? 0n) + BigInt(rows));
}
