// The rows of a table as its stored bytes give them: read by hyparquet through the product's own row reader, past the
// catalog and past what is broken. What was read once is known by its content. Knows no catalog.
import { createHash } from "node:crypto";
import { sampleRows } from "../../../src/commands/rows/sample-rows.ts";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { readMetadata } from "../../../src/iceberg/metadata-json.ts";
import { currentSchema } from "../../../src/iceberg/table-metadata.ts";
import { liveFiles } from "../../../src/catalog/evidence-manifests.ts";
import { createMemoryStore } from "../../../src/storage/memory.ts";
import type { ObjectStore } from "../../../src/storage/object-store.ts";
import { writeJson } from "../../fakes/rest-json.ts";
import type { FaultWorld } from "./fault-world.ts";

/** As lines, sorted: of two tables with the same rows they are the same. */
export type Rows = readonly string[];

export type RowReader = (world: FaultWorld) => Promise<Rows>;

export function rowReader(): RowReader {
  const known = new Map<string, Rows>();
  return async (world) => {
    const live = world.metadata();
    if (live === null) return [];
    const objects = world.objects();
    const store = storeOver(objects);
    const metadata = readMetadata(new TextEncoder().encode(writeJson(live.document)), live.location);
    const hash = createHash("sha256").update(JSON.stringify(currentSchema(metadata)));
    if (metadata.currentSnapshotId !== null)
      for await (const { entry } of liveFiles(store, metadata, metadata.currentSnapshotId))
        hash.update(`${entry.dataFile.filePath}\0`).update(await store.read(entry.dataFile.filePath));
    const key = hash.digest("hex");
    const rows = known.get(key) ?? (await readRows(store, metadata));
    known.set(key, rows);
    return rows;
  };
}

async function readRows(store: ObjectStore, metadata: Parameters<typeof sampleRows>[1]): Promise<Rows> {
  const { rows, whyNot } = await sampleRows(store, metadata, 10_000);
  if (whyNot !== null) throw new Error(whyNot);
  return rows.map((row) => JSON.stringify(row)).sort();
}

function storeOver(objects: ReadonlyMap<string, Uint8Array>): ObjectStore {
  const bytesOf = (location: string): Uint8Array => {
    const bytes = objects.get(location);
    if (bytes === undefined) throw new ToolError("not-found", `There is no "${location}"`);
    return bytes;
  };
  return {
    ...createMemoryStore(),
    read: async (location) => bytesOf(location),
    readRange: async (location, offset, length) => bytesOf(location).subarray(offset, offset + length),
    head: async (location) => {
      const bytes = objects.get(location);
      return bytes === undefined ? null : { location, sizeBytes: bytes.length };
    },
  };
}
