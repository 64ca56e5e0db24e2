"""Spark with Iceberg in one local session; catalogs are added as they are asked for.

    python spark_worker.py JARS CORES MEMORY     (jars separated by commas)
"""
import os
import sys

from pyspark.sql import SparkSession
from pyspark.sql.types import ArrayType, DecimalType, MapType, StructType

from protocol import serve
from rows import row_set

WORDS = {
    "bigint": "long",
    "timestamp": "timestamptz",
    "timestamp_ntz": "timestamp",
}

names = {}


def ready():
    jars, cores, memory = sys.argv[1:4]
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    settings = {
        "spark.driver.memory": memory,
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.jars": jars,
        "spark.sql.extensions": "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
        "spark.sql.shuffle.partitions": cores,
        "spark.sql.session.timeZone": "UTC",
        # Hive's would lay a database into the working folder.
        "spark.sql.catalogImplementation": "in-memory",
        "spark.log.level": "ERROR",
    }
    builder = SparkSession.builder.appName("floeplan-interop").master(f"local[{cores}]")
    for key, value in settings.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    names["spark"] = spark
    names["jvm"] = spark._jvm
    return {
        "spark": spark.version,
        "iceberg": spark._jvm.org.apache.iceberg.IcebergBuild.version(),
        "java": spark._jvm.java.lang.System.getProperty("java.version"),
    }


def type_word(kind):
    if isinstance(kind, StructType):
        return "struct<" + ",".join(f"{field.name}:{type_word(field.dataType)}" for field in kind.fields) + ">"
    if isinstance(kind, ArrayType):
        return f"list<{type_word(kind.elementType)}>"
    if isinstance(kind, MapType):
        return f"map<{type_word(kind.keyType)},{type_word(kind.valueType)}>"
    if isinstance(kind, DecimalType):
        return f"decimal({kind.precision},{kind.scale})"
    return WORDS.get(kind.simpleString(), kind.simpleString())


def add_catalog(name, properties):
    prefix = f"spark.sql.catalog.{name}"
    names["spark"].conf.set(prefix, "org.apache.iceberg.spark.SparkCatalog")
    for key, value in properties.items():
        names["spark"].conf.set(f"{prefix}.{key}", value)


def sql(statement):
    return rows(names["spark"].sql(statement))


def scan(source):
    """A metadata file, or the folder of a table."""
    return rows(names["spark"].read.format("iceberg").load(source))


def rows(frame):
    if not frame.columns:
        return {"types": {}, "count": 0, "digest": "", "lines": []}
    types = {field.name: type_word(field.dataType) for field in frame.schema.fields}
    return row_set(frame.toArrow(), types)


def evaluate(code):
    """Statements with `spark` and `jvm` at hand, for what has no SQL; what they leave in `result` is the answer."""
    names["result"] = None
    exec(code, names)
    return names["result"]


serve({"add_catalog": add_catalog, "sql": sql, "scan": scan, "evaluate": evaluate}, ready)
