// Where a model's table lives: a catalog with a store that can be cut off, as when the process that uses it dies. What
// the model itself looks up goes past the cut.
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { LiveTable, TableIdentifier } from "../../src/iceberg/live-table.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore, ObjectWriter } from "../../src/storage/object-store.ts";

export interface Lake {
  readonly title: string;
  readonly catalog: Catalog;
  /** The files, past any cut. */
  readonly store: ObjectStore;
  readonly identifier: TableIdentifier;
  /** Where a new table goes; null: the catalog chooses. */
  readonly location: string | null;
  /** What is live, past any cut; null before the table is made. */
  readonly live: () => Promise<LiveTable | null>;
  /** The next calls of the product to the store, after which it is gone until it is healed; null: it stays. */
  readonly cutAfter: (calls: number | null) => void;
}

export interface LakeParts {
  readonly title: string;
  readonly store: ObjectStore;
  readonly identifier: TableIdentifier;
  readonly location: string | null;
  /** The product's catalog over the store that can be cut. */
  readonly open: (store: ObjectStore) => Promise<Catalog>;
}

export async function makeLake({ title, store, identifier, location, open }: LakeParts): Promise<Lake> {
  let left: number | null = null;
  const catalog = await open(
    cuttable(store, () => {
      if (left === null) return;
      if (left <= 0) throw new ToolError("unavailable", "Cannot reach the store", { why: "the process is gone" });
      left--;
    }),
  );
  return {
    title,
    catalog,
    store,
    identifier,
    location,
    live: async () => {
      const before = left;
      left = null;
      try {
        return await catalog.loadTable(identifier);
      } finally {
        left = before;
      }
    },
    cutAfter: (calls) => {
      left = calls;
    },
  };
}

export async function memoryLake(): Promise<Lake> {
  const ports = { ...systemPorts(), wait: async () => undefined };
  return await makeLake({
    title: "memory",
    store: createMemoryStore(),
    identifier: { namespace: ["ns"], name: "t" },
    location: null,
    open: async (store) => createMemoryCatalog({ name: "lake", ports, store }),
  });
}

function cuttable(inner: ObjectStore, check: () => void): ObjectStore {
  const run = async <T>(work: () => Promise<T>): Promise<T> => {
    check();
    return await work();
  };
  const writer = (one: ObjectWriter): ObjectWriter => ({
    write: (chunk) => run(() => one.write(chunk)),
    copyFrom: (source, offset, length) => run(() => one.copyFrom(source, offset, length)),
    close: () => run(() => one.close()),
    abort: () => one.abort(),
  });
  return {
    canList: inner.canList,
    canRemove: inner.canRemove,
    read: (location) => run(() => inner.read(location)),
    readRange: (location, offset, length) => run(() => inner.readRange(location, offset, length)),
    head: (location) => run(() => inner.head(location)),
    putIfAbsent: (location, bytes) => run(() => inner.putIfAbsent(location, bytes)),
    replace: (location, bytes) => run(() => inner.replace(location, bytes)),
    create: async (location) => writer(await run(() => inner.create(location))),
    list: (prefix) => inner.list(prefix),
    remove: (location) => run(() => inner.remove(location)),
  };
}
