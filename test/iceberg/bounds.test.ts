// Single values as bytes, their order, and bounds made from them. Values from the reference implementation's
// TestConversions, TestMetricsTruncation and TestComparators, and from the spec's notes on bounds and promotion.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { decodeBound, encodeBound, integerToFixed, type SingleValue } from "../../src/iceberg/bound.ts";
import { compareValues } from "../../src/iceberg/bounds-compare.ts";
import { lowerBoundOf, truncateLower, truncateUpper, upperBoundOf } from "../../src/iceberg/bounds-truncate.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { bytesOf, hexOf, toolErrorOf } from "./manifest-support.ts";

const UUID = "f79c3e09677c4bbda4793f349cb785e7";

const CONVERSIONS: readonly (readonly [PrimitiveType, SingleValue, string])[] = [
  [{ kind: "boolean" }, false, "00"],
  [{ kind: "boolean" }, true, "01"],
  [{ kind: "int" }, 84202, "ea480100"],
  [{ kind: "long" }, 200n, "c800000000000000"],
  [{ kind: "float" }, -4.5, "000090c0"],
  [{ kind: "double" }, 6, "0000000000001840"],
  [{ kind: "date" }, 1000, "e8030000"],
  [{ kind: "time" }, 10000n, "1027000000000000"],
  [{ kind: "timestamp" }, 400000n, "801a060000000000"],
  [{ kind: "timestamptz" }, 400000n, "801a060000000000"],
  [{ kind: "timestamp_ns" }, 400000000n, "0084d71700000000"],
  [{ kind: "timestamptz_ns" }, 400000000n, "0084d71700000000"],
  [{ kind: "string" }, "ABC", "414243"],
  [{ kind: "uuid" }, bytesOf(UUID), UUID],
  [{ kind: "fixed", length: 2 }, bytesOf("6162"), "6162"],
  [{ kind: "binary" }, bytesOf("5a"), "5a"],
  [{ kind: "decimal", precision: 3, scale: 2 }, 345n, "0159"],
  [{ kind: "decimal", precision: 7, scale: 4 }, 1234567n, "12d687"],
  [{ kind: "decimal", precision: 7, scale: 4 }, -1234567n, "ed2979"],
  [{ kind: "decimal", precision: 10, scale: 3 }, 11n, "0b"],
];

describe("a single value", () => {
  it.each(CONVERSIONS)("of $kind: %s is %s in bytes", (type, value, hex) => {
    expect(hexOf(encodeBound(type, value))).toBe(hex);
    expect(decodeBound(type, bytesOf(hex))).toEqual(value);
  });

  it("of a decimal takes as few bytes as its two's complement needs", () => {
    const decimal: PrimitiveType = { kind: "decimal", precision: 38, scale: 0 };
    for (const [value, hex] of [
      [0n, "00"],
      [127n, "7f"],
      [128n, "0080"],
      [-128n, "80"],
      [-129n, "ff7f"],
      [255n, "00ff"],
    ] as const) {
      expect(hexOf(encodeBound(decimal, value))).toBe(hex);
    }
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n }), (value) => {
        const bytes = encodeBound(decimal, value) ?? new Uint8Array(0);
        expect(decodeBound(decimal, bytes)).toBe(value);
        const shorter = bytes.length - 1;
        expect(shorter > 0 && BigInt.asIntN(8 * shorter, value) === value).toBe(false);
      }),
    );
    expect(toolErrorOf(() => integerToFixed(200n, 1)).kind).toBe("internal");
  });

  // Spec "Schema Evolution": old bounds keep their width.
  it.each([
    [{ kind: "long" }, "ffffffff", -1n],
    [{ kind: "double" }, "000090c0", -4.5],
    [{ kind: "timestamp" }, "01000000", 86_400_000_000n],
    [{ kind: "timestamp_ns" }, "ffffffff", -86_400_000_000_000n],
    [{ kind: "decimal", precision: 20, scale: 2 }, "ed2979", -1234567n],
  ] as const)("written before a promotion to $kind is read as what it was", (type, hex, value) => {
    expect(decodeBound(type, bytesOf(hex))).toBe(value);
  });

  it.each([
    [{ kind: "int" }, "00"],
    [{ kind: "boolean" }, ""],
    [{ kind: "long" }, "000000"],
    [{ kind: "timestamptz" }, "01000000"],
    [{ kind: "float" }, "0000000000001840"],
    [{ kind: "uuid" }, "00"],
    [{ kind: "decimal", precision: 3, scale: 1 }, ""],
    [{ kind: "string" }, "e8aa"],
    [{ kind: "unknown" }, "00"],
    [{ kind: "variant" }, "00"],
    [{ kind: "geometry", crs: "OGC:CRS84" }, "00"],
  ] as const)("that is no value of $kind says nothing", (type, hex) => {
    expect(decodeBound(type, bytesOf(hex))).toBeNull();
  });

  it("of another form than its type is our own mistake", () => {
    expect(toolErrorOf(() => encodeBound({ kind: "long" }, 5)).kind).toBe("internal");
    expect(toolErrorOf(() => encodeBound({ kind: "string" }, 5n)).kind).toBe("internal");
    expect(encodeBound({ kind: "unknown" }, 5)).toBeNull();
  });
});

