// The column list for Glue is the one that Iceberg Java writes for the same table (test/data/README.md says how the
// lists were made), without the columns of older schemas; and lists of either library are taken for in step.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { glueColumns } from "../../src/iceberg/glue-columns.ts";
import { columnDifferences } from "../../src/iceberg/glue-difference.ts";
import type { GlueColumn, GlueTable } from "../../src/iceberg/glue-entry.ts";
import { glueTableInput } from "../../src/iceberg/glue-input.ts";
import { glueState } from "../../src/iceberg/glue-state.ts";
import { glueComment, glueDescription, isSingleLine } from "../../src/iceberg/glue-text.ts";
import { isSameGlueType } from "../../src/iceberg/glue-type.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import type { TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field, Schema, Type } from "../../src/iceberg/type.ts";
import { REQUESTS, violations } from "../fakes/glue-shapes.ts";

interface ListedColumn {
  readonly name: string;
  readonly type: string;
  readonly comment?: string;
  readonly parameters: Readonly<Record<string, string>>;
}

const field = (id: number, name: string, more: Partial<Field> = {}): Field => ({
  id,
  name,
  required: false,
  type: { kind: "long" },
  ...more,
});
const schema = (...fields: readonly Field[]): Schema => ({ schemaId: 0, identifierFieldIds: [], fields });
interface GoldenCase {
  readonly name: string;
  readonly metadata: unknown;
  /** The entry that was there before. */
  readonly glue?: Omit<GlueTable, "Name" | "StorageDescriptor"> & { readonly Columns: readonly GlueColumn[] };
  readonly java: {
    readonly location: string;
    readonly description?: string;
    readonly additionalLocations?: readonly string[];
    readonly columns: readonly ListedColumn[];
  };
  readonly pyiceberg?: { readonly columns: readonly ListedColumn[] };
}

const FILE = resolve(import.meta.dirname, "../data/catalog/glue-columns.json");
const CASES = JSON.parse(readFileSync(FILE, "utf8")) as readonly GoldenCase[];

function metadataOf({ metadata }: GoldenCase): TableMetadata {
  return readMetadata(new TextEncoder().encode(JSON.stringify(metadata)), "s3://lake/v1.metadata.json");
}

function entryBefore({ glue }: GoldenCase): GlueTable {
  const { Columns = [], ...entry } = glue ?? {};
  return { ...entry, Name: "orders", StorageDescriptor: { Columns } };
}

function asGlue(columns: readonly ListedColumn[]): readonly GlueColumn[] {
  return columns.map(({ name, type, comment, parameters }) => ({
    Name: name,
    Type: type,
    ...(comment === undefined || comment === "" ? {} : { Comment: comment }),
    Parameters: parameters,
  }));
}

const isCurrent = (column: ListedColumn): boolean => column.parameters["iceberg.field.current"] === "true";

describe("the entry for Glue", () => {
  it.each(CASES)("is that of Iceberg Java, without columns of older schemas: $name", (golden) => {
    const metadata = metadataOf(golden);
    const after = { metadata, metadataLocation: "s3://lake/v1.metadata.json", previousLocation: null };
    const input = glueTableInput("orders", { entry: entryBefore(golden), metadata }, after);
    const { java } = golden;
    expect(input.StorageDescriptor?.Columns).toEqual(asGlue(java.columns.filter(isCurrent)));
    expect(input.StorageDescriptor?.Location).toBe(java.location);
    expect(input.StorageDescriptor?.AdditionalLocations).toEqual(java.additionalLocations);
    expect(input.Description).toBe(java.description);
    expect(input.TableType).toBe("EXTERNAL_TABLE");
  });

  it.each(CASES)("is in step as Iceberg Java leaves it: $name", (golden) => {
    const { java } = golden;
    const state = stateAfter(golden, java.columns, java.description);
    expect(state.differences(metadataOf(golden))).toEqual([]);
    const old = java.columns.filter((column) => !isCurrent(column));
    expect(state.notes(metadataOf(golden)).map(({ what }) => what)).toEqual(
      old.length === 0 ? [] : [`Glue also lists ${old.map(({ name }) => `"${name}"`).join(", ")}, marked as of an older schema`],
    );
  });

  it.each(CASES.filter(({ pyiceberg }) => pyiceberg !== undefined))("is in step as PyIceberg leaves it: $name", (golden) => {
    // PyIceberg takes a description from a property of its own.
    const description = metadataOf(golden).properties["comment"];
    const state = stateAfter(golden, golden.pyiceberg?.columns ?? [], description);
    expect(state.differences(metadataOf(golden))).toEqual([]);
  });

  function stateAfter(golden: GoldenCase, columns: readonly ListedColumn[], Description: string | undefined) {
    const metadata = metadataOf(golden);
    const entry = { Name: "orders", Description, StorageDescriptor: { Location: metadata.location, Columns: asGlue(columns) } };
    return glueState("orders", { entry, metadata });
  }
});

