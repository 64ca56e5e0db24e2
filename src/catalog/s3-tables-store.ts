// The storage of tables in S3 Tables, as the catalog uses it. Nobody may list there, and where nobody may list, S3 may call
// an object that is missing forbidden: so once an object of a table's storage was read, a denied look means that nothing
// is there. Knows locations, no tables.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { ObjectStore } from "../storage/object-store.ts";

export function tableStorage(store: ObjectStore): ObjectStore {
  const readable = new Set<string>();
  const noted = async <T>(location: string, reading: Promise<T>): Promise<T> => {
    const result = await reading;
    readable.add(bucketOf(location));
    return result;
  };
  return {
    ...store,
    canList: false,
    canRemove: false,
    read: async (location) => await noted(location, store.read(location)),
    readRange: async (location, offset, lengthBytes) => await noted(location, store.readRange(location, offset, lengthBytes)),
    head: async (location) => {
      try {
        return await noted(location, store.head(location));
      } catch (error) {
        if (isDenied(error) && readable.has(bucketOf(location))) return null;
        throw error;
      }
    },
  };
}

/** Denied the object, and not for what is wrong with the credentials as a whole. */
function isDenied(error: unknown): boolean {
  if (!(error instanceof ToolError) || error.kind !== "auth") return false;
  const { code, status } = error.context;
  return status === 403 && (code === undefined || code === "AccessDenied");
}

function bucketOf(location: string): string {
  return /^[^:]+:\/\/([^/]*)/.exec(location)?.[1] ?? location;
}
