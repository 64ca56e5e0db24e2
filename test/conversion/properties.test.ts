// What must hold for all texts: bytes and strings agree, what is printed reads back, order is kept where it is said.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Converted, Converter } from "../../src/conversion/conversion.ts";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { pageCases } from "./page.ts";
import { converter, STRING } from "./rules.ts";

const FIRST_DAY = Date.parse("0001-01-01T00:00:00Z") / 86_400_000;
const LAST_DAY = Date.parse("9999-12-31T00:00:00Z") / 86_400_000;
const FIRST_MICROSECOND = BigInt(FIRST_DAY) * 86_400_000_000n;
const LAST_MICROSECOND = BigInt(LAST_DAY + 1) * 86_400_000_000n - 1n;

const page = pageCases().filter((one) => one.from.kind === "string");

/** A text of the page as it is, or with a few characters changed: near the edge of what converts. */
const nearText = fc
  .tuple(
    fc.constantFrom(...page.map((one) => String(one.value))),
    fc.array(fc.tuple(fc.nat(30), fc.string({ unit: "grapheme", maxLength: 2 }), fc.boolean()), { maxLength: 3 }),
  )
  .map(([text, changes]) =>
    changes.reduce((so, [place, put, replaces]) => so.slice(0, place) + put + so.slice(place + (replaces ? 1 : 0)), text),
  );
const anyText = fc
  .oneof(nearText, nearText, fc.string({ unit: "binary" }), fc.stringMatching(/^[ +-]?[0-9]{0,25}[.eE: TZ-]?[0-9]{0,9}$/))
  .filter((text) => !/\p{Surrogate}/u.test(text));

const RULES: readonly (readonly [PrimitiveType, Partial<ConversionRule>])[] = page.map((one) => [one.to, one.rule]);
const anyConverter = fc.constantFrom(...RULES.map(([to, parts]) => converter(to, parts)));

function bytesOf(bound: Converter, text: string): Converted | undefined {
  return bound.convertBytes?.(new TextEncoder().encode(text));
}

function valueOf(converted: Converted): Exclude<Converted, { failure: unknown }>["value"] | undefined {
  return "failure" in converted ? undefined : converted.value;
}

