// What the tests of the S3 store share: a store on a fresh fake, without real pauses between attempts.
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { createS3Store, type S3Options } from "../../src/storage/s3.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { FAKE_KEYS, type FakeS3, startS3, type S3Options as FakeOptions } from "../fakes/s3.ts";

process.env["AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED"] ??= "true";

const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };

export interface StoreOnFake {
  readonly s3: FakeS3;
  readonly store: ObjectStore;
}

/** The fake with a bucket `data`, and a store that talks to it. */
export async function storeOnFake(options: S3Options = {}, fake: Partial<FakeOptions> = {}): Promise<StoreOnFake> {
  const s3 = await startS3({ buckets: ["data"], ...fake });
  return { s3, store: storeAt(s3, options) };
}

export function storeAt(s3: FakeS3, options: S3Options = {}): ObjectStore {
  return createS3Store({
    endpoint: s3.url,
    region: "us-east-1",
    credentials: FAKE_KEYS,
    ports: NO_PAUSES,
    idleTimeoutMs: 400,
    ...options,
  });
}

/** The ToolError that the work ends in. */
export async function failureOf(work: Promise<unknown>): Promise<ToolError> {
  try {
    await work;
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("It did not fail");
}

export async function listed(store: ObjectStore, prefix: string): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { location } of store.list(prefix)) found.push(location);
  return found;
}

/** Bytes that repeat nowhere near, so that a part at the wrong place shows. */
export function patterned(length: number, seed = 1): Uint8Array {
  const bytes = new Uint8Array(length);
  const words = new Uint32Array(bytes.buffer, 0, length >> 2);
  let state = seed;
  for (let index = 0; index < words.length; index += 1) {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    words[index] = state;
  }
  return bytes;
}

export const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
