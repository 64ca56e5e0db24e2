// Table metadata files: read, written back byte for byte, every snapshot looked at, changed by updates and read again,
// imported into YAML, and planned with one edit of a person.
import { isUtf8 } from "node:buffer";
import { isDeepStrictEqual } from "node:util";
import { corpusEdits } from "../../../scripts/corpus-edits.ts";
import { roundTripProblem } from "../../../scripts/corpus-round-trip.ts";
import { isSpec, planText, readText, standInPlace, type TextPlace } from "../../../src/commands/import-check.ts";
import { writeTableYaml } from "../../../src/desired/write-yaml.ts";
import { ToolError } from "../../../src/diagnostics/tool-error.ts";
import { applyUpdates } from "../../../src/iceberg/apply-update.ts";
import { parseJson } from "../../../src/iceberg/json-parse.ts";
import type { LiveTable } from "../../../src/iceberg/live-table.ts";
import { unpackMetadataFile } from "../../../src/iceberg/metadata-file.ts";
import { readMetadata, writeMetadata } from "../../../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../../../src/iceberg/table-metadata.ts";
import type { TableUpdate } from "../../../src/iceberg/table-update.ts";
import { importTable } from "../../../src/plan/import-table.ts";
import { mutateBytes } from "../mutate/bytes.ts";
import { mutateTree } from "../mutate/json.ts";
import { mutateText, utf8WithSurrogates } from "../mutate/text.ts";
import { printJson, type Tree, treeOf } from "../mutate/tree.ts";
import { ACCEPTED, type FuzzTarget, WrongAcceptance } from "../target.ts";

export const metadata: FuzzTarget = {
  name: "metadata",
  about: "table metadata JSON: reader, writer, updates, import, planner",
  isSeed: ({ path }) => /\.metadata\.json$|TableMetadata.*\.json$/.test(path),
  open: (seeds) => {
    const documents = seeds.flatMap(({ path, bytes }) => {
      const document = jsonIn(bytes, path);
      return document === null ? [] : [{ bytes, text: document.text, tree: document.tree }];
    });
    return {
      make: (random) => {
        const { bytes, text, tree } = random.pick(documents);
        const other = random.pick(documents);
        if (random.once(12)) return mutateBytes(bytes, random, other.bytes);
        if (random.once(12)) return utf8WithSurrogates(mutateText(text, random, other.text));
        return utf8WithSurrogates(printJson(mutateTree(tree, random, other.tree), random.pick(["", "", " ", "\n  "])));
      },
      use: useMetadata,
    };
  },
};

function jsonIn(bytes: Uint8Array, path: string): { readonly text: string; readonly tree: Tree } | null {
  try {
    const document = unpackMetadataFile(bytes, path);
    return { text: new TextDecoder().decode(document), tree: treeOf(parseJson(document)) };
  } catch {
    return null;
  }
}

const ODD_NUMBER = /\d[eE][+-]?\d|\d\.\d|-0\b/;
const LOCATION = "s3://fuzz/t/metadata/v1.metadata.json";

function useMetadata(input: Uint8Array): string {
  const read = readMetadata(input, LOCATION);
  if (!Buffer.from(writeMetadata(read)).equals(unpackMetadataFile(input, LOCATION))) {
    throw new WrongAcceptance("It is not written back as it was read");
  }
  for (const snapshot of read.snapshots) void snapshot.sequenceNumber;
  for (const entry of read.snapshotLog) void entry.snapshotId;
  // Lists that are carried are not looked into; what compares texts wants texts.
  const document = unpackMetadataFile(input, LOCATION);
  // Whole numbers of another spelling (1E+2) are written as numbers are, once something around them is.
  const isPlain = isUtf8(document) && !ODD_NUMBER.test(Buffer.from(document).toString("utf8"));
  const problem = isPlain ? roundTripProblem({ path: LOCATION, bytes: input }) : null;
  if (problem !== null) throw new WrongAcceptance(problem);
  change(read, input);
  plan(read, input);
  return ACCEPTED;
}