describe("a converter of strings", () => {
  it("gives the same answer for a text and for its bytes", () => {
    fc.assert(
      fc.property(anyConverter, anyText, (bound, text) => {
        expect(bytesOf(bound, text)).toEqual(bound.convert(text));
      }),
      { numRuns: 600 },
    );
  });

  it("reads a part of longer bytes like the part alone", () => {
    fc.assert(
      fc.property(anyConverter, anyText, fc.string(), fc.string(), (bound, text, before, after) => {
        const encoder = new TextEncoder();
        const whole = encoder.encode(before + text + after);
        const start = encoder.encode(before).length;
        const end = start + encoder.encode(text).length;
        expect(bound.convertBytes?.(whole, start, end)).toEqual(bound.convert(text));
      }),
      { numRuns: 600 },
    );
  });

  it("becomes null by the rule only where it says that it may", () => {
    fc.assert(
      fc.property(anyConverter, anyText, (bound, text) => {
        fc.pre(!bound.mayBecomeNull);
        expect(valueOf(bound.convert(text))).not.toBeNull();
      }),
      { numRuns: 600 },
    );
  });

  it("never answers with another value when only blanks are trimmed away", () => {
    const blanks = fc.stringMatching(/^[\t-\r ]{0,3}$/);
    fc.assert(
      fc.property(fc.constantFrom(...RULES), anyText, blanks, blanks, ([to, parts], text, before, after) => {
        fc.pre(parts.format === undefined || !/^ | $|'\[/.test(parts.format));
        const trimming = converter(to, { ...parts, trim: true });
        expect(valueOf(trimming.convert(before + text + after))).toEqual(valueOf(trimming.convert(text)));
      }),
      { numRuns: 600 },
    );
  });
});

describe("what is printed reads back", () => {
  it("for every kind of whole number", () => {
    const int = converter({ kind: "int" });
    const long = converter({ kind: "long" });
    fc.assert(
      fc.property(fc.maxSafeInteger(), (n) => {
        expect(long.convert(String(n))).toEqual({ value: BigInt(n) });
      }),
    );
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 63n), 2n ** 63n - 1n), (n) => {
        expect(long.convert(String(n))).toEqual({ value: n });
      }),
    );
    fc.assert(
      fc.property(fc.bigInt(-(2n ** 70n), 2n ** 70n), (n) => {
        const fits = n >= -(2n ** 63n) && n < 2n ** 63n;
        expect(long.convert(String(n))).toEqual(fits ? { value: n } : { failure: "out-of-range" });
      }),
    );
    fc.assert(
      fc.property(fc.integer({ min: -(2 ** 33), max: 2 ** 33 }), (n) => {
        expect(int.convert(String(n))).toEqual(n === (n | 0) ? { value: n } : { failure: "out-of-range" });
      }),
    );
  });

  it("for decimals of every precision and scale", () => {
    const decimals = fc
      .integer({ min: 1, max: 38 })
      .chain((precision) => fc.tuple(fc.constant(precision), fc.integer({ min: 0, max: precision })))
      .chain(([precision, scale]) =>
        fc.tuple(
          fc.constant(precision),
          fc.constant(scale),
          fc.bigInt(1n - 10n ** BigInt(precision), 10n ** BigInt(precision) - 1n),
        ),
      );
    fc.assert(
      fc.property(decimals, ([precision, scale, unscaled]) => {
        const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
        const point = digits.length - scale;
        const text = `${unscaled < 0n ? "-" : ""}${digits.slice(0, point)}${scale > 0 ? "." : ""}${digits.slice(point)}`;
        expect(converter({ kind: "decimal", precision, scale }).convert(text)).toEqual({ value: unscaled });
      }),
      { numRuns: 300 },
    );
  });

  it("for doubles, to the last bit", () => {
    const bound = converter({ kind: "double" });
    fc.assert(
      fc.property(fc.double({ noNaN: true }), (number) => {
        const text = Object.is(number, -0) ? "-0" : String(number);
        const converted = bound.convert(text);
        expect("failure" in converted).toBe(false);
        expect(Object.is(valueOf(converted), number)).toBe(true);
        expect(converted).not.toHaveProperty("loss");
      }),
      { numRuns: 700 },
    );
  });

  it("for doubles written with any number of digits, rounded as the language rounds", () => {
    const bound = converter({ kind: "double" });
    fc.assert(
      fc.property(fc.stringMatching(/^-?[0-9]{1,22}(\.[0-9]{0,22})?([eE][+-]?[0-9]{1,2})?$/), (text) => {
        expect(Object.is(valueOf(bound.convert(text)), Number(text))).toBe(true);
      }),
      { numRuns: 700 },
    );
  });

  it("for every day of the calendar", () => {
    const iso = converter({ kind: "date" });
    const german = converter({ kind: "date" }, { format: "dd.MM.yyyy" });
    for (let day = FIRST_DAY; day <= LAST_DAY; day += 499) {
      const text = new Date(day * 86_400_000).toISOString().slice(0, 10);
      expect(valueOf(iso.convert(text))).toBe(day);
      expect(valueOf(german.convert(text.split("-").reverse().join(".")))).toBe(day);
    }
    expect(valueOf(iso.convert("9999-12-31"))).toBe(LAST_DAY);
  });

  it("for no day that the calendar does not have", () => {
    const bound = converter({ kind: "date" });
    const two = (number: number): string => String(number).padStart(2, "0");
    for (const year of ["0001", "0004", "0100", "0400", "1582", "1900", "2000", "2023", "2024", "9999"]) {
      for (let month = 0; month <= 13; month++) {
        for (let day = 0; day <= 32; day++) {
          const text = `${year}-${two(month)}-${two(day)}`;
          const parsed = new Date(`${text}T00:00:00Z`);
          const isDay = !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text);
          const expected = isDay ? { value: parsed.getTime() / 86_400_000 } : { failure: "impossible-date" };
          expect([text, bound.convert(text)]).toEqual([text, expected]);
        }
      }
    }
  });

  it("for timestamps over the whole range, in ISO form and by a format", () => {
    const iso = converter({ kind: "timestamp" });
    const compact = converter({ kind: "timestamp" }, { format: "yyyyMMddHHmmssSSSSSS" });
    const utc = converter({ kind: "timestamptz" });
    fc.assert(
      fc.property(fc.bigInt(FIRST_MICROSECOND, LAST_MICROSECOND), (micros) => {
        const rest = ((micros % 1000n) + 1000n) % 1000n;
        const milliseconds = new Date(Number((micros - rest) / 1000n)).toISOString().slice(0, -1);
        const text = milliseconds + String(rest).padStart(3, "0");
        expect(iso.convert(text)).toEqual({ value: micros });
        expect(utc.convert(`${text}Z`)).toEqual({ value: micros });
        expect(compact.convert(text.replace(/\D/g, ""))).toEqual({ value: micros });
      }),
      { numRuns: 600 },
    );
  });

  it("for instants in every offset", () => {
    const bound = converter({ kind: "timestamptz" });
    const seconds = fc.integer({ min: FIRST_DAY * 86_400 + 86_400, max: LAST_DAY * 86_400 });
    fc.assert(
      fc.property(seconds, fc.integer({ min: -840, max: 840 }), (second, offset) => {
        const local = new Date((second + offset * 60) * 1000).toISOString().slice(0, 19);
        const size = Math.abs(offset);
        const clock = `${String(Math.floor(size / 60)).padStart(2, "0")}:${String(size % 60).padStart(2, "0")}`;
        const zone = `${offset < 0 ? "-" : "+"}${clock}`;
        const value = BigInt(second) * 1_000_000n;
        expect(bound.convert(`${local}${zone}`)).toEqual(offset === 0 ? { value } : { value, loss: "offset" });
        expect(converter({ kind: "timestamptz" }, { zone }).convert(local)).toEqual({ value });
      }),
      { numRuns: 300 },
    );
  });
});

