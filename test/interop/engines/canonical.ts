// The canonical form itself: a table of every type with the values that forms go wrong on, written by PyIceberg from
// rows that are spelt here. Every engine must give exactly these back, and the checksum worked out here.
import { sqlCatalog } from "../support/engines/pyiceberg.ts";
import { sameRows } from "../support/expect.ts";
import { type Row, rowSet } from "../support/rows.ts";
import type { Bed } from "./bed.ts";

const TYPES = {
  id: "long",
  yes: "boolean",
  small: "int",
  single: "float",
  double: "double",
  amount: "decimal(38,10)",
  day: "date",
  local: "timestamp",
  instant: "timestamptz",
  text: "string",
  bytes: "binary",
  four: "binary",
  key: "uuid",
  parts: "struct<z:int,a:struct<größe:string>>",
  list: "list<list<long>>",
  map: "map<int,date>",
} as const;

const ROWS: readonly Row[] = [
  {
    id: 9_223_372_036_854_775_807n,
    yes: true,
    small: -2_147_483_648n,
    // 0.1 as the nearest float.
    single: 0.10000000149011612,
    double: 5e-324,
    amount: "9999999999999999999999999999.9999999999",
    day: "9999-12-31",
    local: "1969-12-31T23:59:59.999999",
    instant: "2024-02-29T12:00:00.000001Z",
    text: 'quote " back\\slash, tab\t, delete \u007f, ü, 😀, \u2028',
    bytes: "00ff10",
    four: "01020304",
    key: "f79c3e09-677c-4bbd-a479-3f349cb785e7",
    parts: { z: 1n, a: { größe: "L" } },
    list: [[1n, null], [], null],
    map: { "10": "2024-01-01", "-1": null },
  },
  {
    id: -9_223_372_036_854_775_808n,
    yes: false,
    small: 0n,
    single: -0,
    double: Number.NaN,
    amount: "0.0000000001",
    day: "0001-01-01",
    local: "0001-01-01T00:00:00.000000",
    instant: "9999-12-31T23:59:59.999999Z",
    text: "",
    bytes: "",
    four: "ffffffff",
    key: "00000000-0000-0000-0000-000000000000",
    parts: { z: null, a: null },
    list: [],
    map: {},
  },
  ...[1e16, 123_456_789_012_345_680, 0.0001, 0.00001, 1 / 3, 100, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY].map(
    (double, index) => ({ ...nothing(), id: BigInt(index), double }),
  ),
];

function nothing(): Row {
  return Object.fromEntries(Object.keys(TYPES).map((column) => [column, null]));
}

export async function checkCanonicalForm(bed: Bed): Promise<void> {
  const { suite, duckdb, pyiceberg, spark } = bed;
  const catalog = sqlCatalog(suite.scratch);
  const expected = rowSet(TYPES, ROWS);
  const metadata = await suite.check("PyIceberg writes a table of every type", async () => {
    await pyiceberg.create(catalog, "rig.types", { schema: SCHEMA });
    return (await pyiceberg.append(catalog, "rig.types", ROWS)).location;
  });
  if (metadata === null) return;
  await suite.check("PyIceberg gives every value back in the canonical form", async () => {
    sameRows(await pyiceberg.staticRows(metadata), expected);
  });
  await suite.check("DuckDB gives every value back in the canonical form", async () => {
    sameRows(await duckdb.scan(metadata), expected);
  });
  await suite.check("Spark gives every value back in the canonical form", async () => {
    // Spark has no type for uuids.
    sameRows(await spark.scan(metadata), { ...expected, types: { ...TYPES, key: "string" } });
  });
  await suite.check("times of day read alike where an engine has them", async () => {
    const rows = [{ at: "23:59:59.999999" }, { at: "00:00:00.000000" }, { at: null }];
    const times = rowSet({ at: "time" }, rows);
    await pyiceberg.create(catalog, "rig.times", { schema: struct([{ id: 1, name: "at", required: false, type: "time" }]) });
    const { location } = await pyiceberg.append(catalog, "rig.times", rows);
    sameRows(await pyiceberg.staticRows(location), times);
    sameRows(await duckdb.scan(location), times);
  });
}

function struct(fields: readonly object[]): object {
  return { type: "struct", "schema-id": 0, fields };
}

const SCHEMA = struct(
  [
    "long",
    "boolean",
    "int",
    "float",
    "double",
    "decimal(38, 10)",
    "date",
    "timestamp",
    "timestamptz",
    "string",
    "binary",
    "fixed[4]",
    "uuid",
    struct([
      { id: 20, name: "z", required: false, type: "int" },
      { id: 21, name: "a", required: false, type: struct([{ id: 22, name: "größe", required: false, type: "string" }]) },
    ]),
    {
      type: "list",
      "element-id": 23,
      "element-required": false,
      element: { type: "list", "element-id": 24, "element-required": false, element: "long" },
    },
    { type: "map", "key-id": 25, key: "int", "value-id": 26, "value-required": false, value: "date" },
  ].map((type, index) => ({ id: index + 1, name: Object.keys(TYPES)[index], required: false, type })),
);