describe("an entry of any table", () => {
  const unit = fc.integer({ min: 0, max: 0xffff }).map((code) => String.fromCharCode(code));
  const text = fc.oneof(fc.string({ unit, maxLength: 30 }), fc.string({ unit, minLength: 250, maxLength: 300 }), fc.string());
  const type: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
    type: fc.oneof(
      { depthSize: "small" },
      fc.constantFrom<Type>({ kind: "long" }, { kind: "timestamptz_ns" }, { kind: "decimal", precision: 9, scale: 2 }),
      tie("type").map((element): Type => ({ kind: "list", elementId: 1, element, elementRequired: false })),
      fc
        .array(fc.tuple(text, tie("type")), { maxLength: 3 })
        .map((parts): Type => ({ kind: "struct", fields: parts.map(([name, inner], id) => field(id, name, { type: inner })) })),
    ),
  })).type;
  const column = fc.record({ name: text, doc: text, required: fc.boolean(), type });

  it("is taken by Glue, unless a problem is told", () => {
    const [base] = CASES;
    if (base === undefined) throw new Error("No cases");
    const seen = { taken: 0, told: 0 };
    fc.assert(
      fc.property(fc.array(column, { maxLength: 4 }), text, text, text, (columns, comment, key, value) => {
        const fields = withIds(columns.map((one, id) => field(id, one.name, one)));
        const metadata = { ...metadataOf(base), schemas: [schema(...fields)], currentSchemaId: 0, properties: { comment } };
        const state = glueState("orders", null);
        if (state.problems(metadata, { [key]: value }).length > 0) {
          seen.told++;
          return;
        }
        seen.taken++;
        const after = {
          metadata,
          metadataLocation: "s3://lake/v1.metadata.json",
          previousLocation: null,
          parameters: { [key]: value },
        };
        const TableInput: unknown = JSON.parse(JSON.stringify(glueTableInput("orders", null, after)));
        const request = { DatabaseName: "sales", TableInput, SkipArchive: true, VersionId: "0" };
        expect(violations(REQUESTS.UpdateTable, request, "UpdateTable")).toEqual([]);
      }),
      { numRuns: 1200 },
    );
    expect(Math.min(seen.taken, seen.told)).toBeGreaterThan(20);
  });

  function withIds(fields: readonly Field[]): readonly Field[] {
    let next = 1;
    const numbered = (one: Type): Type => {
      if (one.kind === "list") return { ...one, elementId: next++, element: numbered(one.element) };
      return one.kind === "struct" ? { ...one, fields: one.fields.map(number) } : one;
    };
    const number = (one: Field): Field => ({ ...one, id: next++, type: numbered(one.type) });
    return fields.map(number);
  }
});

const listed = (name: string, id: number | null, more: Partial<GlueColumn> = {}): GlueColumn => ({
  Name: name,
  Type: "bigint",
  ...(id === null ? {} : { Parameters: { "iceberg.field.id": String(id), "iceberg.field.current": "true" } }),
  ...more,
});
const comments = (columns: readonly GlueColumn[]): readonly (string | undefined)[] => columns.map((column) => column.Comment);

