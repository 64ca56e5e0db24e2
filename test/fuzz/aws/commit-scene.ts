// What every catalog with a pointer must keep to, however its service answers: a read is of the table that was asked for,
// and the end of a commit is what became of it. Knows no service.
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../../../src/iceberg/commit.ts";
import type { LiveTable, TableIdentifier } from "../../../src/iceberg/live-table.ts";
import { newTableCommit } from "../../conformance/table-commits.ts";
import type { Exchange } from "./sdk-handler.ts";
import { ACCEPTED, type Outcome, refused, WrongAcceptance } from "../target.ts";

const ATTEMPT = "7c9e6679-7425-40de-944b-e07fc1f90ae7";

export const ORDERS: TableIdentifier = { namespace: ["sales"], name: "orders" };

/** Looks at all that a plan looks at. */
export function lookAt({ metadata, catalogState: state }: LiveTable): void {
  if (state === undefined) return;
  for (const { what } of [...state.problems(metadata), ...state.notes(metadata)]) void what.length;
  void [state.differences(metadata), state.comments(metadata), state.parameters];
}

export function plainCommit({ metadata }: LiveTable): TableCommit {
  return {
    attempt: ATTEMPT,
    requirements: [{ type: "assert-table-uuid", uuid: metadata.tableUuid ?? "" }],
    updates: [{ action: "set-properties", updates: { a: "b", "floeplan.applied.attempt": ATTEMPT } }],
  };
}

export interface Ends {
  /** Where the service points now, past all answers; null: there is no such table. */
  readonly pointer: () => string | null;
}

/** An outcome must be true; what cannot be told is told as unknown or thrown. */
export async function committed({ pointer }: Ends, commit: () => Promise<CommitOutcome>): Promise<Outcome> {
  const before = pointer();
  const outcome = await commit();
  const now = pointer();
  if (outcome.state === "done" && outcome.live.metadataLocation !== now)
    throw new WrongAcceptance(`It is done at ${outcome.live.metadataLocation}, and the service points to ${now}`);
  if ((outcome.state === "conflict" || outcome.state === "refused") && now !== before)
    throw new WrongAcceptance(`It ended as ${outcome.state} (${outcome.why}), and the service points to ${now}`);
  return outcome.state === "done" ? ACCEPTED : refused(outcome.state);
}

export async function created(catalog: Catalog, ends: Ends, name: string): Promise<Outcome> {
  const table = { identifier: { namespace: ["sales"], name }, location: null };
  const location = await catalog.newTableLocation(table);
  return await committed(ends, async () => await catalog.createTable(table, newTableCommit(location)));
}

/** All `count` tables are listed, or an answer was wrong. */
export async function listed(catalog: Catalog, exchanges: readonly Exchange[], count: number): Promise<Outcome> {
  let seen = 0;
  for await (const identifier of catalog.listTables()) {
    if (typeof identifier.name !== "string" || !identifier.namespace.every((level) => typeof level === "string"))
      throw new WrongAcceptance("A table is listed under a name that is no text");
    seen++;
  }
  if (seen !== count && exchanges.every(({ isWrong }) => !isWrong)) throw new WrongAcceptance("Tables are missing in the list");
  return ACCEPTED;
}

/** What is refused by the world's road, as an outcome. */
export async function ended(run: () => Promise<Outcome>): Promise<Outcome> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof ToolError) || error.kind === "internal") throw error;
    return refused(error.kind);
  }
}

/** A body as an object, with nothing in it where it is none. */
export function documentOf(body: Uint8Array | undefined): Readonly<Record<string, unknown>> {
  try {
    const document: unknown = JSON.parse(new TextDecoder().decode(body));
    return objectIn({ document }, "document");
  } catch {
    return {};
  }
}

export function objectIn(parent: Readonly<Record<string, unknown>>, member: string): Readonly<Record<string, unknown>> {
  const value = parent[member];
  return typeof value === "object" && value !== null ? { ...value } : {};
}