// Each list ascends.
const ORDERS: readonly (readonly [PrimitiveType, readonly SingleValue[]])[] = [
  [{ kind: "boolean" }, [false, true]],
  [{ kind: "int" }, [-2147483648, -1, 0, 1, 2147483647]],
  [{ kind: "long" }, [-(2n ** 63n), -1n, 0n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n - 1n]],
  [{ kind: "double" }, [-Infinity, -1, -0, 0, Number.MIN_VALUE, 1, Infinity, Number.NaN]],
  [{ kind: "decimal", precision: 5, scale: 2 }, [-300n, -1n, 0n, 255n]],
  [{ kind: "string" }, ["", "A", "Z", "a", "aa", "é", "￿", "😀", "😁"]],
  [
    { kind: "uuid" },
    [bytesOf("81873e7d13744493 8e1d9095eff7046c".replace(" ", "")), bytesOf("fd02441d14234a3f8785c7dd5647e26b")],
  ],
  [{ kind: "fixed", length: 3 }, [bytesOf("010103"), bytesOf("010201"), bytesOf("800000")]],
  [{ kind: "binary" }, [bytesOf(""), bytesOf("0101"), bytesOf("010101"), bytesOf("7f"), bytesOf("80"), bytesOf("ff")]],
];

describe("the order of values", () => {
  it.each(ORDERS)("of $kind is the reference implementation's", (type, ascending) => {
    for (const [i, a] of ascending.entries()) {
      for (const [j, b] of ascending.entries()) expect(Math.sign(compareValues(type, a, b))).toBe(Math.sign(i - j));
    }
  });

  it("of texts is that of their UTF-8 bytes", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), fc.string({ unit: "binary" }), (a, b) => {
        expect(Math.sign(compareValues({ kind: "string" }, a, b))).toBe(
          Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b))),
        );
      }),
    );
  });

  it("of two forms does not exist", () => {
    expect(toolErrorOf(() => compareValues({ kind: "int" }, 1, 1n)).kind).toBe("internal");
  });
});

