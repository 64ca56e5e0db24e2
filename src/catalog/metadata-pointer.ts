// The one way in which catalogs that keep a pointer to a metadata file commit: check, apply, write a new file,
// make it live, sort the answer. How a catalog makes a file live is its Landing; this file knows no catalog.
//
// Nothing is deleted on doubt: a file of ours goes only after a clear "no" and a look at the live state.
import { type ToolErrorKind, ToolError } from "../diagnostics/tool-error.ts";
import { applyUpdates } from "../iceberg/apply-update.ts";
import { checkRequirements } from "../iceberg/check-requirement.ts";
import { ATTEMPT_PROPERTY, type CommitOutcome, type TableCommit } from "../iceberg/commit.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { packMetadataFile } from "../iceberg/metadata-file.ts";
import { writeMetadata } from "../iceberg/metadata-json.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { removeForgottenFiles } from "./forgotten-files.ts";
import { lookUntil, statusChecks } from "./status-check.ts";

/** What a catalog takes from the world beside its store. */
export interface CatalogPorts {
  readonly nowMs: () => number;
  readonly newUuid: () => string;
  readonly wait: (milliseconds: number) => Promise<void>;
}

/** Where a commit's attempt id stands in the table, for the case that the metadata log has been trimmed. */

/** Does this later state show by the attempt id that the commit on `base` is part of it? */
export function carriesAttempt(later: TableMetadata, commit: TableCommit, base: TableMetadata | null): boolean {
  return later.properties[ATTEMPT_PROPERTY] === commit.attempt && base?.properties[ATTEMPT_PROPERTY] !== commit.attempt;
}

/** A metadata file that is to become the live one. */
export interface NewMetadataFile {
  readonly location: string;
  readonly metadata: TableMetadata;
  readonly bytes: Uint8Array;
}

export interface Landing {
  /** What can be done before anybody sees it. An outcome ends the commit; what is thrown here has changed nothing. */
  prepare(file: NewMetadataFile): Promise<CommitOutcome | null>;
  /** Makes the file live and reads it back. Throws when the end is not clear. */
  land(file: NewMetadataFile): Promise<CommitOutcome>;
  /** The live table if the file is, or was, the live one; null if it never became that; throws when that cannot be told. */
  find(file: NewMetadataFile): Promise<LiveTable | null>;
}

export interface PointerCommit {
  /** The table's name as it is printed. */
  readonly table: string;
  /** The state that was read; null for a new table. */
  readonly live: LiveTable | null;
  readonly commit: TableCommit;
  readonly store: ObjectStore;
  readonly ports: CatalogPorts;
  readonly landing: Landing;
  readonly nextLocation: (next: TableMetadata) => string;
  /** Why this catalog cannot have such a table, or null. */
  readonly objection?: (next: TableMetadata) => string | null;
}

export async function commitThroughPointer(request: PointerCommit): Promise<CommitOutcome> {
  const { live, commit, ports, landing } = request;
  const base = live?.metadata ?? null;
  const unmet = checkRequirements(commit.requirements, base);
  if (unmet.length > 0) return { state: "conflict", why: unmet.join("; ") };
  try {
    const next = applyUpdates(base, commit.updates, {
      nowMs: ports.nowMs(),
      previousMetadataLocation: live?.metadataLocation ?? null,
    });
    if (live !== null && next === live.metadata) return { state: "done", live };
    const objection = request.objection?.(next) ?? null;
    if (objection !== null) return { state: "refused", why: objection };

    const location = request.nextLocation(next);
    const file: NewMetadataFile = { location, metadata: next, bytes: packMetadataFile(writeMetadata(next), location) };
    const early = await landing.prepare(file);
    if (early !== null) return early;
    const outcome = await landOrSettle(request, landing, file);
    if (outcome.state === "done" && base !== null) await removeForgottenFiles(request.store, base, outcome.live);
    return outcome;
  } catch (error) {
    return clearFailure(error);
  }
}

async function landOrSettle(request: PointerCommit, landing: Landing, file: NewMetadataFile): Promise<CommitOutcome> {
  try {
    return await landing.land(file);
  } catch (error) {
    const checks = statusChecks(file.metadata.properties);
    const look = await lookUntil("told", () => landing.find(file), checks, request.ports.wait);
    switch (look.state) {
      case "found":
        return { state: "done", live: look.live };
      case "absent":
        return failureThatDidNotLand(error, request.table);
      case "unclear":
        return {
          state: "unknown",
          why: `No clear answer came (${reason(error)}), and reading "${request.table}" again failed (${reason(look.error)})`,
          written: file.location,
          cause: error,
        };
    }
  }
}

// The file could not be made live, and the live state shows that it is not. The catalog's token keeps a request
// that is still under way from landing on top of a later commit, so trying again is safe.
function failureThatDidNotLand(error: unknown, table: string): CommitOutcome {
  if (!(error instanceof ToolError) || error.retryable) {
    return {
      state: "conflict",
      why: `No clear answer came (${reason(error)}), and "${table}" shows that the commit did not land`,
    };
  }
  return clearFailure(error);
}

const FOR_GOOD: ReadonlySet<ToolErrorKind> = new Set(["auth", "refused", "unsupported", "storage-full", "not-found"]);

/** A failure that changed nothing: an outcome where it was said for good, else thrown on. */
function clearFailure(error: unknown): CommitOutcome {
  if (error instanceof ToolError && error.kind === "conflict") return { state: "conflict", why: reason(error) };
  if (error instanceof ToolError && FOR_GOOD.has(error.kind)) return { state: "refused", why: reason(error), cause: error };
  throw error;
}

/** What happened, in one clause. */
function reason(error: unknown): string {
  if (error instanceof ToolError && error.why !== undefined) return `${error.message}: ${error.why}`;
  return error instanceof Error ? error.message : String(error);
}
