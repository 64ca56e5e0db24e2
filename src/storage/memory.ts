// Objects in this process: the reference of the store contract, for tests and previews. Any text is a
// location; bytes are copied in and out, so that nobody holds a live view of an object.
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import type { ObjectInfo, ObjectStore, ObjectWriter } from "./object-store.ts";

export function createMemoryStore(): ObjectStore {
  const objects = new Map<string, Uint8Array>();

  const found = (location: string): Uint8Array => {
    const bytes = objects.get(location);
    if (bytes !== undefined) return bytes;
    throw new ToolError("not-found", `Cannot read "${location}"`, { why: "Nothing has this name" });
  };

  const range = (location: string, offset: number, lengthBytes: number): Uint8Array => {
    const bytes = found(location);
    if (offset + lengthBytes <= bytes.length) return bytes.slice(offset, offset + lengthBytes);
    throw new ToolError("corrupt", `Cannot read "${location}"`, {
      why: `${lengthBytes} bytes were asked for from offset ${offset}, and the object has ${bytes.length}`,
    });
  };

  const create = (location: string): ObjectWriter => {
    let chunks: Uint8Array[] | null = [];
    const open = (): Uint8Array[] => {
      if (chunks === null) throw bug("A writer was used after its end", { location });
      return chunks;
    };
    return {
      write: async (chunk) => void open().push(chunk.slice()),
      copyFrom: async (source, offset, lengthBytes) => void open().push(range(source, offset, lengthBytes)),
      close: async () => {
        const whole = new Uint8Array(Buffer.concat(open()));
        chunks = null;
        objects.set(location, whole);
        return { location, sizeBytes: whole.length };
      },
      abort: async () => {
        chunks = null;
      },
    };
  };

  return {
    canList: true,
    canRemove: true,
    read: async (location) => found(location).slice(),
    readRange: async (location, offset, lengthBytes) => range(location, offset, lengthBytes),
    head: async (location) => {
      const bytes = objects.get(location);
      return bytes === undefined ? null : { location, sizeBytes: bytes.length };
    },
    putIfAbsent: async (location, bytes) => {
      if (objects.has(location)) return "exists";
      objects.set(location, bytes.slice());
      return "written";
    },
    replace: async (location, bytes) => void objects.set(location, bytes.slice()),
    create: async (location) => create(location),
    list: (prefix) => listed(objects, prefix),
    remove: async (location) => void objects.delete(location),
  };
}

async function* listed(objects: ReadonlyMap<string, Uint8Array>, prefix: string): AsyncGenerator<ObjectInfo> {
  const folder = prefix.endsWith("/") ? prefix : `${prefix}/`;
  const names = [...objects.keys()].filter((location) => location.startsWith(folder)).sort();
  for (const location of names) {
    const bytes = objects.get(location);
    if (bytes !== undefined) yield { location, sizeBytes: bytes.length };
  }
}
