// Reads one table of the Hadoop layout from its folder, and says what a folder is that holds none. Knows
// nothing of warehouses or namespaces; commits are in local-commit.ts.
import { basename, dirname, join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { joinLocation, sameLocation } from "../iceberg/location.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { METADATA_FOLDER } from "../iceberg/metadata-file.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { fileStamp, type FolderEntry, listFolder } from "../storage/local-folder.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { explainBrokenTable, explainLostVersion, explainNoTable } from "./local-fault.ts";
import {
  currentVersion,
  type LocalTable,
  parseHint,
  VERSION_HINT,
  type VersionFile,
  versionFiles,
  type VersionState,
} from "./local-layout.ts";

/** Does this folder hold a table? Reads names only. */
export async function isTableFolder(folder: string): Promise<boolean> {
  return versionFiles(fileNames(await listFolder(join(folder, METADATA_FOLDER)))).length > 0;
}

export async function readVersionState(store: ObjectStore, folder: string): Promise<VersionState> {
  // The hint first: a version that it names is then in the later listing.
  const hinted = await readHint(store, folder);
  const files = versionFiles(fileNames(await listFolder(join(folder, METADATA_FOLDER))));
  return { files, current: currentVersion(files, hinted), hinted };
}

// A version that a listing showed may be cleaned away by other writers' commits before it is read.
const TRIES = 5;

/** Null when nothing is there or only what an interrupted creation leaves; any other folder without a table is a ToolError. */
export async function loadLocalTable(store: ObjectStore, table: LocalTable): Promise<LiveTable | null> {
  for (let attempt = 1; ; attempt++) {
    const state = await readVersionState(store, table.folder);
    if (state.current === null) return await explainNoTable(table);
    if (state.hinted !== null && state.hinted > state.current.version)
      throw explainLostVersion(table, state.hinted, state.current);
    try {
      return await readVersion(store, table, state.current);
    } catch (error) {
      if (!(error instanceof ToolError)) throw error;
      if (error.kind === "not-found" && attempt < TRIES) continue;
      if (error.kind === "corrupt" || error.kind === "not-found") throw await explainBrokenTable(store, table, state, error);
      throw error;
    }
  }
}

/** The table in this folder, without a catalog: its name is that of its folder, its namespace that of the folder above. */
export async function openTableFolder(store: ObjectStore, folder: string): Promise<LiveTable> {
  const identifier = { namespace: [basename(dirname(folder))], name: basename(folder) };
  const live = await loadLocalTable(store, { identifier, folder });
  if (live !== null) return live;
  throw new ToolError("not-found", `Cannot find a table in "${folder}"`, {
    why: "The folder is missing or empty",
    mend: `Give the table's own folder, the one that holds the folder "${METADATA_FOLDER}"`,
    context: { folder },
  });
}

async function readVersion(store: ObjectStore, table: LocalTable, file: VersionFile): Promise<LiveTable> {
  const path = join(table.folder, METADATA_FOLDER, file.name);
  // Before the bytes: if another file takes the name meanwhile, a commit on this state is refused, not lost.
  const token = await versionToken(table.folder, file);
  const metadata = readMetadata(await store.read(path), path);
  return liveTable(table, file, metadata, token);
}

export function liveTable(table: LocalTable, file: VersionFile, metadata: TableMetadata, token: string | null): LiveTable {
  return {
    identifier: table.identifier,
    metadata,
    metadataLocation: metadataLocation(table.folder, metadata, file.name),
    token,
  };
}

/** In the spelling of the table's own location, which the metadata log then keeps to. */
export function metadataLocation(folder: string, metadata: TableMetadata, name: string): string {
  const base = sameLocation(folder, metadata.location) ? metadata.location : folder;
  return joinLocation(base, METADATA_FOLDER, name);
}

/** Version and identity of the file: a table that was dropped and made again has the same versions, not the same files. */
export async function versionToken(folder: string, file: VersionFile): Promise<string | null> {
  const stamp = await fileStamp(join(folder, METADATA_FOLDER, file.name));
  return stamp === null ? null : `${file.version} ${stamp}`;
}

export function tokenVersion(token: string | null): number | null {
  const version = /^(\d+) /.exec(token ?? "")?.[1];
  return version === undefined ? null : Number(version);
}

function fileNames(entries: readonly FolderEntry[] | null): string[] {
  return (entries ?? []).filter(({ kind }) => kind === "file").map(({ name }) => name);
}

async function readHint(store: ObjectStore, folder: string): Promise<number | null> {
  try {
    const bytes = await store.read(join(folder, METADATA_FOLDER, VERSION_HINT));
    return parseHint(new TextDecoder().decode(bytes.subarray(0, 64)));
  } catch (error) {
    // Only a hint: what cannot be read is as good as missing.
    if (error instanceof ToolError) return null;
    throw error;
  }
}
