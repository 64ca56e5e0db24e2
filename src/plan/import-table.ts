// A live table as a table file would declare it, so that the next plan is empty. Pure: the text is desired/'s, the
// proof by an actual plan the command's. What a file cannot say is left out, which keeps what is live, and told.
import type { WrittenTable } from "../desired/written-table.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import { formatPath } from "../iceberg/field-path.ts";
import { checkFormatVersion } from "../iceberg/schema-check.ts";
import { indexSchema } from "../iceberg/schema-index.ts";
import { currentSchema, type TableMetadata } from "../iceberg/table-metadata.ts";
import type { Schema } from "../iceberg/type.ts";
import { readBase } from "./base.ts";
import { fieldsReading, importFields, type FieldsReading, type Pins } from "./import-fields.ts";
import { type Imported, importIdentifier, importPartitionBy, importSortBy, type IsDeclared } from "./import-layout.ts";
import { leftOutKind, type LeftOutKind } from "./import-properties.ts";
import { COMMENT_PROPERTY } from "./steps/set-comment.ts";

export interface ImportOptions {
  /** Declared namespace levels and the table's name, last. */
  readonly name: readonly string[];
  /** Logical name, where it does not go without saying. */
  readonly catalog: string | null;
  readonly pins: Pins;
  /** Live parameters of the catalog's own entry, where it has such. */
  readonly parameters?: Readonly<Record<string, string>>;
}

export interface ImportedTable {
  readonly table: WrittenTable;
  /** What is not in the file, and why. */
  readonly notes: readonly Diagnostic[];
}

export function importTable(metadata: TableMetadata, options: ImportOptions): ImportedTable {
  const schema = currentSchema(metadata);
  const name = formatPath(options.name);
  const reading = fieldsReading(options.pins);
  const columns = importFields(schema.fields, [], reading);
  const isDeclared = declaredIn(schema, reading);
  const notes: Diagnostic[] = [
    ...reading.fields.map(({ path, why }) => fieldLeftOut(name, path, why)),
    ...reading.defaults.map(({ path, why }) => partLeftOut(name, "default", why, path)),
  ];
  const take = <T>(key: string, found: Imported<T>): T | undefined => {
    if (found === null) return undefined;
    if ("value" in found) return found.value;
    notes.push(partLeftOut(name, key, found.why));
    return undefined;
  };
  const version = formatVersionOf(metadata, schema);
  const properties = importProperties(metadata, name, notes);
  const parameters = importParameters(metadata, options.parameters ?? {});
  const { [COMMENT_PROPERTY]: comment = "" } = metadata.properties;
  const table: WrittenTable = {
    table: options.name,
    ...(options.catalog === null ? {} : { catalog: options.catalog }),
    ...(comment === "" ? {} : { comment }),
    ...present("formatVersion", take("format-version", version)),
    columns,
    ...present("identifierFields", take("identifier-fields", importIdentifier(metadata, isDeclared))),
    ...present("partitionBy", take("partition-by", importPartitionBy(metadata, isDeclared))),
    ...present("sortBy", take("sort-by", importSortBy(metadata, isDeclared))),
    ...(properties.size === 0 ? {} : { properties }),
    ...(parameters.size === 0 ? {} : { glueParameters: parameters }),
    ...(reading.fields.length === 0 ? {} : { unmanaged: reading.fields.map(({ path }) => path) }),
  };
  return { table, notes };
}

function present<K extends string, T>(key: K, value: T | undefined): { readonly [P in K]?: T } {
  return (value === undefined ? {} : { [key]: value }) as { readonly [P in K]?: T };
}

/** Not left out, and neither is anything around it. */
function declaredIn(schema: Schema, reading: FieldsReading): IsDeclared {
  const index = indexSchema(schema);
  const hidden = new Set(reading.fields.map(({ path }) => path));
  return (id) => {
    const segments = index.segments(id);
    return segments.length > 0 && !segments.some((_, depth) => hidden.has(formatPath(segments.slice(0, depth + 1))));
  };
}

/** A file with a version is held to it; tables by hand or of lax writers may hold more than their version allows. */
function formatVersionOf(metadata: TableMetadata, schema: Schema): Imported<number> {
  const [tooNew] = checkFormatVersion(schema, metadata.formatVersion).filter(({ category }) => category === "type_needs_version");
  return tooNew === undefined ? { value: metadata.formatVersion } : { why: tooNew.why };
}

const WHY: Readonly<Record<LeftOutKind, string>> = {
  own: "floeplan's own memory",
  engine: "written by engines and catalogs for themselves",
  "kept-in-step": "kept in step with the columns",
  place: "a place of this environment",
  derived: "derived by Iceberg",
  secret: "looks like a secret",
  nameless: "without a name",
};

function importProperties(metadata: TableMetadata, table: string, notes: Diagnostic[]): ReadonlyMap<string, string> {
  const ours = readBase(metadata.properties)?.properties ?? {};
  const taken = new Map<string, string>();
  const left = new Map<LeftOutKind, string[]>();
  for (const [key, value] of Object.entries(metadata.properties).sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (key === COMMENT_PROPERTY) continue;
    const kind = leftOutKind(key, value, Object.hasOwn(ours, key));
    if (kind === null) taken.set(key, value);
    else left.set(kind, [...(left.get(kind) ?? []), key]);
  }
  const told = [...left].filter(([kind]) => kind !== "own");
  if (told.length > 0) notes.push(propertiesLeftOut(table, told));
  return taken;
}

/** Only those that floeplan set before: a catalog's own parameters are mostly its own business. */
function importParameters(metadata: TableMetadata, live: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const ours = readBase(metadata.properties)?.glueParameters ?? {};
  return new Map(
    Object.keys(ours)
      .sort()
      .flatMap((key) => (Object.hasOwn(live, key) ? [[key, live[key] ?? ""] as const] : [])),
  );
}

function fieldLeftOut(table: string, path: string, why: string): Diagnostic {
  return diagnostic("import-field-left-out", {
    what: `Cannot declare field "${path}": ${why}`,
    why: "A table file has no way to say it; the file lists it under `unmanaged`, so that it is seen and left alone",
    mend: "Nothing, if it may stay as it is",
    table,
    field: path,
  });
}

export function partLeftOut(table: string, key: string, why: string, field?: string): Diagnostic {
  return diagnostic("import-part-left-out", {
    what: `Cannot declare \`${key}\`${field === undefined ? "" : ` of "${field}"`}: ${why}`,
    why: "The key is left out of the file, which leaves what is live as it is",
    table,
    ...(field === undefined ? {} : { field }),
  });
}

function propertiesLeftOut(table: string, left: readonly (readonly [LeftOutKind, readonly string[]])[]): Diagnostic {
  const all = left.flatMap(([, keys]) => keys);
  const count = all.length === 1 ? "1 property is" : `${all.length} properties are`;
  return diagnostic("import-properties-left-out", {
    what: `${count} not taken over: ${all.join(", ")}`,
    why: left.map(([kind, keys]) => `${WHY[kind]}: ${keys.join(", ")}`).join("; "),
    mend: "Declare those that somebody decided on; what is not declared stays as it is",
    table,
  });
}