// \u escapes where a character is a surrogate's neighbour or cannot be told apart.
const TEXT_UPPER: readonly (readonly [string, number, string | null])[] = [
  ["イロハニホヘト", 7, "イロハニホヘト"],
  ["イロハニホヘト", 8, "イロハニホヘト"],
  ["イロハニホヘト", 2, "イヮ"],
  ["イロハニホヘト", 3, "イロバ"],
  ["щщаεはчωいにπάほхεろへσκζ", 7, "щщаεはчϊ"],
  ["aनि\uffff\uffff", 3, "aनी"],
  ["\uffff\uffff", 1, "\u{10000}"],
  ["\u{10ffff}\u{10ffff}", 1, null],
  ["\u{103ff}\u{103ff}", 1, "\u{10400}"],
  ["😂😂😂", 2, "😂😃"],
  ["😂😂😂", 1, "😃"],
  ["a\u{10ffff}c", 2, "b"],
  ["a\ud7ffb", 2, "a\ue000"],
];

const BYTES_UPPER: readonly (readonly [string, number, string | null])[] = [
  ["010102", 2, "0102"],
  ["0101ff02", 3, "0102"],
  ["ffffff02", 5, "ffffff02"],
  ["ffffff02", 2, null],
  ["010100", 2, "0102"],
];

describe("a bound", () => {
  it.each(TEXT_UPPER)("above %j in %i code points is %j", (text, width, wanted) => {
    expect(truncateUpper(text, width)).toBe(wanted);
  });

  it.each(BYTES_UPPER)("above %s in %i bytes is %s", (hex, width, wanted) => {
    const bound = truncateUpper(bytesOf(hex), width);
    expect(bound instanceof Uint8Array ? hexOf(bound) : bound).toBe(wanted);
  });

  it.each([
    ["イロハニホヘト", 2, "イロ"],
    ["イロハニホヘト", 8, "イロハニホヘト"],
    ["\u{10000}\u{10000}", 1, "\u{10000}"],
    ["\uffff\uffff", 2, "\uffff\uffff"],
  ])("below %j in %i code points is %j", (text, width, wanted) => {
    expect(truncateLower(text, width)).toBe(wanted);
  });

  it("below bytes is their first ones, even of the highest", () => {
    expect(truncateLower(bytesOf("ffffff02"), 2)).toEqual(bytesOf("ffff"));
  });

  it("encloses every value, at any width", () => {
    const text: PrimitiveType = { kind: "string" };
    const binary: PrimitiveType = { kind: "binary" };
    fc.assert(
      fc.property(
        fc.string({ unit: "grapheme" }),
        fc.uint8Array({ maxLength: 24 }),
        fc.integer({ min: 1, max: 20 }),
        (string, bytes, width) => {
          for (const [type, value] of [
            [text, string],
            [binary, bytes],
          ] as const) {
            const lower = decodeBound(type, lowerBoundOf(type, value, width) ?? new Uint8Array(0));
            expect(lower !== null && compareValues(type, lower, value) <= 0).toBe(true);
            const upper = upperBoundOf(type, value, width);
            if (upper !== null) expect(compareValues(type, decodeBound(type, upper) ?? "", value)).toBeGreaterThanOrEqual(0);
          }
        },
      ),
    );
  });

  it("of numbers is whole, and null keeps everything whole", () => {
    expect(hexOf(lowerBoundOf({ kind: "long" }, 200n, 1))).toBe("c800000000000000");
    expect(hexOf(upperBoundOf({ kind: "string" }, "ABCDEF", null))).toBe("414243444546");
  });

  // Spec "Manifests", note 2: -0.0 precedes +0.0, and NaN is no bound.
  it("of zero is -0.0 below and +0.0 above, and NaN is none", () => {
    for (const zero of [0, -0]) {
      expect(hexOf(lowerBoundOf({ kind: "double" }, zero, null))).toBe("0000000000000080");
      expect(hexOf(upperBoundOf({ kind: "float" }, zero, null))).toBe("00000000");
    }
    expect(hexOf(lowerBoundOf({ kind: "int" }, 0, null))).toBe("00000000");
    expect(lowerBoundOf({ kind: "float" }, Number.NaN, 16)).toBeNull();
    expect(upperBoundOf({ kind: "double" }, Number.NaN, 16)).toBeNull();
  });
});
