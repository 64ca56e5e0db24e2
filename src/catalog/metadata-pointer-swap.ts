// The landing of catalogs whose pointer is a record of a service: the file is written under a fresh name, then
// the record is swapped on condition of the token of the same read. Knows the order and the doubts, no service.
import { Buffer } from "node:buffer";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { sameLocation } from "../iceberg/location.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { carriesAttempt, type CatalogPorts, type Landing, type NewMetadataFile } from "./metadata-pointer.ts";
import { lookOnce, lookUntil, statusChecks } from "./status-check.ts";

export type SwapAnswer =
  | { readonly state: "swapped"; readonly token: string | null }
  | { readonly state: "conflict"; readonly why: string }
  | { readonly state: "refused"; readonly why: string; readonly cause?: unknown };

export interface PointerSwap {
  readonly identifier: TableIdentifier;
  readonly live: LiveTable | null;
  readonly commit: TableCommit;
  readonly store: ObjectStore;
  readonly ports: CatalogPorts;
  /** Points the catalog to the file, on condition of the token that was read with `live`. Throws when no clear answer came. */
  readonly swap: (file: NewMetadataFile) => Promise<SwapAnswer>;
  readonly reload: () => Promise<LiveTable | null>;
}

export function swapLanding(request: PointerSwap): Landing {
  const { store } = request;

  const discard = async (file: NewMetadataFile): Promise<void> => {
    if (store.canRemove) await store.remove(file.location).catch(() => undefined);
  };
  const find = async (file: NewMetadataFile): Promise<LiveTable | null> => {
    const live = await request.reload();
    return live !== null && holdsCommit(live, file, request) ? live : null;
  };

  const prepare = async (file: NewMetadataFile): Promise<CommitOutcome | null> => {
    try {
      if ((await store.putIfAbsent(file.location, file.bytes)) === "written") return null;
    } catch (error) {
      await discard(file);
      throw error;
    }
    // A client that sent twice is told that the name is taken, by its own first try.
    if (Buffer.compare(await store.read(file.location), file.bytes) === 0) return null;
    return { state: "conflict", why: `Another metadata file has the name "${file.location}"` };
  };

  const land = async (file: NewMetadataFile): Promise<CommitOutcome> => {
    const answer = await request.swap(file);
    if (answer.state === "swapped") return await readBack(request, file, answer.token, find);
    // A client that sent twice may be told of a conflict with its own first try.
    const look = await lookOnce(() => find(file));
    if (look.state === "found") return { state: "done", live: look.live };
    if (look.state === "absent") await discard(file);
    return answer;
  };
  return { prepare, land, find };
}

async function readBack(
  request: PointerSwap,
  file: NewMetadataFile,
  token: string | null,
  find: (file: NewMetadataFile) => Promise<LiveTable | null>,
): Promise<CommitOutcome> {
  const look = await lookUntil("found", () => find(file), statusChecks(file.metadata.properties), request.ports.wait);
  if (look.state === "found") return { state: "done", live: look.live };
  if (look.state === "absent") {
    return {
      state: "unknown",
      why: `The catalog confirmed the commit, and reading again shows a state without it`,
      written: file.location,
    };
  }
  const metadata = readMetadata(file.bytes, file.location);
  return { state: "done", live: { identifier: request.identifier, metadata, metadataLocation: file.location, token } };
}

function holdsCommit(live: LiveTable, file: NewMetadataFile, request: PointerSwap): boolean {
  if (sameLocation(live.metadataLocation, file.location)) return true;
  if (carriesAttempt(live.metadata, request.commit, request.live?.metadata ?? null)) return true;
  return live.metadata.metadataLog.some((entry) => sameLocation(entry.metadataFile, file.location));
}
