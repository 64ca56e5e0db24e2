// Type names both ways. Accepted and refused spellings are those of the spec and of the reference implementation.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { GEOGRAPHY_ALGORITHMS, PLAIN_TYPE_NAMES, type PrimitiveType, type Type } from "../../src/iceberg/type.ts";
import { formatType, formatTypeJson, parseType } from "../../src/iceberg/type-text.ts";
import { parseTypeText, type TypeShape } from "../../src/iceberg/type-text-parse.ts";

const primitive: fc.Arbitrary<PrimitiveType> = fc.oneof(
  fc.constantFrom(...PLAIN_TYPE_NAMES).map((kind) => ({ kind })),
  fc
    .integer({ min: 1, max: 38 })
    .chain((precision) =>
      fc.integer({ min: 0, max: precision }).map((scale) => ({ kind: "decimal" as const, precision, scale })),
    ),
  fc.integer({ min: 1, max: 2147483647 }).map((length) => ({ kind: "fixed" as const, length })),
  fc.constantFrom("OGC:CRS84", "srid:3857", "ogc:crs84").map((crs) => ({ kind: "geometry" as const, crs })),
  fc
    .tuple(fc.constantFrom("OGC:CRS84", "EPSG:4326"), fc.constantFrom(...GEOGRAPHY_ALGORITHMS))
    .map(([crs, algorithm]) => ({ kind: "geography" as const, crs, algorithm })),
);

const name = fc.oneof(
  fc.constantFrom("a", "first name", 'quo"te', "a.b", "required", "x:y", "größe", "my-col", "1", "[]"),
  fc.string({ minLength: 1 }),
);

const type: fc.Arbitrary<Type> = fc.letrec<{ type: Type }>((tie) => ({
  type: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    primitive,
    fc
      .tuple(tie("type"), fc.boolean())
      .map(([element, elementRequired]) => ({ kind: "list" as const, elementId: 1, element, elementRequired })),
    fc
      .tuple(tie("type"), tie("type"), fc.boolean())
      .map(([key, value, valueRequired]) => ({ kind: "map" as const, keyId: 1, key, valueId: 2, value, valueRequired })),
    fc
      .uniqueArray(fc.record({ name, type: tie("type"), required: fc.boolean() }), {
        maxLength: 3,
        selector: (field) => field.name,
      })
      .map((fields) => ({ kind: "struct" as const, fields: fields.map((field, id) => ({ id, ...field })) })),
  ),
})).type;

/** The same without ids, and with default coordinate systems spelt one way. */
function shape(of: Type): TypeShape {
  switch (of.kind) {
    case "struct":
      return {
        kind: "struct",
        fields: of.fields.map((field) => ({ name: field.name, type: shape(field.type), required: field.required })),
      };
    case "list":
      return { kind: "list", element: { type: shape(of.element), required: of.elementRequired } };
    case "map":
      return {
        kind: "map",
        key: { type: shape(of.key), required: true },
        value: { type: shape(of.value), required: of.valueRequired },
      };
    case "geometry":
    case "geography":
      return of.crs === "ogc:crs84" ? { ...of, crs: "OGC:CRS84" } : of;
    default:
      return of;
  }
}

describe("parseType", () => {
  it("reads back what the metadata form says", () => {
    fc.assert(
      fc.property(primitive, (one) => {
        expect(parseType(formatTypeJson(one))).toEqual(one);
      }),
    );
  });

  it.each<[string, PrimitiveType]>([
    ["INT", { kind: "int" }],
    [" TimestampTZ_ns ", { kind: "timestamptz_ns" }],
    ["decimal(9,2)", { kind: "decimal", precision: 9, scale: 2 }],
    ["Decimal ( 38 , 0 )", { kind: "decimal", precision: 38, scale: 0 }],
    ["fixed[ 16 ]", { kind: "fixed", length: 16 }],
    ["geometry", { kind: "geometry", crs: "OGC:CRS84" }],
    ["GEOMETRY( srid:3857 )", { kind: "geometry", crs: "srid:3857" }],
    ["geography", { kind: "geography", crs: "OGC:CRS84", algorithm: "spherical" }],
    ["geography(EPSG:4326)", { kind: "geography", crs: "EPSG:4326", algorithm: "spherical" }],
    ["geography(EPSG:4326, Karney)", { kind: "geography", crs: "EPSG:4326", algorithm: "karney" }],
  ])("reads %j", (text, expected) => {
    expect(parseType(text)).toEqual(expected);
  });

  it.each([
    "",
    "integer",
    "bigint",
    "decimal",
    "decimal(9)",
    "decimal(39, 2)",
    "decimal(9, 10)",
    "decimal(0, 0)",
    "decimal(9, 2",
    "decimal[9, 2]",
    "decimal(-9, 2)",
    "decimal(9.0, 2)",
    "decimal(9, 2, 1)",
    "fixed",
    "fixed[]",
    "fixed[0]",
    "fixed(16)",
    "fixed[99999999999]",
    "geometry()",
    "geography(,spherical)",
    "geography(x, flat)",
    "geography(x, spherical, y)",
    "int()",
    "struct",
    "list<int>",
    "int int",
  ])("knows no type %j", (text) => {
    expect(parseType(text)).toBeNull();
  });
});