const OPTIONS = { nowMs: 1_900_000_000_000, previousMetadataLocation: LOCATION };

/** What updates make of it is a file that is read again, and written again as it was. */
function change(read: TableMetadata, input: Uint8Array): void {
  let after: TableMetadata;
  try {
    after = applyUpdates(read, updatesFor(read, input), OPTIONS);
  } catch (error) {
    if (error instanceof ToolError && error.kind !== "internal") return;
    throw error;
  }
  const written = writeMetadata(after);
  let again: TableMetadata;
  try {
    again = readMetadata(written, LOCATION);
  } catch (error) {
    throw new WrongAcceptance(
      `What was written after a commit is not read: ${String(error)} ${error instanceof ToolError ? (error.why ?? "") : ""}`,
    );
  }
  const [wanted, found] = [after, again].map((one) => parseJson(writeMetadata({ ...one, origin: null })));
  if (!isDeepStrictEqual(wanted, found)) throw new WrongAcceptance("What was written after a commit is read as something else");
}

function updatesFor(read: TableMetadata, input: Uint8Array): readonly TableUpdate[] {
  const choice = input.length % 7;
  const properties: TableUpdate = { action: "set-properties", updates: { "floeplan.fuzz": "1", constructor: "2" } };
  const schema = read.schemas[input.length % Math.max(1, read.schemas.length)];
  const spec = read.partitionSpecs[0];
  const order = read.sortOrders[0];
  const snapshot = read.snapshots.at(0);
  switch (choice) {
    case 0:
      return schema === undefined
        ? [properties]
        : [
            { action: "add-schema", schema: { ...schema, schemaId: -1 }, lastColumnId: read.lastColumnId },
            { action: "set-current-schema", schemaId: -1 },
          ];
    case 1:
      return spec === undefined
        ? [properties]
        : [
            { action: "add-spec", spec },
            { action: "set-default-spec", specId: -1 },
          ];
    case 2:
      return order === undefined
        ? [properties]
        : [
            { action: "add-sort-order", sortOrder: order },
            { action: "set-default-sort-order", sortOrderId: -1 },
          ];
    case 3:
      return [{ action: "upgrade-format-version", formatVersion: 3 }, properties];
    case 4:
      return snapshot === undefined ? [properties] : [{ action: "remove-snapshots", snapshotIds: [snapshot.snapshotId] }];
    case 5:
      return snapshot === undefined
        ? [properties]
        : [{ action: "set-snapshot-ref", refName: "main", ref: { snapshotId: snapshot.snapshotId, type: "branch" } }, properties];
    default:
      return [properties, { action: "remove-properties", removals: Object.keys(read.properties).slice(0, 1) }];
  }
}

function plan(read: TableMetadata, input: Uint8Array): void {
  const live: LiveTable = {
    identifier: { namespace: ["fuzz"], name: "t" },
    metadata: read,
    metadataLocation: LOCATION,
    token: null,
  };
  const { table } = importTable(read, { name: ["fuzz", "t"], catalog: null, pins: input.length % 2 === 0 ? "none" : "all" });
  const spec = readText(writeTableYaml(table), "fuzz.yaml", PLACE);
  if (!isSpec(spec)) return;
  planText(spec, live, PLACE);
  const edits = corpusEdits(spec);
  for (let skipped = input.length % 40; skipped > 0; skipped--) edits.next();
  const edit = edits.next();
  if (edit.done !== true) planText(edit.value.spec, live, PLACE);
}

export const PLACE: TextPlace = standInPlace(
  { type: "local", warehouse: "/fuzz", place: { file: "", line: 1, column: 1 } },
  { label: "fuzz", lowerCaseNames: false, nestedNamespaces: true, tableLocation: true, seenByAthena: true },
  "/fuzz",
);
