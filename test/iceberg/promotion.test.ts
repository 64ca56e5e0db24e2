import { describe, expect, it } from "vitest";
import { isPromotionAllowed, isSamePrimitive, promotionProblem } from "../../src/iceberg/promotion.ts";
import type { FormatVersion } from "../../src/iceberg/table-metadata.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { formatType, parseType } from "../../src/iceberg/type-text.ts";

const VERSIONS: readonly FormatVersion[] = [1, 2, 3];

const TYPES = [
  "boolean",
  "int",
  "long",
  "float",
  "double",
  "decimal(9,2)",
  "decimal(18,2)",
  "decimal(18,3)",
  "date",
  "time",
  "timestamp",
  "timestamptz",
  "timestamp_ns",
  "timestamptz_ns",
  "string",
  "uuid",
  "binary",
  "fixed[3]",
  "fixed[16]",
  "unknown",
  "variant",
  "geometry(OGC:CRS84)",
  "geometry(srid:3857)",
  "geography(OGC:CRS84)",
] as const;

// Spec "Schema Evolution", valid type promotions; the reference implementation has these three in every version.
const EVERY_VERSION = ["int > long", "float > double", "decimal(9,2) > decimal(18,2)"];
// Format version 3 adds these, which the reference implementation refuses.
const SPEC_V3 = [
  "date > timestamp",
  "date > timestamp_ns",
  ...TYPES.filter((type) => type !== "unknown").map((type) => `unknown > ${type}`),
];

function primitive(text: string): PrimitiveType {
  const type = parseType(text);
  if (type === null) throw new Error(`${text} is no type`);
  return type;
}

describe("isPromotionAllowed", () => {
  it.each(VERSIONS)("allows in version %i exactly what every engine reads", (version) => {
    const allowed = pairs().filter(([from, to]) => isPromotionAllowed(primitive(from), primitive(to), version));
    expect(allowed.map(([from, to]) => `${from} > ${to}`)).toEqual(EVERY_VERSION);
  });

  it.each(VERSIONS)("allows every type to stay what it is in version %i", (version) => {
    for (const type of TYPES) expect(isPromotionAllowed(primitive(type), primitive(type), version)).toBe(true);
  });
});

describe("promotionProblem", () => {
  it("allows under the rule of the spec what version 3 adds, and nothing more", () => {
    const allowed = (version: FormatVersion): string[] =>
      pairs()
        .filter(([from, to]) => promotionProblem(primitive(from), primitive(to), version, "spec") === null)
        .map(([from, to]) => `${from} > ${to}`)
        .sort();
    expect(allowed(2)).toEqual([...EVERY_VERSION].sort());
    expect(allowed(3)).toEqual([...EVERY_VERSION, ...SPEC_V3].sort());
  });

  it("gives a reason that names the types or the parameters", () => {
    expect(promotionProblem(primitive("string"), primitive("date"), 2)).toBe("string values cannot be read as date");
    expect(promotionProblem(primitive("decimal(9,2)"), primitive("decimal(9,3)"), 2)).toBe(
      "the scale of a decimal cannot change (2 to 3)",
    );
    expect(promotionProblem(primitive("decimal(18,2)"), primitive("decimal(9,2)"), 2)).toMatch(/cannot shrink \(18 to 9\)/);
    expect(promotionProblem(primitive("date"), primitive("timestamp"), 2)).toMatch(/format version 3/);
    expect(promotionProblem(primitive("date"), primitive("timestamp"), 3)).toMatch(/engines do not read/);
  });
});

describe("isSamePrimitive", () => {
  it("compares parameters, and coordinate reference systems without case", () => {
    for (const [from, to] of pairs()) expect(isSamePrimitive(primitive(from), primitive(to))).toBe(false);
    expect(isSamePrimitive(primitive("geometry(SRID:3857)"), primitive("geometry(srid:3857)"))).toBe(true);
    expect(isSamePrimitive(primitive("geography(a, vincenty)"), primitive("geography(a, thomas)"))).toBe(false);
  });
});

function pairs(): [string, string][] {
  return TYPES.flatMap((from) => TYPES.filter((to) => to !== from).map((to): [string, string] => [from, to]));
}

it("has a text for every type of this test", () => {
  expect(new Set(TYPES.map((type) => formatType(primitive(type)))).size).toBe(TYPES.length);
});
