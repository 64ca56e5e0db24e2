import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatPath, isGlob, isPathError, matchesGlob, parseGlob, parsePath } from "../../src/iceberg/field-path.ts";

describe("parsePath", () => {
  it.each<[string, string[]]>([
    ["id", ["id"]],
    ["items.element.sku", ["items", "element", "sku"]],
    ["prices.value.net", ["prices", "value", "net"]],
    ['"a.b".c', ["a.b", "c"]],
    ['a."b c"', ["a", "b c"]],
    ['"say ""hi"""', ['say "hi"']],
    ['""', [""]],
    ['a."".b', ["a", "", "b"]],
    ["utm_*", ["utm_*"]],
    ["Größe.naïve", ["Größe", "naïve"]],
    ["order-id.$ref.2024", ["order-id", "$ref", "2024"]],
  ])("reads %s", (text, segments) => {
    expect(parsePath(text)).toEqual(segments);
  });

  it.each<[string, number, RegExp]>([
    ["", 0, /at least one name/],
    [".a", 0, /starts with a dot/],
    ["a.", 1, /ends with a dot/],
    ["a..b", 1, /two dots in a row/],
    ['"a', 0, /never closed/],
    ['a."b', 2, /never closed/],
    ['"a"b', 3, /closing quote/],
    ["a b", 1, /blank/],
    ['a.b"c', 3, /double quote/],
    ["items[].sku", 5, /"element"/],
    ["items[0]", 5, /"element"/],
  ])("refuses %s and says where", (text, offset, why) => {
    const error = parsePath(text);
    expect(error).toMatchObject({ offset, why: expect.stringMatching(why) });
  });

  it("says how the path was probably meant", () => {
    expect(parsePath("a.order id.c")).toMatchObject({ mend: 'a."order id".c' });
    expect(parsePath("items[].sku")).toMatchObject({ mend: "items.element.sku" });
    expect(parsePath('a.b"c')).toMatchObject({ mend: 'a."b""c"' });
  });

  it("gives back whatever formatPath wrote", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary", maxLength: 12 }), { minLength: 1, maxLength: 6 }), (segments) => {
        expect(parsePath(formatPath(segments))).toEqual(segments);
      }),
    );
  });

  it("never throws, and what it reads is written the same way up to quotes", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("a", ".", '"', " ", "*", "[", "]", "ä"), maxLength: 14 }), (text) => {
        const path = parsePath(text);
        if (!isPathError(path)) expect(parsePath(formatPath(path))).toEqual(path);
        else expect(path.offset).toBeLessThanOrEqual(text.length);
      }),
    );
  });
});

describe("formatPath", () => {
  it("quotes only where it must", () => {
    expect(formatPath(["items", "element", "sku"])).toBe("items.element.sku");
    expect(formatPath(["a.b", "c"])).toBe('"a.b".c');
    expect(formatPath(["a*"])).toBe('"a*"');
    expect(formatPath(["tags[]"])).toBe('"tags[]"');
  });
});

describe("matchesGlob", () => {
  it.each<[string, string[], boolean]>([
    ["utm_*", ["utm_source"], true],
    ["utm_*", ["utm_"], true],
    ["utm_*", ["xutm_a"], false],
    ["utm_*", ["utm_a", "b"], false],
    ["*", ["anything"], true],
    ["*", ["a", "b"], false],
    ["*.element.*_id", ["items", "element", "sku_id"], true],
    ["a*b*c", ["aXbYc"], true],
    ["a*b*c", ["acb"], false],
    ["a*a", ["a"], false],
    ["a**b", ["ab"], true],
    ["*ab*ab*", ["xabab"], true],
    ["*ab*ab*", ["xaba"], false],
    ["*aab*", ["aaab"], true],
    ["*ababc*", ["abababcx"], true],
    ["*aabaaa*", ["aabaabaaa"], true],
    ['"utm_*"', ["utm_*"], true],
    ['"utm_*"', ["utm_a"], false],
    ["id", ["ID"], false],
    ["a..b", ["a", "", "b"], false],
  ])("%s on %j is %s", (pattern, path, expected) => {
    expect(matchesGlob(pattern, path)).toBe(expected);
  });

  it("agrees with a regular expression made of the pattern", () => {
    const letters = fc.string({ unit: fc.constantFrom("a", "b", "*"), minLength: 1, maxLength: 8 });
    const names = fc.string({ unit: fc.constantFrom("a", "b"), maxLength: 10 });
    fc.assert(
      fc.property(letters, names, (pattern, name) => {
        expect(matchesGlob(pattern, [name])).toBe(new RegExp(`^${pattern.replaceAll("*", ".*")}$`).test(name));
      }),
      { numRuns: 1000 },
    );
  });

  it("takes time in proportion to the name however the pattern is made", () => {
    const name = "a".repeat(200_000);
    const pattern = `*${"a".repeat(1000)}b*${"a".repeat(1000)}b*`;
    const start = performance.now();
    expect(matchesGlob(pattern, [name])).toBe(false);
    expect(performance.now() - start).toBeLessThan(1000);
  });

  it("knows which segments are wild", () => {
    const wild = parseGlob("a.utm_*");
    const literal = parseGlob('"utm_*".a');
    expect(!isPathError(wild) && isGlob(wild)).toBe(true);
    expect(!isPathError(literal) && isGlob(literal)).toBe(false);
  });
});
