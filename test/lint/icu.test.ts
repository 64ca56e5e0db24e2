// Which names look alike, and which scripts stand together in a word, held against the answers of ICU's spoof checker.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { mixedScripts } from "../../src/lint/scripts.ts";
import { skeletonOf } from "../../src/lint/skeleton.ts";

interface Answers {
  readonly pairs: readonly (readonly [a: string, b: string, alike: boolean])[];
  readonly words: readonly (readonly [word: string, together: boolean])[];
}

const icu = JSON.parse(readFileSync(resolve(import.meta.dirname, "../data/lint/icu.json"), "utf8")) as Answers;

/** Wide letters: shown like others, and no pair of Unicode's list. Ours, since a reviewer does not see the difference. */
const BEYOND_ICU = new Set(["\uff41\uff42 ab"]);

describe("names that look alike", () => {
  it("are those that ICU finds", () => {
    const wrong = icu.pairs.filter(
      ([a, b, alike]) => (skeletonOf(a) === skeletonOf(b)) !== (alike || BEYOND_ICU.has(`${a} ${b}`)),
    );
    expect(wrong).toEqual([]);
    expect(icu.pairs.filter(([, , alike]) => alike).length).toBeGreaterThan(150);
  });

  it("have a skeleton that is its own skeleton", () => {
    const odd = fc.constantFrom(...icu.pairs.flatMap(([a, b]) => Array.from(a + b)));
    fc.assert(
      fc.property(fc.string({ unit: fc.oneof(odd, fc.string({ unit: "grapheme", maxLength: 1 })), maxLength: 12 }), (name) => {
        expect(skeletonOf(skeletonOf(name))).toBe(skeletonOf(name));
      }),
      { numRuns: 500 },
    );
  });

  it("never include two different plain words of small letters", () => {
    const word = fc.stringMatching(/^[a-z2-9_]{1,12}$/);
    fc.assert(
      fc.property(word, word, (a, b) => {
        expect(skeletonOf(a) === skeletonOf(b)).toBe(a === b);
      }),
    );
  });
});

describe("scripts in one word", () => {
  it("stand together where ICU's highly restrictive level lets them", () => {
    expect(icu.words.filter(([word, together]) => (mixedScripts(word) === null) !== together)).toEqual([]);
  });

  it("are named in order of appearance", () => {
    expect(mixedScripts("\u0441opy")).toEqual(["Cyrillic", "Latin"]);
    expect(mixedScripts("x\u13a0")).toEqual(["Latin", "another script"]);
  });
});
