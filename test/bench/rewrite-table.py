"""Makes a table of sixteen columns with PyIceberg and lays it out as a local warehouse has it.

    rewrite-table.py WAREHOUSE ROWS FILES
"""
import os, shutil, sys
import pyarrow as pa
import pyarrow.compute as pc
import numpy as np
from pyiceberg.catalog.sql import SqlCatalog

warehouse, rows, files = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
folder = os.path.join(warehouse, "bench/t")
os.makedirs(folder, exist_ok=True)
catalog = SqlCatalog("bench", uri=f"sqlite:///{warehouse}/catalog.db", warehouse=f"file://{warehouse}")
catalog.create_namespace("bench")
random = np.random.default_rng(7)


def part(start: int, n: int) -> pa.Table:
    i = np.arange(start, start + n)
    days = random.integers(0, 3000, n).astype("timedelta64[D]") + np.datetime64("2000-01-01")
    text = pa.array(np.datetime_as_string(days, unit="D")).cast(pa.string())
    columns = {
        "id": pa.array(i),
        "event_date": pc.replace_substring(text, "-", ""),
        "qty": pa.array(random.integers(10**8, 10**9, n)).cast(pa.string()),
        "amount": pa.array(random.integers(0, 10**9, n)),
        "ratio": pa.array(random.random(n)),
        "flag": pa.array(random.integers(0, 2, n).astype(bool)),
        "ts": pa.array(i * 1_000_000).cast(pa.timestamp("us")),
        "country": pa.array(np.array(["at", "de", "fr", "it"])[random.integers(0, 4, n)]),
        "note": pc.binary_join_element_wise(pa.array(np.full(n, "note")), pa.array(i % 9973).cast(pa.string()), "-"),
    }
    for k in range(7):
        columns[f"c{k}"] = pa.array(random.integers(0, 10**6, n))
    return pa.table(columns)


first = part(0, 1)
table = catalog.create_table("bench.t", schema=first.schema, location=folder)
for f in range(files):
    table.append(part(f * (rows // files), rows // files))
newest = table.metadata_location.removeprefix("file://")
shutil.copyfile(newest, os.path.join(folder, "metadata/v1.metadata.json"))
with open(os.path.join(folder, "metadata/version-hint.text"), "w") as hint:
    hint.write("1")
