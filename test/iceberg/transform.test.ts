import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { SingleValue } from "../../src/iceberg/bound.ts";
import { parseIsoDate, parseIsoTime, parseIsoTimestamp, parseIsoTimestampWithOffset } from "../../src/iceberg/iso-time.ts";
import { murmur3 } from "../../src/iceberg/murmur3.ts";
import {
  canonicalTransform,
  defaultFieldName,
  defaultFieldNameAtCreation,
  formatTransform,
  parseTransform,
  preservesOrder,
  resultType,
  transformProblem,
} from "../../src/iceberg/transform.ts";
import { hashValue, transformValue } from "../../src/iceberg/transform-value.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { formatType, parseType } from "../../src/iceberg/type-text.ts";

function type(text: string): PrimitiveType {
  const found = parseType(text);
  if (found === null) throw new Error(`${text} is no type`);
  return found;
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error("a value is missing");
  return value;
}

function apply(transform: string, source: string, value: SingleValue | null): SingleValue | null {
  return transformValue(parseTransform(transform), type(source), value);
}

const bytes = (...values: number[]): Uint8Array => Uint8Array.from(values);
const UUID = Uint8Array.from(Buffer.from("f79c3e09677c4bbda4793f349cb785e7", "hex"));

describe("transform text", () => {
  it.each(["identity", "void", "year", "month", "day", "hour", "bucket[16]", "truncate[4]"])("%s is read and written", (text) => {
    expect(formatTransform(parseTransform(text))).toBe(text);
    expect(parseTransform(text).kind).not.toBe("unknown");
  });

  it("is read whatever its case, as the reference implementation does", () => {
    expect(canonicalTransform("Bucket[16]")).toBe("bucket[16]");
    expect(canonicalTransform("IDENTITY")).toBe("identity");
  });

  it.each(["zorder", "bucket", "bucket[0]", "bucket[-1]", "bucket[4", "truncate[2147483648]", "days", ""])(
    "%s is kept and never applied",
    (text) => {
      expect(parseTransform(text)).toEqual({ kind: "unknown", text });
      expect(transformProblem(parseTransform(text), { kind: "int" })).toMatch(/not known/);
    },
  );
});

describe("transform sources", () => {
  const ALL =
    "boolean int long float double decimal(9,2) date time timestamp timestamptz timestamp_ns timestamptz_ns string uuid binary fixed[3] unknown variant geometry(OGC:CRS84) geography(OGC:CRS84)".split(
      " ",
    );
  // Spec "Partition Transforms", table of source types.
  it.each<[string, string]>([
    [
      "identity",
      "boolean int long float double decimal(9,2) date time timestamp timestamptz timestamp_ns timestamptz_ns string uuid binary fixed[3] unknown",
    ],
    [
      "bucket[4]",
      "int long decimal(9,2) date time timestamp timestamptz timestamp_ns timestamptz_ns string uuid binary fixed[3]",
    ],
    ["truncate[4]", "int long decimal(9,2) string binary"],
    ["year", "date timestamp timestamptz timestamp_ns timestamptz_ns"],
    ["month", "date timestamp timestamptz timestamp_ns timestamptz_ns"],
    ["day", "date timestamp timestamptz timestamp_ns timestamptz_ns"],
    ["hour", "timestamp timestamptz timestamp_ns timestamptz_ns"],
    ["void", ALL.join(" ")],
  ])("%s takes exactly these types", (transform, expected) => {
    expect(ALL.filter((text) => transformProblem(parseTransform(transform), type(text)) === null).join(" ")).toBe(expected);
  });

  it("never takes nested types, void apart", () => {
    expect(transformProblem(parseTransform("identity"), { kind: "struct", fields: [] })).toMatch(/struct/);
    expect(transformProblem(parseTransform("void"), { kind: "struct", fields: [] })).toBeNull();
  });

  it.each<[string, string, string]>([
    ["identity", "decimal(9,2)", "decimal(9,2)"],
    ["bucket[4]", "string", "int"],
    ["truncate[4]", "string", "string"],
    ["year", "date", "int"],
    ["month", "timestamp", "int"],
    ["day", "timestamptz", "date"],
    ["hour", "timestamp_ns", "int"],
    ["void", "long", "long"],
  ])("%s of %s gives %s", (transform, source, result) => {
    expect(formatType(resultType(parseTransform(transform), type(source)))).toBe(result);
  });

  it("keeps the order under identity, truncate and time transforms", () => {
    const keeping = ["identity", "void", "year", "month", "day", "hour", "bucket[4]", "truncate[4]", "zorder"].filter((text) =>
      preservesOrder(parseTransform(text)),
    );
    expect(keeping).toEqual(["identity", "year", "month", "day", "hour", "truncate[4]"]);
  });
});

