// What every write to Glue begins with: the parts that it takes from the catalog, the entry that it will send, and why
// Glue would refuse that entry. Sends nothing.
import type { TableCommit } from "../iceberg/commit.ts";
import { type GlueTableInput, POINTER_PARAMETERS } from "../iceberg/glue-entry.ts";
import { glueTableInput } from "../iceberg/glue-input.ts";
import type { GlueState } from "../iceberg/glue-state.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { GlueService } from "./glue-service.ts";
import type { CatalogPorts, NewMetadataFile } from "./metadata-pointer.ts";

export interface GlueWriter {
  readonly service: GlueService;
  readonly ports: CatalogPorts;
  readonly storeAt: (location: string) => ObjectStore;
  /** Reads the table again, from Glue. */
  readonly load: (identifier: TableIdentifier) => Promise<LiveTable | null>;
}

/** The first is enough to refuse a commit; the plan shows all. */
export function firstProblem(state: GlueState, commit: TableCommit, next: TableMetadata): string | null {
  const reserved = Object.keys(commit.catalogParameters ?? {}).find((key) => POINTER_PARAMETERS.has(key));
  if (reserved !== undefined) return `The Glue parameter "${reserved}" is set by each commit, and by nobody else`;
  const [problem] = state.problems(next, commit.catalogParameters);
  return problem === undefined ? null : `${problem.what}: ${problem.why}`;
}

export function entryAfter(
  { before }: GlueState,
  name: string,
  { metadata, location }: Pick<NewMetadataFile, "metadata" | "location">,
  previousLocation: string | null,
  { catalogParameters: parameters }: TableCommit,
): GlueTableInput {
  return glueTableInput(name, before, { metadata, metadataLocation: location, previousLocation, parameters });
}
