// Adds up live files into Evidence, one file at a time. Says only what the metrics prove: where one file does not
// tell, the sum is null. No I/O.
import type { BranchEvidence, Evidence, FieldEvidence, LateFiles } from "../iceberg/evidence.ts";
import { isDeletionVector, type OptionalColumn, type ProjectedDataFile } from "../iceberg/manifest.ts";
import { lacksMetrics, namesField } from "../iceberg/metrics.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import { newRangeTally } from "./evidence-ranges.ts";
import { newSeenTexts } from "./evidence-seen.ts";

/** A conversion whose late files are looked for. */
export interface ConvertedField {
  readonly retiredId: number;
  readonly newId: number;
}

/** The columns that evidence is made from. */
export const EVIDENCE_COLUMNS = [
  "columnSizes",
  "valueCounts",
  "nullValueCounts",
  "keyMetadata",
] as const satisfies readonly OptionalColumn[];

/** Bounds are the largest columns, and read only where ranges are asked for. */
export const EVIDENCE_COLUMNS_WITH_BOUNDS = [...EVIDENCE_COLUMNS, "lowerBounds", "upperBounds"] as const;

type EvidenceFile = ProjectedDataFile<(typeof EVIDENCE_COLUMNS)[number]> &
  Partial<ProjectedDataFile<(typeof EVIDENCE_COLUMNS_WITH_BOUNDS)[number]>>;

export interface EvidenceTally {
  /** Counts the file unless it was counted before: branches share files. */
  add(file: EvidenceFile, specId: number): void;
  readonly files: number;
  finish(branches: readonly BranchEvidence[]): Evidence;
}

type Sums<T> = { -readonly [Key in keyof T]: T[Key] };

/** `ranges`: types of the columns whose range of values is wanted, by field id. */
export function newEvidenceTally(
  conversions: readonly ConvertedField[],
  ranges: ReadonlyMap<number, PrimitiveType>,
): EvidenceTally {
  const rangeTally = newRangeTally(ranges);
  const seen = newSeenTexts();
  const formats = new Map<string, number>();
  const filesBySpec = new Map<number, number>();
  const fields = new Map<number, Sums<FieldEvidence>>();
  const equalityIds = new Set<number>();
  const lateFiles = conversions.map(({ retiredId, newId }): Sums<LateFiles> => {
    return { retiredId, newId, files: 0, records: 0n, unclear: 0, equalityDeleteFiles: 0 };
  });
  const sums = {
    dataFiles: 0,
    records: 0n,
    sizeBytes: 0n,
    positionDeleteFiles: 0,
    deletionVectors: 0,
    equalityDeleteFiles: 0,
    encryptedFiles: 0,
    filesWithoutMetrics: 0,
  };
  let files = 0;

  const addData = (file: EvidenceFile): void => {
    sums.dataFiles++;
    sums.records += file.recordCount;
    sums.sizeBytes += file.fileSizeBytes;
    count(formats, file.fileFormat.toUpperCase());
    if (lacksMetrics(file)) sums.filesWithoutMetrics++;
    addFields(fields, file);
    rangeTally.add({ lowerBounds: null, upperBounds: null, ...file });
    for (const late of lateFiles) {
      if (namesField(file, late.newId)) continue;
      if (namesField(file, late.retiredId)) {
        late.files++;
        late.records += file.recordCount;
      } else {
        late.unclear++;
      }
    }
  };

  const addDelete = (file: EvidenceFile): void => {
    if (file.content === "position-deletes") {
      if (isDeletionVector(file)) sums.deletionVectors++;
      else sums.positionDeleteFiles++;
      return;
    }
    sums.equalityDeleteFiles++;
    for (const id of file.equalityIds ?? []) equalityIds.add(id);
    for (const late of lateFiles) if (file.equalityIds?.includes(late.retiredId) === true) late.equalityDeleteFiles++;
  };

  return {
    add(file, specId) {
      // Deletion vectors share a Puffin file: each is its own piece of it.
      if (!seen.add(`${file.filePath}\n${file.contentOffset ?? ""}`)) return;
      files++;
      count(filesBySpec, specId);
      if (file.keyMetadata !== null) sums.encryptedFiles++;
      if (file.content === "data") addData(file);
      else addDelete(file);
    },
    get files() {
      return files;
    },
    finish: (branches) => ({
      ...sums,
      formats,
      equalityIds,
      fields,
      filesBySpec,
      branches,
      lateFiles,
      ...(ranges.size === 0 ? {} : { ranges: rangeTally.finish() }),
    }),
  };
}

function addFields(fields: Map<number, Sums<FieldEvidence>>, file: EvidenceFile): void {
  const { valueCounts, columnSizes } = file;
  for (const id of valueCounts?.keys() ?? []) addField(fields, file, id);
  for (const id of columnSizes?.keys() ?? []) if (valueCounts?.has(id) !== true) addField(fields, file, id);
}

function addField(fields: Map<number, Sums<FieldEvidence>>, file: EvidenceFile, id: number): void {
  const nulls = file.nullValueCounts?.get(id) ?? null;
  const sizeBytes = file.columnSizes?.get(id) ?? null;
  const values = file.valueCounts?.get(id) ?? 0n;
  const sum = fields.get(id);
  if (sum === undefined) {
    fields.set(id, { files: 1, values, nulls, sizeBytes });
    return;
  }
  sum.files++;
  sum.values += values;
  sum.nulls = sum.nulls === null || nulls === null ? null : sum.nulls + nulls;
  sum.sizeBytes = sum.sizeBytes === null || sizeBytes === null ? null : sum.sizeBytes + sizeBytes;
}

function count<Key>(counts: Map<Key, number>, key: Key): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