describe("default partition field names", () => {
  it.each<[string, string, string]>([
    ["identity", "ts", "ts"],
    ["bucket[16]", "ts_bucket_16", "ts_bucket"],
    ["truncate[4]", "ts_trunc_4", "ts_trunc"],
    ["year", "ts_year", "ts_year"],
    ["month", "ts_month", "ts_month"],
    ["day", "ts_day", "ts_day"],
    ["hour", "ts_hour", "ts_hour"],
    ["void", "ts_null", "ts_null"],
  ])("%s: %s in an update, %s at creation", (transform, inUpdate, atCreation) => {
    expect(defaultFieldName(parseTransform(transform), "ts")).toBe(inUpdate);
    expect(defaultFieldNameAtCreation(parseTransform(transform), "ts")).toBe(atCreation);
  });
});

describe("bucket hashes", () => {
  // Spec Appendix B, "32-bit Hash Requirements", and the examples under it.
  it.each<[string, SingleValue, number]>([
    ["int", 34, 2017239379],
    ["long", 34n, 2017239379],
    ["decimal(9,2)", 1420n, -500754589],
    ["date", present(parseIsoDate("2017-11-16")), -653330422],
    ["time", present(parseIsoTime("22:31:08", 6)), -662762989],
    ["timestamp", present(parseIsoTimestamp("2017-11-16T22:31:08", 6)), -2047944441],
    ["timestamptz", present(parseIsoTimestampWithOffset("2017-11-16T14:31:08-08:00", 6)), -2047944441],
    ["timestamp", present(parseIsoTimestamp("2017-11-16T22:31:08.000001", 6)), -1207196810],
    ["timestamp_ns", present(parseIsoTimestamp("2017-11-16T22:31:08", 9)), -2047944441],
    ["timestamp_ns", present(parseIsoTimestamp("2017-11-16T22:31:08.000001001", 9)), -1207196810],
    ["timestamptz_ns", present(parseIsoTimestampWithOffset("2017-11-16T14:31:08-08:00", 9)), -2047944441],
    ["string", "iceberg", 1210000089],
    ["uuid", UUID, 1488055340],
    ["fixed[4]", bytes(0, 1, 2, 3), -188683207],
    ["binary", bytes(0, 1, 2, 3), -188683207],
  ])("%s %s hashes to %i", (source, value, hash) => {
    expect(hashValue(type(source), value)).toBe(hash);
  });

  // Published test vectors of MurmurHash3_x86_32 with seed 0.
  it.each<[string, number]>([
    ["", 0],
    ["test", 0xba6bd213],
    ["Hello, world!", 0xc0363e43],
    ["The quick brown fox jumps over the lazy dog", 0x2e4ff723],
  ])("murmur3 of %j", (text, hash) => {
    expect(murmur3(new TextEncoder().encode(text)) >>> 0).toBe(hash);
  });

  it("hashes a slice of a larger buffer by its own bytes", () => {
    const whole = Uint8Array.from([9, 9, 0, 1, 2, 3, 9]);
    expect(murmur3(whole.subarray(2, 6))).toBe(-188683207);
  });

  it("gives an int and the long of the same value one bucket, so that widening keeps partitions", () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: 1, max: 1000 }), (value, buckets) => {
        const transform = `bucket[${buckets}]`;
        const bucket = apply(transform, "int", value);
        expect(bucket).toBe(apply(transform, "long", BigInt(value)));
        expect(bucket).toBeGreaterThanOrEqual(0);
        expect(bucket).toBeLessThan(buckets);
      }),
    );
  });

  it("hashes decimals by their shortest bytes, whatever the precision", () => {
    expect(hashValue(type("decimal(38,2)"), 1420n)).toBe(-500754589);
    expect(hashValue(type("decimal(9,2)"), 127n)).toBe(murmur3(bytes(0x7f)));
    expect(hashValue(type("decimal(9,2)"), 128n)).toBe(murmur3(bytes(0x00, 0x80)));
    expect(hashValue(type("decimal(9,2)"), -128n)).toBe(murmur3(bytes(0x80)));
    expect(hashValue(type("decimal(9,2)"), -129n)).toBe(murmur3(bytes(0xff, 0x7f)));
    expect(hashValue(type("decimal(9,2)"), 0n)).toBe(murmur3(bytes(0)));
  });
});

