"""Arrow tables to rows in the one form that all engines share; ../rows.ts makes the same, docs/testing.md tells it.

One JSON object a row: keys sorted by code point at every depth, no blanks, ASCII. Integers as digits, floating-point
numbers by their shortest digits (NaN, Infinity and -Infinity as text), decimals as text in their scale, binary and fixed
in hexadecimal, uuids in their usual form, dates and times in ISO form with 6 (9 for nanoseconds) digits, `Z` after a
timestamp with zone. Dates are worked out from the stored integers: Python's own stop at the year 9999.
"""
import hashlib
import json
import math
import uuid

import pyarrow as pa
import pyarrow.compute as pc

DAY = {"s": 86_400, "ms": 86_400_000, "us": 86_400_000_000, "ns": 86_400_000_000_000}


def row_set(table, types):
    """The answer to a read: `types` is column -> Iceberg's word for its type."""
    names = table.column_names
    if len(set(names)) != len(names):
        raise ValueError(f"Two columns of one name: {names}")
    columns = [cells(column.combine_chunks()) for column in table.columns]
    lines = [line(dict(zip(names, values))) for values in zip(*columns)]
    digest = hashlib.sha256("".join(one + "\n" for one in sorted(lines)).encode()).hexdigest()
    return {"types": types, "count": table.num_rows, "digest": digest, "lines": lines}


def line(row):
    return json.dumps(row, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def cells(array):
    """One Python value a cell, ready for JSON."""
    if isinstance(array, pa.ChunkedArray):
        array = pa.concat_arrays(array.chunks) if array.num_chunks else pa.array([], array.type)
    kind = array.type
    if pa.types.is_dictionary(kind):
        return cells(array.dictionary_decode())
    if isinstance(kind, pa.BaseExtensionType):
        if kind.extension_name != "arrow.uuid":
            raise ValueError(f"No canonical form for {kind}")
        return [None if value is None else str(uuid.UUID(bytes=value)) for value in array.storage.to_pylist()]
    if pa.types.is_map(kind):
        return maps(array)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind) or pa.types.is_fixed_size_list(kind):
        return lists(array)
    if pa.types.is_struct(kind):
        names = [kind.field(i).name for i in range(kind.num_fields)]
        parts = [cells(part) for part in array.flatten()]
        rows = zip(*parts) if parts else [()] * len(array)
        return [dict(zip(names, row)) if valid else None for valid, row in zip(array.is_valid().to_pylist(), rows)]
    convert = converter(kind)
    return [None if value is None else convert(value) for value in plain(array).to_pylist()]


def lists(array):
    values = iter(cells(array.flatten()))
    return [None if length is None else [next(values) for _ in range(length)] for length in pc.list_value_length(array).to_pylist()]


def maps(array):
    # Offsets count in the whole child arrays, also where `array` is a slice.
    keys, items, offsets = cells(array.keys), cells(array.items), array.offsets.to_pylist()
    return [
        {key_text(key): item for key, item in zip(keys[start:end], items[start:end])} if valid else None
        for valid, start, end in zip(array.is_valid().to_pylist(), offsets, offsets[1:])
    ]


def key_text(key):
    return key if isinstance(key, str) else json.dumps(key)


def plain(array):
    """Dates and times as the integers that they are."""
    kind = array.type
    if pa.types.is_date32(kind) or pa.types.is_time32(kind):
        return array.cast(pa.int32())
    if pa.types.is_timestamp(kind) or pa.types.is_time64(kind):
        return array.cast(pa.int64())
    return array


def converter(kind):
    if pa.types.is_floating(kind):
        return lambda value: value if math.isfinite(value) else repr_of_special(value)
    if pa.types.is_decimal(kind):
        return lambda value: format(value, "f")
    if pa.types.is_date32(kind):
        return date_text
    if pa.types.is_time(kind):
        return lambda value: time_text(value, kind.unit)
    if pa.types.is_timestamp(kind):
        zone = "Z" if kind.tz else ""
        return lambda value: timestamp_text(value, kind.unit) + zone
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return bytes.hex
    if pa.types.is_boolean(kind) or pa.types.is_integer(kind) or pa.types.is_string(kind) or pa.types.is_large_string(kind):
        return lambda value: value
    if pa.types.is_null(kind):
        return lambda value: value
    raise ValueError(f"No canonical form for {kind}")


def repr_of_special(value):
    return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"


def date_text(days):
    """Proleptic Gregorian, any year; beyond 0000 to 9999 the year has a sign."""
    shifted = days + 719_468
    era, day_of_era = divmod(shifted, 146_097)
    year_of_era = (day_of_era - day_of_era // 1_460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    month_from_march = (5 * day_of_year + 2) // 153
    day = day_of_year - (153 * month_from_march + 2) // 5 + 1
    month = month_from_march + 3 if month_from_march < 10 else month_from_march - 9
    year = year_of_era + era * 400 + (1 if month <= 2 else 0)
    years = f"{year:04d}" if 0 <= year <= 9999 else f"{year:+05d}"
    return f"{years}-{month:02d}-{day:02d}"


def time_text(value, unit):
    digits = 9 if unit == "ns" else 6
    value *= {"s": 1_000_000, "ms": 1_000, "us": 1, "ns": 1}[unit]
    seconds, fraction = divmod(value, 10**digits)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{fraction:0{digits}d}"


def timestamp_text(value, unit):
    days, rest = divmod(value, DAY[unit])
    return f"{date_text(days)}T{time_text(rest, unit)}"


def arrow_table(lines, schema):
    """The way back: canonical lines to a table of the given Arrow schema, for writers."""
    rows = [json.loads(one) for one in lines]
    columns = [pa.array([stored(row.get(field.name), field.type) for row in rows], field.type) for field in schema]
    return pa.table(columns, schema=schema)


def stored(value, kind):
    if value is None:
        return None
    if pa.types.is_struct(kind):
        return {field.name: stored(value.get(field.name), field.type) for field in kind}
    if pa.types.is_map(kind):
        return [(stored_key(key, kind.key_type), stored(one, kind.item_type)) for key, one in value.items()]
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return [stored(one, kind.value_type) for one in value]
    if isinstance(kind, pa.BaseExtensionType) and kind.extension_name == "arrow.uuid":
        return uuid.UUID(value).bytes
    if pa.types.is_floating(kind):
        return float(value)
    if pa.types.is_decimal(kind):
        return pa.scalar(value).cast(kind).as_py()
    if pa.types.is_date32(kind):
        return date_days(value)
    if pa.types.is_time(kind):
        return time_micros(value)
    if pa.types.is_timestamp(kind):
        day, time = value.removesuffix("Z").rsplit("T", 1)
        return date_days(day) * DAY["us"] + time_micros(time)
    if pa.types.is_binary(kind) or pa.types.is_large_binary(kind) or pa.types.is_fixed_size_binary(kind):
        return bytes.fromhex(value)
    return value


def stored_key(key, kind):
    return key if pa.types.is_string(kind) or pa.types.is_large_string(kind) else stored(json.loads(key), kind)


def date_days(text):
    year, month, day = text.rsplit("-", 2)
    year, month, day = int(year), int(month), int(day)
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def time_micros(text):
    hours, minutes, seconds = text.split(":")
    whole, fraction = seconds.split(".")
    if len(fraction) != 6:
        raise ValueError(f"No microseconds in {text}")
    return ((int(hours) * 60 + int(minutes)) * 60 + int(whole)) * 1_000_000 + int(fraction)
