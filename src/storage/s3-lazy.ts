// The S3 store, loaded with the AWS SDK at its first call: a run that touches no bucket never loads it.
import type { ObjectStore } from "./object-store.ts";
import type { S3Options } from "./s3.ts";

export function createLazyS3Store(options: S3Options = {}): ObjectStore {
  let loading: Promise<ObjectStore> | null = null;
  const store = (): Promise<ObjectStore> => {
    loading ??= import("./s3.ts").then(({ createS3Store }) => createS3Store(options));
    return loading;
  };
  return {
    canList: options.canList ?? true,
    canRemove: options.canRemove ?? true,
    read: async (location) => (await store()).read(location),
    readRange: async (location, offset, lengthBytes) => (await store()).readRange(location, offset, lengthBytes),
    head: async (location) => (await store()).head(location),
    putIfAbsent: async (location, bytes) => (await store()).putIfAbsent(location, bytes),
    replace: async (location, bytes) => (await store()).replace(location, bytes),
    create: async (location) => (await store()).create(location),
    list: async function* (prefix) {
      yield* (await store()).list(prefix);
    },
    remove: async (location) => (await store()).remove(location),
  };
}
