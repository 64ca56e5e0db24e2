// Manifests and manifest lists: every entry and record read, with all columns and with few, written again, and read as
// the same.
import { isDeepStrictEqual } from "node:util";
import { readManifestList, writeManifestList } from "../../../src/iceberg/manifest-list.ts";
import { hasCounts } from "../../../src/iceberg/manifest-count.ts";
import { readManifest } from "../../../src/iceberg/manifest-read.ts";
import { writeManifest } from "../../../src/iceberg/manifest-write.ts";
import { mutateAvro, takeApart } from "../mutate/avro.ts";
import { ACCEPTED, type FuzzTarget, type OpenTarget, WrongAcceptance } from "../target.ts";

const FILE = "s3://fuzz/t/metadata/m.avro";

function avroTarget(isMine: (bytes: Uint8Array) => boolean, use: OpenTarget["use"]): Pick<FuzzTarget, "isSeed" | "open"> {
  return {
    isSeed: ({ path, bytes }) => path.endsWith(".avro") && isMine(bytes),
    open: (seeds) => {
      const parts = seeds.map(({ bytes }) => takeApart(bytes)).filter((taken) => taken !== null);
      return { make: (random) => mutateAvro(random.pick(parts), random, random.pick(parts)), use };
    },
  };
}

function canRead(read: (bytes: Uint8Array) => unknown): (bytes: Uint8Array) => boolean {
  return (bytes) => {
    try {
      read(bytes);
      return true;
    } catch {
      return false;
    }
  };
}

export const manifest: FuzzTarget = {
  name: "manifest",
  about: "manifests (Avro): reader with all and with few columns, writer",
  ...avroTarget(
    canRead((bytes) => readManifest(bytes, FILE)),
    useManifest,
  ),
};

export const manifestList: FuzzTarget = {
  name: "manifest-list",
  about: "manifest lists (Avro): reader, writer",
  ...avroTarget(
    canRead((bytes) => readManifestList(bytes, FILE)),
    useManifestList,
  ),
};

function useManifest(input: Uint8Array): string {
  const read = readManifest(input, FILE);
  const entries = [...read.entries()];
  for (const entry of read.project(["nullValueCounts"])) void entry.dataFile.recordCount;
  // What stands in the numbers of an entry of status "added" may be left out; others must carry them to be written.
  const [first] = entries;
  if (first === undefined) return ACCEPTED;
  const content = first.dataFile.content === "data" ? "data" : "deletes";
  const writable = entries.filter(
    (entry) =>
      (entry.dataFile.content === "data") === (content === "data") &&
      (entry.status === "added" || (entry.snapshotId !== null && entry.sequenceNumber !== null)),
  );
  const options = {
    location: FILE,
    formatVersion: 3,
    content,
    schema: { schemaId: 0, fields: [], identifierFieldIds: [] },
    spec: { specId: 0, fields: [] },
    partitionColumns: read.partitionColumns,
    snapshotId: 1n,
    carried: read.carried,
  } as const;
  const { bytes } = writeManifest(options, writable);
  const again = [...readManifest(bytes, FILE, { partitionColumns: read.partitionColumns }).entries()];
  const [wanted, found] = [writable.map(bare), again.map(bare)];
  const at = wanted.findIndex((entry, index) => !isDeepStrictEqual(entry, found[index]));
  if (at >= 0 || wanted.length !== found.length) {
    throw new WrongAcceptance(`Entry ${at} is read otherwise after it was written: ${shown(wanted[at])} ${shown(found[at])}`);
  }
  return ACCEPTED;
}

/** Without columns that this version does not know: their place in the schema is another after writing. */
function bare(entry: { readonly dataFile: object }): unknown {
  return { ...entry, carried: null, dataFile: { ...entry.dataFile, carried: null } };
}

function useManifestList(input: Uint8Array): string {
  const { manifests } = readManifestList(input, FILE);
  const writable = manifests.filter((one) => hasCounts(one) && one.addedSnapshotId !== null);
  const options = { formatVersion: 2, snapshotId: 1n, parentSnapshotId: null, sequenceNumber: 9n, firstRowId: null } as const;
  const { bytes } = writeManifestList(options, writable);
  const again = readManifestList(bytes, FILE).manifests;
  const [wanted, found] = [writable, again].map((list) => list.map((one) => ({ ...one, carried: null, firstRowId: null })));
  if (!isDeepStrictEqual(wanted, found)) throw new WrongAcceptance("The records are read otherwise after they were written");
  return ACCEPTED;
}

function shown(value: unknown): string {
  return JSON.stringify(value, (_, one: unknown) => (typeof one === "bigint" ? `${one}n` : one)) ?? "nothing";
}
