"""PyIceberg: tables by their metadata file, and the catalogs that it knows, with reading and writing.

    python pyiceberg_worker.py

A catalog is told with every request as its properties and opened once.
"""
import importlib.metadata
import json

from pyiceberg.catalog import load_catalog
from pyiceberg.io.pyarrow import schema_to_pyarrow
from pyiceberg.partitioning import PartitionField, PartitionSpec
from pyiceberg.schema import Schema
from pyiceberg.table import StaticTable
from pyiceberg.transforms import parse_transform
from pyiceberg.types import FixedType, IcebergType, ListType, MapType, StructType
from pydantic import TypeAdapter

from protocol import serve
from rows import arrow_table, row_set

TYPES = TypeAdapter(IcebergType)
catalogs = {}


def opened(properties):
    key = json.dumps(properties, sort_keys=True)
    if key not in catalogs:
        catalogs[key] = load_catalog("interop", **properties)
    return catalogs[key]


def type_word(kind):
    if isinstance(kind, StructType):
        return "struct<" + ",".join(f"{field.name}:{type_word(field.field_type)}" for field in kind.fields) + ">"
    if isinstance(kind, ListType):
        return f"list<{type_word(kind.element_type)}>"
    if isinstance(kind, MapType):
        return f"map<{type_word(kind.key_type)},{type_word(kind.value_type)}>"
    if isinstance(kind, FixedType):
        return "binary"
    return str(kind).replace(" ", "")


def scanned(table, fields, filter, snapshot):
    scan = table.scan(selected_fields=tuple(fields), row_filter=filter, snapshot_id=None if snapshot is None else int(snapshot))
    types = {field.name: type_word(field.field_type) for field in scan.projection().fields}
    return row_set(scan.to_arrow().select(list(types)), types)


def static_rows(metadata, properties, **asked):
    return scanned(StaticTable.from_metadata(metadata, properties), **asked)


def rows(catalog, table, **asked):
    return scanned(opened(catalog).load_table(table), **asked)


def create(catalog, table, schema, partition, properties, location):
    """`schema` is Iceberg's JSON; `partition` names source column, transform and field."""
    loaded = opened(catalog)
    loaded.create_namespace_if_not_exists(table.rsplit(".", 1)[0])
    read = Schema.model_validate(schema)
    fields = [
        PartitionField(read.find_field(one["source"]).field_id, 1000 + index, parse_transform(one["transform"]), one["name"])
        for index, one in enumerate(partition)
    ]
    return told(loaded.create_table(table, read, location, PartitionSpec(*fields), properties=properties))


def append(catalog, table, lines):
    loaded = opened(catalog).load_table(table)
    loaded.append(arrow_table(lines, schema_to_pyarrow(loaded.schema(), include_field_ids=False)))
    return told(loaded)


def delete(catalog, table, filter):
    loaded = opened(catalog).load_table(table)
    loaded.delete(filter)
    return told(loaded)


def evolve(catalog, table, changes):
    """All changes in one commit; each is {"change": NAME, ...}."""
    loaded = opened(catalog).load_table(table)
    with loaded.transaction() as transaction:
        with transaction.update_schema(allow_incompatible_changes=True) as update:
            for one in changes:
                change = dict(one)
                if change["change"] in SCHEMA_CHANGES:
                    SCHEMA_CHANGES[change.pop("change")](update, **change)
        with transaction.update_spec() as update:
            for one in changes:
                if one["change"] == "add-partition-field":
                    update.add_field(one["source"], parse_transform(one["transform"]), one["name"])
                elif one["change"] == "remove-partition-field":
                    update.remove_field(one["name"])
        for one in changes:
            if one["change"] == "set-properties":
                transaction.set_properties(one["properties"])
    return told(loaded)


def path(text):
    return tuple(text.split("."))


SCHEMA_CHANGES = {
    "add-field": lambda update, field, type, doc=None: update.add_column(path(field), TYPES.validate_python(type), doc),
    "drop-field": lambda update, field: update.delete_column(path(field)),
    "rename-field": lambda update, field, to: update.rename_column(path(field), to),
    "widen-type": lambda update, field, type: update.update_column(path(field), TYPES.validate_python(type)),
    "move-first": lambda update, field: update.move_first(path(field)),
    "move-after": lambda update, field, after: update.move_after(path(field), path(after)),
    "set-optional": lambda update, field: update.make_column_optional(path(field)),
}


def load(catalog, table):
    return told(opened(catalog).load_table(table))


def told(table):
    """Where the table is now, and its metadata file as text: integers must not pass through a parser here."""
    location = table.metadata_location
    with table.io.new_input(location).open() as file:
        return {"location": location, "metadata": file.read().decode()}


serve(
    {
        "static_rows": static_rows,
        "rows": rows,
        "create": create,
        "append": append,
        "delete": delete,
        "evolve": evolve,
        "load": load,
    },
    {"pyiceberg": importlib.metadata.version("pyiceberg")},
)
