// Random tables as they could be written: hostile names and texts, nested types, every attribute.
import fc from "fast-check";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PlainTypeName, PrimitiveType } from "../../src/iceberg/type.ts";
import type { WrittenField, WrittenPart, WrittenTable, WrittenType } from "../../src/desired/written-table.ts";

/** Words that some reader of YAML takes for something else, and texts that break quoting. */
const TRICKY = [
  "null",
  "~",
  "true",
  "yes",
  "no",
  "on",
  "off",
  "y",
  "n",
  "<<",
  "=",
  "1",
  "007",
  "1_000",
  "0x1F",
  "0o7",
  "1e3",
  ".5",
  "12:30:45",
  "2024-01-31",
  "a: b",
  "a #b",
  "#a",
  "a,b",
  "[a]",
  "{a}",
  "*a",
  "&a",
  "!a",
  "|",
  ">",
  "%a",
  "@a",
  "`a`",
  "- a",
  "? a",
  ": a",
  "a:",
  "-",
  "'",
  '"',
  "\\",
  "''",
  '"a".b',
  " a",
  "a ",
  "a  b",
  "a\nb",
  "a\tb",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "\u202e",
  "\u0007",
  "é",
  "日本",
  "\u{1F600}",
  "__proto__",
  "constructor",
  "a.b",
  "a*",
  "use",
  "name",
];

export const anyText = fc.oneof(
  fc.constantFrom(...TRICKY),
  fc.string({ minLength: 1, maxLength: 12, unit: "grapheme" }),
  fc.stringMatching(/^[a-z_]{1,10}$/),
);

const primitive: fc.Arbitrary<PrimitiveType> = fc.oneof(
  fc
    .constantFrom<PlainTypeName>(
      "boolean",
      "int",
      "long",
      "float",
      "double",
      "date",
      "time",
      "timestamp",
      "timestamptz",
      "string",
      "uuid",
      "binary",
    )
    .map((kind): PrimitiveType => ({ kind })),
  fc
    .tuple(fc.integer({ min: 1, max: 38 }), fc.nat({ max: 38 }))
    .map(([precision, scale]): PrimitiveType => ({ kind: "decimal", precision, scale: Math.min(precision, scale) })),
  fc.integer({ min: 1, max: 64 }).map((length): PrimitiveType => ({ kind: "fixed", length })),
);

/** A rule that fits every field of type date. */
const rule: fc.Arbitrary<ConversionRule> = fc.record(
  {
    from: fc.constant("string"),
    format: fc.constantFrom("yyyyMMdd", "yyyy-MM-dd", "dd'.'MM'.'yyyy", "'d: 'yyyyMMdd"),
    onError: fc.constantFrom("fail", "set-null"),
    trim: fc.boolean(),
    emptyAsNull: fc.boolean(),
    writersStopped: fc.boolean(),
    history: fc.constantFrom("move-aside", "give-up"),
  },
  { requiredKeys: ["from", "onError", "trim", "emptyAsNull", "writersStopped"] },
);

const meta = fc.dictionary(anyText, fc.jsonValue({ maxDepth: 2 }), { maxKeys: 3, noNullPrototype: true });

function uniqueFields(fields: readonly WrittenField[]): readonly WrittenField[] {
  const seen = new Set<string>();
  return fields.filter(({ name }) => !seen.has(name) && seen.add(name));
}

const { type } = fc.letrec<{ type: WrittenType; field: WrittenField; part: WrittenPart }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, depthIdentifier: "type" },
    primitive,
    fc.array(tie("field"), { maxLength: 3 }).map((fields): WrittenType => ({ kind: "struct", fields: uniqueFields(fields) })),
    tie("part").map((element): WrittenType => ({ kind: "list", element })),
    fc
      .tuple(tie("part"), tie("part"))
      .map(([key, value]): WrittenType => ({ kind: "map", key: { ...key, required: true }, value })),
  ),
  part: fc
    .tuple(tie("type"), fc.boolean(), fc.option(fc.integer({ min: 1, max: 1000 })))
    .map(([one, required, id]): WrittenPart => ({ type: one, required, ...(id === null ? {} : { id }) })),
  field: fc
    .tuple(anyText, tie("type"), fc.boolean(), fc.option(anyText))
    .map(
      ([name, one, required, comment]): WrittenField => ({ name, type: one, required, ...(comment === null ? {} : { comment }) }),
    ),
}));

const anyField: fc.Arbitrary<WrittenField> = fc
  .record({
    name: anyText,
    type,
    required: fc.boolean(),
    comment: fc.option(anyText),
    default: fc.option(fc.option(anyText)),
    renamedFrom: fc.option(fc.uniqueArray(anyText, { maxLength: 3 })),
    convert: fc.option(rule),
    meta: fc.option(meta),
    isNew: fc.boolean(),
  })
  .map(({ name, type: one, required, comment, renamedFrom, convert, meta: notes, isNew, default: value }) => {
    const kind = convert === null ? one.kind : "date";
    const isText = convert === null && kind === "string";
    return {
      name,
      type: convert === null ? one : { kind: "date" as const },
      required,
      ...(comment === null ? {} : { comment }),
      ...(value === null || !isText ? {} : { default: value }),
      ...(renamedFrom === null ? {} : { renamedFrom: renamedFrom.filter((old) => old !== name) }),
      ...(convert === null ? {} : { convert }),
      ...(notes === null ? {} : { meta: notes as NonNullable<WrittenField["meta"]> }),
      ...(isNew ? { id: "new" as const } : {}),
    };
  });

export const anyTable: fc.Arbitrary<WrittenTable> = fc
  .record({
    table: fc.array(anyText, { minLength: 2, maxLength: 3 }),
    columns: fc.array(anyField, { minLength: 1, maxLength: 4 }),
    comment: fc.option(anyText),
    owner: fc.option(anyText),
    properties: fc.option(fc.array(fc.tuple(anyText, fc.option(anyText)), { maxLength: 3 })),
    dropped: fc.option(
      fc.array(
        fc.record({ field: fc.stringMatching(/^zz[a-z]{1,5}$/), reason: anyText.filter((reason) => reason.trim() !== "") }),
        { maxLength: 2 },
      ),
    ),
    unmanaged: fc.option(fc.array(fc.constantFrom("zzz*", "*zz", "zz.*.q"), { maxLength: 2 })),
    meta: fc.option(meta),
    formatVersion: fc.option(fc.constantFrom(1, 2, 3)),
  })
  .map(({ table, columns, comment, owner, properties, dropped, unmanaged, meta: notes, formatVersion }) => ({
    table,
    columns: uniqueFields(columns),
    ...(comment === null ? {} : { comment }),
    ...(owner === null ? {} : { owner }),
    ...(formatVersion === null ? {} : { formatVersion }),
    ...(properties === null ? {} : { properties: new Map(properties.filter(([key]) => key !== "uuid" && key !== "comment")) }),
    ...(dropped === null ? {} : { dropped }),
    ...(unmanaged === null ? {} : { unmanaged }),
    ...(notes === null ? {} : { meta: notes as NonNullable<WrittenTable["meta"]> }),
  }));
