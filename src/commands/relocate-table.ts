// Gives a copied table of a local warehouse the paths of its new folder: metadata files, manifest lists, manifests.
// For tables without delete files; delete files name data files in their own rows.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { readMetadata } from "../iceberg/metadata-json.ts";
import type { ManifestFile } from "../iceberg/manifest.ts";
import { readManifestList, writeManifestList } from "../iceberg/manifest-list.ts";
import { readManifest } from "../iceberg/manifest-read.ts";
import { writeManifest } from "../iceberg/manifest-write.ts";
import { schemaById, type TableMetadata } from "../iceberg/table-metadata.ts";

/** `from` and `to` are absolute folders; every file is rewritten in place. */
export async function relocateTable(folder: string, from: string, to: string): Promise<void> {
  const metadataFolder = join(folder, "metadata");
  const moved = (path: string): string => (path.startsWith(`${from}/`) ? to + path.slice(from.length) : path);
  const files = (await readdir(metadataFolder)).filter((name) => name.endsWith(".metadata.json")).sort();
  let newest: TableMetadata | null = null;
  for (const name of files) {
    const path = join(metadataFolder, name);
    const text = (await readFile(path, "utf8")).replaceAll(
      JSON.stringify(`${from}/`).slice(1, -1),
      JSON.stringify(`${to}/`).slice(1, -1),
    );
    await writeFile(path, text);
    const metadata = readMetadata(new TextEncoder().encode(text), path);
    if (newest === null || metadata.lastUpdatedMs >= newest.lastUpdatedMs) newest = metadata;
  }
  if (newest === null) throw new ToolError("corrupt", `Cannot find a metadata file in "${metadataFolder}"`);
  const lengths = new Map<string, number>();
  for (const snapshot of newest.snapshots) {
    if (snapshot.manifestList === null) continue;
    const list = readManifestList(await readFile(snapshot.manifestList), snapshot.manifestList);
    const records: ManifestFile[] = [];
    for (const record of list.manifests) {
      const path = moved(record.path);
      const length = lengths.get(path) ?? (await relocateManifest(newest, record, path, moved));
      lengths.set(path, length);
      records.push({ ...record, path, lengthBytes: BigInt(length) });
    }
    const { snapshotId, parentSnapshotId, sequenceNumber, firstRowId } = snapshot;
    const written = writeManifestList(
      { formatVersion: newest.formatVersion, snapshotId, parentSnapshotId, sequenceNumber, firstRowId },
      records,
    );
    await writeFile(snapshot.manifestList, written.bytes);
  }
}

async function relocateManifest(
  metadata: TableMetadata,
  record: ManifestFile,
  path: string,
  moved: (path: string) => string,
): Promise<number> {
  const manifest = readManifest(await readFile(path), path);
  const spec = metadata.partitionSpecs.find((one) => one.specId === record.partitionSpecId);
  const schema = schemaById(metadata, metadata.currentSchemaId);
  if (spec === undefined || schema === undefined || record.content !== "data")
    throw new ToolError("unsupported", `Cannot move the table of "${path}"`);
  const entries = [...manifest.entries()].map((entry) => ({
    ...entry,
    dataFile: { ...entry.dataFile, filePath: moved(entry.dataFile.filePath) },
  }));
  const { bytes } = writeManifest(
    {
      location: path,
      formatVersion: metadata.formatVersion,
      content: record.content,
      schema,
      spec,
      partitionColumns: manifest.partitionColumns,
      snapshotId: record.addedSnapshotId ?? 0n,
      carried: manifest.carried,
    },
    entries,
  );
  await writeFile(path, bytes);
  return bytes.byteLength;
}