describe("a comment that only Glue has", () => {
  it("moves along with a column that is renamed, also onto the name of another", () => {
    const before = schema(field(1, "a"), field(2, "b"));
    const columns = [listed("a", 1, { Comment: "of a" }), listed("b", 2, { Comment: "of b" })];
    const after = schema(field(1, "b"), field(2, "a"), field(3, "c"));
    expect(comments(glueColumns(after, { columns, schema: before }))).toEqual(["of a", "of b", undefined]);
  });

  it("does not go to a new column that takes the name of a renamed one", () => {
    const columns = [listed("a", 1, { Comment: "of a" })];
    const after = schema(field(1, "old_a"), field(2, "a"));
    expect(comments(glueColumns(after, { columns, schema: schema(field(1, "a")) }))).toEqual(["of a", undefined]);
  });

  it("stays with a column that gets another field id under its name, as by a conversion", () => {
    const columns = [listed("day", 4, { Comment: "Set by hand" })];
    expect(comments(glueColumns(schema(field(9, "day")), { columns, schema: schema(field(4, "day")) }))).toEqual(["Set by hand"]);
  });

  it("stays where the list was written by a tool that puts in no ids, whatever its letter case", () => {
    const columns = [listed("orderid", null, { Comment: "Set by hand" })];
    const named = schema(field(1, "OrderId"));
    expect(comments(glueColumns(named, { columns, schema: named }))).toEqual(["Set by hand"]);
  });

  it("is not mistaken for a doc that this change takes away", () => {
    const columns = [listed("a", 1, { Comment: "The doc" }), listed("b", 2, { Comment: "Other" })];
    const before = schema(field(1, "a", { doc: "The doc" }), field(2, "b", { doc: "The doc of b" }));
    expect(comments(glueColumns(schema(field(1, "a"), field(2, "b")), { columns, schema: before }))).toEqual([
      undefined,
      "Other",
    ]);
  });
});

it("keeps the parameters of others on their column", () => {
  const columns = [listed("a", null, { Parameters: { trino_type_id: "bigint", "iceberg.field.id": "1" } })];
  const [column] = glueColumns(schema(field(1, "a", { required: true })), { columns, schema: schema(field(1, "a")) });
  expect(column?.Parameters).toEqual({
    trino_type_id: "bigint",
    "iceberg.field.id": "1",
    "iceberg.field.optional": "false",
    "iceberg.field.current": "true",
  });
});

