"""Loads tables of a Glue catalog one after the other, and prints the seconds without its own start.

    glue-loop.py GLUE_URL S3_URL KEY SECRET TABLE...
"""
import sys
import time

from pyiceberg.catalog import load_catalog

glue, s3, key, secret, *tables = sys.argv[1:]
catalog = load_catalog(
    "bench",
    **{
        "type": "glue",
        "glue.endpoint": glue,
        "glue.region": "us-east-1",
        "glue.access-key-id": key,
        "glue.secret-access-key": secret,
        "s3.endpoint": s3,
        "s3.region": "us-east-1",
        "s3.access-key-id": key,
        "s3.secret-access-key": secret,
    },
)
catalog.load_table(tables[0])
start = time.monotonic()
for table in tables:
    catalog.load_table(table)
print(time.monotonic() - start)