describe("truncate", () => {
  // Spec "Truncate Transform Details".
  it.each<[string, string, SingleValue, SingleValue]>([
    ["truncate[10]", "int", 1, 0],
    ["truncate[10]", "int", -1, -10],
    ["truncate[10]", "long", 1n, 0n],
    ["truncate[10]", "long", -1n, -10n],
    ["truncate[50]", "decimal(9,2)", 1065n, 1050n],
    ["truncate[50]", "decimal(9,2)", -5n, -50n],
    ["truncate[3]", "string", "iceberg", "ice"],
    ["truncate[10]", "string", "iceberg", "iceberg"],
    ["truncate[2]", "string", "a\u{1F9CA}b", "a\u{1F9CA}"],
    ["truncate[1]", "string", "\u{1F9CA}\u{1F9CA}", "\u{1F9CA}"],
  ])("%s of %s %s is %s", (transform, source, value, expected) => {
    expect(apply(transform, source, value)).toBe(expected);
  });

  it("cuts bytes", () => {
    expect(apply("truncate[3]", "binary", bytes(1, 2, 3, 4, 5))).toEqual(bytes(1, 2, 3));
  });

  it("stays within the type at its lower end", () => {
    expect(apply("truncate[10]", "int", -2147483648)).toBe(2147483646);
  });
});

describe("time transforms", () => {
  const micros = (text: string): bigint => present(parseIsoTimestamp(text, 6));
  // Worked examples of the reference implementation's tests of dates and timestamps (TestDates, TestTimestamps).
  it.each<[string, string, SingleValue, number]>([
    ["year", "date", present(parseIsoDate("2017-12-01")), 47],
    ["month", "date", present(parseIsoDate("2017-12-01")), 575],
    ["day", "date", present(parseIsoDate("2017-12-01")), 17501],
    ["year", "date", present(parseIsoDate("1969-12-31")), -1],
    ["month", "date", present(parseIsoDate("1969-12-31")), -1],
    ["day", "date", present(parseIsoDate("1969-12-31")), -1],
    ["year", "date", present(parseIsoDate("1970-01-01")), 0],
    ["year", "timestamp", micros("2017-12-01T10:12:55.038194"), 47],
    ["month", "timestamp", micros("2017-12-01T10:12:55.038194"), 575],
    ["day", "timestamp", micros("2017-12-01T10:12:55.038194"), 17501],
    ["hour", "timestamp", micros("2017-12-01T10:12:55.038194"), 420034],
    ["hour", "timestamp", micros("1969-12-31T23:00:00"), -1],
    ["hour", "timestamp", micros("1969-12-31T22:59:59.999999"), -2],
    ["day", "timestamp", micros("1969-12-31T23:59:59.999999"), -1],
    ["year", "timestamp", micros("1968-06-01T00:00:00"), -2],
    ["hour", "timestamp_ns", micros("2017-12-01T10:12:55.038194") * 1000n + 999n, 420034],
    ["day", "timestamptz_ns", -1n, -1],
  ])("%s of %s %s is %i", (transform, source, value, expected) => {
    expect(apply(transform, source, value)).toBe(expected);
  });

  it("agrees with the calendar of the JavaScript engine", () => {
    fc.assert(
      fc.property(fc.date({ min: new Date("-000400-01-01"), max: new Date("+012000-01-01"), noInvalidDate: true }), (date) => {
        const value = BigInt(date.getTime()) * 1000n;
        expect(apply("year", "timestamp", value)).toBe(date.getUTCFullYear() - 1970);
        expect(apply("month", "timestamp", value)).toBe((date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth());
        expect(apply("day", "timestamp", value)).toBe(Math.floor(date.getTime() / 86_400_000));
        expect(apply("hour", "timestamp", value)).toBe(Math.floor(date.getTime() / 3_600_000));
      }),
    );
  });
});

it("gives null for null and for void", () => {
  expect(apply("bucket[4]", "int", null)).toBeNull();
  expect(apply("day", "date", null)).toBeNull();
  expect(apply("void", "int", 5)).toBeNull();
  expect(apply("identity", "string", "x")).toBe("x");
});

it("refuses a value that is not of the type", () => {
  expect(() => apply("bucket[4]", "int", "34")).toThrow(/does not fit/);
  expect(() => apply("bucket[4]", "float", 1.5)).toThrow(/does not fit/);
  expect(() => apply("hour", "date", 1)).toThrow(/does not fit/);
});
