"""Asks Spark (PySpark, Java 17) the questions on stdin and prints its answers as test data.

Asked with ANSI mode on and off, which must not differ; the session zone is deliberately not UTC.
usage: python ask-spark.py < questions.json > spark.json
"""
import decimal
import json
import sys

import pyspark
from pyspark.sql import SparkSession

spark = (
    SparkSession.builder.master("local[1]")
    .config("spark.ui.enabled", "false")
    .config("spark.driver.host", "127.0.0.1")
    .config("spark.driver.bindAddress", "127.0.0.1")
    .config("spark.sql.catalogImplementation", "in-memory")
    .config("spark.sql.session.timeZone", "America/New_York")
    .config("spark.sql.shuffle.partitions", "1")
    .getOrCreate()
)
spark.sparkContext.setLogLevel("OFF")

asked = json.load(sys.stdin)


def as_text(target, expression):
    # An instant as microseconds, since its text depends on the session's zone; a decimal as it is, since without
    # ANSI mode its text may be 0E-12.
    if target == "decimal":
        return expression
    return f"CAST(unix_micros({expression}) AS STRING)" if target == "timestamptz" else f"CAST({expression} AS STRING)"


def plain(value):
    return format(value, "f") if isinstance(value, decimal.Decimal) else value


def ask(question):
    source, target = question["from"]["kind"], question["to"]["kind"]
    values = asked["values"][source + "-to-" + target]
    rows = [(index, int(value) if source == "long" else value) for index, value in enumerate(values)]
    spark.createDataFrame(rows, "i int, c " + ("bigint" if source == "long" else "string")).createOrReplaceTempView("t")
    found = spark.sql(f"SELECT {as_text(target, question['spark'])}, {question['sparkFails']} FROM t ORDER BY i").collect()
    return {"sql": question["spark"], "values": [plain(row[0]) for row in found], "fails": [row[1] for row in found]}


answers = []
for question in asked["questions"]:
    spark.conf.set("spark.sql.ansi.enabled", "true")
    answer = ask(question)
    spark.conf.set("spark.sql.ansi.enabled", "false")
    if ask(question) != answer:
        raise RuntimeError("ANSI mode changes the answer to " + question["spark"])
    answers.append(answer)

lines = ",\n".join(json.dumps(answer, separators=(",", ":")) for answer in answers)
values = json.dumps(asked["values"], separators=(",", ":"))
print(f'{{"engine": {json.dumps("Spark " + pyspark.__version__)},\n"values": {values},\n"answers": [\n{lines}\n]}}')
