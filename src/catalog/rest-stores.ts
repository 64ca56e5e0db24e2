// Two stores for tables of a catalog: one that sends each call to the store of its place, and one for places that no
// store of this version serves. Knows no catalog.
import { bug } from "../diagnostics/tool-error.ts";
import type { ObjectStore, ObjectWriter } from "../storage/object-store.ts";
import { openStore } from "../storage/open-store.ts";

export function routedStore(
  pick: (location: string) => ObjectStore,
  { canList, canRemove }: Pick<ObjectStore, "canList" | "canRemove">,
): ObjectStore {
  return {
    canList,
    canRemove,
    read: (location) => pick(location).read(location),
    readRange: (location, offset, lengthBytes) => pick(location).readRange(location, offset, lengthBytes),
    head: (location) => pick(location).head(location),
    putIfAbsent: (location, bytes) => pick(location).putIfAbsent(location, bytes),
    replace: (location, bytes) => pick(location).replace(location, bytes),
    create: async (location) => {
      const store = pick(location);
      return routedWriter(await store.create(location), store, pick);
    },
    list: (prefix) => pick(prefix).list(prefix),
    remove: (location) => pick(location).remove(location),
  };
}

/** A copy within one store is the store's own business; between two it travels. */
function routedWriter(writer: ObjectWriter, store: ObjectStore, pick: (location: string) => ObjectStore): ObjectWriter {
  return {
    write: (chunk) => writer.write(chunk),
    copyFrom: async (source, offset, lengthBytes) => {
      const from = pick(source);
      if (from === store) return await writer.copyFrom(source, offset, lengthBytes);
      for (let done = 0; done < lengthBytes; done += PIECE_BYTES) {
        const piece = Math.min(PIECE_BYTES, lengthBytes - done);
        await writer.write(await from.readRange(source, offset + done, piece));
      }
    },
    close: () => writer.close(),
    abort: () => writer.abort(),
  };
}

const PIECE_BYTES = 8 * 2 ** 20;

/** Every call says which places are served. */
export function unservedStore(): ObjectStore {
  const refuse = async (location: string): Promise<never> => {
    openStore(location);
    throw bug("A place that is served was given to the store for the others", { location });
  };
  return {
    canList: false,
    canRemove: false,
    read: refuse,
    readRange: refuse,
    head: refuse,
    putIfAbsent: refuse,
    replace: refuse,
    create: refuse,
    // oxlint-disable-next-line require-yield -- it never comes to one
    list: async function* (prefix) {
      await refuse(prefix);
    },
    remove: refuse,
  };
}
