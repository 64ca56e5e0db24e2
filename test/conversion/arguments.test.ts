// What is said of rules that do not fit: one finding, with the reason and a mend that works when it is followed.
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { bindConversion, isConverter, unknownConversion } from "../../src/conversion/index.ts";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { converter, finding, rule } from "./rules.ts";

describe("an unknown conversion", () => {
  it("names what exists from the one type and to the other", () => {
    expect(finding({ kind: "uuid" })).toMatchObject({
      code: "conversion-unknown",
      severity: "error",
      what: "Cannot convert from string to uuid",
      why: "There is no such conversion. From string there are conversions to boolean, int, long, double, decimal, date, timestamp and timestamptz. There is none to uuid",
    });
    expect(unknownConversion({ kind: "double" }, { kind: "int" }).why).toBe(
      "There is no such conversion. There is none from double. To int there are conversions from string and long",
    );
    expect(unknownConversion({ kind: "long" }, { kind: "date" }).why).toBe(
      "There is no such conversion. From long there are conversions to int. To date there are conversions from string",
    );
  });
});

describe("an argument that a conversion does not take", () => {
  const refused: readonly (readonly [PrimitiveType, Partial<ConversionRule>, string])[] = [
    [{ kind: "int" }, { format: "000" }, "format"],
    [{ kind: "int" }, { zone: "UTC" }, "zone"],
    [{ kind: "date" }, { zone: "UTC" }, "zone"],
    [{ kind: "timestamp" }, { zone: "UTC" }, "zone"],
    [{ kind: "double" }, { trueValues: ["1"] }, "true-values"],
    [{ kind: "decimal", precision: 9, scale: 2 }, { falseValues: ["0"] }, "false-values"],
    [{ kind: "boolean" }, { format: "yyyy" }, "format"],
  ];

  it.each(refused)("is refused by %o", (to, parts, argument) => {
    expect(finding(to, parts)).toMatchObject({
      code: "conversion-argument-refused",
      what: `Cannot use "${argument}" in a conversion from string to ${to.kind}`,
      mend: `Remove \`${argument}:\` from \`convert:\``,
    });
  });

  it("is refused by a conversion without text, blanks and emptiness included", () => {
    for (const parts of [{ trim: true }, { emptyAsNull: true }, { format: "x" }]) {
      const found = finding({ kind: "int" }, { from: "long", ...parts }, { kind: "long" });
      expect(found.code).toBe("conversion-argument-refused");
      expect(found.why).toBe("This conversion takes no argument of its own");
    }
  });
});

describe("a format", () => {
  const wrong: readonly (readonly [PrimitiveType["kind"], string, RegExp])[] = [
    ["date", "", /empty/],
    ["date", "yyyy-MM", /no day \("dd"\)/],
    ["date", "MM-dd", /no year \("yyyy"\)/],
    ["date", "yyyymmdd", /no month \("MM"\)\. Small letters "mm" are the minute/],
    ["date", "yy-MM-dd", /"yy" must be "yyyy"/],
    ["date", "yyyyy-MM-dd", /"yyyyy" must be "yyyy"/],
    ["date", "yyyy-M-d", /"M" must be "MM"/],
    ["date", "yyyy-MMM-dd", /"MMM" must be "MM"/],
    ["date", "yyyyMMddyyyy", /"yyyy" stands for the year, which the format already has/],
    ["date", "yyyyMMddHH", /A date has no hour/],
    ["date", "yyyyMMddXXX", /A date has no offset/],
    ["date", "YYYY-MM-DD", /"YYYY" is no letter of a format/],
    ["date", "yyyy-MM-dd'", /quote at character 11 is not closed/],
    ["date", "yyyy-MM-dd[ ]", /"\[" must be quoted/],
    ["date", "yyyy年MM月dd日", /printable ASCII/],
    ["date", "yyyy'年'MM'月'dd", /printable ASCII/],
    ["date", "yyyy-MM-dd\n", /printable ASCII/],
    ["timestamp", "yyyyMMddmm", /no hour \("HH"\), but a smaller part/],
    ["timestamp", "yyyyMMddHHss", /no minute \("mm"\)/],
    ["timestamp", "yyyyMMddHHmmSSS", /no second \("ss"\)/],
    ["timestamp", "yyyyMMddHHmmssSSSSSSSSSS", /must be one to nine "S"/],
    ["timestamp", "yyyyMMddHHmmssXXX", /A timestamp has no offset/],
    ["timestamp", "yyyy-MM-dd hh:mm:ss", /"hh" is no letter/],
    ["timestamptz", "yyyyMMddHHmmssX", /"X" must be "XXX"/],
    ["timestamptz", "yyyyMMddXXXHH", /must come after all other letters/],
    ["timestamptz", "yyyyMMddHHmmssZ", /"Z" is no letter/],
  ];

  it.each(wrong)("for a %s is refused with its fault: %s", (kind, format, why) => {
    const found = finding(typeOf(kind), { format });
    expect(found.code).toBe("conversion-format-wrong");
    expect(found.what).toBe(`Cannot use the format "${format}" for a ${kind}`);
    expect(found.why).toMatch(why);
  });

  it.each(wrong)("for a %s comes with a mend that binds: %s", (kind, format) => {
    const mend = finding(typeOf(kind), { format }).mend ?? "";
    const written: { format: string } = parse(/`(format: .*)`/.exec(mend)?.[1] ?? "");
    const hasOffset = written.format.includes("XXX");
    const zone = kind === "timestamptz" && !hasOffset ? { zone: "UTC" } : {};
    expect(isConverter(bindConversion(rule({ format: written.format, ...zone }), { kind: "string" }, typeOf(kind)))).toBe(true);
  });

  const mended: readonly (readonly [PrimitiveType["kind"], string, string])[] = [
    ["date", "yyyymmdd", "format: yyyyMMdd"],
    ["date", "%Y%m%d", "format: yyyyMMdd"],
    ["date", "%d/%m/%Y", "format: dd/MM/yyyy"],
    ["date", "YYYY-MM-DD", "format: yyyy-MM-dd"],
    ["date", "DD.MM.YYYY", 'format: "dd.MM.yyyy"'],
    ["timestamp", "YYYY-MM-DD HH24:MI:SS", 'format: "yyyy-MM-dd HH:mm:ss"'],
    ["timestamp", "yyyy-MM-ddTHH:mm:ss", "format: \"yyyy-MM-dd'T'HH:mm:ss\""],
    ["timestamp", "%Y-%m-%dT%H:%M:%S.%f", "format: \"yyyy-MM-dd'T'HH:mm:ss.SSSSSS\""],
    ["timestamp", "yyyy-mm-dd HH:mm:ss", 'format: "yyyy-MM-dd HH:mm:ss"'],
    ["timestamp", "yyyy-MM-dd hh:mm:ss", 'format: "yyyy-MM-dd HH:mm:ss"'],
    ["timestamptz", "yyyy-MM-ddTHH:mm:ssZ", "format: \"yyyy-MM-dd'T'HH:mm:ssXXX\""],
    ["timestamptz", "%Y-%m-%dT%H:%M:%S%z", "format: \"yyyy-MM-dd'T'HH:mm:ssXXX\""],
  ];

  it.each(mended)("of other tools for a %s is translated: %s", (kind, format, mend) => {
    expect(finding(typeOf(kind), { format }).mend).toBe(`Write \`${mend}\``);
  });

  it("with blanks at its ends does not go with trim", () => {
    for (const format of ["yyyyMMdd ", " yyyyMMdd", "yyyyMMdd'  '", "' 'yyyyMMdd"]) {
      expect(converter({ kind: "date" }, { format }).keepsOrder).toBe(true);
      expect(finding({ kind: "date" }, { format, trim: true }).why).toMatch(/starts or ends with a blank/);
    }
    expect(converter({ kind: "date" }, { format: "yyyy MM dd", trim: true }).convert(" 2024 01 31 ")).toMatchObject({
      value: 19_753,
    });
  });
});

