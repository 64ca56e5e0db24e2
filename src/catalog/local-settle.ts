// Whether a metadata file that was to take its name in the Hadoop layout is the table's next state. The name is
// exclusive, and yet does not always tell: old versions are cleaned away and free their names, so a writer that
// was slow could link "its" version beside much later ones; and Spark's own commit (look, then rename) overwrites.
//
// A false "done" loses a commit, and a false "conflict" lets the caller clean up files that are in use: where the
// evidence does not decide, the answer is "unknown".
import { Buffer } from "node:buffer";
import { join } from "node:path";
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { lastPart } from "../iceberg/location.ts";
import { METADATA_FOLDER } from "../iceberg/metadata-file.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { type LocalTable, parseVersionName, type VersionFile } from "./local-layout.ts";
import { liveTable, loadLocalTable, readVersionState, versionToken } from "./local-table.ts";
import { carriesAttempt, type NewMetadataFile } from "./metadata-pointer.ts";

export interface LocalCommit {
  readonly store: ObjectStore;
  readonly table: LocalTable;
  /** The state that the commit was built on; null for a new table. */
  readonly live: LiveTable | null;
  readonly commit: TableCommit;
}

/** What one look at the folder shows. */
interface Sight {
  readonly own: VersionFile;
  /** A file of our name stands there. */
  readonly isListed: boolean;
  /** It holds our bytes. */
  readonly isOurs: boolean;
  readonly twin: VersionFile | undefined;
  /** The lowest version above ours. */
  readonly later: VersionFile | undefined;
}

// Others may clean a file away between the look and the reading.
const TRIES = 10;

/** `isWritten`: the store said that our file got its name; else that is not known. */
export async function settleLanding(request: LocalCommit, file: NewMetadataFile, isWritten: boolean): Promise<CommitOutcome> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await settleOnce(request, file, isWritten);
    } catch (error) {
      if (!(error instanceof ToolError) || error.kind !== "not-found" || attempt === TRIES) throw error;
    }
  }
}

async function settleOnce(request: LocalCommit, file: NewMetadataFile, isWritten: boolean): Promise<CommitOutcome> {
  const { store } = request;
  const sight = await look(request, file);
  const { own, twin, later } = sight;
  const giveWay = async (why: string): Promise<CommitOutcome> => {
    if (sight.isOurs) await store.remove(file.location);
    return { state: "conflict", why };
  };
  if (later !== undefined) {
    const verdict = await judge(request, file, isWritten, sight, later);
    if (verdict === "landed") return await landed(request, file, sight);
    if (verdict === "late") return await giveWay("Another writer committed since the table was read");
    return {
      state: "unknown",
      why: `Versions up to "${later.name}" appeared at once, and do not tell whether ours is among them`,
      written: file.location,
    };
  }
  if (twin !== undefined) return await giveWay(`Another writer committed the same version as "${twin.name}"`);
  if (sight.isOurs) return await landed(request, file, sight);
  const why = sight.isListed ? `Another program put its own "${own.name}" in the place of ours` : `"${own.name}" is not there`;
  return { state: "conflict", why };
}

async function look({ store, table }: LocalCommit, file: NewMetadataFile): Promise<Sight> {
  const own = parseVersionName(lastPart(file.location));
  if (own === null) throw bug("A local metadata file has no version in its name", { location: file.location });
  const { files } = await readVersionState(store, table.folder);
  const isListed = files.some((other) => other.name === own.name);
  return {
    own,
    isListed,
    isOurs: isListed && Buffer.compare(await store.read(file.location), file.bytes) === 0,
    twin: files.find((other) => other.version === own.version && other.name !== own.name),
    later: files.find((other) => other.version > own.version),
  };
}

/**
 * A later version stands beside ours. It was built on ours, or on another file of our name that was cleaned away
 * just before ours took the name. Its log tells: beside the name it holds the time in the file that it was built on.
 */
async function judge(
  request: LocalCommit,
  file: NewMetadataFile,
  isWritten: boolean,
  { own, isListed, isOurs }: Sight,
  later: VersionFile,
): Promise<"landed" | "late" | "unclear"> {
  const { store, table, live, commit } = request;
  const path = join(table.folder, METADATA_FOLDER, later.name);
  const metadata = readMetadata(await store.read(path), path);
  const entry = metadata.metadataLog.find((one) => lastPart(one.metadataFile) === own.name);
  if (entry !== undefined && entry.timestampMs !== file.metadata.lastUpdatedMs) return "late";
  if (carriesAttempt(metadata, commit, live?.metadata ?? null)) return "landed";
  // A version is cleaned away once, so ours went after it had been followed.
  if (isWritten && !isListed) return "landed";
  if (entry !== undefined) {
    // Another file of the same millisecond, unless our name was never free: the oldest versions go first.
    return (isWritten || isOurs) && (await isBaseThere(request)) ? "landed" : "unclear";
  }
  // The log always names the version right before.
  if (later.version === own.version + 1) return "late";
  return isOurs && (await hasGapAfter(request, own)) ? "late" : "unclear";
}

async function isBaseThere({ table, live }: LocalCommit): Promise<boolean> {
  if (live === null) return true;
  const base = parseVersionName(lastPart(live.metadataLocation));
  return base !== null && (await versionToken(table.folder, base)) === live.token;
}

// Were ours a part of the chain, it would have been cleaned away before the version that is missing after it. A
// second look, since a listing is not one moment.
async function hasGapAfter({ store, table }: LocalCommit, own: VersionFile): Promise<boolean> {
  const { files } = await readVersionState(store, table.folder);
  return files.some((other) => other.name === own.name) && !files.some((other) => other.version === own.version + 1);
}

async function landed({ store, table }: LocalCommit, file: NewMetadataFile, { own, isOurs }: Sight): Promise<CommitOutcome> {
  const token = isOurs ? await versionToken(table.folder, own) : null;
  if (token !== null) {
    return { state: "done", live: liveTable(table, own, readMetadata(file.bytes, file.location), token) };
  }
  // Ours has been followed and cleaned away: the newest state holds it.
  const live = await loadLocalTable(store, table);
  return live === null ? { state: "conflict", why: "The table is gone" } : { state: "done", live };
}
