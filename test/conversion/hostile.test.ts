// Texts that nobody writes by accident: no crash, no surprise, and time that grows with their length only.
import { describe, expect, it } from "vitest";
import type { Converted } from "../../src/conversion/conversion.ts";
import { allConverters, converter } from "./rules.ts";

const MEGABYTE = 1 << 20;
const LENGTH = 1 << 16;
const digits = "9".repeat(LENGTH);
const zeros = "0".repeat(LENGTH);
const blanks = " ".repeat(LENGTH);

const LONG_TEXTS: Readonly<Record<string, string>> = {
  "a megabyte of digits": "9".repeat(MEGABYTE),
  "a megabyte of zeros": "0".repeat(MEGABYTE),
  "digits behind zeros": zeros + digits,
  "one behind zeros": `${zeros}1`,
  "digits behind the point": `0.${digits}`,
  "zeros behind the point": `1.5${zeros}`,
  "a small number": `0.${zeros}1`,
  "a long exponent": `1e${digits}`,
  "a long small exponent": `0.${zeros}1e${zeros}${LENGTH + 1}`,
  "zeros and a digit, many times": `0.${"0000000001".repeat(LENGTH / 10)}`,
  blanks,
  "blanks around": `${blanks}1${blanks}`,
  "a long fraction of a second": `2024-01-31 10:11:12.${zeros}`,
  "a word": "e".repeat(LENGTH),
  "many bytes a character": "あ".repeat(LENGTH / 3),
};

function isAnswer(converted: Converted): boolean {
  return "failure" in converted || "value" in converted;
}

describe("hostile text", () => {
  it.each(Object.entries(LONG_TEXTS))("takes time by its length only: %s", (_name, text) => {
    const started = performance.now();
    for (const bound of allConverters()) expect(isAnswer(bound.convert(text))).toBe(true);
    // Some thirty readings on a busy machine; the square of such a length would take minutes.
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it("converts where its value is a plain one", () => {
    expect(converter({ kind: "int" }).convert(`${zeros}7`)).toEqual({ value: 7, loss: "leading-zeros" });
    expect(converter({ kind: "long" }).convert(`-${zeros}7`)).toEqual({ value: -7n, loss: "leading-zeros" });
    expect(converter({ kind: "double" }).convert(`0.${zeros}1e${LENGTH + 1}`)).toEqual({ value: 1 });
    expect(converter({ kind: "double" }).convert(`1.5${zeros}`)).toEqual({ value: 1.5 });
    expect(converter({ kind: "double" }).convert(`1${zeros}e-${LENGTH}`)).toEqual({ value: 1 });
    const decimal = converter({ kind: "decimal", precision: 38, scale: 2 });
    expect(decimal.convert(`${zeros}1.5${zeros}`)).toEqual({ value: 150n, loss: "leading-zeros" });
    expect(decimal.convert(digits)).toEqual({ failure: "out-of-range" });
    expect(converter({ kind: "int" }, { trim: true }).convert(`${blanks}1${blanks}`)).toEqual({ value: 1, loss: "blanks" });
  });

  it("with half a character is no text", () => {
    for (const bound of allConverters()) {
      for (const text of ["\ud800", "\udc00", "1\ud800", "2024-01-31\udfff", "true\ud83d"]) {
        expect(bound.convert(text)).toEqual({ failure: "not-text" });
      }
    }
  });

  it("in bytes that are not UTF-8 is no text, wherever they stand", () => {
    const broken = [[0xff], [0x31, 0xc3], [0xed, 0xa0, 0x80], [0x20, 0xf5, 0x20], [0xc0, 0x80], [0x31, 0x80]];
    for (const bound of allConverters()) {
      for (const bytes of broken) expect(bound.convertBytes?.(Uint8Array.from(bytes))).toEqual({ failure: "not-text" });
    }
  });

  it("with characters that look like blanks, digits or signs does not convert", () => {
    const texts = ["\u00a01", "1\u2028", "\ufeff1", "１", "٣", "−1", "1\u0000", "\u00001", "1\u200b", "\u30001"];
    for (const bound of [converter({ kind: "int" }, { trim: true }), converter({ kind: "double" }, { trim: true })]) {
      for (const text of texts) expect(bound.convert(text)).toEqual({ failure: "not-a-number" });
    }
  });

  it("never lends its bytes to the next value", () => {
    const bound = converter({ kind: "int" });
    expect(bound.convert("123456789")).toEqual({ value: 123_456_789 });
    expect(bound.convert("12")).toEqual({ value: 12 });
    const time = converter({ kind: "timestamp" });
    expect(time.convert("2024-01-31 10:11:12.5")).toEqual({ value: 1_706_695_872_500_000n });
    expect(time.convert("2024-01-31 10:11")).toEqual({ value: 1_706_695_860_000_000n });
    const zoned = converter({ kind: "timestamptz" }, { zone: "+02:00" });
    expect(zoned.convert("2024-01-31 10:11+01:00")).toEqual({ value: 1_706_692_260_000_000n, loss: "offset" });
    expect(zoned.convert("2024-01-31 10:11")).toEqual({ value: 1_706_688_660_000_000n });
  });

  it("given as another kind of value is a bug of ours, and says so", () => {
    expect(() => converter({ kind: "int" }).convert(5n)).toThrow(/conversion from string/);
    expect(() => converter({ kind: "int" }, { from: "long" }, { kind: "long" }).convert("5")).toThrow(/conversion from long/);
  });
});
