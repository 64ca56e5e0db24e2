// Is a metadata file written back byte for byte: as it was read, with every section touched and none changed, with
// one property more in all the other sections, and written anew without a loss? Tells the first section that is not.
import { scanObject } from "../src/iceberg/json-scan.ts";
import { readMetadata, writeMetadata } from "../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../src/iceberg/table-metadata.ts";
import { type MetadataFile, unpacked } from "./corpus-find.ts";

/** What differs; null when nothing does. Throws what reading throws. */
export function roundTripProblem(file: MetadataFile): string | null {
  const metadata = readMetadata(file.bytes, file.path);
  const document = Buffer.from(unpacked(file.bytes), "utf8");
  if (!document.equals(writeMetadata(metadata))) return "it is not written back as it was read";
  const touched = differentMember(document, writeMetadata(touch(metadata)), SECOND_COPIES);
  if (touched !== null) return `${touched} is written back otherwise when it is touched and not changed`;
  const more = { ...metadata, properties: { ...metadata.properties, "floeplan.corpus": "1" } };
  const changed = differentMember(document, writeMetadata(more), new Set(["properties"]));
  if (changed !== null) return `${changed} changes with a property`;
  const fresh = writeMetadata({ ...metadata, origin: null });
  const again = writeMetadata({ ...readMetadata(fresh, "anew.json"), origin: null });
  const lost = differentMember(fresh, again, new Set());
  return lost === null ? null : `${lost} is another after being written anew and read`;
}

/** The same values in new containers, as a commit leaves them that changes nothing there. Empty ones have no spelling to keep. */
function touch(metadata: TableMetadata): TableMetadata {
  const { properties, refs, metadataLog } = metadata;
  return {
    ...metadata,
    schemas: [...metadata.schemas],
    partitionSpecs: [...metadata.partitionSpecs],
    sortOrders: [...metadata.sortOrders],
    ...(Object.keys(properties).length === 0 ? {} : { properties: { ...properties } }),
    ...(isWritten(metadata, "refs", '"main"') ? { refs: { ...refs } } : {}),
    ...(metadataLog.length === 0 ? {} : { metadataLog: [...metadataLog] }),
  };
}

/** Reading puts in what old files leave out; touching that rightly writes it. */
function isWritten({ origin }: TableMetadata, key: string, part: string): boolean {
  const member = origin?.members.find((one) => one.key === key);
  return member !== undefined && Buffer.from(member.value).toString("utf8").includes(part);
}

/** Old files hold the current schema and spec a second time, in a form of their own: what is written there is today's. */
const SECOND_COPIES: ReadonlySet<string> = new Set(["schema", "partition-spec"]);

/** Members that the file had. What an old file lacks may come when the section around it is written. */
function differentMember(before: Uint8Array, after: Uint8Array, except: ReadonlySet<string>): string | null {
  const now = new Map(scanObject(after).map(({ key, value }) => [key, value]));
  for (const { key, value } of scanObject(before)) {
    const other = now.get(key);
    if (!except.has(key) && (other === undefined || !Buffer.from(value).equals(other))) return `"${key}"`;
  }
  return null;
}
