"""Copies Iceberg tables of the Hadoop layout and rewrites every path in the copies.

    python relocate.py JOBS        (a JSON list of {source, target, from, to})

`from` is the location that the table was written at, `to` the location of the copy; both without a slash at the end.
Rewritten are, from the leaves up because each names the size of the one below: position delete files (their rows name
data files), Puffin footers (`referenced-data-file`), manifests (paths, sizes of rewritten files, bounds of the path
column of position deletes), manifest lists (paths and lengths), metadata files. Where one is forgotten, no engine
complains: deleted rows come back. A path keeps the `file:` in front of it where it has one.
"""
import io
import json
import os
import shutil
import sys

import fastavro
import pyarrow as pa
import pyarrow.parquet as pq

# Reserved field id of `file_path` in position delete files (Iceberg specification, "Reserved Field IDs").
DELETE_FILE_PATH = 2147483546
MAGIC = b"PFA1"


class Move:
    def __init__(self, source, target, old, new):
        self.source, self.target, self.old, self.new = source, target, old, new
        self.sizes = {}

    def path(self, text):
        """The new spelling of a path below the old location; other text is left alone."""
        for prefix in ("", "file:", "file://"):
            old = prefix + self.old
            if text == old or text.startswith(old + "/"):
                return prefix + self.new + text[len(old) :]
        return text

    def disk(self, text):
        """Where the file of an old path lies in the copy."""
        for prefix in ("file://", "file:", ""):
            if text.startswith(f"{prefix}{self.old}/"):
                return self.target + text[len(prefix + self.old) :]
        raise ValueError(f"{text} does not lie below {self.old}")


def relocate(move):
    shutil.copytree(move.source, move.target, copy_function=shutil.copyfile)
    folder = os.path.join(move.target, "metadata")
    lists, manifests = {}, {}
    metadata_files = [os.path.join(folder, name) for name in os.listdir(folder) if name.endswith(".metadata.json")]
    for name in metadata_files:
        with open(name, encoding="utf-8") as file:
            for snapshot in json.load(file).get("snapshots", []):
                lists.setdefault(snapshot["manifest-list"], None)
    for path in lists:
        rewrite_avro(move.disk(path), lambda record: listed(move, manifests, record))
    for name in metadata_files:
        with open(name, encoding="utf-8") as file:
            document = json.load(file)
        with open(name, "w", encoding="utf-8") as file:
            json.dump(texts(document, move.path), file, separators=(",", ":"))


def listed(move, manifests, record):
    path = record["manifest_path"]
    if path not in manifests:
        manifests[path] = rewrite_avro(move.disk(path), lambda entry: moved_entry(move, entry))
    return {**record, "manifest_path": move.path(path), "manifest_length": manifests[path]}


def moved_entry(move, entry):
    data = dict(entry["data_file"])
    path = data["file_path"]
    if data.get("content", 0) == 1:
        data["file_size_in_bytes"] = delete_file_size(move, path, data["file_format"])
        for bounds in ("lower_bounds", "upper_bounds"):
            data[bounds] = data.get(bounds) and [moved_bound(move, bound) for bound in data[bounds]]
    if data.get("referenced_data_file"):
        data["referenced_data_file"] = move.path(data["referenced_data_file"])
    data["file_path"] = move.path(path)
    return {**entry, "data_file": data}


def moved_bound(move, bound):
    if bound["key"] != DELETE_FILE_PATH:
        return bound
    return {**bound, "value": move.path(bound["value"].decode()).encode()}


def delete_file_size(move, path, format):
    """Rewrites a delete file of the copy, once, and tells its new size. A file of an expired entry may be gone."""
    disk = move.disk(path)
    if disk not in move.sizes:
        if os.path.exists(disk):
            (rewrite_puffin if format.upper() == "PUFFIN" else rewrite_position_deletes)(move, disk)
        move.sizes[disk] = os.path.getsize(disk) if os.path.exists(disk) else 0
    return move.sizes[disk]


def rewrite_position_deletes(move, disk):
    table = pq.read_table(disk)
    place = table.schema.get_field_index("file_path")
    paths = pa.array([move.path(one) for one in table.column(place).to_pylist()], pa.string())
    # The field keeps its metadata: the field id is in it.
    pq.write_table(table.set_column(place, table.schema.field(place), paths), disk, compression="zstd", store_schema=False)


def rewrite_puffin(move, disk):
    """Blobs, magic, JSON, its length (4 bytes, little-endian), flags (4 bytes), magic (Puffin specification)."""
    with open(disk, "rb") as file:
        data = file.read()
    if data[-4:] != MAGIC or data[-8:-4] != bytes(4):
        raise ValueError(f"{disk} is no Puffin file with a plain footer")
    length = int.from_bytes(data[-12:-8], "little")
    footer = json.loads(data[-12 - length : -12])
    for blob in footer["blobs"]:
        named = blob.get("properties", {})
        if "referenced-data-file" in named:
            named["referenced-data-file"] = move.path(named["referenced-data-file"])
    text = json.dumps(footer, separators=(",", ":")).encode()
    with open(disk, "wb") as file:
        file.write(data[: -12 - length] + text + len(text).to_bytes(4, "little") + data[-8:])


def rewrite_avro(disk, change):
    """Writes every record anew with its own schema, codec and metadata; tells the file's size."""
    with open(disk, "rb") as file:
        reader = fastavro.reader(file)
        schema = json.loads(reader.metadata["avro.schema"])
        metadata = {key: value for key, value in reader.metadata.items() if not key.startswith("avro.")}
        codec = reader.codec
        records = [change(record) for record in reader]
    out = io.BytesIO()
    fastavro.writer(out, schema, records, codec=codec, metadata=metadata)
    with open(disk, "wb") as file:
        file.write(out.getvalue())
    return len(out.getvalue())


def texts(value, change):
    if isinstance(value, dict):
        return {key: texts(one, change) for key, one in value.items()}
    if isinstance(value, list):
        return [texts(one, change) for one in value]
    return change(value) if isinstance(value, str) else value


for one in json.loads(sys.argv[1]):
    relocate(Move(one["source"], one["target"], one["from"], one["to"]))
