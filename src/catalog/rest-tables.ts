// Tables of a REST catalog as they are loaded: the answer as a live table, with what must be remembered of it for later
// calls. Says what stands under a table's name that is none.
import { ToolError } from "../diagnostics/tool-error.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import type { LoadedTable } from "./rest-service.ts";
import type { RestSession } from "./rest-session.ts";
import type { RestStorage } from "./rest-storage.ts";

export interface RestTables {
  /** Null when there is none. */
  load(identifier: TableIdentifier): Promise<LiveTable | null>;
  /** The state that a commit or a creation was answered with. */
  take(identifier: TableIdentifier, answer: LoadedTable): LiveTable;
  /** By which the server knows the state again. */
  etagOf(live: LiveTable): string | null;
}

export interface RestTablesParts {
  readonly session: () => Promise<RestSession>;
  readonly storage: RestStorage;
  readonly label: string;
}

export function restTables({ session, storage, label }: RestTablesParts): RestTables {
  const etags = new WeakMap<LiveTable["metadata"], string>();
  const take: RestTables["take"] = (identifier, { metadata, metadataLocation, etag }) => {
    if (etag !== null) etags.set(metadata, etag);
    return { identifier, metadata, metadataLocation, token: null };
  };
  return {
    take,
    etagOf: ({ metadata }) => etags.get(metadata) ?? null,
    load: async (identifier) => {
      const { service, context, demand } = await session();
      demand(`Cannot load "${nameOf(identifier)}"`, "loadTable");
      const answer = await service.loadTable(identifier);
      if (answer !== null) {
        storage.remember(identifier, answer, context.properties);
        return take(identifier, answer);
      }
      if (context.has("viewExists") || context.has("loadView")) {
        if (await service.viewExists(identifier)) throw isView(identifier, label);
      }
      return null;
    },
  };
}

function isView(identifier: TableIdentifier, label: string): ToolError {
  return new ToolError("unsupported", `Cannot load "${nameOf(identifier)}" in ${label}`, {
    why: "It is a view",
    mend: "Take its file out of the project: floeplan keeps tables",
  });
}

export function nameOf({ namespace, name }: TableIdentifier): string {
  return formatPath([...namespace, name]);
}
