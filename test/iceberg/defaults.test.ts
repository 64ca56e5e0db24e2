import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatDefault, parseDefault } from "../../src/iceberg/default-text.ts";
import { isSameDefault, promoteDefault, readDefault } from "../../src/iceberg/default-value.ts";
import { formatIsoDate, formatIsoTimestamp, parseIsoDate, parseIsoTimestamp } from "../../src/iceberg/iso-time.ts";
import type { JsonValue } from "../../src/iceberg/json.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { parseType } from "../../src/iceberg/type-text.ts";

function type(text: string): PrimitiveType {
  const found = parseType(text);
  if (found === null) throw new Error(`${text} is no type`);
  return found;
}

describe("readDefault", () => {
  // Spec Appendix D, "JSON single-value serialization".
  it.each<[string, JsonValue]>([
    ["boolean", true],
    ["int", 34],
    ["long", 34],
    ["long", 9223372036854775807n],
    ["long", -9223372036854775808n],
    ["float", 1.5],
    ["double", 1.0],
    ["decimal(9,2)", "14.20"],
    ["decimal(9,2)", "-0.05"],
    ["decimal(2,0)", "20"],
    ["date", "2017-11-16"],
    ["date", "-0001-03-01"],
    ["date", "+12000-01-01"],
    ["time", "22:31:08.123456"],
    ["timestamp", "2017-11-16T22:31:08.123456"],
    ["timestamptz", "2017-11-16T22:31:08.123456+00:00"],
    ["timestamp_ns", "2017-11-16T22:31:08.123456789"],
    ["timestamptz_ns", "2017-11-16T22:31:08.123456789+00:00"],
    ["string", "iceberg"],
    ["uuid", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
    ["fixed[4]", "00010203"],
    ["binary", ""],
    ["binary", "00ff"],
    ["unknown", null],
    ["variant", null],
    ["geometry(OGC:CRS84)", null],
  ])("takes %s %s as it is", (text, value) => {
    expect(readDefault(value, type(text))).toEqual({ value });
  });

  it.each<[string, JsonValue, JsonValue]>([
    ["binary", "00FF", "00ff"],
    ["uuid", "F79C3E09-677C-4BBD-A479-3F349CB785E7", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
    ["time", "22:31:08", "22:31:08.000000"],
    ["time", "22:31", "22:31:00.000000"],
    ["timestamp", "2017-11-16T22:31:08.5", "2017-11-16T22:31:08.500000"],
    ["timestamptz", "2017-11-16T22:31:08Z", "2017-11-16T22:31:08.000000+00:00"],
    ["timestamptz", "2017-11-16T22:31:08-00:00", "2017-11-16T22:31:08.000000+00:00"],
    ["decimal(9,2)", "+014.20", "14.20"],
    ["decimal(9,2)", "-0.00", "0.00"],
    ["long", 5n, 5],
    ["double", 9007199254740993n, 9007199254740992],
  ])("gives one spelling of %s %s", (text, value, canonical) => {
    expect(readDefault(value, type(text))).toEqual({ value: canonical });
    expect(isSameDefault(value, canonical, type(text))).toBe(true);
  });

  it.each<[string, JsonValue]>([
    ["boolean", "true"],
    ["boolean", 1],
    ["int", 2147483648],
    ["int", -2147483649],
    ["int", 1.5],
    ["int", "34"],
    ["long", 9223372036854775808n],
    ["float", 3.5e38],
    ["double", "1.5"],
    ["decimal(9,2)", 14.2],
    ["decimal(9,2)", "14.2"],
    ["decimal(9,2)", "14.200"],
    ["decimal(4,2)", "123.45"],
    ["decimal(9,2)", "1e3"],
    ["date", "2017-02-29"],
    ["date", "2017-13-01"],
    ["date", "17-11-16"],
    ["date", "12000-01-01"],
    ["time", "24:00:00"],
    ["time", "22:31:08.1234567"],
    ["timestamp", "2017-11-16T22:31:08+00:00"],
    ["timestamp", "2017-11-16"],
    ["timestamptz", "2017-11-16T22:31:08"],
    ["timestamptz", "2017-11-16T22:31:08+01:00"],
    ["timestamp_ns", "2500-01-01T00:00:00"],
    ["string", 5],
    ["uuid", "f79c3e09677c4bbda4793f349cb785e7"],
    ["fixed[4]", "000102"],
    ["binary", "0"],
    ["binary", "0g"],
    ["unknown", 1],
    ["variant", {}],
    ["geography(OGC:CRS84)", "00"],
  ])("refuses %s %s", (text, value) => {
    expect(readDefault(value, type(text))).toMatchObject({ why: expect.stringContaining(text.split("(")[0] ?? "") });
  });

  it("takes nothing but null for nested types, as the reference implementation does", () => {
    expect(readDefault(null, { kind: "struct", fields: [] })).toEqual({ value: null });
    expect(readDefault({}, { kind: "struct", fields: [] })).toMatchObject({ why: expect.stringContaining("struct") });
    const list = { kind: "list", elementId: 1, element: { kind: "int" }, elementRequired: true } as const;
    expect(readDefault([1], list)).toMatchObject({ why: expect.stringContaining("list") });
  });

  it("tells apart what is not the same value", () => {
    expect(isSameDefault("00ff", "00fe", type("binary"))).toBe(false);
    expect(isSameDefault(undefined, null, type("int"))).toBe(true);
    expect(isSameDefault(1, undefined, type("int"))).toBe(false);
  });
});

describe("parseDefault", () => {
  it.each<[string, string, JsonValue]>([
    ["boolean", "TRUE", true],
    ["int", "+5", 5],
    ["long", "9223372036854775807", 9223372036854775807n],
    ["long", "-12", -12],
    ["double", "1e3", 1000],
    ["double", ".5", 0.5],
    ["float", "0.1", 0.1],
    ["decimal(9,2)", "0.00", "0.00"],
    ["decimal(9,2)", "5", "5.00"],
    ["decimal(9,2)", "-.5", "-0.50"],
    ["decimal(9,2)", "1.500", "1.50"],
    ["decimal(9,0)", "12.", "12"],
    ["decimal(38,10)", "1234567890123456789012345678.0123456789", "1234567890123456789012345678.0123456789"],
    ["date", "2024-01-31", "2024-01-31"],
    ["time", "08:15", "08:15:00.000000"],
    ["timestamp", "2024-01-31 08:15:00", "2024-01-31T08:15:00.000000"],
    ["timestamptz", "2024-01-31T08:15:00+02:00", "2024-01-31T06:15:00.000000+00:00"],
    ["timestamptz_ns", "2024-01-31T08:15:00.123456789Z", "2024-01-31T08:15:00.123456789+00:00"],
    ["string", "007", "007"],
    ["string", "", ""],
    ["binary", "0x00FF", "00ff"],
    ["fixed[2]", "beef", "beef"],
    ["uuid", "F79C3E09-677C-4BBD-A479-3F349CB785E7", "f79c3e09-677c-4bbd-a479-3f349cb785e7"],
  ])("reads %s %s", (text, source, value) => {
    const read = parseDefault(source, type(text));
    expect(read).toEqual({ value });
    expect(parseDefault(formatDefault(value, type(text)), type(text))).toEqual({ value });
  });

  it.each<[string, string]>([
    ["boolean", "yes"],
    ["int", "1.0"],
    ["int", "0x10"],
    ["int", "1_000"],
    ["int", ""],
    ["double", "NaN"],
    ["double", "1e400"],
    ["double", "1e99999"],
    ["decimal(9,2)", "1.505"],
    ["decimal(9,2)", "."],
    ["decimal(9,2)", "1e2"],
    ["timestamptz", "2024-01-31T08:15:00"],
    ["timestamp", "2024-01-31T08:15:00Z"],
    ["fixed[2]", "be"],
    ["unknown", "x"],
    ["variant", "null"],
  ])("refuses %s %j", (text, source) => {
    expect(parseDefault(source, type(text))).toMatchObject({ why: expect.any(String) });
  });

  it.each(["boolean", "int", "long", "float", "double", "decimal(9,2)", "date", "timestamp", "timestamptz", "uuid", "fixed[4]"])(
    "answers soon for a very long text as %s",
    (name) => {
      for (const sign of ["0", "9", ".", "-", " ", "e"]) {
        const started = process.cpuUsage();
        parseDefault(`${sign.repeat(200_000)}x`, type(name));
        expect(process.cpuUsage(started).user).toBeLessThan(1_000_000);
      }
    },
  );

  it("refuses nested types", () => {
    expect(parseDefault("[]", { kind: "list", elementId: 1, element: { kind: "int" }, elementRequired: true })).toMatchObject({
      why: "a list takes no default",
    });
  });

  it("keeps every long and every decimal exact", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }), (value) => {
        const read = parseDefault(value.toString(), type("long"));
        expect("value" in read && formatDefault(read.value, type("long"))).toBe(value.toString());
      }),
    );
    fc.assert(
      fc.property(fc.bigInt({ min: -(10n ** 38n) + 1n, max: 10n ** 38n - 1n }), (value) => {
        const digits = (value < 0n ? -value : value).toString().padStart(11, "0");
        const text = `${value < 0n ? "-" : ""}${digits.slice(0, -10)}.${digits.slice(-10)}`;
        expect(parseDefault(text, type("decimal(38,10)"))).toEqual({ value: text });
      }),
    );
  });

  it("gives back what formatDefault wrote, for every double", () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
        const read = parseDefault(formatDefault(value, type("double")), type("double"));
        expect(read).toEqual({ value });
      }),
    );
  });
});

