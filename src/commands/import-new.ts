// New table files from live tables: read, turned into a declaration, proved by a plan, written. Each table for
// itself: one that cannot be read or said does not stop the others.
import type { Catalog } from "../catalog/catalog.ts";
import { runJobs } from "../catalog/evidence-jobs.ts";
import type { ProjectConfig } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { writeTableYaml } from "../desired/write-yaml.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { adoptComments, commentsNote } from "../plan/import-comments.ts";
import type { Pins } from "../plan/import-fields.ts";
import { importTable } from "../plan/import-table.ts";
import type { ImportedFile } from "../report/import-report.ts";
import { notEmpty, type TextPlace } from "./import-check.ts";
import { type ImportedText, writeNewFile } from "./import-files.ts";
import { type FoundTable, liveName, type SourceCatalog } from "./import-find.ts";
import { pathFor, usualPath } from "./import-names.ts";
import { identifierKey } from "./load-targets.ts";
import { stopIfAsked } from "./make-plan.ts";
import type { CommandContext } from "./ports.ts";

export interface NewFilesOptions {
  readonly place: (source: SourceCatalog) => TextPlace;
  readonly pins: Pins;
  /** Take over the comments that only the catalog keeps. */
  readonly adoptsComments: boolean;
  /** The catalog that needs no word in a file. */
  readonly defaultCatalog: string | null;
  /** Of every table that a file declares: see `declaredTables`. */
  readonly declared: ReadonlyMap<string, string>;
  /** Null: texts only. */
  readonly write: ProjectConfig | null;
}

export interface NewFiles {
  readonly files: readonly ImportedFile[];
  readonly texts: readonly ImportedText[];
  /** Tables that a glob matched and a file declares already. */
  readonly declaredAlready: number;
}

/** Catalog and store calls that wait at once. */
const TABLES_AT_ONCE = 8;

export async function importNew(
  context: CommandContext,
  found: readonly FoundTable[],
  options: NewFilesOptions,
): Promise<NewFiles> {
  const isDeclared = (one: FoundTable): boolean => options.declared.has(identifierKey(one.source.name, one.identifier));
  const wanted = found.filter((one) => one.named || !isDeclared(one));
  for (const [catalog, tables] of byCatalog(wanted)) catalog.prefetch?.(tables);
  const twins = twinsOf(wanted, options);
  let done = 0;
  const made = await runJobs(
    wanted.map((one) => ({
      sizeBytes: 0,
      run: async () => {
        stopIfAsked(context);
        const result = await importOne(one, twins.has(one), options);
        context.progress.report({ what: "Importing", done: ++done, total: wanted.length, unit: "tables" });
        return result;
      },
    })),
    { jobs: TABLES_AT_ONCE, bytes: Number.MAX_SAFE_INTEGER },
  );
  context.progress.end();
  const texts = made.flatMap(({ text, file }) => (text === null || file.file === null ? [] : [{ file: file.file, text }]));
  return { files: made.map(({ file }) => file), texts, declaredAlready: found.length - wanted.length };
}

/** Those whose path differs from another's, or from that of a file, in nothing but case. */
function twinsOf(wanted: readonly FoundTable[], { declared: files, write }: NewFilesOptions): ReadonlySet<FoundTable> {
  const folded = (path: string): string => path.normalize("NFC").toLowerCase();
  const paths = wanted.flatMap((one) => {
    const path = one.declared === null ? null : newPath(write, one.declared);
    return path === null ? [] : [{ one, path }];
  });
  const times = new Map<string, number>();
  for (const path of new Set([...files.values(), ...paths.map(({ path: own }) => own)]))
    times.set(folded(path), (times.get(folded(path)) ?? 0) + 1);
  return new Set(paths.filter(({ path }) => (times.get(folded(path)) ?? 0) > 1).map(({ one }) => one));
}

function newPath(write: ProjectConfig | null, declared: readonly string[], isTwin = false): string | null {
  return write === null ? usualPath(declared, isTwin) : pathFor(write, declared, isTwin);
}

function byCatalog(found: readonly FoundTable[]): ReadonlyMap<Catalog, readonly TableIdentifier[]> {
  const tables = new Map<Catalog, TableIdentifier[]>();
  for (const { source, identifier } of found) {
    const known = tables.get(source.catalog);
    if (known === undefined) tables.set(source.catalog, [identifier]);
    else known.push(identifier);
  }
  return tables;
}

