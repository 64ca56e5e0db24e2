// What an interrupted conversion has finished, so that the next run takes it up. The journal is a hint, never the
// truth: every file that it names is proved present before it is used, and losing the journal loses only work.
import { ToolError } from "../diagnostics/tool-error.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../iceberg/json.ts";
import { parseJson } from "../iceberg/json-parse.ts";
import { writeJson } from "../iceberg/json-write.ts";
import { joinLocation, locationKey } from "../iceberg/location.ts";
import type { ColumnMetrics } from "../iceberg/metrics.ts";
import type { TableMetadata } from "../iceberg/table-metadata.ts";
import type { ObjectStore } from "../storage/object-store.ts";
import type { ConvertedFile } from "./rewrite-engine.ts";

/** One fixed name a table: where objects cannot be listed or removed it is emptied. */
function journalLocation(metadata: TableMetadata): string {
  return joinLocation(
    metadata.properties["write.metadata.path"] ?? joinLocation(metadata.location, "metadata"),
    "floeplan-journal.json",
  );
}

export interface Journal {
  /** Finished files by target location key. */
  readonly finished: ReadonlyMap<string, ConvertedFile>;
  add(file: ConvertedFile): void;
  /** Writes what was added since. */
  save(): Promise<void>;
  /** The same, but not more often than pays: each write holds the whole journal. */
  saveSometimes(): Promise<void>;
}

const VERSION = 1;
/** Work that a killed run may lose, at most, beside the files under way. */
const SAVE_EVERY_MS = 2000;

export async function openJournal(store: ObjectStore, metadata: TableMetadata): Promise<Journal> {
  const location = journalLocation(metadata);
  const finished = new Map<string, ConvertedFile>();
  for (const file of await readJournal(store, metadata))
    if (file.target !== null) finished.set(locationKey(file.target.location), file);
  let dirty = false;
  let savedAt = Date.now();
  const save = async (): Promise<void> => {
    if (!dirty) return;
    dirty = false;
    savedAt = Date.now();
    const value: JsonObject = { version: VERSION, table: metadata.tableUuid, files: [...finished.values()].map(toJson) };
    await ifAllowed(async () => await store.replace(location, new TextEncoder().encode(writeJson(value))));
  };
  return {
    finished,
    add: (file) => {
      if (file.target === null) return;
      finished.set(locationKey(file.target.location), file);
      dirty = true;
    },
    save,
    saveSometimes: async () => {
      if (Date.now() - savedAt >= SAVE_EVERY_MS) await save();
    },
  };
}

/** The finished files that a journal names; none when there is no journal or it is damaged or another table's. */
export async function readJournal(store: ObjectStore, metadata: TableMetadata): Promise<readonly ConvertedFile[]> {
  const location = journalLocation(metadata);
  const text = await ifAllowed(async () => ((await store.head(location)) === null ? null : await store.read(location)));
  if (text === null) return [];
  try {
    const value = parseJson(text);
    if (!isJsonObject(value) || value["version"] !== VERSION || value["table"] !== metadata.tableUuid) return [];
    const files = value["files"];
    return Array.isArray(files) ? files.flatMap((file: JsonValue) => fromJson(file) ?? []) : [];
  } catch {
    return [];
  }
}

export async function endJournal(store: ObjectStore, metadata: TableMetadata): Promise<void> {
  const location = journalLocation(metadata);
  await ifAllowed(async () => {
    if ((await store.head(location)) === null) return;
    const nothing = writeJson({ version: VERSION, table: metadata.tableUuid, files: [] });
    if (store.canRemove) await store.remove(location);
    else await store.replace(location, new TextEncoder().encode(nothing));
  });
}

/** Some stores take no file of such a name: then there is no journal, and a killed run starts anew. */
async function ifAllowed<T>(use: () => Promise<T>): Promise<T | null> {
  try {
    return await use();
  } catch (error) {
    const isDenied = error instanceof ToolError && ["auth", "refused", "unsupported"].includes(error.kind);
    if (!isDenied) throw error;
    return null;
  }
}

function toJson({ source, target }: ConvertedFile): JsonObject {
  return {
    source,
    location: target?.location ?? null,
    size: target?.sizeBytes ?? 0n,
    splits: [...(target?.splitOffsets ?? [])],
    columns: [...(target?.columns ?? [])].map(([retired, metrics]) => ({
      retired,
      id: metrics.fieldId,
      size: metrics.sizeBytes,
      values: metrics.valueCount,
      nulls: metrics.nullCount,
      nans: metrics.nanCount,
      lower: hex(metrics.lowerBound),
      upper: hex(metrics.upperBound),
    })),
  };
}

function fromJson(value: JsonValue): ConvertedFile | null {
  if (!isJsonObject(value)) return null;
  const { source, location, size, splits, columns } = value;
  if (typeof source !== "string" || typeof location !== "string" || !Array.isArray(splits) || !Array.isArray(columns))
    return null;
  const metrics = new Map<number, ColumnMetrics>();
  for (const column of columns as readonly JsonValue[]) {
    if (!isJsonObject(column) || typeof column["retired"] !== "number" || typeof column["id"] !== "number") return null;
    metrics.set(column["retired"], {
      fieldId: column["id"],
      sizeBytes: long(column["size"]),
      valueCount: long(column["values"]),
      nullCount: long(column["nulls"]),
      nanCount: long(column["nans"]),
      lowerBound: bytes(column["lower"]),
      upperBound: bytes(column["upper"]),
    });
  }
  const splitOffsets = (splits as readonly JsonValue[]).flatMap((one) => long(one) ?? []);
  return { source, target: { location, sizeBytes: long(size) ?? 0n, splitOffsets, columns: metrics } };
}

function long(value: JsonValue | undefined): bigint | null {
  return typeof value === "bigint" || typeof value === "number" ? BigInt(value) : null;
}

function hex(value: Uint8Array | null): string | null {
  return value === null ? null : Buffer.from(value).toString("hex");
}

function bytes(value: JsonValue | undefined): Uint8Array | null {
  return typeof value === "string" ? Uint8Array.from(Buffer.from(value, "hex")) : null;
}
