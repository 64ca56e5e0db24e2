// Names and folders of a local warehouse: which folder a table's name means, that no name leaves the warehouse,
// and which tables and namespaces the folders hold. Reads folder names only.
import { join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { type FolderEntry, listFolder, realFolder } from "../storage/local-folder.ts";
import type { LocalTable } from "./local-layout.ts";
import { isTableFolder } from "./local-table.ts";

export function tableAt(warehouse: string, identifier: TableIdentifier): LocalTable {
  if (identifier.namespace.length === 0) throw badName(identifier.name, "a table needs a namespace");
  return { identifier, folder: join(warehouse, ...checkedNamespace([...identifier.namespace, identifier.name])) };
}

/** The levels, if each is the name of one folder below the one before. */
export function checkedNamespace(levels: readonly string[]): readonly string[] {
  for (const level of levels) {
    if (level === "") throw badName(level, "a level of its name is empty");
    if (/[/\\\0]/.test(level)) throw badName(level, "a slash, a backslash or NUL would lead to another folder");
    // `.` and `..` leave the folder, and a listing of tables passes over hidden folders.
    if (level.startsWith(".")) throw badName(level, "a name that starts with a dot is a hidden or a parent folder");
  }
  return levels;
}

/** In the order of their names. Folders below a table, and hidden ones, are not looked into. */
export async function* listLocalTables(
  warehouse: string,
  namespace: readonly string[] | undefined,
  requireWarehouse: () => Promise<void>,
): AsyncGenerator<TableIdentifier> {
  await requireWarehouse();
  const levels = checkedNamespace(namespace ?? []);
  const root = join(warehouse, ...levels);
  yield* walk(root, levels, namespace === undefined, new Set());
}

async function* walk(
  folder: string,
  levels: readonly string[],
  isDeep: boolean,
  seen: Set<string>,
): AsyncGenerator<TableIdentifier> {
  const entries = await listFolder(folder);
  if (entries === null) return;
  // A link may lead back to a folder above.
  const real = await realFolder(folder);
  if (seen.has(real)) return;
  seen.add(real);
  for (const { name } of entries.filter(isNamespaceOrTable)) {
    const child = join(folder, name);
    if (await isTableFolder(child)) {
      // A table right in the warehouse has no namespace, so no file can declare it.
      if (levels.length > 0) yield { namespace: levels, name };
    } else if (isDeep) {
      yield* walk(child, [...levels, name], isDeep, seen);
    }
  }
}

function isNamespaceOrTable(entry: FolderEntry): boolean {
  return entry.kind === "folder" && !entry.name.startsWith(".");
}

function badName(name: string, why: string): ToolError {
  return new ToolError("refused", `Cannot use ${JSON.stringify(name)} as a name in a local warehouse`, {
    why,
    mend: "Give it another name",
  });
}
