// Type names of the engines' DDL, for the statements that a plan shows and those of a live table. Which types an engine
// has no name for, and what it would make instead.
import type { PrimitiveType, Type } from "../iceberg/type.ts";
import { formatType } from "../iceberg/type-text.ts";
import { literalSpark, quoteHive, quoteTrino } from "./ddl.ts";
import type { StepSql } from "./plan.ts";

/** What a type needs to be told; declared types are such as they are, live ones by `ddlType`. */
export type DdlType =
  | PrimitiveType
  | { readonly kind: "struct"; readonly fields: readonly DdlField[] }
  | { readonly kind: "list"; readonly element: { readonly type: DdlType } }
  | { readonly kind: "map"; readonly key: { readonly type: DdlType }; readonly value: { readonly type: DdlType } };

interface DdlField {
  readonly name: string;
  readonly type: DdlType;
  /** Written where the engine has words for it inside a struct: Spark alone. */
  readonly marks?: { readonly required: boolean; readonly doc: string };
}

type Kind = PrimitiveType["kind"];
type Names = Readonly<Partial<Record<Kind, string>>>;

const SPARK: Names = {
  long: "bigint",
  timestamp: "timestamp_ntz",
  timestamptz: "timestamp",
  unknown: "void",
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

/** What stands for a type that the engine cannot name: what it reads such a column as, or the widest that holds its text. */
const NEAREST: Readonly<Record<keyof StepSql, Readonly<Partial<Record<Kind, NearKind>>>>> = {
  spark: {
    time: "string",
    uuid: "string",
    fixed: "binary",
    timestamp_ns: "timestamp",
    timestamptz_ns: "timestamptz",
    geometry: "binary",
    geography: "binary",
  },
  athena: {
    time: "string",
    timestamptz: "timestamp",
    timestamp_ns: "timestamp",
    timestamptz_ns: "timestamp",
    uuid: "string",
    fixed: "binary",
    unknown: "string",
    variant: "string",
    geometry: "binary",
    geography: "binary",
  },
  trino: { fixed: "binary", unknown: "string", variant: "string", geometry: "binary", geography: "binary" },
};

type NearKind = "string" | "binary" | "timestamp" | "timestamptz";

export function hasTypeName(type: PrimitiveType, engine: keyof StepSql): boolean {
  return NEAREST[engine][type.kind] === undefined;
}

/** A live type, with the nearest in place of what the engine has no name for. */
export function ddlType(type: Type, engine: keyof StepSql): DdlType {
  switch (type.kind) {
    case "struct":
      return {
        kind: "struct",
        fields: type.fields.map(({ name, type: inner, required, doc = "" }) => ({
          name,
          type: ddlType(inner, engine),
          marks: { required, doc },
        })),
      };
    case "list":
      return { kind: "list", element: { type: ddlType(type.element, engine) } };
    case "map":
      return { kind: "map", key: { type: ddlType(type.key, engine) }, value: { type: ddlType(type.value, engine) } };
    default: {
      const near = NEAREST[engine][type.kind];
      return near === undefined ? type : { kind: near };
    }
  }
}

export function sparkType(type: DdlType): string {
  return hiveForm(type, SPARK);
}

export function athenaType(type: DdlType): string {
  return hiveForm(type, ATHENA);
}

function hiveForm(type: DdlType, names: Names): string {
  switch (type.kind) {
    case "struct":
      return `struct<${type.fields.map((field) => `${quoteHive(field.name)}: ${hiveForm(field.type, names)}${names === SPARK ? sparkMarks(field) : ""}`).join(", ")}>`;
    case "list":
      return `array<${hiveForm(type.element.type, names)}>`;
    case "map":
      return `map<${hiveForm(type.key.type, names)}, ${hiveForm(type.value.type, names)}>`;
    default:
      return names[type.kind] ?? formatType(type);
  }
}

/** Also of a column. */
export function sparkMarks({ marks }: Pick<DdlField, "marks">): string {
  if (marks === undefined) return "";
  return `${marks.required ? " NOT NULL" : ""}${marks.doc === "" ? "" : ` COMMENT ${literalSpark(marks.doc)}`}`;
}

export function trinoType(type: DdlType): string {
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
