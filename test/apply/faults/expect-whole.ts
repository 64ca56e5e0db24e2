// What must hold of a table at every moment, whatever broke: all that its metadata names is there, what was there before
// is as it was, no time runs backwards, and the rows can be read. Looks past the product, at the stored bytes.
import assert from "node:assert/strict";
import { readManifestList } from "../../../src/iceberg/manifest-list.ts";
import { readManifest } from "../../../src/iceberg/manifest-read.ts";
import { type JsonMap, longOf, mapOf, mapsOf, numberOf, parseJson, textOf } from "../../fakes/rest-json.ts";
import type { FaultWorld } from "./fault-world.ts";

export function expectWhole(world: FaultWorld, before: ReadonlyMap<string, Uint8Array>): void {
  const now = world.objects();
  for (const [location, bytes] of before) {
    const found = now.get(location);
    assert.ok(found !== undefined, `${location} is gone`);
    assert.ok(found === bytes || Buffer.compare(found, bytes) === 0, `${location} was changed`);
  }
  const live = world.metadata();
  if (live === null) return;
  for (const location of named(live.document, now)) assert.ok(now.has(location), `${location} is named and not there`);
  expectOrder(live, now);
}

/** Every file that this state of the table names, in all of its snapshots. */
function named(document: JsonMap, objects: ReadonlyMap<string, Uint8Array>): readonly string[] {
  const found = mapsOf(document["metadata-log"] ?? []).map((one) => textOf(one["metadata-file"]));
  for (const snapshot of mapsOf(document["snapshots"] ?? [])) {
    const list = textOf(snapshot["manifest-list"]);
    found.push(list);
    for (const { path } of readManifestList(bytesOf(objects, list), list).manifests) {
      found.push(path);
      for (const { status, dataFile } of readManifest(bytesOf(objects, path), path).entries())
        if (status !== "deleted") found.push(dataFile.filePath);
    }
  }
  return found;
}

/** Times and sequence numbers only grow, along the log of metadata files and along that of snapshots. */
function expectOrder(
  { location, document }: { location: string; document: JsonMap },
  objects: ReadonlyMap<string, Uint8Array>,
): void {
  const log = mapsOf(document["metadata-log"] ?? []);
  const states = log.map((one) => stateAt(objects, textOf(one["metadata-file"])));
  for (const [index, state] of states.entries())
    assert.equal(log[index]?.["timestamp-ms"], state["last-updated-ms"], `the log's time of entry ${index}`);
  expectGrowing(
    "last-updated-ms",
    [...states, document].map((state) => numberOf(state["last-updated-ms"])),
  );
  expectGrowing(
    "last-sequence-number",
    [...states, document].map((state) => Number(longOf(state["last-sequence-number"] ?? 0))),
  );
  const snapshots = mapsOf(document["snapshot-log"] ?? []).map((one) => numberOf(one["timestamp-ms"]));
  expectGrowing("snapshot-log", snapshots);
  assert.ok((snapshots.at(-1) ?? 0) <= numberOf(document["last-updated-ms"]), `${location}: a snapshot is newer than the table`);
  const current = document["current-snapshot-id"] ?? null;
  const main = document["refs"] === undefined ? undefined : mapOf(document["refs"])["main"];
  if (main !== undefined) assert.equal(mapOf(main)["snapshot-id"], current, "main is the current snapshot");
}

function stateAt(objects: ReadonlyMap<string, Uint8Array>, location: string): JsonMap {
  return mapOf(parseJson(new TextDecoder().decode(bytesOf(objects, location))));
}

function expectGrowing(what: string, values: readonly number[]): void {
  for (const [index, value] of values.entries())
    assert.ok(index === 0 || value >= (values[index - 1] ?? 0), `${what} runs backwards: ${values.join(", ")}`);
}

function bytesOf(objects: ReadonlyMap<string, Uint8Array>, location: string): Uint8Array {
  const bytes = objects.get(location);
  assert.ok(bytes !== undefined, `${location} is named and not there`);
  return bytes;
}
