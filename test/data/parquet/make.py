# Makes the Parquet files of this folder and expected.json: what pyarrow and DuckDB hold in them, and what each
# conversion must give, worked out here in Python. Run once by hand: python make.py (pyarrow 26, duckdb 2).
import datetime, json, math, random, struct
import duckdb, pyarrow as pa, pyarrow.parquet as pq

ROWS = 300
EPOCH = datetime.date(1970, 1, 1)


def is_integer(text):
    digits = text[1:] if text[:1] in "+-" else text
    return digits.isascii() and digits.isdigit()


def days(text):
    if len(text) != 8 or not (text.isascii() and text.isdigit()):
        return None
    try:
        return (datetime.date(int(text[:4]), int(text[4:6]), int(text[6:])) - EPOCH).days
    except ValueError:
        return None


def integer(text):
    return int(text) if is_integer(text) else None


def cents(text):
    return int(text) * 100 if is_integer(text) else None


def number(text):
    if text == "NaN":
        return math.nan
    if text == "-0":
        return -0.0
    return int(text) / 4 if is_integer(text) else None


CONVERSIONS = {
    "days": days,
    "integer": integer,
    "long": integer,
    "cents": cents,
    "wide-cents": cents,
    "number": number,
    "even": lambda text: int(text) % 2 == 0 if is_integer(text) else None,
    "narrow": lambda value: value if -(2**31) <= value < 2**31 else None,
    "bits": lambda value: struct.unpack("<q", struct.pack("<d", value))[0],
    "zero-one": lambda value: int(value),
    "hex": lambda value: value.hex(),
    "text": lambda value: str(value),
    "widened": lambda value: value,
}


def plain(value):
    """The form in expected.json: 64-bit integers as text, floats that JSON lacks by name."""
    if isinstance(value, bool) or value is None or isinstance(value, str):
        return value
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else "-0" if value == 0 and math.copysign(1, value) < 0 else value
    if isinstance(value, bytes):
        return value.hex()
    return value if -(2**31) <= value < 2**31 else str(value)


def bystanders():
    span = range(ROWS)
    return {
        "id": pa.array(span, pa.int64()),
        "name": pa.array([None if i % 7 == 0 else f"n{i % 29}" for i in span]),
        "tags": pa.array([None if i % 5 == 0 else list(range(i % 4)) for i in span], pa.list_(pa.int32())),
        "place": pa.array([{"zip": i, "town": f"t{i % 9}"} if i % 3 else None for i in span],
                          pa.struct([("zip", pa.int32()), ("town", pa.string())])),
        "score": pa.array([i * 0.25 for i in span]),
    }


