// Says what is wrong with a folder that should hold a table and does not, or whose newest metadata file is
// broken, and how to mend it. Reads; changes nothing.
import { join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { METADATA_FOLDER } from "../iceberg/metadata-file.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import { listFolder } from "../storage/local-folder.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type LocalTable, tableName, VERSION_HINT, type VersionFile, type VersionState } from "./local-layout.ts";

const TABLE_FOLDERS = new Set([METADATA_FOLDER, "data"]);

/** Null where a table may be made: no folder, or folders without a file as an interrupted creation leaves them. */
export async function explainNoTable(table: LocalTable): Promise<null> {
  const { folder } = table;
  const entries = await listFolder(folder);
  if (entries === null) return null;
  const inside = async (name: string): Promise<readonly string[]> =>
    ((await listFolder(join(folder, name))) ?? []).map((entry) => entry.name);
  const metadata = entries.some((entry) => entry.name === METADATA_FOLDER) ? await inside(METADATA_FOLDER) : null;
  const isLeftover =
    entries.every((entry) => entry.kind === "folder" && TABLE_FOLDERS.has(entry.name)) &&
    (metadata ?? []).length === 0 &&
    (await inside("data")).length === 0;
  if (isLeftover) return null;

  const name = tableName(table.identifier);
  if (metadata === null) {
    throw new ToolError("refused", `Cannot load "${name}": its folder holds no table`, {
      why: `"${folder}" has no folder "${METADATA_FOLDER}" with files v1.metadata.json, v2.metadata.json and so on`,
      mend: "Check the name and the warehouse. If the folder is a namespace or something else, give the table another name",
      context: { folder },
    });
  }
  if (metadata.some((file) => /\.metadata\.json(\.gz)?$/.test(file))) {
    throw new ToolError("unsupported", `Cannot load "${name}" from its folder`, {
      why: `The metadata files in "${folder}" are named by a catalog that keeps a pointer to the current one; the folder does not tell which that is`,
      mend: "Open the table through that catalog (REST, Glue, Hive, SQL …)",
      context: { folder },
    });
  }
  throw new ToolError("corrupt", `Cannot load "${name}": its metadata files are gone`, {
    why: `"${join(folder, METADATA_FOLDER)}" holds no file v1.metadata.json, v2.metadata.json and so on`,
    mend: "Restore them from a backup. If there never was a table, move the folder away",
    context: { folder },
  });
}

/** The hint is only ever written after the version that it names, so that version was there and a commit is lost without it. */
export function explainLostVersion(table: LocalTable, hinted: number, newest: VersionFile): ToolError {
  const folder = join(table.folder, METADATA_FOLDER);
  return new ToolError("corrupt", `Cannot load "${tableName(table.identifier)}": its newest metadata file is missing`, {
    why: `"${VERSION_HINT}" names version ${hinted}, and the newest file is "${newest.name}"`,
    mend: `Restore the file of version ${hinted} from a backup; or, to give up its commit, write ${newest.version} into "${VERSION_HINT}"`,
    context: { folder },
  });
}

/** The error to throw for a newest metadata file that cannot be read, with what is known of the one before it. */
export async function explainBrokenTable(
  store: ObjectStore,
  table: LocalTable,
  state: VersionState,
  cause: ToolError,
): Promise<ToolError> {
  const broken = state.current?.name ?? "";
  const before = state.files.findLast((file) => file.version < (state.current?.version ?? 0));
  const folder = join(table.folder, METADATA_FOLDER);
  const isIntact = before !== undefined && (await canRead(store, join(folder, before.name)));
  const mend = isIntact
    ? `The file before it, "${before.name}", is intact. Restore "${broken}" from a backup; or, to give up its commit, move it out of the folder and write ${before.version} into "${VERSION_HINT}".`
    : `Restore "${broken}" from a backup.`;
  return new ToolError(
    "corrupt",
    `Cannot load "${tableName(table.identifier)}": its newest metadata file "${broken}" is broken`,
    {
      why: cause.why ?? cause.message,
      mend,
      context: { file: join(folder, broken), ...cause.context },
      cause,
    },
  );
}

async function canRead(store: ObjectStore, path: string): Promise<boolean> {
  try {
    readMetadata(await store.read(path), path);
    return true;
  } catch (error) {
    if (error instanceof ToolError) return false;
    throw error;
  }
}
