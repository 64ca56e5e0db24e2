// The calls that a program makes to the file system below one folder, each handed to a hook that may carry it out, break
// it or stop the world. Stands where the operating system does; knows no tables, and nothing of who calls.
import fs, { type FileHandle } from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import { resolve } from "node:path";

export interface FileCall {
  /** The name in Node's module or of the handle's member; `create` is an open that makes a file. */
  readonly operation: string;
  readonly path: string;
  /** Carries it out. */
  readonly run: () => Promise<unknown>;
  /** Carries out the first half of it, as the system may; null: the call has no halves. */
  readonly half: (() => Promise<unknown>) | null;
}

/** What the caller gets; thrown errors are the system's. */
export type FileHook = (call: FileCall) => Promise<unknown>;

type Call = (...given: unknown[]) => Promise<unknown>;

const BY_PATH = ["link", "mkdir", "open", "readdir", "realpath", "rename", "stat", "unlink"] as const;
const BY_HANDLE = ["read", "write", "sync", "stat", "close"] as const;

/** From now on; the answer ends it. Handles that are open by then stay watched. */
export function watchFileCalls(folder: string, hook: FileHook): () => void {
  const root = resolve(folder);
  const isBelow = (path: unknown): path is string =>
    typeof path === "string" && (resolve(path) === root || resolve(path).startsWith(`${root}/`));
  const module = fs as unknown as Record<string, Call>;
  const originals = new Map<string, Call>();
  for (const operation of BY_PATH) {
    const original = (module[operation] ?? missing(operation)).bind(fs);
    originals.set(operation, module[operation] ?? original);
    module[operation] = async (...given) => {
      const [path] = given;
      if (!isBelow(path)) return await original(...given);
      const isNew = operation === "open" && typeof given[1] === "string" && given[1] !== "r";
      const answer = await hook({
        operation: isNew ? "create" : operation,
        path,
        run: async () => await original(...given),
        half: null,
      });
      if (operation === "open") watchHandle(answer as FileHandle, path, hook);
      return answer;
    };
  }
  syncBuiltinESMExports();
  return () => {
    for (const [operation, original] of originals) module[operation] = original;
    syncBuiltinESMExports();
  };
}

function watchHandle(handle: FileHandle, path: string, hook: FileHook): void {
  const members = handle as unknown as Record<string, Call>;
  for (const operation of BY_HANDLE) {
    const original = (members[operation] ?? missing(operation)).bind(handle);
    members[operation] = async (...given) =>
      await hook({
        operation,
        path,
        run: async () => await original(...given),
        half: halfOf(operation, original, given),
      });
  }
}

/** Of `read(buffer, offset, length, position)` and `write(buffer, offset, length)`, which may do less than they are asked. */
function halfOf(operation: string, original: Call, given: readonly unknown[]): FileCall["half"] {
  const [buffer, offset, length, ...rest] = given;
  if ((operation !== "read" && operation !== "write") || typeof length !== "number" || length < 2) return null;
  return async () => await original(buffer, offset, Math.floor(length / 2), ...rest);
}

function missing(operation: string): never {
  throw new Error(`Node's file system has no ${operation}`);
}

/** As Node throws it. */
export function systemError(code: string, { operation, path }: FileCall): Error {
  const words = `${code}: said by a test, ${operation} '${path}'`;
  return Object.assign(new Error(words), { code, errno: -1, syscall: operation, path });
}
