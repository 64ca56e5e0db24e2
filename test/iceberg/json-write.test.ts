// Written JSON reads back as the same value; canonical text is one text for equal values.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { JsonObject, JsonValue } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";
import { canonicalJson, floatNumber, writeJson } from "../../src/iceberg/json-write.ts";

const value: fc.Arbitrary<JsonValue> = fc.letrec<{ value: JsonValue }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc
      .double({ noNaN: true, noDefaultInfinity: true })
      .filter((number) => !Number.isInteger(number) || Number.isSafeInteger(number)),
    fc.bigInt(2n ** 53n, 2n ** 80n),
    fc.string({ unit: "binary" }),
    fc.array(tie("value"), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie("value"), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

function shuffled(json: JsonValue): JsonValue {
  if (Array.isArray(json)) return json.map((element: JsonValue) => shuffled(element));
  if (typeof json !== "object" || json === null) return json;
  return Object.fromEntries(
    Object.entries(json as JsonObject)
      .reverse()
      .map(([key, inner]) => [key, shuffled(inner)]),
  );
}

describe("writeJson", () => {
  it("writes what parses back to the same value, on one line and indented", () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, "\t"), (json, indent) => {
        expect(parseJson(writeJson(json, indent === undefined ? {} : { indent }))).toEqual(json);
      }),
    );
  });

  it("writes as the platform does where there are no large integers", () => {
    const json = { a: [1, -2.5, "é\n\u2028", null, true], b: {}, c: [], d: { e: [{ f: 1e21 }] } };
    expect(writeJson(json)).toBe(JSON.stringify(json));
    expect(writeJson(json, { indent: 2 })).toBe(JSON.stringify(json, null, 2));
  });

  it("writes integers of 64 bits as digits", () => {
    expect(writeJson({ id: 9223372036854775807n })).toBe('{"id":9223372036854775807}');
  });

  it("writes a floating-point number with its point where that is asked for", () => {
    expect(writeJson([floatNumber(1), floatNumber(-0), floatNumber(1.5), floatNumber(1e21), -0])).toBe(
      "[1.0,-0.0,1.5,1e+21,-0.0]",
    );
  });

  it("takes a number that is not finite for a bug", () => {
    expect(() => writeJson([Number.NaN])).toThrow(ToolError);
  });
});

describe("canonicalJson", () => {
  it("gives one text whatever the order of keys", () => {
    fc.assert(
      fc.property(value, (json) => {
        expect(canonicalJson(shuffled(json))).toBe(canonicalJson(json));
      }),
    );
  });

  it("sorts keys by code unit and takes 5 and 5n for the same", () => {
    expect(canonicalJson({ b: 5n, a: { é: 1, Z: 2, a: 3 } })).toBe('{"a":{"Z":2,"a":3,"é":1},"b":5}');
  });
});
