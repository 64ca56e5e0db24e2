// Which store serves a location, by its scheme: the list of stores. A new store is one line here. Knows
// nothing of what the store is used for.
import { ToolError } from "../diagnostics/tool-error.ts";
import { locationScheme } from "../iceberg/location.ts";
import { boundedStore } from "./bounded.ts";
import { createLocalStore } from "./local.ts";
import type { ObjectStore } from "./object-store.ts";
import { createLazyS3Store } from "./s3-lazy.ts";

// A process may usually hold 1,024 or, on macOS, 256 open files: this leaves room for all others.
const LOCAL_CALLS_AT_ONCE = 64;

const STORES: ReadonlyMap<string, () => ObjectStore> = new Map([
  ["file", () => boundedStore(createLocalStore(), LOCAL_CALLS_AT_ONCE)],
  ["s3", createLazyS3Store],
  ["s3a", createLazyS3Store],
  ["s3n", createLazyS3Store],
]);

/** A store for this location and all others of its scheme. */
export function openStore(location: string): ObjectStore {
  const scheme = location.startsWith("/") ? "file" : locationScheme(location);
  const open = STORES.get(scheme);
  if (open !== undefined) return open();
  const served = [...STORES.keys()].map((name) => `"${name}:"`).join(", ");
  throw new ToolError("unsupported", `Cannot open "${location}"`, {
    why:
      scheme === ""
        ? "A location is an absolute path or starts with a scheme."
        : `Locations with "${scheme}:" are not served by this version; served are ${served} and absolute paths.`,
  });
}
