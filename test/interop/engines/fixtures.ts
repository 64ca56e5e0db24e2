// The tables that Spark once wrote, copied elsewhere: every engine reads every one of them, whole and by snapshot, with
// the checksum and counts that were noted when they were made.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sameTypes, skip } from "../support/expect.ts";
import { newestMetadata, sharedPath } from "../support/places.ts";
import { relocateTables } from "../support/relocate.ts";
import { type RowSet, rowsOf } from "../support/rows.ts";
import type { Bed } from "./bed.ts";

interface Expected {
  readonly rows: number;
  readonly sha256: string;
  /** In Spark's words. */
  readonly types: Readonly<Record<string, string>>;
  readonly columns: Readonly<Record<string, { readonly nulls: number }>>;
  readonly snapshots: readonly { readonly id: string; readonly rows: number }[];
}

interface Fixture {
  /** `namespace.table`. */
  readonly name: string;
  readonly source: string;
  readonly from: string;
  readonly expected: Expected;
}

const MADE_AT = "/tmp/floeplan-demo/warehouse";
const ICEBERG_WORDS: readonly (readonly [RegExp, string])[] = [
  [/\bbigint\b/g, "long"],
  [/\barray</g, "list<"],
  [/\btimestamp\b/g, "timestamptz"],
];

/** Null where the fixtures are absent. */
export async function loadFixtures(): Promise<readonly Fixture[] | null> {
  const folder = sharedPath("fixtures");
  if (folder === null) return null;
  const [own, stories] = await Promise.all(
    [join(folder, "EXPECTED.json"), join(folder, "stories/EXPECTED.json")].map(async (file) => {
      const { tables } = JSON.parse(await readFile(file, "utf8")) as { readonly tables: Readonly<Record<string, Expected>> };
      return Object.entries(tables);
    }),
  );
  return [
    ...(own ?? []).map(([table, expected]) => ({
      name: `hr.${table}`,
      source: join(folder, table),
      from: `${MADE_AT}/hr/${table}`,
      expected,
    })),
    ...(stories ?? []).map(([name, expected]) => ({
      name,
      source: join(folder, "stories", name),
      from: `${MADE_AT}/${name.replace(".", "/")}`,
      expected,
    })),
  ];
}

function folderOf(warehouse: string, name: string): string {
  return join(warehouse, ...name.split("."));
}

/** Copies all of them into the warehouse, and the first once more with its paths spelt as addresses. */
export async function unpackFixtures(fixtures: readonly Fixture[], warehouse: string, spelt: string): Promise<void> {
  const moves = fixtures.map(({ name, source, from }) => ({ source, from, target: folderOf(warehouse, name) }));
  const again = moves.slice(0, 1).map((move) => ({ ...move, target: spelt, to: `file://${spelt}` }));
  await relocateTables([...moves, ...again]);
}

/** `catalog` is Spark's name of the warehouse. */
export async function checkFixtures(
  bed: Bed,
  fixtures: readonly Fixture[] | null,
  warehouse: string,
  catalog: string,
): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  if (fixtures === null) {
    await suite.check("the fixture tables", () => skip("no fixtures beside the repository (FLOEPLAN_SHARED names their folder)"));
    return;
  }
  for (const { name, expected } of fixtures) {
    const folder = folderOf(warehouse, name);
    const metadata = await newestMetadata(folder);
    await suite.check(`DuckDB reads ${name} by its metadata file`, async () => asNoted(await duckdb.scan(metadata), expected));
    await suite.check(`DuckDB reads ${name} by its folder`, async () => asNoted(await duckdb.scan(folder), expected));
    await suite.check(`PyIceberg reads ${name}`, async () => asNoted(await pyiceberg.staticRows(metadata), expected));
    await suite.check(`Spark reads ${name}`, async () => asNoted(await spark.sql(`SELECT * FROM ${catalog}.${name}`), expected));
    await suite.check(`all engines read the ${expected.snapshots.length} snapshots of ${name}`, async () => {
      for (const { id, rows } of expected.snapshots) {
        const snapshotId = BigInt(id);
        sameCount("DuckDB", id, (await duckdb.scan(metadata, { snapshotId })).count, rows);
        sameCount("PyIceberg", id, (await pyiceberg.staticRows(metadata, { snapshotId })).count, rows);
        sameCount("Spark", id, (await spark.sql(`SELECT * FROM ${catalog}.${name} VERSION AS OF ${id}`)).count, rows);
      }
    });
  }
}

export async function checkSpelling(bed: Bed, fixture: Fixture, folder: string): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  await suite.check(`all engines read ${fixture.name} with its paths spelt file:///`, async () => {
    const metadata = `file://${await newestMetadata(folder)}`;
    asNoted(await duckdb.scan(metadata), fixture.expected);
    asNoted(await pyiceberg.staticRows(metadata), fixture.expected);
    asNoted(await spark.scan(metadata), fixture.expected);
  });
}

function asNoted(actual: RowSet, expected: Expected): void {
  sameTypes(actual.types, inIcebergWords(expected.types));
  if (actual.count !== expected.rows) throw new Error(`${actual.count} rows, expected ${expected.rows}`);
  const rows = rowsOf(actual);
  for (const [column, { nulls }] of Object.entries(expected.columns)) {
    const found = rows.filter((row) => row[column] === null).length;
    if (found !== nulls) throw new Error(`Column "${column}" has ${found} nulls, expected ${nulls}`);
  }
  if (actual.digest !== expected.sha256) throw new Error(`Checksum ${actual.digest}, expected ${expected.sha256}`);
}

function inIcebergWords(types: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(types).map(([column, type]) => [
      column,
      ICEBERG_WORDS.reduce((text, [spark, iceberg]) => text.replaceAll(spark, iceberg), type),
    ]),
  );
}

function sameCount(engine: string, snapshot: string, actual: number, expected: number): void {
  if (actual !== expected) throw new Error(`${engine} reads ${actual} rows of snapshot ${snapshot}, expected ${expected}`);
}
