// Which tables a command is about: declared names, globs over them, files or folders, and what changed since a
// revision. A word that selects nothing is an error: silence would be taken for success.
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import type { Project } from "../desired/load-project.ts";
import { nearest } from "../diagnostics/near-spelling.ts";
import type { DeclaredType, TableSpec } from "../desired/table-spec.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { changedFiles } from "../forge/git.ts";
import { isPathError, matchesGlob, parseGlob, parsePath } from "../iceberg/field-path.ts";
import type { SelectionArguments } from "./arguments.ts";

/** Words that select nothing, in the order typed. */
export function unmatchedWords(
  tables: readonly TableSpec[],
  root: string,
  selectors: readonly string[],
  directory: string,
): readonly string[] {
  return selectors.filter((word) => matching(word, tables, root, directory).length === 0);
}

export async function selectTables(
  tables: readonly TableSpec[],
  project: Project,
  args: Pick<SelectionArguments, "selectors" | "exclude" | "changed">,
  directory: string,
): Promise<readonly TableSpec[]> {
  const root = project.config?.root ?? directory;
  const chosen = args.selectors.length === 0 ? new Set(tables) : union(args.selectors, tables, root, directory);
  for (const word of args.exclude) for (const table of matching(word, tables, root, directory)) chosen.delete(table);
  if (args.changed === null) return tables.filter((table) => chosen.has(table));
  const changed = await changedFiles(root, args.changed);
  const isChanged = (file: string): boolean => changed.has(resolve(root, file));
  const everything = isChanged(project.config?.file ?? "");
  const groups = new Set([...project.shared].filter(([, group]) => isChanged(group.place.file)).map(([name]) => name));
  return tables.filter((table) => chosen.has(table) && (everything || isChanged(table.file) || usesGroup(table, groups)));
}

function union(words: readonly string[], tables: readonly TableSpec[], root: string, directory: string): Set<TableSpec> {
  const chosen = new Set<TableSpec>();
  for (const word of words) {
    const found = matching(word, tables, root, directory);
    if (found.length === 0) throw nothingSelected(word, tables);
    for (const table of found) chosen.add(table);
  }
  return chosen;
}

function matching(word: string, tables: readonly TableSpec[], root: string, directory: string): readonly TableSpec[] {
  const exact = tables.filter((table) => table.name === word);
  if (exact.length > 0) return exact;
  const asFile = relative(root, resolve(directory, word)).split("\\").join("/");
  const inFiles = tables.filter(
    (table) => table.file === asFile || table.file.startsWith(`${asFile}/`) || (asFile === "" && word === "."),
  );
  if (inFiles.length > 0 || (existsSync(join(root, asFile)) && word.includes("/"))) return inFiles;
  const glob = parseGlob(word);
  if (isPathError(glob)) return [];
  return tables.filter((table) => {
    const segments = parsePath(table.name);
    return !isPathError(segments) && (matchesGlob(glob, segments) || word === "*" || word === "**");
  });
}

function nothingSelected(word: string, tables: readonly TableSpec[]): ToolError {
  const close = nearest(
    word,
    tables.map((table) => table.name),
  );
  return new ToolError("usage", `Cannot find "${word}" among the declared tables`, {
    why: "It is neither a declared name, a glob that matches one, nor a file or folder with one",
    mend: close === null ? declaredNames(tables) : `Did you mean "${close}"?`,
  });
}

/** More names than these are no message. */
const NAMES_TOLD = 8;

function declaredNames(tables: readonly TableSpec[]): string {
  const adopt = "a live table gets its file by `floeplan import`";
  if (tables.length === 0) return `No table is declared; ${adopt}`;
  const told = tables.slice(0, NAMES_TOLD).map((table) => table.name);
  const more = tables.length > told.length ? ` and ${tables.length - told.length} more` : "";
  return `Declared: ${told.join(", ")}${more}; ${adopt}`;
}

function usesGroup(table: TableSpec, groups: ReadonlySet<string>): boolean {
  const open: DeclaredType[] = [{ kind: "struct", fields: table.columns }];
  for (let type = open.pop(); type !== undefined; type = open.pop()) {
    if (type.kind === "struct") {
      for (const field of type.fields) {
        if (field.group !== null && groups.has(field.group)) return true;
        open.push(field.type);
      }
    } else if (type.kind === "list") open.push(type.element.type);
    else if (type.kind === "map") open.push(type.key.type, type.value.type);
  }
  return false;
}