/** File by catalog and identifier, for every table of the environment that a file declares. */
export function declaredTables(tables: readonly TableSpec[]): ReadonlyMap<string, string> {
  return new Map(tables.map((spec) => [identifierKey(spec.catalog, spec.identifier), spec.file]));
}

interface Made {
  readonly file: ImportedFile;
  readonly text: string | null;
}

async function importOne(found: FoundTable, isTwin: boolean, options: NewFilesOptions): Promise<Made> {
  const { source, identifier, declared } = found;
  const table = formatPath(declared ?? liveName(identifier));
  const about = { table, catalog: source.name, columns: [], error: null };
  const refused = (finding: Diagnostic): Made => ({
    file: { ...about, file: null, state: "refused", findings: [finding] },
    text: null,
  });
  const file = options.declared.get(identifierKey(source.name, identifier));
  if (file !== undefined) return refused(declaredAlready(table, file));
  if (declared === null) return refused(namespaceUnknown(found, table));
  const path = newPath(options.write, declared, isTwin);
  if (path === null) return refused(pathUnmatched(table, options.write?.tables ?? []));
  try {
    const live = await source.catalog.loadTable(identifier);
    if (live === null) {
      throw new ToolError("not-found", `Cannot find table "${table}" in ${source.catalog.label}`, {
        why: "It was listed and is gone",
      });
    }
    const catalog = source.name === options.defaultCatalog ? null : source.name;
    const parameters = live.catalogState?.parameters ?? {};
    const imported = importTable(live.metadata, { name: declared, catalog, pins: options.pins, parameters });
    const comments = live.catalogState?.comments(live.metadata) ?? [];
    const wrong = notEmpty(writeTableYaml(imported.table), path, live, table, options.place(source));
    const findings = [...imported.notes, ...commentsNote(table, source.catalog.label, comments, options.adoptsComments)];
    // What is adopted is the one thing that the next plan is meant to do.
    const text = writeTableYaml(options.adoptsComments ? adoptComments(imported.table, comments) : imported.table);
    if (wrong !== null)
      return { file: { ...about, file: null, state: "refused", findings: [...imported.notes, wrong] }, text: null };
    if (options.write !== null && !(await writeNewFile(options.write.root, { file: path, text })))
      return refused(fileExists(table, path));
    const columns = live.metadata.schemas.find((schema) => schema.schemaId === live.metadata.currentSchemaId)?.fields ?? [];
    return {
      file: { ...about, file: path, state: "written", columns: columns.map((field) => field.name), findings },
      text,
    };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { file: { ...about, file: null, state: "failed", findings: [], error }, text: null };
  }
}

function declaredAlready(table: string, file: string): Diagnostic {
  return diagnostic("import-table-declared", {
    what: `Cannot import "${table}": a file declares it already`,
    why: `It is declared in ${file}, and no file is written over`,
    mend: "Add what the file lacks with `--update`, or look at the text with `--stdout` after taking the file away",
    table,
  });
}

function namespaceUnknown({ source, identifier }: FoundTable, table: string): Diagnostic {
  return diagnostic("import-namespace-unknown", {
    what: `Cannot tell what "${table}" would be declared as`,
    why: `No declared namespace becomes "${formatPath(identifier.namespace)}" by the environment's template "${source.template ?? ""}"`,
    mend: "Write its file by hand, with the live name for this environment: `environments: { …: { table: … } }`",
    table,
  });
}

function pathUnmatched(table: string, globs: readonly string[]): Diagnostic {
  return diagnostic("import-path-unmatched", {
    what: `Cannot tell where the file of "${table}" belongs`,
    why: `The globs of \`tables:\` match no file of its name: ${globs.map((glob) => `"${glob}"`).join(", ")}`,
    mend: 'Widen them ("tables/**/*.yaml"), or print the text with `--stdout`',
    table,
  });
}

function fileExists(table: string, path: string): Diagnostic {
  return diagnostic("import-file-exists", {
    what: `Cannot write the file of "${table}": ${path} is there`,
    why: "No file is written over, and this one does not declare the table in this environment",
    mend: "Move the file away, or print the text with `--stdout`",
    table,
  });
}
