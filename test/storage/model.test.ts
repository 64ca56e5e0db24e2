// Any run of calls gives the same answers on files as in memory.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { expect, it } from "vitest";
import { createLocalStore } from "../../src/storage/local.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import type { ObjectStore } from "../../src/storage/object-store.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";

const key = fc.constantFrom("a", "b", "f/a", "f/b", "f/g/c");
const content = fc.uint8Array({ maxLength: 12 });
const call = fc.oneof(
  fc.record({ call: fc.constant("putIfAbsent" as const), key, content }),
  fc.record({ call: fc.constant("replace" as const), key, content }),
  fc.record({ call: fc.constant("create" as const), key, content, from: key, length: fc.nat(12), keep: fc.boolean() }),
  fc.record({ call: fc.constant("read" as const), key }),
  fc.record({ call: fc.constant("readRange" as const), key, offset: fc.nat(14), length: fc.nat(14) }),
  fc.record({ call: fc.constant("head" as const), key }),
  fc.record({ call: fc.constant("remove" as const), key }),
  fc.record({ call: fc.constant("list" as const), key: fc.constantFrom("f", "f/g", "a", "none") }),
);
type Call = typeof call extends fc.Arbitrary<infer T> ? T : never;

async function run(store: ObjectStore, root: string, step: Call): Promise<unknown> {
  const location = `${root}/${step.key}`;
  switch (step.call) {
    case "putIfAbsent":
      return await store.putIfAbsent(location, step.content);
    case "replace":
      return await store.replace(location, step.content);
    case "create": {
      const writer = await store.create(location);
      try {
        await writer.write(step.content);
        await writer.copyFrom(`${root}/${step.from}`, 0, step.length);
        if (step.keep) return (await writer.close()).sizeBytes;
      } finally {
        await writer.abort();
      }
      return null;
    }
    case "read":
      return [...(await store.read(location))];
    case "readRange":
      return [...(await store.readRange(location, step.offset, step.length))];
    case "head":
      return (await store.head(location))?.sizeBytes ?? null;
    case "remove":
      return await store.remove(location);
    case "list": {
      const found: string[] = [];
      for await (const info of store.list(location)) found.push(`${info.location.slice(root.length)} ${info.sizeBytes}`);
      return found.sort();
    }
  }
}

async function answer(store: ObjectStore, root: string, step: Call): Promise<unknown> {
  try {
    return await run(store, root, step);
  } catch (error) {
    if (error instanceof ToolError) return error.kind;
    throw error;
  }
}

it("gives the same answers on files as in memory", async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(call, { maxLength: 25 }), async (steps) => {
      const root = await mkdtemp(join(tmpdir(), "floeplan-model-"));
      try {
        const [memory, local] = [createMemoryStore(), createLocalStore()];
        for (const step of steps) {
          expect([step, await answer(local, root, step)]).toEqual([step, await answer(memory, root, step)]);
        }
      } finally {
        await rm(root, { recursive: true, force: true });
      }
    }),
    { numRuns: 60 },
  );
});
