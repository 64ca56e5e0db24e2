// Walks a corpus and tells it a line a table: what was right, what was refused and why, what is wrong.
import { ToolError } from "../src/diagnostics/tool-error.ts";
import { readMetadata } from "../src/iceberg/metadata-json.ts";
import { checkTable } from "./corpus-check.ts";
import { findCorpus, type FoundTable, type MetadataFile } from "./corpus-find.ts";
import { roundTripProblem } from "./corpus-round-trip.ts";

export interface CorpusResult {
  readonly lines: readonly string[];
  readonly tables: number;
  readonly refusedTables: number;
  readonly failures: number;
  readonly plannedEdits: number;
  /** Refused edits by code, with the names of all. */
  readonly refusedEdits: ReadonlyMap<string, readonly string[]>;
}

export function checkCorpus(folder: string): CorpusResult {
  const { tables, wrong } = findCorpus(folder);
  const lines: string[] = [];
  const refusedEdits = new Map<string, string[]>();
  const sums = { refused: 0, failures: 0, planned: 0 };
  for (const table of tables) {
    const { line, failures, isRefused, planned, refused } = tableLine(table);
    lines.push(line, ...failures.map((one) => `  FAIL ${one}`));
    sums.failures += failures.length;
    sums.planned += planned;
    if (isRefused) sums.refused++;
    for (const [code, names] of refused) {
      refusedEdits.set(code, [...(refusedEdits.get(code) ?? []), ...names.map((name) => `${table.path}: ${name}`)]);
    }
  }
  for (const file of wrong) {
    const why = refusalOf(file);
    if (why === null) sums.failures++;
    lines.push(
      why === null ? `FAIL ${file.path}: a deliberately wrong file was read` : `${file.path}: refused as it must be: ${why}`,
    );
  }
  return {
    lines,
    tables: tables.length,
    refusedTables: sums.refused,
    failures: sums.failures,
    plannedEdits: sums.planned,
    refusedEdits,
  };
}

interface TableLine {
  readonly line: string;
  readonly failures: readonly string[];
  readonly isRefused: boolean;
  readonly planned: number;
  readonly refused: ReadonlyMap<string, readonly string[]>;
}

const NOTHING = { failures: [], planned: 0, refused: new Map<string, readonly string[]>() };

function tableLine({ path, files }: FoundTable): TableLine {
  const newest = files.at(-1);
  const why = newest === undefined ? "it has no file" : refusalOf(newest);
  if (newest === undefined || why !== null) return { line: `${path}: refused: ${why ?? ""}`, isRefused: true, ...NOTHING };
  const failures: string[] = [];
  let unread = 0;
  for (const file of files) {
    if (refusalOf(file) !== null) unread++;
    else failures.push(...roundTrip(file));
  }
  const metadata = readMetadata(newest.bytes, newest.path);
  const checked = checkTable(metadata, newest.path);
  failures.push(...checked.failures);
  const refused = [...checked.refused].map(([code, names]) => `${code} ${names.length}`);
  const parts = [
    `v${metadata.formatVersion}`,
    `${checked.fields} fields`,
    `${files.length - unread} files byte-faithful${unread === 0 ? "" : `, ${unread} refused`}`,
    `import ${checked.leftOut.length === 0 ? "whole" : `without ${checked.leftOut.length}`}`,
    `${checked.planned} edits planned`,
    ...(refused.length === 0 ? [] : [`refused ${refused.join(", ")}`]),
  ];
  const left = checked.leftOut.map((one) => `\n  not said: ${one}`).join("");
  return {
    line: `${path}: ${parts.join(", ")}${left}`,
    failures,
    isRefused: false,
    planned: checked.planned,
    refused: checked.refused,
  };
}

function roundTrip(file: MetadataFile): string[] {
  const problem = roundTripProblem(file);
  return problem === null ? [] : [`${file.path}: ${problem}`];
}

/** Why the file is not read; null when it is. */
function refusalOf(file: MetadataFile): string | null {
  try {
    readMetadata(file.bytes, file.path);
    return null;
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind === "internal") throw error;
    return error.why ?? error.message;
  }
}