describe("comments as Glue takes them", () => {
  it.each([
    ["a line", "a line"],
    ["  as it  is\t", "  as it  is\t"],
    ["two\nlines", "two lines"],
    ["\r\n  folded \r\n\r\n  here\n", "folded here"],
    ["\n", ""],
    ["bell\u0007 and \u0000", "bell  and  "],
    ["half \ud83d of one", "half \ufffd of one"],
    ["\u{1f9ca} whole", "\u{1f9ca} whole"],
    ["x".repeat(255), "x".repeat(255)],
    ["x".repeat(256), `${"x".repeat(254)}…`],
    [`${"x".repeat(253)}\u{1f9ca}\u{1f9ca}`, `${"x".repeat(253)}…`],
  ])("%j", (doc, comment) => {
    expect(glueComment(doc)).toBe(comment);
  });

  it("are of one line, of at most 255 characters, and the same when made again", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 400 }), (doc) => {
        const comment = glueComment(doc);
        expect(isSingleLine(comment)).toBe(true);
        expect(comment.length).toBeLessThanOrEqual(255);
        expect(glueComment(comment)).toBe(comment);
      }),
    );
  });

  it("keep their lines in the description, up to 2,048 characters", () => {
    expect(glueDescription("two\r\nlines\u0001")).toBe("two\r\nlines ");
    expect(glueDescription("y".repeat(3000))).toBe(`${"y".repeat(2047)}…`);
  });

  it("are made in linear time from hostile text", () => {
    const start = performance.now();
    glueComment(`${" ".repeat(200_000)}x\n${" ".repeat(200_000)}`);
    glueComment("\n \r".repeat(100_000));
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

describe("types of one meaning", () => {
  it.each([
    ["array<struct<sku:string,price:decimal(9,2)>>", "ARRAY<STRUCT<Sku: string, Price: decimal(9, 2)>>"],
    ["int", "integer"],
    ["map<string,bigint>", "map<string,long>"],
    ["timestamp_nano", "timestamptz_ns"],
    ["timestamp", "timestamptz"],
    ["struct<g:geometry>", "struct<g:geometry(EPSG:3857)>"],
  ])("%s and %s", (one, other) => {
    expect(isSameGlueType(one, other)).toBe(true);
  });

  it.each([
    ["int", "bigint"],
    ["timestamp", "timestamp_nano"],
    ["struct<integer:string>", "struct<int:string>"],
    ["array<int>", "map<int,int>"],
    ["decimal(9,2)", "decimal(9,3)"],
  ])("are not %s and %s", (one, other) => {
    expect(isSameGlueType(one, other)).toBe(false);
  });
});

describe("differences of the list", () => {
  const wanted = glueColumns(schema(field(1, "a"), field(2, "b"), field(3, "c"), field(4, "d")), { columns: [], schema: null });
  const [a, b, c, d] = wanted as readonly [GlueColumn, GlueColumn, GlueColumn, GlueColumn];
  const told = (columns: readonly GlueColumn[]): readonly string[] =>
    columnDifferences(wanted, columns).map(({ subject, what, before, after }) => `${subject} ${what}: ${before} → ${after}`);

  it("are none where the list is the same, in other letters, or with columns marked as old in between", () => {
    const old = listed("x", 9, { Parameters: { "iceberg.field.current": "false" } });
    expect(told(wanted)).toEqual([]);
    expect(told(wanted.map((column) => ({ ...column, Name: column.Name?.toUpperCase() })))).toEqual([]);
    expect(told([a, old, b, c, d])).toEqual([]);
  });

  it("are none where only marks and ids lack", () => {
    expect(told(wanted.map(({ Name, Type }) => ({ Name, Type })))).toEqual([]);
  });

  it("are every missing column, and every one where there is no list", () => {
    expect(told([a, c, d])).toEqual(["b missing: null → bigint"]);
    expect(told([])).toEqual(["a", "b", "c", "d"].map((name) => `${name} missing: null → bigint`));
  });

  it("are another type, comment, field id and optional mark", () => {
    const Parameters = { "iceberg.field.id": "7", "iceberg.field.optional": "false" };
    expect(told([{ ...a, Type: "int" }, { ...b, Comment: "x" }, { ...c, Parameters }, d])).toEqual([
      "a another type: int → bigint",
      "b another comment: x → null",
      "c another field id: 7 → 3",
      "c another optional mark: false → true",
    ]);
  });

  it("are a current column that is marked as old, and a left-over one that is not", () => {
    const marked = { ...a, Parameters: { ...a.Parameters, "iceberg.field.current": "false" } };
    expect(told([marked, b, c, d, listed("x", null, { Type: "string" })])).toEqual([
      "a marked as old: bigint → bigint",
      "x left over: string → null",
    ]);
  });

  it("are the fewest columns that would have to move, with their places", () => {
    expect(told([a, c, d, b])).toEqual(["b another place: 4 → 2"]);
    expect(told([d, a, b, c])).toEqual(["d another place: 1 → 4"]);
    expect(told([d, c, b, a])).toEqual(["b another place: 3 → 2", "c another place: 2 → 3", "d another place: 1 → 4"]);
  });

  it("are gone once the list is the wanted one, whatever it was", () => {
    const column = fc.record({
      Name: fc.constantFrom("a", "b", "c", "d", "x", "A"),
      Type: fc.constantFrom("bigint", "string"),
      Comment: fc.option(fc.string(), { nil: undefined }),
      Parameters: fc.option(
        fc.dictionary(
          fc.constantFrom("iceberg.field.id", "iceberg.field.current", "iceberg.field.optional", "other"),
          fc.constantFrom("1", "2", "true", "false"),
        ),
        { nil: undefined },
      ),
    });
    const live = schema(field(1, "a"), field(2, "b", { doc: "B" }), field(3, "c"), field(4, "d"));
    fc.assert(
      fc.property(fc.array(column, { maxLength: 8 }), (columns) => {
        const first = glueColumns(live, { columns, schema: live });
        expect(columnDifferences(first, first)).toEqual([]);
        expect(glueColumns(live, { columns: first, schema: live })).toEqual(first);
      }),
    );
  });
});
