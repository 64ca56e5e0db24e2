// The stores that promise what test/conformance/store-suite.ts asks.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { boundedStore } from "../../src/storage/bounded.ts";
import { createLocalStore } from "../../src/storage/local.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { openStore } from "../../src/storage/open-store.ts";
import { storeConformance, type StoreUnderTest } from "../conformance/store-suite.ts";

storeConformance("memory", async () => ({ store: createMemoryStore(), root: "memory://bucket/root", cleanUp: async () => {} }));
storeConformance("bounded memory", async () => ({
  store: boundedStore(createMemoryStore(), 1),
  root: "memory://bucket/root",
  cleanUp: async () => {},
}));

async function localFolder(prefix: string, open: (root: string) => StoreUnderTest["store"]): Promise<StoreUnderTest> {
  const folder = await mkdtemp(join(tmpdir(), "floeplan-store-"));
  const root = `${prefix}${folder}`;
  return { store: open(root), root, cleanUp: async () => await rm(folder, { recursive: true, force: true }) };
}

storeConformance("local", () => localFolder("", createLocalStore));
storeConformance("local with file:/ locations", () => localFolder("file:", createLocalStore));
storeConformance("local with file:/// locations, as opened", () => localFolder("file://", openStore));
