// The strict grammar of RFC 8259, exact integers, and messages with the place.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { isJsonObject, type JsonValue } from "../../src/iceberg/json.ts";
import { parseJson } from "../../src/iceberg/json-parse.ts";

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function failure(source: string | Uint8Array): ToolError {
  try {
    parseJson(source);
  } catch (error) {
    if (error instanceof ToolError) return error;
    throw error;
  }
  throw new Error("it was accepted");
}

/** The value as the platform's parser gives it: large integers rounded. */
function rounded(value: JsonValue): unknown {
  if (typeof value === "bigint") return Number(value);
  if (Array.isArray(value)) return value.map((element: JsonValue) => rounded(element));
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, rounded(inner)]));
}

describe("parseJson", () => {
  it("agrees with the platform's parser on every value, large integers apart", () => {
    fc.assert(
      fc.property(fc.json({ maxDepth: 6 }), (text) => {
        expect(rounded(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it("tells a string without an end from one with a control character in it", () => {
    for (const text of ['"', '"abc', '{"a": "b', '"a\\"'])
      expect(failure(text).why, text).toMatch(/^The string that starts here has no end/);
    for (const text of ['"\n"', '"a\u0000', '"\u001f'])
      expect(failure(text).why, text).toMatch(/^A control character stands in a string without an escape/);
  });

  it("agrees with the platform's parser on what is no JSON", () => {
    const near = fc
      .array(
        fc.constantFrom(
          "{",
          "}",
          "[",
          "]",
          ":",
          ",",
          '"',
          '"a"',
          "\\",
          "1",
          "0",
          "-",
          ".",
          "e",
          "+",
          " ",
          "\n",
          "null",
          "tru",
          "\u0001",
        ),
        {
          maxLength: 8,
        },
      )
      .map((parts) => parts.join(""));
    fc.assert(
      fc.property(near, (text) => {
        const accepts = (parse: (text: string) => unknown): boolean => {
          try {
            parse(text);
            return true;
          } catch {
            return false;
          }
        };
        expect(accepts(parseJson)).toBe(accepts(JSON.parse));
      }),
      { numRuns: 2000 },
    );
  });

  it("keeps integers of 64 bits and beyond exact", () => {
    const text =
      "[9007199254740991,9007199254740992,-9007199254740993,9223372036854775807,-9223372036854775808,3051729675574597004]";
    expect(parseJson(text)).toEqual([
      9007199254740991,
      9007199254740992n,
      -9007199254740993n,
      9223372036854775807n,
      -9223372036854775808n,
      3051729675574597004n,
    ]);
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 70n), 2n ** 70n), (value) => {
        const parsed = parseJson(String(value));
        expect(typeof parsed === "number" || typeof parsed === "bigint" ? BigInt(parsed) : null).toBe(value);
      }),
    );
  });

  it("keeps the sign of a floating-point zero and none of an integer's", () => {
    expect(parseJson("-0.0")).toBe(-0);
    expect(parseJson("-0")).toBe(0);
  });

  it.each([
    "01",
    "-01",
    "1.",
    ".5",
    "+1",
    "1e",
    "1e+",
    "--1",
    "- 1",
    "0x10",
    "NaN",
    "Infinity",
    "1_000",
    "'a'",
    "{a:1}",
    "[1,]",
    '{"a":1,}',
    "",
    " ",
  ])("refuses %j", (text) => {
    expect(failure(text).kind).toBe("corrupt");
  });

  it.each(['"\n"', '"\t"', '"\u0000"', '"\\x41"', '"\\u12g4"', '"\\', '"\\"', '"\\u12"'])("refuses the string %j", (text) => {
    expect(failure(text).kind).toBe("corrupt");
  });

  it("reads every escape, lone surrogates too", () => {
    expect(parseJson(String.raw`"\"\\\/\b\f\n\r\t\u00e9\ud83d\ude00\ud800"`)).toBe('"\\/\b\f\n\r\té😀\ud800');
  });

  it("says line, column and byte offset of what it did not expect", () => {
    const error = failure(bytes('{\n  "é": [1, 2 3]\n}'));
    expect(error.why).toBe('Expected "," or "]", found "3" at line 2, column 14');
    expect(error.context).toEqual({ line: 2, column: 14, offset: 16 });
    expect(failure('{"a":').why).toBe("Expected a value, found the end of the text at line 1, column 6");
  });

  it("counts from where a slice begins in its document", () => {
    const start = { line: 7, column: 5, offset: 100 };
    const parse = (text: string) => () => parseJson(text, { start });
    expect(parse("[1 2]")).toThrow(expect.objectContaining({ context: { line: 7, column: 8, offset: 103 } }));
    expect(parse("[1,\n2 3]")).toThrow(expect.objectContaining({ context: { line: 8, column: 3, offset: 106 } }));
  });

  it("takes the last of two equal keys in the place of the first, as Jackson does", () => {
    expect(Object.entries(parseJson('{"a":1,"b":2,"a":3}') ?? {})).toEqual([
      ["a", 3],
      ["b", 2],
    ]);
  });

  it("takes __proto__ for a key like any other", () => {
    const value = parseJson('{"__proto__":{"polluted":true},"a":1}');
    expect(Object.keys(value ?? {})).toEqual(["__proto__", "a"]);
    expect(({} as Record<string, unknown>)["polluted"]).toBeUndefined();
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
  });

  it("reads a thousand levels and no more, and other depths on demand", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(() => parseJson(nested(1000))).not.toThrow();
    expect(failure(nested(1001)).why).toContain("more than 1000 deep");
    expect(failure('{"a":'.repeat(1_000_000)).why).toContain("more than 1000 deep");
    expect(() => parseJson(nested(4), { maxDepth: 3 })).toThrow(ToolError);
  });

  it("refuses numbers that are too long or too large", () => {
    expect(failure("9".repeat(1001)).why).toContain("longer than 1000");
    expect(failure("1e400").why).toContain("too large");
  });

  it("refuses bytes that are not UTF-8 and skips a byte order mark", () => {
    expect(failure(new Uint8Array([0x22, 0xff, 0x22])).why).toBe("It is not valid UTF-8");
    expect(parseJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x31]))).toBe(1);
  });
});