def values(kind):
    pick = random.Random(kind)
    if kind == "dates":
        return ["%04d%02d%02d" % (1990 + pick.randrange(40), pick.randrange(12) + 1, pick.randrange(28) + 1) for _ in range(ROWS)]
    if kind == "few":
        return [pick.choice(["0", "1", "-5", "7", "12", "123456"]) for _ in range(ROWS)]
    if kind == "dirty":
        return [pick.choice(["0", "1", "01", "+1", "bad", "", "NaN", "77", "-0"]) for _ in range(ROWS)]
    if kind == "many":
        return [str(pick.randrange(-(2**31), 2**31)) for _ in range(ROWS)]
    if kind == "sorted":
        return ["%06d" % (i * 3) for i in range(ROWS)]
    if kind == "mixed":
        return [str(i % 20) if i < ROWS // 2 else str(pick.randrange(10**9)) for i in range(ROWS)]
    if kind == "longs":
        return [pick.randrange(-(2**63), 2**63) if i % 3 == 0 else i for i in range(ROWS)]
    if kind == "doubles":
        return [pick.choice([0.0, -0.0, 1.5, math.inf, pick.random() * 1e9]) for _ in range(ROWS)]
    if kind == "booleans":
        return [pick.random() < 0.5 or i % 100 < 50 for i in range(ROWS)]
    if kind == "fixed":
        return [struct.pack(">q", pick.randrange(-(2**63), 2**63)) if i % 3 else b"abcdefgh" for i in range(ROWS)]
    raise ValueError(kind)


def with_nulls(items):
    return [None if i % 6 == 0 or 100 <= i < 170 else item for i, item in enumerate(items)]


expected = {}


def record(file, items, conversions, **more):
    expected[file] = {
        "rows": len(items),
        "conversions": {name: [None if v is None else plain(CONVERSIONS[name](v)) for v in items] for name in conversions},
        **more,
    }


def arrow_table(items, kind, required=False):
    others = bystanders()
    column = pa.array(items, kind)
    fields = [pa.field("value", kind, nullable=not required)]
    names = ["id", "name"]
    arrays = [others["id"], others["name"], column]
    schema = [pa.field("id", pa.int64()), pa.field("name", pa.string()), *fields]
    for name in ("tags", "place", "score"):
        names.append(name)
        arrays.append(others[name])
        schema.append(pa.field(name, others[name].type))
    ids = {"id": 1, "name": 2, "value": 3, "tags": 4, "place": 6, "score": 9}
    schema = [f.with_metadata({"PARQUET:field_id": str(ids[f.name])}) for f in schema]
    return pa.table(arrays, schema=pa.schema(schema))


def arrow_file(file, items, conversions, kind=pa.string(), required=False, dictionary=True, encoding=None, **options):
    if encoding is not None:
        options["column_encoding"] = {"value": encoding}
    options["use_dictionary"] = ["name", "value"] if dictionary and encoding is None else ["name"]
    options = {"row_group_size": 180, "data_page_size": 400, "write_batch_size": 40, **options}
    pq.write_table(arrow_table(items, kind, required), file, **options)
    record(file, items, conversions)


INDEXED = {"write_page_index": True, "write_page_checksum": True, "bloom_filter_options": {"name": True, "value": True}}

arrow_file("dictionary-v1-snappy.parquet", with_nulls(values("dates")), ["days"], compression="snappy", **INDEXED)
arrow_file("dictionary-v2-zstd.parquet", with_nulls(values("few")), ["integer", "long", "cents", "wide-cents", "even"],
           compression="zstd", data_page_version="2.0", **INDEXED)
arrow_file("dictionary-dirty-gzip.parquet", values("dirty"), ["integer", "number"], compression="gzip")
arrow_file("plain-v1-gzip.parquet", with_nulls(values("many")), ["integer", "wide-cents"], compression="gzip", dictionary=False, **INDEXED)
arrow_file("plain-v2-none.parquet", values("dirty"), ["number", "integer"], compression="none", dictionary=False, data_page_version="2.0")
arrow_file("mixed-v1-zstd.parquet", with_nulls(values("mixed")), ["long"], compression="zstd", dictionary_pagesize_limit=120)
arrow_file("delta-v2-lz4.parquet", values("sorted"), ["integer"], compression="lz4", encoding="DELTA_BYTE_ARRAY", data_page_version="2.0")
arrow_file("delta-length-v1-brotli.parquet", with_nulls(values("dates")), ["days"], compression="brotli",
           encoding="DELTA_LENGTH_BYTE_ARRAY")
arrow_file("delta-longs.parquet", with_nulls(values("longs")), ["narrow"], pa.int64(), compression="snappy", encoding="DELTA_BINARY_PACKED")
arrow_file("split-doubles.parquet", values("doubles"), ["bits"], pa.float64(), compression="zstd", encoding="BYTE_STREAM_SPLIT")
arrow_file("run-booleans.parquet", with_nulls(values("booleans")), ["zero-one"], pa.bool_(), compression="zstd", encoding="RLE",
           data_page_version="2.0")
arrow_file("fixed-split.parquet", values("fixed"), ["hex"], pa.binary(8), compression="none", encoding="BYTE_STREAM_SPLIT")
arrow_file("required.parquet", values("few"), ["integer"], required=True, compression="snappy", **INDEXED)
arrow_file("all-null.parquet", [None] * ROWS, ["days", "number"], compression="zstd")
arrow_file("sorted.parquet", values("sorted"), ["integer"], compression="zstd", dictionary=False,
           sorting_columns=[pq.SortingColumn(2), pq.SortingColumn(0)])

# Arrow writes a dictionary array's entries whether a row uses them or not.
entries = ["9999", "20", "bad", "10", "0", "30"]
indices = [[1, 3, 5][i % 3] for i in range(ROWS)]
pq.write_table(pa.table({"id": pa.array(range(ROWS), pa.int64()), "value": pa.DictionaryArray.from_arrays(pa.array(indices, pa.int32()), entries)}),
               "unused-entries.parquet", compression="zstd")
record("unused-entries.parquet", [entries[i] for i in indices], ["integer"])

duck = duckdb.connect()
for file, kind, options in (
    ("duckdb-v1-snappy.parquet", "few", "compression snappy, parquet_version V1"),
    ("duckdb-v2-zstd.parquet", "many", "compression zstd, parquet_version V2"),
):
    items = with_nulls(values(kind))
    duck.register("source", pa.table({"id": pa.array(range(ROWS), pa.int64()), "value": pa.array(items, pa.string())}))
    duck.execute(f"copy source to '{file}' (format parquet, {options}, field_ids {{id: 1, value: 3}})")
    record(file, items, ["integer"])

# Files of other writers in foreign/ (README.md of test/data says whose), read by pyarrow.
for file, column, name in (
    ("spark-employees.parquet", "hire_date", "days"),
    ("spark-contractors.parquet", "start_date", "days"),
    ("spark-without-ids.parquet", "hired", "days"),
    ("concatenated_gzip_members.parquet", "long_col", "text"),
    ("data_index_bloom_encoding_stats.parquet", "String", "hex"),
    ("dict-page-offset-zero.parquet", "l_partkey", "widened"),
    ("hadoop_lz4_compressed.parquet", "c1", "hex"),
    ("non_hadoop_lz4_compressed.parquet", "c1", "hex"),
    ("page_v2_empty_compressed.parquet", "integer_column", "widened"),
    ("datapage_v2_empty_datapage.snappy.parquet", "value", "bits"),
):
    column_values = pq.ParquetFile(f"foreign/{file}").read().column(column).to_pylist()
    if name == "hex":
        column_values = [v.encode() if isinstance(v, str) else v for v in column_values]
    record(f"foreign/{file}", column_values, [name], column=column)

with open("expected.json", "w") as out:
    json.dump(expected, out, separators=(",", ":"))
    out.write("\n")
