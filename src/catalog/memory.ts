// A catalog in this process: the reference of the contract, for tests and previews. Its pointer is a record in a
// map, swapped as a service would, so that it commits by the same routine as Glue.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { CommitOutcome, TableCommit } from "../iceberg/commit.ts";
import { formatPath } from "../iceberg/field-path.ts";
import type { LiveTable, TableIdentifier } from "../iceberg/live-table.ts";
import { joinLocation, sameLocation } from "../iceberg/location.ts";
import { nextMetadataLocation } from "../iceberg/metadata-file.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import { createMemoryStore } from "../storage/memory.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { Catalog, CatalogCapabilities, NewTable } from "./catalog.ts";
import { type CatalogPorts, commitThroughPointer } from "./metadata-pointer.ts";
import { swapLanding, type SwapAnswer } from "./metadata-pointer-swap.ts";
import { readTableMetadata } from "./read-metadata.ts";

export interface MemoryCatalogOptions {
  readonly name: string;
  readonly ports: CatalogPorts;
  /** Where table files are; a new memory store by default. */
  readonly store?: ObjectStore;
}

interface Pointer {
  readonly identifier: TableIdentifier;
  readonly metadataLocation: string;
  readonly version: number;
}

const CAPABILITIES: CatalogCapabilities = {
  nestedNamespaces: true,
  tableLocation: true,
  setLocation: true,
  lowerCaseNames: false,
  seenByAthena: false,
  serverWritesMetadata: false,
};

const ROOT = "memory://warehouse";

export function createMemoryCatalog(options: MemoryCatalogOptions): Catalog {
  const { ports } = options;
  const store = options.store ?? createMemoryStore();
  const pointers = new Map<string, Pointer>();
  const namespaces = new Set<string>();

  const loadTable = async (identifier: TableIdentifier): Promise<LiveTable | null> => {
    const pointer = pointers.get(keyOf(identifier));
    if (pointer === undefined) return null;
    const { metadataLocation, version } = pointer;
    const metadata = await readTableMetadata(store, metadataLocation, nameOf(identifier));
    return { identifier, metadata, metadataLocation, token: String(version) };
  };

  const swap = (identifier: TableIdentifier, token: string | null, metadataLocation: string): SwapAnswer => {
    const pointer = pointers.get(keyOf(identifier));
    if ((pointer === undefined ? null : String(pointer.version)) !== token) {
      return { state: "conflict", why: `Another writer committed "${nameOf(identifier)}" since it was read` };
    }
    const version = (pointer?.version ?? 0) + 1;
    pointers.set(keyOf(identifier), { identifier, metadataLocation, version });
    return { state: "swapped", token: String(version) };
  };

  const commitTable = async (
    identifier: TableIdentifier,
    live: LiveTable | null,
    commit: TableCommit,
    objection: (next: TableMetadata) => string | null,
  ): Promise<CommitOutcome> =>
    await commitThroughPointer({
      table: nameOf(identifier),
      live,
      commit,
      store,
      ports,
      nextLocation: (next) => nextMetadataLocation(next, live?.metadataLocation ?? null, ports.newUuid()),
      objection,
      landing: swapLanding({
        identifier,
        live,
        commit,
        store,
        ports,
        swap: async (file) => swap(identifier, live?.token ?? null, file.location),
        reload: async () => await loadTable(identifier),
      }),
    });

  return {
    kind: "memory",
    label: `${options.name} (memory)`,
    capabilities: CAPABILITIES,
    loadTable,
    listTables: (namespace) => listed(pointers, namespace),
    namespaceExists: async (namespace) => namespaces.has(formatPath(namespace)),
    createNamespace: async (namespace) => {
      for (let levels = 1; levels <= namespace.length; levels++) namespaces.add(formatPath(namespace.slice(0, levels)));
    },
    newTableLocation: async (table) => locationFor(table),
    createTable: async (table, commit) => {
      const { identifier } = table;
      if (!namespaces.has(formatPath(identifier.namespace))) {
        return { state: "refused", why: `The namespace "${formatPath(identifier.namespace)}" does not exist` };
      }
      if (pointers.has(keyOf(identifier))) {
        return { state: "conflict", why: `A table "${nameOf(identifier)}" exists already` };
      }
      const location = locationFor(table);
      return await commitTable(identifier, null, commit, (next) =>
        sameLocation(next.location, location) ? null : `The new table's location must be "${location}"`,
      );
    },
    commit: async (live, commit) => await commitTable(live.identifier, live, commit, () => null),
    storeFor: () => store,
  };
}

async function* listed(
  pointers: ReadonlyMap<string, Pointer>,
  namespace: readonly string[] | undefined,
): AsyncGenerator<TableIdentifier> {
  const identifiers = [...pointers.values()].map((pointer) => pointer.identifier);
  for (const identifier of identifiers.sort(compareIdentifiers)) {
    if (namespace === undefined || formatPath(namespace) === formatPath(identifier.namespace)) yield identifier;
  }
}

function compareIdentifiers(a: TableIdentifier, b: TableIdentifier): number {
  const [one, other] = [
    [...a.namespace, a.name],
    [...b.namespace, b.name],
  ];
  for (let level = 0; level < Math.min(one.length, other.length); level++) {
    const [left, right] = [one[level] ?? "", other[level] ?? ""];
    if (left !== right) return left < right ? -1 : 1;
  }
  return one.length - other.length;
}

function keyOf(identifier: TableIdentifier): string {
  return nameOf(identifier);
}

function nameOf(identifier: TableIdentifier): string {
  return formatPath([...identifier.namespace, identifier.name]);
}

function locationFor(table: NewTable): string {
  const { namespace, name } = table.identifier;
  if (namespace.length === 0) {
    throw new ToolError("refused", `Cannot use "${name}" as the name of a table`, { why: "A table needs a namespace" });
  }
  return table.location ?? joinLocation(ROOT, ...namespace, name);
}
