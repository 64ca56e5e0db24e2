"""DuckDB with its iceberg extension, from the extension wheels: nothing is downloaded at run time.

    python duckdb_worker.py
"""
import importlib
import pathlib

import duckdb

from protocol import serve
from rows import row_set

# avro before iceberg: the one needs the other.
EXTENSIONS = ("avro", "httpfs", "iceberg")
WORDS = {
    "BOOLEAN": "boolean",
    "INTEGER": "int",
    "BIGINT": "long",
    "FLOAT": "float",
    "DOUBLE": "double",
    "VARCHAR": "string",
    "BLOB": "binary",
    "UUID": "uuid",
    "DATE": "date",
    "TIME": "time",
    "TIMESTAMP": "timestamp",
    "TIMESTAMP WITH TIME ZONE": "timestamptz",
    "TIMESTAMP_NS": "timestamp_ns",
}

connection = duckdb.connect(config={"autoinstall_known_extensions": "false", "autoload_known_extensions": "false"})


def extension_file(name):
    package = pathlib.Path(importlib.import_module(f"duckdb_extension_{name}").__file__).parent
    return str(package / "extensions" / f"v{duckdb.__version__}" / f"{name}.duckdb_extension")


def ready():
    for name in EXTENSIONS:
        connection.load_extension(extension_file(name))
    connection.execute("SET TimeZone = 'UTC'")
    return {"duckdb": duckdb.__version__}


def type_word(kind):
    """Iceberg's word; DuckDB's own where Iceberg has none."""
    children = dict(kind.children) if kind.id in ("struct", "list", "map", "decimal") else {}
    if kind.id == "struct":
        return "struct<" + ",".join(f"{name}:{type_word(child)}" for name, child in children.items()) + ">"
    if kind.id == "list":
        return f"list<{type_word(children['child'])}>"
    if kind.id == "map":
        return f"map<{type_word(children['key'])},{type_word(children['value'])}>"
    if kind.id == "decimal":
        return f"decimal({children['precision']},{children['scale']})"
    return WORDS.get(str(kind), str(kind))


def sql(statement):
    relation = connection.sql(statement)
    if relation is None:
        return {"types": {}, "count": 0, "digest": "", "lines": []}
    types = {name: type_word(kind) for name, kind in zip(relation.columns, relation.types)}
    return row_set(relation.to_arrow_table(), types)


serve({"sql": sql}, ready)
