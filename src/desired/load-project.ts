// Loads a project: the project file, all shared files, all table files, each read once; then its tables for one
// environment. Every finding of every file is kept. Knows no catalog.
import { existsSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { type Diagnostic, diagnostic, formatPlace, type Place, sortDiagnostics } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { environmentOf, resolveTable } from "./build-table-spec.ts";
import { readConfig } from "./config/read-config.ts";
import type { ColumnGroup, TableDeclaration } from "./declaration/declaration.ts";
import { readGroup } from "./declaration/read-group.ts";
import { readTable } from "./declaration/read-table.ts";
import { findFiles } from "./find-files.ts";
import { MAX_FILES } from "./limits.ts";
import { type ParsedYaml, parseYaml } from "./parse-yaml.ts";
import type { ProjectConfig } from "./project-config.ts";
import { fromDisk, readProjectFile } from "./read-file.ts";
import type { TableSpec } from "./table-spec.ts";
import { quoted } from "./words.ts";
import { placeOf } from "./yaml/source-text.ts";
import { findEntry } from "./yaml/tree.ts";
import { stripTrailingSlashes } from "../iceberg/metadata-file.ts";

export const PROJECT_FILE = "floeplan.yaml";

interface TableFile {
  readonly file: string;
  /** Null where not even the table's name can be read. */
  readonly declaration: TableDeclaration | null;
}

export interface Project {
  /** Null where the project file has errors; nothing else is read then. */
  readonly config: ProjectConfig | null;
  /** In order of their paths. */
  readonly tables: readonly TableFile[];
  /** Shared groups by name. */
  readonly shared: ReadonlyMap<string, ColumnGroup>;
  /** The text of every file that was read, by its path: for excerpts and edits. */
  readonly texts: ReadonlyMap<string, string>;
  /** Of all files, in order of place. */
  readonly diagnostics: readonly Diagnostic[];
}

export interface ResolvedProject {
  readonly tables: readonly TableSpec[];
  /** Only what the environment adds; the files' own findings are the project's. */
  readonly diagnostics: readonly Diagnostic[];
}

/** The nearest project file at or above the folder, absolute, or null. */
export function findProjectFile(folder: string): string | null {
  for (let at = resolve(folder); ; at = dirname(at)) {
    const candidate = join(at, PROJECT_FILE);
    if (existsSync(candidate)) return candidate;
    if (dirname(at) === at) return null;
  }
}

/** `path`: the project's folder, or its project file under any name. A missing project file is a ToolError `config`. */
export function loadProject(path: string): Project {
  const file = projectFileOf(path);
  const root = dirname(file);
  const name = basename(file);
  const texts = new Map<string, string>();
  const found: Diagnostic[] = [];
  const parsedConfig = readAndParse(root, name, texts, found);
  const { config, diagnostics } = parsedConfig === null ? { config: null, diagnostics: [] } : readConfig(parsedConfig, root);
  found.push(...diagnostics);
  if (config === null || parsedConfig === null)
    return { config: null, tables: [], shared: new Map(), texts, diagnostics: sortDiagnostics(found) };

  const sharedFiles = listFiles(config, "shared", parsedConfig, found);
  const taken = new Set([name, ...sharedFiles]);
  const tableFiles = listFiles(config, "tables", parsedConfig, found, MAX_FILES - sharedFiles.length).filter(
    (one) => !taken.has(one),
  );
  if (tableFiles.length === 0) found.push(noTables(config, keyPlace(parsedConfig, "tables")));

  const environments = config.environments.map((one) => one.name);
  const shared = new Map<string, ColumnGroup>();
  for (const one of sharedFiles) {
    const parsed = readAndParse(root, one, texts, found);
    if (parsed === null) continue;
    const { group, diagnostics: own } = readGroup(parsed, environments);
    found.push(...own);
    if (group !== null) addGroup(shared, group, found);
  }
  const tables = tableFiles.map((one): TableFile => {
    const parsed = readAndParse(root, one, texts, found);
    if (parsed === null) return { file: one, declaration: null };
    const { declaration, diagnostics: own } = readTable(parsed, { groups: shared, environments });
    found.push(...own);
    return { file: one, declaration };
  });
  found.push(...unusedGroups(shared, tables));
  return { config, tables, shared, texts, diagnostics: sortDiagnostics(found) };
}

/** The tables of one environment, in order of their files. An environment that does not exist is a ToolError `usage`. */
export function resolveProject(project: Project, environmentName: string): ResolvedProject {
  if (project.config === null) return { tables: [], diagnostics: [] };
  const environment = environmentOf(project.config, environmentName);
  const tables: TableSpec[] = [];
  const found: Diagnostic[] = [];
  for (const { declaration } of project.tables) {
    if (declaration === null) continue;
    const { spec, diagnostics } = resolveTable(declaration, project.config, environment);
    found.push(...diagnostics);
    if (spec !== null) tables.push(spec);
  }
  found.push(...declaredTwice(tables), ...sharedLocations(tables));
  return { tables, diagnostics: sortDiagnostics(found) };
}

function projectFileOf(path: string): string {
  const absolute = resolve(path);
  const isFolder = existsSync(absolute) && fromDisk(path, () => statSync(absolute)).isDirectory();
  const file = isFolder ? join(absolute, PROJECT_FILE) : absolute;
  if (existsSync(file)) return file;
  throw new ToolError("config", `Cannot find the project file "${file}"`, {
    mend: "Run it in the project's folder, name the file with `--config`, or make one with `floeplan init`",
    context: { path: file },
  });
}

function readAndParse(root: string, file: string, texts: Map<string, string>, found: Diagnostic[]): ParsedYaml | null {
  const read = readProjectFile(root, file);
  if ("refused" in read) {
    found.push(read.refused);
    return null;
  }
  texts.set(file, read.source.text);
  return parseYaml(read.source);
}

/** `most`: of files that may be left to read. */
function listFiles(
  config: ProjectConfig,
  key: "tables" | "shared",
  parsed: ParsedYaml,
  found: Diagnostic[],
  most: number = MAX_FILES,
): readonly string[] {
  const { files, diagnostics } = fromDisk(config.root, () => findFiles(config.root, config[key], keyPlace(parsed, key), most));
  found.push(...diagnostics);
  return files;
}

function keyPlace({ source, root }: ParsedYaml, key: string): Place {
  const entry = root?.kind === "map" ? findEntry(root, key) : undefined;
  return placeOf(source, entry?.key ?? { start: 0, end: 0 });
}

function noTables(config: ProjectConfig, place: Place): Diagnostic {
  return diagnostic("no-files-match", {
    what: "No file declares a table",
    why: `No file matches ${config.tables.map(quoted).join(", ")}`,
    mend: "Correct `tables:`, or write the first table with `floeplan import`",
    place,
  });
}

function addGroup(shared: Map<string, ColumnGroup>, group: ColumnGroup, found: Diagnostic[]): void {
  const before = shared.get(group.name);
  if (before === undefined) {
    shared.set(group.name, group);
    return;
  }
  found.push(
    diagnostic("group-declared-twice", {
      what: `Cannot declare group ${quoted(group.name)} twice`,
      why: `It stands at ${formatPlace(before.place)} already`,
      mend: "Give one of them another name",
      place: group.place,
    }),
  );
}

function unusedGroups(shared: ReadonlyMap<string, ColumnGroup>, tables: readonly TableFile[]): Diagnostic[] {
  // A file that cannot be read may use any of them.
  if (tables.some((table) => table.declaration === null)) return [];
  const used = new Set(tables.flatMap((table) => table.declaration?.groups ?? []));
  return [...shared.values()].flatMap((group) =>
    used.has(group.name)
      ? []
      : [
          diagnostic("group-unused", {
            what: `No table uses group ${quoted(group.name)}`,
            mend: `Write \`- use: ${group.name}\` in a table, or remove the file`,
            place: group.place,
          }),
        ],
  );
}

function declaredTwice(tables: readonly TableSpec[]): Diagnostic[] {
  const seen = new Map<string, TableSpec>();
  return tables.flatMap((table) => {
    const { namespace, name } = table.identifier;
    const key = JSON.stringify([table.catalog, namespace, name]);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, table);
      return [];
    }
    return [
      diagnostic("table-declared-twice", {
        what: `Cannot declare table ${quoted([...namespace, name].join("."))} of catalog ${quoted(table.catalog)} twice in environment ${quoted(table.environment)}`,
        why: `${formatPlace(before.place)} declares it already`,
        mend: "Remove one of the files, or give one table another name",
        table: table.name,
        place: table.place,
      }),
    ];
  });
}

function sharedLocations(tables: readonly TableSpec[]): Diagnostic[] {
  const seen = new Map<string, TableSpec>();
  return tables.flatMap((table) => {
    if (table.location === null) return [];
    const key = stripTrailingSlashes(table.location);
    const before = seen.get(key);
    if (before === undefined) {
      seen.set(key, table);
      return [];
    }
    return [
      diagnostic("location-shared", {
        what: `Cannot store two tables in ${quoted(table.location)}`,
        why: `Table ${quoted(before.name)} at ${formatPlace(before.place)} is stored there; each would delete the other's files as unreferenced`,
        mend: "Give one of them a location of its own",
        table: table.name,
        place: table.places.location ?? table.place,
      }),
    ];
  });
}
