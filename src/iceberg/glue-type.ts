// Types in Glue's column list: Iceberg type → the text that Java's and Python's Iceberg write, and whether two such
// texts mean one type. Lossy by design: the list is for display, types are never read from it.
import { bug } from "../diagnostics/tool-error.ts";
import { isNested, type NestedType, type PrimitiveType, type Type } from "./type.ts";

/** `struct<sku:string,price:decimal(9,2)>`: names as they are, nothing quoted. */
export function glueType(type: Type): string {
  return isNested(type) ? nestedType(type) : primitiveType(type);
}

function nestedType(type: NestedType): string {
  switch (type.kind) {
    case "struct":
      return `struct<${type.fields.map((field) => `${field.name}:${glueType(field.type)}`).join(",")}>`;
    case "list":
      return `array<${glueType(type.element)}>`;
    case "map":
      return `map<${glueType(type.key)},${glueType(type.value)}>`;
  }
}

function primitiveType(type: PrimitiveType): string {
  switch (type.kind) {
    case "long":
      return "bigint";
    case "decimal":
      return `decimal(${type.precision},${type.scale})`;
    case "time":
    case "uuid":
      return "string";
    case "timestamptz":
      return "timestamp";
    case "timestamp_ns":
    case "timestamptz_ns":
      return "timestamp_nano";
    case "fixed":
      return "binary";
    case "boolean":
    case "int":
    case "float":
    case "double":
    case "date":
    case "timestamp":
    case "string":
    case "binary":
    case "unknown":
    case "variant":
    case "geometry":
    case "geography":
      return type.kind;
    default:
      throw bug(`A type has no text in Glue: ${JSON.stringify(type satisfies never)}`);
  }
}

/** Spellings of other writers: a type stands before `,`, `>` or the end, a field's name before `:`. */
const OTHER_SPELLINGS: readonly (readonly [RegExp, string])[] = [
  [/\binteger(?=[,>]|$)/g, "int"],
  [/\blong(?=[,>]|$)/g, "bigint"],
  [/\btimestamptz(?=[,>]|$)/g, "timestamp"],
  [/\b(?:timestamp_ns|timestamptz_ns)(?=[,>]|$)/g, "timestamp_nano"],
  [/\b(geometry|geography)\([^)]*\)(?=[,>]|$)/g, "$1"],
];

/** Glue and its writers differ in letter case, blanks and a few names of one type. */
export function isSameGlueType(one: string, other: string): boolean {
  return one === other || plainType(one) === plainType(other);
}

function plainType(text: string): string {
  let plain = text.toLowerCase().replace(/\s+/g, "");
  for (const [spelling, word] of OTHER_SPELLINGS) plain = plain.replace(spelling, word);
  return plain;
}