describe("formatTypeJson", () => {
  it("spells as Java does in metadata", () => {
    expect(formatTypeJson({ kind: "decimal", precision: 9, scale: 2 })).toBe("decimal(9, 2)");
    expect(formatTypeJson({ kind: "fixed", length: 16 })).toBe("fixed[16]");
    expect(formatTypeJson({ kind: "geometry", crs: "OGC:CRS84" })).toBe("geometry(OGC:CRS84)");
    expect(formatTypeJson({ kind: "geography", crs: "OGC:CRS84", algorithm: "spherical" })).toBe(
      "geography(OGC:CRS84, spherical)",
    );
  });
});

describe("formatType", () => {
  it("reads back with every mark and quote", () => {
    fc.assert(
      fc.property(type, (one) => {
        expect(parseTypeText(formatType(one))).toEqual({ type: shape(one) });
      }),
    );
  });

  it("says what is nested with its markers and quotes", () => {
    const one: Type = {
      kind: "struct",
      fields: [
        { id: 1, name: "a", required: true, type: { kind: "decimal", precision: 9, scale: 2 } },
        {
          id: 2,
          name: 'b."c',
          required: false,
          type: { kind: "list", elementId: 3, element: { kind: "geometry", crs: "OGC:CRS84" }, elementRequired: true },
        },
        {
          id: 4,
          name: "m",
          required: false,
          type: {
            kind: "map",
            keyId: 5,
            key: { kind: "string" },
            valueId: 6,
            value: { kind: "geography", crs: "EPSG:4326", algorithm: "karney" },
            valueRequired: true,
          },
        },
      ],
    };
    expect(formatType(one)).toBe(
      'struct<a: required decimal(9,2), "b.""c": list<required geometry>, m: map<string, required geography(EPSG:4326, karney)>>',
    );
  });
});

describe("parseTypeText", () => {
  it("reads short forms whose fields are given elsewhere", () => {
    expect(parseTypeText("list<struct>")).toEqual({
      type: { kind: "list", element: { type: { kind: "struct", fields: null }, required: false } },
    });
    expect(parseTypeText("map<string, list<struct>>")).toMatchObject({
      type: { kind: "map", value: { type: { kind: "list" } } },
    });
    expect(parseTypeText("struct<>")).toEqual({ type: { kind: "struct", fields: [] } });
  });

  it("takes a map key for required whatever is said", () => {
    expect(parseTypeText("map<required string, int>")).toEqual(parseTypeText("map<string, int>"));
  });

  it("does not mind blanks and case", () => {
    expect(parseTypeText(" LIST < required  Int > ")).toEqual(parseTypeText("list<required int>"));
    expect(parseTypeText("map<decimal( 9 , 2 ),fixed[ 4 ]>")).toEqual(parseTypeText("map<decimal(9,2), fixed[4]>"));
  });

  it("asks for names of other systems, at any depth", () => {
    const alias = (text: string): string | null =>
      ({ bigint: "long", array: "list", "timestamp with time zone": "timestamptz" })[text.toLowerCase()] ?? null;
    expect(parseTypeText("array<struct<a: BIGINT, b: timestamp with time zone>>", { alias })).toEqual(
      parseTypeText("list<struct<a: long, b: timestamptz>>"),
    );
  });

  it.each<[string, number, string]>([
    ["list<strin>", 5, '"strin" is no type of Iceberg'],
    ["list", 0, '"list" needs the type of what it holds, as in "list<string>"'],
    ["list<", 5, "Expected a type"],
    ["list<int", 8, 'Expected ">" at the end of the list'],
    ["list<int>>", 9, 'Expected the end of the type, found ">"'],
    ["map<string>", 10, 'Expected "," between the key and the value of a map'],
    ["struct<a>", 8, 'Expected ":" and a type after field "a"'],
    ["struct<a: int, a: int>", 15, 'The struct has two fields named "a"'],
    ["struct<: int>", 7, "Expected the name of a field"],
    ["struct<first name: int>", 7, 'A field name with a blank stands in double quotes: "first name"'],
    ['struct<"a: int>', 7, "The quoted name that starts here has no end"],
    ["int<string>", 0, '"int" takes no types in brackets; "struct", "list" and "map" do'],
    ["required int", 0, '"required int" is no type of Iceberg'],
  ])("says where %j is wrong and why", (text, offset, why) => {
    expect(parseTypeText(text)).toEqual({ error: { offset, why } });
  });

  it("refuses endless nesting without exhausting the stack", () => {
    expect(parseTypeText("list<".repeat(100_000))).toMatchObject({ error: { why: "Types are nested more than 200 deep" } });
  });

  it("never throws and always ends", () => {
    fc.assert(
      fc.property(
        fc.string({
          unit: fc.constantFrom("list", "map", "struct", "<", ">", ",", ":", '"', " ", "a", "int", "required", "(", ")"),
        }),
        (text) => {
          const result = parseTypeText(text);
          expect("type" in result || result.error.offset <= text.length).toBe(true);
        },
      ),
    );
  });
});
