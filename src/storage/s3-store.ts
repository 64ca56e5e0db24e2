// The store contract over the calls of S3. What is sent over the network is s3.ts's business; how each call is made
// sure of stands in the files beside this one. Knows nothing of tables.
import { ToolError } from "../diagnostics/tool-error.ts";
import { REAL_RETRY_PORTS, type RetryPorts, withRetries } from "./aws-retry.ts";
import { boundedStore } from "./bounded.ts";
import type { ObjectStore } from "./object-store.ts";
import type { S3Calls } from "./s3-calls.ts";
import { withS3Errors } from "./s3-errors.ts";
import { adviseRetry } from "./s3-failure.ts";
import { headObject } from "./s3-head.ts";
import { listObjects } from "./s3-list.ts";
import { placeOf } from "./s3-location.ts";
import { type PutConditions, putObject, putObjectIfAbsent } from "./s3-put.ts";
import { readObject, readObjectRange } from "./s3-read.ts";
import { openS3Writer } from "./s3-writer.ts";

export interface S3StoreOptions {
  /** Buckets that list or delete nothing (S3 Tables) say so here. Without: true. */
  readonly canList?: boolean;
  readonly canRemove?: boolean;
  /** May objects carry user metadata? It tells our own object from another's after a lost answer. Without: true. */
  readonly canMark?: boolean;
  /**
   * Where the store refuses conditional writes, `putIfAbsent` looks first and then writes plainly: safe only where every
   * name that is written so holds a fresh random id. Without: false.
   */
  readonly plainPuts?: boolean;
  readonly ports?: RetryPorts;
}

/** Enough to hide the distance to S3 behind many small reads; each takes one connection, a writer a few. */
const CALLS_AT_ONCE = 32;

export function createStoreOver(calls: S3Calls, options: S3StoreOptions): ObjectStore {
  const { canList = true, canRemove = true, canMark = true, plainPuts = false, ports = REAL_RETRY_PORTS } = options;
  const conditions: PutConditions = { canMark, canDoWithout: plainPuts, areRefused: false };
  const store: ObjectStore = {
    canList,
    canRemove,
    read: (location) => readObject(calls, ports, location),
    readRange: (location, offset, lengthBytes) => readObjectRange(calls, ports, location, offset, lengthBytes),
    head: async (location) => {
      const found = await headObject(calls, ports, location);
      return found === null ? null : { location, sizeBytes: found.sizeBytes };
    },
    putIfAbsent: (location, bytes) => putObjectIfAbsent(calls, ports, location, bytes, conditions),
    replace: (location, bytes) => putObject(calls, ports, location, bytes),
    create: async (location) => openS3Writer(calls, ports, location, canMark),
    list: (prefix) => {
      if (!canList) throw notOffered("list", prefix);
      return listObjects(calls, ports, prefix);
    },
    remove: async (location) => {
      if (!canRemove) throw notOffered("remove", location);
      const place = placeOf(location);
      await withS3Errors({ verb: "remove", location, action: "s3:DeleteObject" }, () =>
        withRetries(ports, adviseRetry, () => calls.remove(place)),
      );
    },
  };
  return boundedStore(store, CALLS_AT_ONCE);
}

function notOffered(verb: string, location: string): ToolError {
  return new ToolError("unsupported", `Cannot ${verb} "${location}"`, { why: "This bucket does not offer it" });
}