describe("promoteDefault", () => {
  it("gives a float default the digits of the double that readers see (reference implementation, FloatLiteral to double)", () => {
    expect(promoteDefault(0.1, type("float"), type("double"))).toBe(0.10000000149011612);
    expect(promoteDefault(1.5, type("float"), type("double"))).toBe(1.5);
  });

  it("puts dates at midnight and leaves the rest alone", () => {
    expect(promoteDefault("2017-11-16", type("date"), type("timestamp"))).toBe("2017-11-16T00:00:00.000000");
    expect(promoteDefault("2017-11-16", type("date"), type("timestamp_ns"))).toBe("2017-11-16T00:00:00.000000000");
    expect(promoteDefault(5, type("int"), type("long"))).toBe(5);
    expect(promoteDefault("5.00", type("decimal(9,2)"), type("decimal(18,2)"))).toBe("5.00");
  });
});

describe("ISO dates and times", () => {
  it("agree with the calendar of the JavaScript engine", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("-009999-01-01"), max: new Date("+020000-01-01"), noInvalidDate: true }), (date) => {
        const days = Math.floor(date.getTime() / 86_400_000);
        const text = new Date(days * 86_400_000)
          .toISOString()
          .slice(0, -14)
          .replace(/^([+-])00(\d{4})/, "$1$2")
          .replace(/^([+-])0(\d{5})/, "$1$2");
        expect(formatIsoDate(days)).toBe(text);
        expect(parseIsoDate(text)).toBe(days);
      }),
    );
  });

  it("count microseconds and nanoseconds below and above 1970", () => {
    expect(parseIsoTimestamp("1969-12-31T23:59:59.999999", 6)).toBe(-1n);
    expect(parseIsoTimestamp("1970-01-01T00:00:00.000000001", 9)).toBe(1n);
    expect(formatIsoTimestamp(-1n, 6)).toBe("1969-12-31T23:59:59.999999");
    expect(formatIsoTimestamp(-1n, 9)).toBe("1969-12-31T23:59:59.999999999");
    expect(parseIsoTimestamp("1600-02-29T00:00:00", 6)).toBe(BigInt(Date.UTC(1600, 1, 29)) * 1000n);
  });
});
