// Commits to Glue: the metadata file is written, then the entry is swapped on condition of the VersionId of the same
// read. Also brings the entry alone in step. Which answer means what is decided here; the shared order of steps is in
// metadata-pointer.ts.
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import { type GlueTableInput, POINTER_PARAMETERS } from "../iceberg/glue-entry.ts";
import { glueTableInput, ownParameters, shortened } from "../iceberg/glue-input.ts";
import { fitting, glueState, type GlueState, isGlueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { nextMetadataLocation } from "../iceberg/metadata-file.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import { clauseOf, GlueError, isPassing } from "./glue-error.ts";
import { printedName } from "./glue-names.ts";
import type { GlueService } from "./glue-service.ts";
import { type CatalogPorts, commitThroughPointer, type NewMetadataFile } from "./metadata-pointer.ts";
import { type SwapAnswer, swapLanding } from "./metadata-pointer-swap.ts";

export interface GlueWriter {
  readonly service: GlueService;
  readonly ports: CatalogPorts;
  readonly storeAt: (location: string) => ObjectStore;
  /** Reads the table again, from Glue. */
  readonly load: (identifier: TableIdentifier) => Promise<LiveTable | null>;
}

/** `database` holds the new table; the objection says why the table cannot be like that, or null. */
export async function createGlueTable(
  writer: GlueWriter,
  identifier: TableIdentifier,
  database: string,
  commit: TableCommit,
  objection: (next: TableMetadata) => string | null,
): Promise<CommitOutcome> {
  const state = glueState(identifier.name, null);
  return await commitThroughPointer({
    ...pointerCommit(
      writer,
      identifier,
      null,
      commit,
      async (file) =>
        await send(writer, entryAfter(state, identifier.name, file, null, commit), (input) =>
          writer.service.createTable(database, input),
        ),
    ),
    objection: (next) => objection(next) ?? firstProblem(state, commit, next),
  });
}

export async function commitGlueTable(
  writer: GlueWriter,
  database: string,
  live: LiveTable,
  commit: TableCommit,
): Promise<CommitOutcome> {
  const { catalogState: state, token } = live;
  if (!isGlueState(state) || state.before === null)
    return { state: "conflict", why: "The table was not read from Glue since its last commit: read it again" };
  if (token === null)
    return { state: "refused", why: "Glue gives no VersionId for this table, so that nothing would keep two writers apart" };
  const name = state.before.entry.Name ?? live.identifier.name;
  const update = async (input: GlueTableInput): Promise<void> => await writer.service.updateTable(database, input, token);

  const outcome = await commitThroughPointer({
    ...pointerCommit(
      writer,
      live.identifier,
      live,
      commit,
      async (file) => await send(writer, entryAfter(state, name, file, live.metadataLocation, commit), update),
    ),
    objection: (next) => firstProblem(state, commit, next),
  });
  const isUnchanged = outcome.state === "done" && outcome.live === live;
  if (!isUnchanged || (commit.syncCatalog !== true && commit.catalogParameters === undefined)) return outcome;
  return await syncEntry(writer, live, state, commit, update);
}

function pointerCommit(
  { ports, storeAt, load }: GlueWriter,
  identifier: TableIdentifier,
  live: LiveTable | null,
  commit: TableCommit,
  swap: (file: NewMetadataFile) => Promise<SwapAnswer>,
): Parameters<typeof commitThroughPointer>[0] {
  const store = storeAt(live?.metadataLocation ?? newLocation(commit));
  return {
    table: printedName(identifier),
    live,
    commit,
    store,
    ports,
    nextLocation: (next) => nextMetadataLocation(next, live?.metadataLocation ?? null, ports.newUuid()),
    landing: swapLanding({ identifier, live, commit, store, ports, swap, reload: async () => await load(identifier) }),
  };
}

function newLocation(commit: TableCommit): string {
  return commit.updates.find((update) => update.action === "set-location")?.location ?? "";
}

function firstProblem(state: GlueState, commit: TableCommit, next: TableMetadata): string | null {
  const reserved = Object.keys(commit.catalogParameters ?? {}).find((key) => POINTER_PARAMETERS.has(key));
  if (reserved !== undefined) return `The Glue parameter "${reserved}" is set by each commit, and by nobody else`;
  const [problem] = state.problems(next, commit.catalogParameters);
  return problem === undefined ? null : `${problem.what}: ${problem.why}`;
}

function entryAfter(
  { before }: GlueState,
  name: string,
  { metadata, location }: Pick<NewMetadataFile, "metadata" | "location">,
  previousLocation: string | null,
  { catalogParameters: parameters }: TableCommit,
): GlueTableInput {
  return glueTableInput(name, before, { metadata, metadataLocation: location, previousLocation, parameters });
}

/** Waits between tries of a call that Glue turned away without doing anything. */
const WAITS_MS = [200, 800, 3200] as const;

/** Throws where Glue did not say whether it did it. */
async function send(
  { ports }: GlueWriter,
  whole: GlueTableInput,
  call: (input: GlueTableInput) => Promise<void>,
): Promise<SwapAnswer> {
  let input = fitting(whole);
  for (let attempt = 0; ; ) {
    try {
      await call(input);
      return { state: "swapped", token: null };
    } catch (error) {
      if (!(error instanceof GlueError) || !error.isCertain) throw error;
      const wait = WAITS_MS[attempt];
      if (isTooLarge(error) && input === whole) {
        input = shortened(whole);
      } else if (isPassing(error) && wait !== undefined) {
        await ports.wait(wait);
        attempt++;
      } else {
        return refusal(error);
      }
    }
  }
}

function isTooLarge(error: GlueError): boolean {
  return error.kind === "refused" && /payload size/i.test(error.why ?? "");
}

function refusal(error: GlueError): SwapAnswer {
  if (error.code === "AlreadyExistsException") return { state: "conflict", why: "A table of this name exists already" };
  if (error.code === "ConcurrentModificationException")
    return { state: "conflict", why: "Another writer committed since the table was read" };
  // It did nothing: reading and trying again is all it takes.
  if (isPassing(error)) return { state: "conflict", why: clauseOf(error) };
  const mend = error.mend === undefined ? "" : `. ${error.mend.replace(/\.$/, "")}`;
  return { state: "refused", why: `${clauseOf(error)}${mend}`, cause: error };
}

async function syncEntry(
  writer: GlueWriter,
  live: LiveTable,
  state: GlueState,
  commit: TableCommit,
  update: (input: GlueTableInput) => Promise<void>,
): Promise<CommitOutcome> {
  const problem = firstProblem(state, commit, live.metadata);
  if (problem !== null) return { state: "refused", why: problem };
  if (isInStep(live, commit)) return { state: "done", live };
  const file = { metadata: live.metadata, location: live.metadataLocation };
  const input = entryAfter(state, live.identifier.name, file, null, commit);
  const look = async (): Promise<LiveTable | null> => await writer.load(live.identifier);
  try {
    const answer = await send(writer, input, update);
    if (answer.state !== "swapped") return answer;
  } catch (error) {
    if (!(error instanceof GlueError)) throw error;
    return await settleSync(live, commit, look, error);
  }
  return await settleSync(live, commit, look, null);
}

/** `failure`: no clear answer came. */
async function settleSync(
  live: LiveTable,
  commit: TableCommit,
  look: () => Promise<LiveTable | null>,
  failure: GlueError | null,
): Promise<CommitOutcome> {
  try {
    const after = await look();
    if (after !== null && isInStep(after, commit)) return { state: "done", live: after };
    const why = failure === null ? "another writer changed the entry at once" : `no clear answer came (${clauseOf(failure)})`;
    return { state: "conflict", why: `The entry in Glue is not in step yet: ${why}` };
  } catch (error) {
    return {
      state: "unknown",
      why: `The entry of "${printedName(live.identifier)}" in Glue was written, and cannot be read back`,
      written: null,
      cause: failure ?? error,
    };
  }
}

function isInStep({ metadata, catalogState: state }: LiveTable, { catalogParameters }: TableCommit): boolean {
  if (!isGlueState(state)) return false;
  const wanted = Object.entries(catalogParameters ?? {});
  const parameters = ownParameters(state.before?.entry);
  const hasParameters = wanted.every(([key, value]) => (parameters[key] ?? null) === value);
  return hasParameters && state.differences(metadata).length === 0;
}
