"""What PyIceberg takes for the same work, as one line of JSON: processor seconds and peak memory in MiB.

    load.py metadata SOURCE TARGET   reads a metadata file and writes it again
    load.py wide FIELDS              changes one field in ten of a wide schema by names
    load.py tables WAREHOUSE         loads every table
"""
import glob, json, resource, sys, time
from types import SimpleNamespace
from pyiceberg.schema import Schema
from pyiceberg.serializers import FromByteStream, ToOutputFile
from pyiceberg.io.pyarrow import PyArrowFileIO
from pyiceberg.table import StaticTable
from pyiceberg.table.update.schema import UpdateSchema
from pyiceberg.types import DateType, DoubleType, IntegerType, ListType, LongType, MapType, NestedField, StringType, StructType


def metadata(source, target):
    io = PyArrowFileIO()
    with io.new_input(source).open() as stream:
        table = FromByteStream.table_metadata(stream)
    ToOutputFile.table_metadata(table, io.new_output(target), overwrite=True)


def wide(fields):
    last = 0

    def field(name, kind):
        nonlocal last
        last += 1
        return NestedField(last, name, kind, required=False)

    groups = []
    for index in range(fields // 10):
        leaf = StructType(field("f", IntegerType()), field("g", StructType(field("h", StringType()))))
        inner = StructType(field("e", leaf))
        last += 2
        nested = ListType(last, inner, False) if index % 2 == 0 else MapType(last - 1, StringType(), last, inner, False)
        groups.append(field(f"group_{index}", StructType(field("a", IntegerType()), field("b", StringType()), field("c", DoubleType()), field("d", nested))))
    schema = Schema(*groups)
    start = time.process_time()
    update = UpdateSchema(SimpleNamespace(table_metadata=SimpleNamespace(partition_specs=[], schemas=[schema])), schema=schema)
    for index in range(fields // 10):
        if index % 5 == 0:
            update.add_column((f"group_{index}", "added"), DateType())
        elif index % 5 == 1:
            update.rename_column(f"group_{index}", f"renamed_{index}")
        elif index % 5 == 2:
            update.update_column((f"group_{index}", "a"), LongType())
        elif index % 5 == 3:
            update.update_column((f"group_{index}", "b"), doc="changed")
        else:
            update.delete_column((f"group_{index}", "c"))
    update._apply()
    return start


def tables(warehouse):
    for path in glob.glob(warehouse + "/ns/*/metadata/v1.metadata.json"):
        StaticTable.from_metadata(path)


start = time.process_time()
mode, *words = sys.argv[1:]
if mode == "wide":
    start = wide(int(words[0]))
else:
    {"metadata": metadata, "tables": tables}[mode](*words)
peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
print(json.dumps({"seconds": {"all": time.process_time() - start}, "peakMiB": peak}))
