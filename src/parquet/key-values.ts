// The footer's key-value pairs after a column changed: copies of the schema that would now lie are corrected
// or dropped, everything unknown stays. Readers of tables go by the schema itself and by field ids.
import { FILE_METADATA, KEY_VALUE } from "./format.ts";
import type { PhysicalTarget } from "./physical.ts";
import {
  binaryField,
  listField,
  struct,
  structsAt,
  textAt,
  THRIFT,
  type ThriftStruct,
  withFields,
  withoutFields,
} from "./thrift-tree.ts";

/** A column whose type changed, or (`target` null) that is no longer in the file. */
export interface ChangedColumn {
  readonly name: string;
  readonly target: PhysicalTarget | null;
  readonly isRequired: boolean;
}

const SPARK_ROW = "org.apache.spark.sql.parquet.row.metadata";

/** Whole copies of the old schema in other notations. Readers that want one derive it where it is missing. */
const SCHEMA_COPIES: readonly string[] = [
  "iceberg.schema",
  "ARROW:schema",
  "parquet.avro.schema",
  "avro.schema",
  "pandas",
  "parquet.proto.descriptor",
  "thrift.descriptor",
  "dremio.arrow.schema",
  "dremio.arrow.schema.2.1",
];

export function correctKeyValues(
  footer: ThriftStruct,
  changed: readonly ChangedColumn[],
  added: ReadonlyMap<string, string>,
): ThriftStruct {
  const kept = structsAt(footer, FILE_METADATA.keyValues, "key-value pairs").flatMap((pair) => {
    const key = textAt(pair, KEY_VALUE.key) ?? "";
    if (added.has(key)) return [];
    if (changed.length === 0) return [pair];
    if (SCHEMA_COPIES.includes(key)) return [];
    if (key !== SPARK_ROW) return [pair];
    const corrected = correctSparkRow(textAt(pair, KEY_VALUE.value) ?? "", changed);
    return corrected === null ? [] : [keyValue(key, corrected)];
  });
  const pairs = [...kept, ...[...added].map(([key, value]) => keyValue(key, value))];
  if (pairs.length === 0) return withoutFields(footer, FILE_METADATA.keyValues);
  return withFields(footer, listField(FILE_METADATA.keyValues, THRIFT.struct, pairs));
}

function keyValue(key: string, value: string): ThriftStruct {
  const encoder = new TextEncoder();
  return struct(binaryField(KEY_VALUE.key, encoder.encode(key)), binaryField(KEY_VALUE.value, encoder.encode(value)));
}

/** Spark's row type in JSON with the columns corrected; null when it cannot be said. */
export function correctSparkRow(text: string, changed: readonly ChangedColumn[]): string | null {
  let row: unknown;
  try {
    row = JSON.parse(text);
  } catch {
    return null;
  }
  if (typeof row !== "object" || row === null || !("fields" in row) || !Array.isArray(row.fields)) return null;
  const fields: unknown[] = [];
  for (const field of row.fields as readonly unknown[]) {
    const name = typeof field === "object" && field !== null && "name" in field ? field.name : undefined;
    const change = changed.find((one) => one.name === name);
    if (change === undefined) fields.push(field);
    else if (change.target !== null) {
      const type = sparkType(change.target);
      if (type === null) return null;
      fields.push({ ...Object(field), type, nullable: !change.isRequired });
    }
  }
  return JSON.stringify({ ...row, fields });
}

function sparkType(target: PhysicalTarget): string | null {
  const { logical } = target;
  switch (logical?.kind) {
    case undefined:
      return PLAIN_SPARK_TYPE[target.type];
    case "string":
    case "date":
      return logical.kind;
    case "decimal":
      return `decimal(${logical.precision},${logical.scale})`;
    case "timestamp":
      return logical.unit === "nanos" ? null : logical.isAdjustedToUtc ? "timestamp" : "timestamp_ntz";
    case "time":
    case "uuid":
      return null;
  }
}

const PLAIN_SPARK_TYPE: Readonly<Record<PhysicalTarget["type"], string>> = {
  BOOLEAN: "boolean",
  INT32: "integer",
  INT64: "long",
  FLOAT: "float",
  DOUBLE: "double",
  BYTE_ARRAY: "binary",
  FIXED_LEN_BYTE_ARRAY: "binary",
};
