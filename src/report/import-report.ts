// What an import wrote, as a report: one row a file, and for each table what its file cannot say or why there is
// none. Decides what is said; how it looks is in formats/.
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import type { ToolError } from "../diagnostics/tool-error.ts";
import { typedCommand } from "../diagnostics/typed-command.ts";
import type { JsonObject } from "../iceberg/json.ts";
import { errorBlocks } from "./apply-report.ts";
import { findingOf, type Sources } from "./excerpt.ts";
import { diagnosticJson } from "./formats/diagnostics-json.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section, type TableBlock } from "./report.ts";
import { counted, joinTexts, prose, text, type Text } from "./text.ts";

/** How the import of one table ended. */
export type ImportState =
  /** A new file. */
  | "written"
  /** A file that was there got columns. */
  | "updated"
  /** A file that was there says all already. */
  | "unchanged"
  /** Nothing was written, and a finding says why. */
  | "refused"
  /** The table could not be read, or the file not written. */
  | "failed";

export interface ImportedFile {
  /** Declared name. */
  readonly table: string;
  readonly catalog: string;
  /** Null where it never came to one. */
  readonly file: string | null;
  readonly state: ImportState;
  /** Of a new file: its columns. Of an updated one: the paths that were added. */
  readonly columns: readonly string[];
  readonly findings: readonly Diagnostic[];
  readonly error: ToolError | null;
}

export interface ImportReportOptions {
  readonly environment: string;
  readonly sources: Sources;
  /** Tables that were passed over because a file declares them already. */
  readonly declaredAlready: number;
  /** All notes, however many. */
  readonly verbose: boolean;
}

/** More notes than this hide what must be read. */
const NOTES_SHOWN = 3;

export function importReport(files: readonly ImportedFile[], options: ImportReportOptions): Report {
  const notes = files.reduce((sum, file) => sum + file.findings.filter(isNote).length, 0);
  const showNotes = options.verbose || notes <= NOTES_SHOWN;
  const summary = summaryOf(files, options, showNotes ? 0 : notes);
  const done = files.filter(isWritten);
  const sections = files.flatMap((file) => tableSection(file, options, showNotes) ?? []);
  return {
    tone: files.some(isStopped) ? "blocked" : "good",
    headline: text`Import from ${options.environment}`,
    alerts: [],
    overview: null,
    sections: [...(done.length === 0 ? [] : [filesSection(done, options.environment)]), ...sections],
    summary,
    next:
      done.length === 0
        ? null
        : prose(`read the files, then ${typedCommand("plan", null, options.environment)}: it has no steps for them`),
    json: importJson(files, options),
  };
}

function isNote(one: Diagnostic): boolean {
  return one.severity === "note";
}

function isStopped({ state }: ImportedFile): boolean {
  return state === "refused" || state === "failed";
}

function isWritten({ state }: ImportedFile): boolean {
  return state === "written" || state === "updated";
}

function filesSection(files: readonly ImportedFile[], environment: string): Section {
  const rows = files.map((file): TableBlock["rows"][number] => ({
    importance: IMPORTANCE.metadata,
    cells: [text`${file.file ?? ""}`, text`${file.table}`, prose(whatWasDone(file))],
  }));
  return {
    importance: IMPORTANCE.overview,
    tone: "good",
    context: null,
    title: text`Written from ${environment}`,
    state: null,
    file: null,
    brief: prose(counted(files.length, "file")),
    blocks: [
      {
        kind: "table",
        columns: [
          { title: "file", align: "left" },
          { title: "table", align: "left" },
          { title: "", align: "left" },
        ],
        rows,
      },
    ],
  };
}

function whatWasDone({ state, columns }: ImportedFile): string {
  return state === "updated" ? `${counted(columns.length, "field")} added` : counted(columns.length, "column");
}

function tableSection(file: ImportedFile, options: ImportReportOptions, showNotes: boolean): Section | null {
  const find = (wanted: (one: Diagnostic) => boolean) =>
    file.findings.filter(wanted).map((one) => findingOf(one, options.sources));
  const full = find((one) => !isNote(one));
  const short = showNotes ? find(isNote) : [];
  const added: LeafBlock[] =
    file.state !== "updated"
      ? []
      : [
          {
            kind: "paragraph",
            text: text`added: ${joinTexts(
              file.columns.map((path) => text`${path}`),
              ", ",
            )}`,
          },
        ];
  const blocks: LeafBlock[] = [...added, ...(file.error === null ? [] : errorBlocks(file.error))];
  if (full.length > 0) blocks.push({ kind: "findings", detail: "full", items: full });
  if (short.length > 0) blocks.push({ kind: "findings", detail: "line", items: short });
  if (blocks.length === 0) return null;
  const stopped = isStopped(file);
  return {
    importance: stopped ? IMPORTANCE.blocked : full.length > 0 ? IMPORTANCE.warning : IMPORTANCE.note,
    tone: stopped ? "blocked" : full.length > 0 ? "behaviour" : "quiet",
    context: options.environment,
    title: text`${file.table}`,
    state: stopped ? file.state : null,
    file: file.file,
    brief: prose(stopped ? file.state : whatWasDone(file)),
    blocks,
  };
}

const WORDS: readonly (readonly [ImportState, string])[] = [
  ["written", "written"],
  ["updated", "updated"],
  ["unchanged", "unchanged"],
  ["refused", "refused"],
  ["failed", "failed"],
];

function summaryOf(files: readonly ImportedFile[], options: ImportReportOptions, hiddenNotes: number): Text {
  const parts = WORDS.flatMap(([state, word]) => {
    const count = files.filter((file) => file.state === state).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  const sentences = [
    files.length === 0 ? "Nothing to import." : `${counted(files.length, "table")}: ${parts.join(", ")}.`,
    ...(options.declaredAlready === 0 ? [] : [`${counted(options.declaredAlready, "table is", "tables are")} declared already.`]),
    ...(hiddenNotes === 0 ? [] : [`${counted(hiddenNotes, "note")} not shown: -v shows them.`]),
  ];
  return prose(sentences.join(" "));
}

function importJson(files: readonly ImportedFile[], { environment, declaredAlready }: ImportReportOptions): JsonObject {
  return {
    floeplan: 1,
    environment,
    tables: files.map(({ table, catalog, file, state, columns, findings, error }) => ({
      table,
      catalog,
      file,
      state,
      columns: [...columns],
      findings: findings.map(diagnosticJson),
      error: error === null ? null : { kind: error.kind, what: error.message, why: error.why ?? null, mend: error.mend ?? null },
    })),
    "declared-already": declaredAlready,
  };
}
