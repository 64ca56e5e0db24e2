// Columns that this version does not know: gathered from the files they come from, written again as the bytes they
// were. Knows nothing of what they mean.
import { bug, ToolError } from "../diagnostics/tool-error.ts";
import type { AvroField, AvroSchema } from "./avro-schema.ts";
import { avroSchemaToJson } from "./avro-schema-json.ts";
import { type AvroSink, writeInt, writeRaw } from "./avro-sink.ts";
import { canonicalJson } from "./json-write.ts";
import type { CarriedValues } from "./manifest.ts";
import { optionalAvro } from "./manifest-schema.ts";

/** The columns of several files, each once. Two that share a name and differ cannot stand in one file. */
export function mergeCarried(lists: readonly (readonly AvroField[])[]): readonly AvroField[] {
  const merged: AvroField[] = [];
  for (const field of lists.flat()) {
    const known = merged.find((one) => one.name === field.name);
    if (known === undefined) merged.push(field);
    else if (!isSameColumn(known, field)) {
      throw new ToolError("unsupported", `Cannot write a manifest with two different columns "${field.name}"`, {
        why: "The manifests that it replaces hold a column that floeplan does not know, in two forms",
      });
    }
  }
  return merged;
}

/** Carried columns as they stand in a schema: optional, so that rows from other files can lack them. */
export function carriedFields(columns: readonly AvroField[]): readonly AvroField[] {
  return columns.map((field) =>
    nullBranch(field.schema) === null
      ? { ...field, schema: optionalAvro(field.schema), attributes: { ...field.attributes, default: null } }
      : field,
  );
}

/** Writes what a row carries. A row that carries a column which is not among `columns` is refused: it would be lost. */
export function carriedWriter(columns: readonly AvroField[]): (sink: AvroSink, carried: CarriedValues | null) => void {
  // Rows of one file share their list of columns, so the match is made once a file.
  const matches = new WeakMap<readonly AvroField[], readonly number[]>();
  const matchOf = (from: readonly AvroField[]): readonly number[] => {
    const known = matches.get(from);
    if (known !== undefined) return known;
    if (from.some((field) => !columns.some((one) => isSameColumn(one, field)))) {
      throw bug("An entry carries a column that its manifest is not told of");
    }
    const match = columns.map((one) => from.findIndex((field) => isSameColumn(one, field)));
    matches.set(from, match);
    return match;
  };
  return (sink, carried) => {
    const match = carried === null ? [] : matchOf(carried.columns);
    for (const [index, column] of columns.entries()) {
      const value = carried?.values[match[index] ?? -1];
      const absent = nullBranch(column.schema);
      if (value === undefined) writeInt(sink, absent ?? 0);
      else {
        if (absent === null) writeInt(sink, 1);
        writeRaw(sink, value);
      }
    }
  };
}

function isSameColumn(a: AvroField, b: AvroField): boolean {
  return a === b || (a.name === b.name && formOf(a) === formOf(b));
}

function formOf(field: AvroField): string {
  return canonicalJson([avroSchemaToJson(field.schema), field.attributes]);
}

function nullBranch(schema: AvroSchema): number | null {
  if (schema.kind !== "union") return null;
  const index = schema.branches.findIndex((branch) => branch.kind === "null");
  return index < 0 ? null : index;
}
