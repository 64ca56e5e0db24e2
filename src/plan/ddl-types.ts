// Type names of the engines' DDL, for the statements that a plan shows.
import type { DeclaredType } from "../desired/table-spec.ts";
import type { PrimitiveType } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";
import { quoteHive, quoteTrino } from "./ddl.ts";

type Names = Readonly<Partial<Record<PrimitiveType["kind"], string>>>;

const SPARK: Names = {
  long: "bigint",
  timestamp: "timestamp_ntz",
  timestamptz: "timestamp",
};

const TRINO: Names = {
  int: "integer",
  long: "bigint",
  float: "real",
  time: "time(6)",
  timestamp: "timestamp(6)",
  timestamptz: "timestamp(6) with time zone",
  timestamp_ns: "timestamp(9)",
  timestamptz_ns: "timestamp(9) with time zone",
  string: "varchar",
  binary: "varbinary",
};

const ATHENA: Names = { ...SPARK, timestamp: "timestamp" };

export function sparkType(type: DeclaredType): string {
  return hiveForm(type, SPARK);
}

export function athenaType(type: DeclaredType): string {
  return hiveForm(type, ATHENA);
}

function hiveForm(type: DeclaredType, names: Names): string {
  switch (type.kind) {
    case "struct":
      return `struct<${type.fields.map((field) => `${quoteHive(field.name)}: ${hiveForm(field.type, names)}`).join(", ")}>`;
    case "list":
      return `array<${hiveForm(type.element.type, names)}>`;
    case "map":
      return `map<${hiveForm(type.key.type, names)}, ${hiveForm(type.value.type, names)}>`;
    default:
      return names[type.kind] ?? formatType(type);
  }
}

export function trinoType(type: DeclaredType): string {
  switch (type.kind) {
    case "struct":
      return `row(${type.fields.map((field) => `${quoteTrino(field.name)} ${trinoType(field.type)}`).join(", ")})`;
    case "list":
      return `array(${trinoType(type.element.type)})`;
    case "map":
      return `map(${trinoType(type.key.type)}, ${trinoType(type.value.type)})`;
    default:
      return TRINO[type.kind] ?? formatType(type);
  }
}
