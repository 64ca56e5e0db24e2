// A store whose calls wait for their turn, so that a caller who starts ten thousand reads at once does not run
// out of file handles or connections. Changes nothing else of the store that it wraps.
import type { ObjectStore, ObjectWriter } from "./object-store.ts";

/** At most `limit` calls run at once; the others wait in order. An open writer holds no turn between its calls. */
export function boundedStore(store: ObjectStore, limit: number): ObjectStore {
  const turn = createTurns(limit);
  const boundedWriter = (writer: ObjectWriter): ObjectWriter => ({
    write: (chunk) => turn(() => writer.write(chunk)),
    copyFrom: (source, offset, lengthBytes) => turn(() => writer.copyFrom(source, offset, lengthBytes)),
    close: () => turn(() => writer.close()),
    // Never kept waiting: it is how a failing run gives back what it holds.
    abort: () => writer.abort(),
  });
  return {
    canList: store.canList,
    canRemove: store.canRemove,
    read: (location) => turn(() => store.read(location)),
    readRange: (location, offset, lengthBytes) => turn(() => store.readRange(location, offset, lengthBytes)),
    head: (location) => turn(() => store.head(location)),
    putIfAbsent: (location, bytes) => turn(() => store.putIfAbsent(location, bytes)),
    replace: (location, bytes) => turn(() => store.replace(location, bytes)),
    create: async (location) => boundedWriter(await turn(() => store.create(location))),
    list: (prefix) => store.list(prefix),
    remove: (location) => turn(() => store.remove(location)),
  };
}

type Turn = <T>(work: () => Promise<T>) => Promise<T>;

function createTurns(limit: number): Turn {
  const waiting: (() => void)[] = [];
  let running = 0;
  return async (work) => {
    if (running >= limit) await new Promise<void>((resume) => waiting.push(resume));
    else running++;
    try {
      return await work();
    } finally {
      // The turn is handed on, so a newcomer cannot slip in between.
      const next = waiting.shift();
      if (next === undefined) running--;
      else next();
    }
  };
}
