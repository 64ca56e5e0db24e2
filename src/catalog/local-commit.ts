// The landing of the Hadoop layout: the file that gets the name `vN+1.metadata.json` is the commit, and the link in
// putIfAbsent lets one writer win. Where a name alone does not tell who won is local-settle.ts's business.
import { join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CommitOutcome } from "../iceberg/commit.ts";
import { lastPart } from "../iceberg/location.ts";
import { METADATA_FOLDER } from "../iceberg/metadata-file.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { VERSION_HINT } from "./local-layout.ts";
import { type LocalCommit, settleLanding } from "./local-settle.ts";
import { readVersionState, versionToken } from "./local-table.ts";
import type { Landing } from "./metadata-pointer.ts";

export function localLanding(request: LocalCommit): Landing {
  const { store } = request;
  return {
    prepare: async () => await staleness(request),
    land: async (file) => {
      if ((await store.putIfAbsent(file.location, file.bytes)) === "exists") {
        return { state: "conflict", why: `Another writer committed "${lastPart(file.location)}" first` };
      }
      return await settleLanding(request, file, true);
    },
    find: async (file) => {
      const outcome = await settleLanding(request, file, false);
      if (outcome.state === "unknown") throw new ToolError("unavailable", outcome.why);
      return outcome.state === "done" ? outcome.live : null;
    },
  };
}

/** Brings the hint to the newest version there is. Never fails: a hint that is behind does no harm to readers that look on. */
export async function advanceHint(store: ObjectStore, folder: string): Promise<void> {
  try {
    let written = -1;
    // Again until it is true after the writing: of two writers, the later hint may come from the earlier commit.
    for (;;) {
      const version = (await readVersionState(store, folder)).current?.version ?? written;
      if (version <= written) return;
      await store.replace(join(folder, METADATA_FOLDER, VERSION_HINT), new TextEncoder().encode(String(version)));
      written = version;
    }
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
  }
}

// Names alone do not tell that a state is stale: old versions may have been cleaned away, or the whole table
// made anew.
async function staleness({ store, table, live }: LocalCommit): Promise<CommitOutcome | null> {
  const { files, current } = await readVersionState(store, table.folder);
  const token = current === null ? null : await versionToken(table.folder, current);
  if (token !== (live?.token ?? null)) return { state: "conflict", why: "Another writer committed since the table was read" };
  const beyond = files.at(-1);
  if (current === null || beyond === undefined || beyond.version === current.version) return null;
  return {
    state: "refused",
    why: `"${beyond.name}" stands beyond a gap after "${current.name}": the next commits would run into it. Move it out of "${METADATA_FOLDER}"`,
  };
}
