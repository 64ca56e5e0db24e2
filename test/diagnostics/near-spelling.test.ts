// What a mistyped word was meant to be, and when nothing is near enough.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearest } from "../../src/diagnostics/near-spelling.ts";

describe("the nearest spelling", () => {
  const keys = ["name", "type", "required", "comment", "renamed-from", "columns", "id"];
  const cases: readonly (readonly [string, string | null])[] = [
    ["colums", "columns"],
    ["tpye", "type"],
    ["nmae", "name"],
    ["Type", "type"],
    ["requierd", "required"],
    ["renamed_from", "renamed-from"],
    ["ids", "id"],
    ["x", null],
    ["xyz", null],
    ["partitioned-by", null],
    ["", null],
  ];
  for (const [word, expected] of cases) {
    it(`of ${JSON.stringify(word)} is ${JSON.stringify(expected)}`, () => {
      expect(nearest(word, keys)).toBe(expected);
    });
  }

  it("of a word with one slip is the word, where no other is as near", () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z]{4,10}$/), fc.nat(), fc.stringMatching(/^[a-z]$/), (word, at, letter) => {
        const cut = at % word.length;
        for (const slip of [
          word.slice(0, cut) + word.slice(cut + 1),
          word.slice(0, cut) + letter + word.slice(cut),
          word.slice(0, cut) + letter + word.slice(cut + 1),
        ]) {
          expect(nearest(slip, ["0000000000000000", word])).toBe(word);
        }
      }),
      { numRuns: 100 },
    );
  });

  it("is the nearest of several, and the first of equals", () => {
    expect(nearest("stringg", ["strings", "string"])).toBe("strings");
    expect(nearest("stringg", ["string", "strings"])).toBe("string");
    expect(nearest("decimel", ["decimals", "decimal"])).toBe("decimal");
  });
});
