// The metadata files of test/data/iceberg/metadata and small helpers over them.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { JsonObject, JsonValue } from "../../src/iceberg/json.ts";
import { isJsonObject } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";

const FOLDER = join(import.meta.dirname, "../data/iceberg/metadata");

/** Files that every engine reads. */
export const VALID_FILES = [
  "v1-fields-only.metadata.json",
  "v1-pretty.metadata.json",
  "v1-without-lists.metadata.json",
  "v1-packed.gz.metadata.json",
  "v2-pyiceberg.metadata.json",
  "v2-spark-history.metadata.json",
  "v2-statistics.metadata.json",
  "v2-two-schemas.metadata.json",
  "v3-defaults.metadata.json",
  "v3-minimal.metadata.json",
  "v3-spark-lineage.metadata.json",
] as const;

export function fileBytes(name: string): Uint8Array {
  return readFileSync(join(FOLDER, name));
}

export function fileText(name: string): string {
  return readFileSync(join(FOLDER, name), "utf8");
}

export function readFile(name: string): TableMetadata {
  return readMetadata(fileBytes(name), name);
}

/** Metadata from text, as if it had been in a file. */
export function fromText(text: string): TableMetadata {
  return readMetadata(new TextEncoder().encode(text), "s3://bucket/table/metadata/00000-x.metadata.json");
}

/** The file's document with some top-level members replaced, or taken out with undefined. */
export function edited(name: string, values: Readonly<Record<string, JsonValue | undefined>>): JsonObject {
  const document = parseJson(fileText(name));
  if (!isJsonObject(document)) throw new Error(`${name} holds no object`);
  const merged: Readonly<Record<string, JsonValue | undefined>> = { ...document, ...values };
  const left = Object.entries(merged).filter((entry): entry is [string, JsonValue] => entry[1] !== undefined);
  return Object.fromEntries(left);
}

export function text(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
