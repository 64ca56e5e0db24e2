// What the parts of this suite share: the engines, and what is expected of them.
import type { DuckDb } from "../support/engines/duckdb.ts";
import type { PyIceberg } from "../support/engines/pyiceberg.ts";
import type { Spark } from "../support/engines/spark.ts";
import { sameRows, type Suite } from "../support/expect.ts";
import type { RowSet } from "../support/rows.ts";

export interface Bed {
  readonly suite: Suite;
  readonly duckdb: DuckDb;
  readonly pyiceberg: PyIceberg;
  readonly spark: Spark;
}

/** Every engine reads the table of a metadata file, and reads the same. `uuid` and other differences of types are the caller's. */
export async function sameInAllEngines(bed: Bed, name: string, metadata: string, expected: RowSet): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  await suite.check(`DuckDB reads ${name}`, async () => sameRows(await duckdb.scan(metadata), expected));
  await suite.check(`PyIceberg reads ${name}`, async () => sameRows(await pyiceberg.staticRows(metadata), expected));
  await suite.check(`Spark reads ${name}`, async () => sameRows(await spark.scan(metadata), expected));
}