describe("keepsOrder", () => {
  const orders: readonly (readonly [PrimitiveType, Partial<ConversionRule>, boolean])[] = [
    [{ kind: "int" }, {}, false],
    [{ kind: "long" }, {}, false],
    [{ kind: "double" }, {}, false],
    [{ kind: "decimal", precision: 9, scale: 2 }, {}, false],
    [{ kind: "date" }, {}, true],
    [{ kind: "date" }, { trim: true }, false],
    [{ kind: "date" }, { format: "yyyyMMdd" }, true],
    [{ kind: "date" }, { format: "'on 'yyyy'/'MM'/'dd" }, true],
    [{ kind: "date" }, { format: "dd.MM.yyyy" }, false],
    [{ kind: "date" }, { format: "yyyyddMM" }, false],
    [{ kind: "timestamp" }, {}, false],
    [{ kind: "timestamp" }, { format: "yyyy-MM-dd HH:mm:ss.SSS" }, true],
    [{ kind: "timestamp" }, { format: "yyyyMMddmmHH" }, false],
    [{ kind: "timestamptz" }, {}, false],
    [{ kind: "timestamptz" }, { zone: "UTC" }, false],
    [{ kind: "timestamptz" }, { format: "yyyyMMddHHmmss", zone: "-05:00" }, true],
    [{ kind: "timestamptz" }, { format: "yyyyMMddHHmmssXXX" }, false],
    [{ kind: "boolean" }, {}, false],
    [{ kind: "boolean" }, { trueValues: ["1"], falseValues: ["0"] }, true],
    [{ kind: "boolean" }, { trueValues: ["0"], falseValues: ["1"] }, false],
    [{ kind: "boolean" }, { trueValues: ["Y"], falseValues: ["N"] }, false],
    [{ kind: "boolean" }, { trueValues: ["b"], falseValues: ["0", "1"] }, true],
    [{ kind: "boolean" }, { trueValues: ["X"], falseValues: [""] }, true],
    // U+FFFD sorts after U+1F600 as UTF-16 and before it as UTF-8, the order of a table.
    [{ kind: "boolean" }, { trueValues: ["\u{1F600}"], falseValues: ["\uFFFD"] }, true],
    [{ kind: "boolean" }, { trueValues: ["\uFFFD"], falseValues: ["\u{1F600}"] }, false],
  ];

  it("is what the grammar makes it", () => {
    expect(orders.map(([to, parts]) => [to, parts, converter(to, parts).keepsOrder])).toEqual(orders);
    expect(converter({ kind: "int" }, { from: "long" }, { kind: "long" }).keepsOrder).toBe(true);
  });

  it("means that texts that convert sort like their values", () => {
    const texts = pageCases().map((one) => String(one.value));
    for (const [to, parts, keepsOrder] of orders.filter(([, , keeps]) => keeps)) {
      expect(keepsOrder).toBe(true);
      const bound = converter(to, parts);
      const template = texts.find((text) => valueOf(bound.convert(text)) !== undefined);
      const candidates = fc.oneof(
        fc.constantFrom(...texts),
        fc.constantFrom("", "x", "X", "b", "B", "0", "1", "\u{1F600}", "\uFFFD"),
        fc.array(fc.nat(9).map(String), { minLength: 30, maxLength: 30 }).map((digits) => {
          let used = 0;
          const inFormat = parts.format?.includes("'on '") === true ? "on 2024/01/01" : (template ?? "");
          return inFormat.replace(/[0-9]/g, (digit) => (used++ % 3 === 2 ? digit : (digits[used] ?? digit)));
        }),
      );
      fc.assert(
        fc.property(candidates, candidates, (a, b) => {
          const [first, second] = [valueOf(bound.convert(a)), valueOf(bound.convert(b))];
          if (first === undefined || second === undefined || first === null || second === null) return;
          const order = Buffer.compare(Buffer.from(a), Buffer.from(b));
          if (order < 0) expect(first <= second).toBe(true);
          if (order > 0) expect(first >= second).toBe(true);
        }),
        { numRuns: 200 },
      );
    }
  });

  it("says nothing of blanks, which sort before everything", () => {
    expect(converter({ kind: "date" }, { trim: true }).keepsOrder).toBe(false);
    expect(valueOf(converter({ kind: "date" }, { trim: true }).convert(" 2024-01-02"))).toBeGreaterThan(
      Number(valueOf(converter({ kind: "date" }).convert("2024-01-01"))),
    );
  });
});

describe("mayBecomeNull", () => {
  it("follows from empty-as-null and on-error alone", () => {
    expect(converter({ kind: "int" }).mayBecomeNull).toBe(false);
    expect(converter({ kind: "int" }, { emptyAsNull: true }).mayBecomeNull).toBe(true);
    expect(converter({ kind: "int" }, { onError: "set-null" }).mayBecomeNull).toBe(true);
    expect(converter({ kind: "int" }, { from: "long", onError: "set-null" }, { kind: "long" }).mayBecomeNull).toBe(true);
    expect(converter({ kind: "int" }, { from: "long" }, { kind: "long" }).mayBecomeNull).toBe(false);
    expect(converter({ kind: "date" }).from).toEqual(STRING);
  });
});
