// Is a metadata file written back byte for byte: as it was read, with every section touched and none changed, and
// with one property more in all the others? Tells the first section that is not.
import { readMetadata } from "../src/iceberg/metadata-json.ts";
import { writeDocument } from "../src/iceberg/metadata-write.ts";
import { scanObject } from "../src/iceberg/json-scan.ts";
import type { TableMetadata } from "../src/iceberg/table-metadata.ts";
import { type MetadataFile, unpacked } from "./corpus-find.ts";

/** What differs; null when nothing does. */
export function roundTripProblem(file: MetadataFile): string | null {
  const metadata = readMetadata(file.bytes, file.path);
  const document = Buffer.from(unpacked(file.bytes), "utf8");
  if (!document.equals(writeDocument(metadata))) return "it is not written back as it was read";
  const touched = differentMember(document, writeDocument(touch(metadata)), new Set());
  if (touched !== null) return `${touched} is written back otherwise when it is touched and not changed`;
  const more = { ...metadata, properties: { ...metadata.properties, "floeplan.corpus": "1" } };
  const changed = differentMember(document, writeDocument(more), new Set(["properties"]));
  if (changed !== null) return `${changed} changes with a property`;
  const anew = readMetadata(writeDocument({ ...metadata, origin: null }), file.path);
  const lost = differentMember(writeDocument({ ...anew, origin: null }), writeDocument({ ...metadata, origin: null }), new Set());
  return lost === null ? null : `${lost} is another after being written anew and read`;
}

/** The same values in new containers: every section is compared and none may change. */
function touch(metadata: TableMetadata): TableMetadata {
  return {
    ...metadata,
    schemas: [...metadata.schemas],
    partitionSpecs: [...metadata.partitionSpecs],
    sortOrders: [...metadata.sortOrders],
    properties: { ...metadata.properties },
    refs: { ...metadata.refs },
    metadataLog: [...metadata.metadataLog],
    carried: { ...metadata.carried },
  };
}

function differentMember(before: Uint8Array, after: Uint8Array, except: ReadonlySet<string>): string | null {
  const read = (document: Uint8Array): ReadonlyMap<string, string> =>
    new Map(scanObject(document).map(({ key, value }) => [key, Buffer.from(value).toString("utf8")]));
  const [old, now] = [read(before), read(after)];
  for (const key of new Set([...old.keys(), ...now.keys()])) {
    if (!except.has(key) && old.get(key) !== now.get(key)) return `"${key}"`;
  }
  return null;
}