describe("a zone", () => {
  it.each(["Europe/Vienna", "utc", "Z", "+1:00", "+0100", "01:00", "+14:01", "-15:00", "+05:60", "", "UTC+1"])(
    "is refused unless it is fixed: %j",
    (zone) => {
      expect(finding({ kind: "timestamptz" }, { zone })).toMatchObject({
        code: "conversion-zone-wrong",
        what: `Cannot use the zone "${zone}"`,
      });
    },
  );

  it.each(["UTC", "+00:00", "-00:00", "+14:00", "-14:00", "+05:30"])("is taken when it is: %s", (zone) => {
    expect(converter({ kind: "timestamptz" }, { zone }).from.kind).toBe("string");
  });

  it("is needed by a format without an offset, and refused beside one", () => {
    expect(finding({ kind: "timestamptz" }, { format: "yyyyMMddHHmmss" }).code).toBe("conversion-zone-missing");
    const beside = finding({ kind: "timestamptz" }, { format: "yyyyMMddHHmmssXXX", zone: "UTC" });
    expect(beside.code).toBe("conversion-zone-wrong");
    expect(beside.what).toBe('Cannot use a zone beside the format "yyyyMMddHHmmssXXX"');
  });
});

describe("lists of boolean values", () => {
  const wrong: readonly (readonly [string, Partial<ConversionRule>, RegExp])[] = [
    ["share a value", { trueValues: ["a", "b"], falseValues: ["b"] }, /"b" is a true value and a false value/],
    ["share a value but for its case", { trueValues: ["J"], falseValues: ["j"] }, /case of letters does not tell them apart/],
    ["share a value with the default", { trueValues: ["false"] }, /"false" is a true value and a false value/],
    ["are empty", { trueValues: [] }, /"true-values" is empty/],
    ["are empty on the other side", { falseValues: [] }, /"false-values" is empty/],
    ["hold the empty text that becomes null", { trueValues: ["X"], falseValues: [""], emptyAsNull: true }, /empty-as-null/],
    ["hold blanks that are trimmed away", { trueValues: ["X "], falseValues: ["0"], trim: true }, /starts or ends with a blank/],
    ["hold half a character", { trueValues: ["\ud800"], falseValues: ["0"] }, /surrogate/],
  ];

  it.each(wrong)("are refused when they %s", (_name, parts, why) => {
    const found = finding({ kind: "boolean" }, parts);
    expect(found.code).toBe("conversion-values-wrong");
    expect(found.why).toMatch(why);
  });

  it("may repeat a value and differ in other letters only", () => {
    const bound = converter({ kind: "boolean" }, { trueValues: ["Y", "y", "Ä"], falseValues: ["ä"] });
    expect(bound.convert("y")).toEqual({ value: true });
    expect(bound.convert("Y")).toEqual({ value: true });
    expect(bound.convert("Ä")).toEqual({ value: true });
    expect(bound.convert("ä")).toEqual({ value: false });
  });
});

function typeOf(kind: PrimitiveType["kind"]): PrimitiveType {
  if (kind === "date" || kind === "timestamp" || kind === "timestamptz") return { kind };
  throw new Error(kind);
}
