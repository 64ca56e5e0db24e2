// What another writer does to a table of a local warehouse behind Git's back: one more version of its metadata.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import { readMetadata, writeMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../src/iceberg/table-update.ts";
import type { Field } from "../../src/iceberg/type.ts";

function liveMetadata(folder: string): TableMetadata {
  const path = join(folder, "metadata", `v${versionOf(folder)}.metadata.json`);
  return readMetadata(readFileSync(path), path);
}

function foreignCommit(folder: string, updates: readonly TableUpdate[]): void {
  const before = liveMetadata(folder);
  const version = versionOf(folder);
  const after = applyUpdates(before, updates, {
    nowMs: before.lastUpdatedMs + 1,
    previousMetadataLocation: join(folder, "metadata", `v${version}.metadata.json`),
  });
  writeFileSync(join(folder, "metadata", `v${version + 1}.metadata.json`), writeMetadata(after));
  writeFileSync(join(folder, "metadata/version-hint.text"), String(version + 1));
}

/** A column behind the one of that name. */
export function foreignColumn(folder: string, name: string, behind: string, doc?: string): void {
  const metadata = liveMetadata(folder);
  const schema = currentSchema(metadata);
  const id = metadata.lastColumnId + 1;
  const column: Field = { id, name, required: false, type: { kind: "string" }, ...(doc === undefined ? {} : { doc }) };
  const at = schema.fields.findIndex((field) => field.name === behind) + 1;
  const fields = schema.fields.toSpliced(at, 0, column);
  foreignCommit(folder, [
    { action: "add-schema", schema: { ...schema, fields }, lastColumnId: id },
    { action: "set-current-schema", schemaId: -1 },
  ]);
}

function versionOf(folder: string): number {
  return Number(readFileSync(join(folder, "metadata/version-hint.text"), "utf8").trim());
}
