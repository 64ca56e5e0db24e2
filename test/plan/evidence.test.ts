// The facts that stand beside steps and drift: read from manifests and snapshots, said in the plan, never guessed.
import { describe, expect, it } from "vitest";
import type { Evidence } from "../../src/iceberg/evidence.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import { PLAIN_EVIDENCE, SNAPSHOT } from "./facts.ts";
import { applied, field, metadataOf, plan, schemaOf } from "./support.ts";

const table = (...columns: readonly string[]): string =>
  `table: ns.t\ncolumns:\n${columns.map((column) => `  - { ${column} }\n`).join("")}`;
const A = "name: a, type: string";
const B = "name: b, type: string";
const dropB = `${table(A)}dropped: [ { field: b, reason: "not filled" } ]\n`;
const ab = (): TableMetadata => metadataOf([schemaOf(field(1, "a", "string"), field(2, "b", "string"))], SNAPSHOT);
const told = (more: Partial<Evidence>): Evidence => ({ ...PLAIN_EVIDENCE, ...more });
const counts = { files: 1, values: 10n, nulls: 4n, sizeBytes: 100n };

describe("a foreign column", () => {
  const [head] = SNAPSHOT.snapshots;
  const writtenWith = (schemaId: number, summary: Readonly<Record<string, string>>): TableMetadata =>
    metadataOf([schemaOf(field(1, "a", "string")), schemaOf(field(1, "a", "string"), field(2, "utm", "string"))], {
      ...SNAPSHOT,
      "last-sequence-number": 2,
      "current-snapshot-id": 8,
      snapshots: [
        { ...head, summary: { operation: "append", "engine-name": "trino" } },
        { ...head, "snapshot-id": 8, "sequence-number": 2, "timestamp-ms": 1_755_648_000_000, "schema-id": schemaId, summary },
      ],
    });

  it.each([
    [{ operation: "append", "engine-name": "spark", "app-id": "glue-job-clicks" }, "spark (glue-job-clicks), 2025-08-20"],
    [{ operation: "append", "engine-name": "spark", "spark.app.id": "local-17" }, "spark (local-17), 2025-08-20"],
    [{ operation: "append", trino_query_id: "20250820_1" }, "trino (20250820_1), 2025-08-20"],
    [{ operation: "append" }, "an unnamed writer, 2025-08-20"],
  ])("is told with the writer of the first snapshot that has it: %j", (summary, words) => {
    const [drift] = plan(table(A), writtenWith(1, summary)).plan.drift;
    expect(drift?.subject).toBe("utm");
    expect(drift?.origin).toBe(`in schema 1, first written by ${words}`);
  });

  it("has no writer where nothing was written with it", () => {
    const [drift] = plan(table(A), writtenWith(0, { operation: "append" })).plan.drift;
    expect(drift?.origin).toBe("in schema 1, no snapshot written with it yet");
  });
});

describe("a drop", () => {
  it.each<[string, Evidence | null, string | null, string]>([
    ["the rows that hold a value", told({ fields: new Map([[2, counts]]) }), "6", "6 rows hold a value"],
    ["that none does", told({}), "0", "no row holds a value"],
    ["nothing where a file has no metrics", told({ filesWithoutMetrics: 1 }), null, ""],
    ["nothing where the manifests were not read", null, null, ""],
  ])("tells %s", (_, evidence, rows, words) => {
    const [step] = plan(dropB, ab(), evidence === null ? {} : { evidence }).plan.steps;
    expect(step?.evidence).toMatchObject({ "rows-with-value": rows, reason: "not filled" });
    expect(step?.text.detail).toBe(words);
  });

  it("tells what the values lie between, where bounds are known", () => {
    const evidence = told({ ranges: new Map([[2, { lower: "aa", upper: "zz" }]]) });
    expect(plan(dropB, ab(), { evidence }).plan.steps[0]?.evidence).toMatchObject({ "lower-bound": "aa", "upper-bound": "zz" });
  });
});

it("a field that comes back tells in how many live files its values still are", () => {
  const evidence = told({ fields: new Map([[2, { ...counts, files: 3 }]]) });
  const [step] = plan(table(A, B), applied(dropB, ab()), { evidence }).plan.steps;
  expect(step?.kind).toBe("restore-field");
  expect(step?.evidence).toMatchObject({ "files-with-values": 3 });
  expect(step?.text.detail).toBe("old values in 3 live files become visible again");
});

it("a table tells its size, its files by spec, and its last write", () => {
  const evidence = told({ dataFiles: 4, positionDeleteFiles: 1, equalityDeleteFiles: 2, filesBySpec: new Map([[0, 7]]) });
  expect(plan(table(A, B), ab(), { evidence }).plan.facts).toMatchObject({
    size: { rows: 10n, bytes: 1000n, dataFiles: 4, deleteFiles: 3 },
    filesBySpec: new Map([[0, 7]]),
    lastWrite: { atMs: 1_700_000_000_000, operation: "append", writer: "an unnamed writer" },
  });
  expect(plan(table(A, B), ab()).plan.facts).toMatchObject({ size: null, filesBySpec: null });
});
