// The shapes of Glue's requests as far as the fake takes them, with the limits of the API model (2017-03-31): members,
// required ones, lengths in characters, patterns. A member that is not here is one that the product should not send.

export type Shape =
  | { readonly is: "text"; readonly min?: number; readonly max?: number; readonly pattern?: RegExp }
  | { readonly is: "number"; readonly min?: number; readonly max?: number }
  | { readonly is: "boolean" }
  | { readonly is: "list"; readonly of: Shape }
  | { readonly is: "map"; readonly key: Shape; readonly value: Shape }
  | { readonly is: "struct"; readonly members: Readonly<Record<string, Shape>>; readonly required?: readonly string[] };

const LINE = /^[\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}\t]*$/u;
const LINES = /^[\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}\r\n\t]*$/u;

const name: Shape = { is: "text", min: 1, max: 255, pattern: LINE };
const text = (max: number, pattern?: RegExp): Shape =>
  pattern === undefined ? { is: "text", max } : { is: "text", max, pattern };
const number: Shape = { is: "number" };
const boolean: Shape = { is: "boolean" };
const list = (of: Shape): Shape => ({ is: "list", of });
const struct = (members: Readonly<Record<string, Shape>>, ...required: string[]): Shape => ({ is: "struct", members, required });

const parameters: Shape = { is: "map", key: name, value: text(512_000) };
const description = text(2048, LINES);
const location = text(2056, LINES);
const column = struct({ Name: name, Type: text(131_072, LINE), Comment: text(255, LINE), Parameters: parameters }, "Name");

const storage = struct({
  Columns: list(column),
  Location: location,
  AdditionalLocations: list(location),
  InputFormat: text(128, LINE),
  OutputFormat: text(128, LINE),
  Compressed: boolean,
  NumberOfBuckets: number,
  SerdeInfo: struct({ Name: name, SerializationLibrary: name, Parameters: parameters }),
  BucketColumns: list(name),
  SortColumns: list(struct({ Column: name, SortOrder: { is: "number", min: 0, max: 1 } }, "Column", "SortOrder")),
  Parameters: parameters,
  SkewedInfo: struct({
    SkewedColumnNames: list(name),
    SkewedColumnValues: list({ is: "text" }),
    SkewedColumnValueLocationMaps: { is: "map", key: { is: "text" }, value: { is: "text" } },
  }),
  StoredAsSubDirectories: boolean,
});

const tableInput = struct(
  {
    Name: name,
    Description: description,
    Owner: name,
    LastAccessTime: number,
    LastAnalyzedTime: number,
    Retention: { is: "number", min: 0 },
    StorageDescriptor: storage,
    PartitionKeys: list(column),
    ViewOriginalText: text(409_600),
    ViewExpandedText: text(409_600),
    TableType: text(255),
    Parameters: parameters,
    TargetTable: struct({ CatalogId: name, DatabaseName: name, Name: name, Region: name }),
  },
  "Name",
);

const CatalogId = name;
const page = { MaxResults: { is: "number", min: 1, max: 100 }, NextToken: { is: "text" } } as const;

export const REQUESTS = {
  CreateDatabase: struct(
    {
      CatalogId,
      DatabaseInput: struct(
        { Name: name, Description: description, LocationUri: text(1024, LINES), Parameters: parameters },
        "Name",
      ),
    },
    "DatabaseInput",
  ),
  GetDatabase: struct({ CatalogId, Name: name }, "Name"),
  GetDatabases: struct({ CatalogId, ...page }),
  GetTable: struct({ CatalogId, DatabaseName: name, Name: name }, "DatabaseName", "Name"),
  // The model says 2,048; the service answers with this (boto/boto3#3229).
  GetTables: struct({ CatalogId, DatabaseName: name, Expression: text(255, LINE), ...page }, "DatabaseName"),
  CreateTable: struct({ CatalogId, DatabaseName: name, TableInput: tableInput }, "DatabaseName", "TableInput"),
  UpdateTable: struct(
    { CatalogId, DatabaseName: name, TableInput: tableInput, SkipArchive: boolean, VersionId: name },
    "DatabaseName",
    "TableInput",
  ),
  DeleteTable: struct({ CatalogId, DatabaseName: name, Name: name }, "DatabaseName", "Name"),
  GetTableVersions: struct({ CatalogId, DatabaseName: name, TableName: name, ...page }, "DatabaseName", "TableName"),
} as const satisfies Readonly<Record<string, Shape>>;

export type GlueOperation = keyof typeof REQUESTS;

/** What is wrong, in the service's words; throws where the request holds what it must not. */
export function violations(shape: Shape, value: unknown, path: string): readonly string[] {
  switch (shape.is) {
    case "text":
      return typeof value === "string" ? textViolations(shape, value, path) : [wrong(path, value, "be a string")];
    case "number":
      if (typeof value !== "number") return [wrong(path, value, "be a number")];
      return value < (shape.min ?? value) || value > (shape.max ?? value) ? [wrong(path, value, "be within its bounds")] : [];
    case "boolean":
      return typeof value === "boolean" ? [] : [wrong(path, value, "be a boolean")];
    case "list":
      if (!Array.isArray(value)) return [wrong(path, value, "be a list")];
      return value.flatMap((one: unknown, index) => violations(shape.of, one, `${path}.${index + 1}.member`));
    case "map":
      return entriesOf(value, path).flatMap(([key, one]) => [
        ...violations(shape.key, key, `${path}.key`),
        ...violations(shape.value, one, `${path}.${key}`),
      ]);
    case "struct":
      return structViolations(shape, value, path);
  }
}

function structViolations(shape: Shape & { readonly is: "struct" }, value: unknown, path: string): string[] {
  const entries = entriesOf(value, path);
  const present = new Set(entries.map(([key]) => key));
  const missing = (shape.required ?? [])
    .filter((key) => !present.has(key))
    .map((key) => wrong(`${path}.${key}`, null, "not be null"));
  return [
    ...missing,
    ...entries.flatMap(([key, one]) => {
      const member = shape.members[key];
      if (member === undefined) throw new Error(`Glue has no member "${key}" at ${path}, or the fake does not play it`);
      return violations(member, one, `${path}.${key}`);
    }),
  ];
}

function textViolations({ min = 0, max, pattern }: Shape & { readonly is: "text" }, value: string, path: string): string[] {
  // The model counts characters, not UTF-16 units.
  const length = Array.from(value).length;
  if (length < min) return [wrong(path, value, `have length greater than or equal to ${min}`)];
  if (max !== undefined && length > max) return [wrong(path, value, `have length less than or equal to ${max}`)];
  return pattern !== undefined && !pattern.test(value)
    ? [wrong(path, value, `satisfy regular expression pattern: ${pattern.source}`)]
    : [];
}

function entriesOf(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw new Error(`${path} is no object`);
  return Object.entries(value);
}

function wrong(path: string, value: unknown, must: string): string {
  return `Value '${String(value).slice(0, 60)}' at '${path}' failed to satisfy constraint: Member must ${must}`;
}
