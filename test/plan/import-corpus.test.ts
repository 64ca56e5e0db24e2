// The corpus walk over the small real tables among the test data: all right, and the wrong files refused. Over a
// folder of any tables: `npm run corpus -- FOLDER`.
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import { checkTable } from "../../scripts/corpus-check.ts";
import { roundTripProblem } from "../../scripts/corpus-round-trip.ts";
import { checkCorpus } from "../../scripts/corpus-run.ts";
import { highestFieldId } from "../../src/iceberg/table-metadata.ts";
import { field, metadataOf, schemaOf } from "./support.ts";

const DATA = resolve(import.meta.dirname, "../data");

describe("real tables of Spark, PyIceberg, Impala and DuckDB", () => {
  it("are written back byte for byte, imported with an empty plan, and keep their ids through a battery of edits", () => {
    const { lines, tables, refusedTables, failures, plannedEdits } = checkCorpus(DATA);
    expect(lines.filter((line) => line.includes("FAIL"))).toEqual([]);
    expect([tables, refusedTables, failures]).toEqual([17, 0, 0]);
    expect(plannedEdits).toBeGreaterThan(500);
    expect(lines.filter((line) => line.includes("refused as it must be"))).toHaveLength(7);
  });

  it("are told when a file is not what was read", () => {
    const bytes = new TextEncoder().encode('{"format-version": 4, "location": "/x"}');
    expect(() => roundTripProblem({ path: "x.json", bytes })).toThrow("Cannot read metadata file");
  });
});

describe("a table whose last column id was counted wrongly", () => {
  const struct = { type: "struct", ...schemaOf(field(3, "a", "int"), field(4, "b", "int")) };
  const metadata = metadataOf(
    [
      schemaOf(field(1, "x", "int"), field(2, "s", struct), field(9, "gone", "int")),
      schemaOf(field(1, "x", "int"), field(2, "s", struct)),
    ],
    {
      "last-column-id": 1,
    },
  );

  it("gives no id again that any schema has had", () => {
    expect(highestFieldId(metadata)).toBe(9);
    const { failures, planned } = checkTable(metadata, "/wh/ns/t/metadata/v1.metadata.json");
    expect(failures).toEqual([]);
    expect(planned).toBeGreaterThan(10);
  });
});
