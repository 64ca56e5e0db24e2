// Our grammars against Trino's own casts, as recorded once on Trino 476: what we accept is accepted there with the same
// value, and what is accepted only there is known and listed.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { describe, expect, it } from "vitest";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { printValue } from "./page.ts";
import { converter, STRING } from "./rules.ts";

interface Casts {
  readonly inputs: readonly string[];
  readonly results: Readonly<Record<string, readonly (string | null)[]>>;
}

const RECORDED: Readonly<Record<string, Casts>> = JSON.parse(
  readFileSync(resolve(import.meta.dirname, "../data/conversion/trino-casts.json"), "utf8"),
);

interface Comparison {
  readonly group: string;
  readonly cast: string;
  readonly to: PrimitiveType;
  readonly rule: Partial<ConversionRule>;
  readonly from?: PrimitiveType;
  /** What the cast takes beyond us. */
  readonly onlyThere: readonly string[];
}

const BLANK_NUMBERS = [" 12 ", "\t12", "12\n"];
const UNICODE_DIGITS = ["١٢", "１２"];
const SCIENTIFIC = ["1e3", "1E3", "1e2", "1.5e1"];
const SLACK_DATES = ["2024-1-1", "2024-01-1", "2024-1-31", "24-01-31"];
const OTHER_YEARS = ["0000-01-01", "-0001-01-01", "-1-01-01", "+2024-01-31", "12024-01-01", "+12024-01-01", "10000-01-01"];
const ROUNDED = ["1.005", "1.555", "-1.555", "1.545", "99999999.994", "1e-3", "1e-400"];

const COMPARISONS: readonly Comparison[] = [
  { group: "string to number", cast: "integer", to: { kind: "int" }, rule: {}, onlyThere: [...BLANK_NUMBERS, ...UNICODE_DIGITS] },
  { group: "string to number", cast: "bigint", to: { kind: "long" }, rule: {}, onlyThere: [...BLANK_NUMBERS, ...UNICODE_DIGITS] },
  {
    group: "string to number",
    cast: "decimal(10,2)",
    to: { kind: "decimal", precision: 10, scale: 2 },
    rule: {},
    onlyThere: [...UNICODE_DIGITS, ...SCIENTIFIC, ...ROUNDED],
  },
  {
    group: "string to number",
    cast: "double",
    to: { kind: "double" },
    rule: {},
    onlyThere: [...BLANK_NUMBERS, " 1.5 ", "1d", "1f", "1e400", "1e-400"],
  },
  {
    group: "string to date",
    cast: "cast date",
    to: { kind: "date" },
    rule: {},
    onlyThere: [...SLACK_DATES, ...OTHER_YEARS, " 2024-01-31", "2024-01-31 "],
  },
  {
    group: "string to date",
    cast: "date_parse %Y%m%d -> date",
    to: { kind: "date" },
    rule: { format: "yyyyMMdd" },
    onlyThere: ["2024013", "-20240131", "+20240131"],
  },
  { group: "string to boolean", cast: "boolean", to: { kind: "boolean" }, rule: {}, onlyThere: ["t", "T", "f", "F", "1", "0"] },
  { group: "bigint to …", cast: "integer", to: { kind: "int" }, rule: { from: "long" }, from: { kind: "long" }, onlyThere: [] },
];

const TRINO_TIME = /^(\S+) (\d\d:\d\d:\d\d\.\d{3})(\d{3})( UTC| [+-]\d\d:\d\d)?$/;

describe("Trino's own casts", () => {
  it.each(COMPARISONS)("agree with $to.kind where we accept: $cast", ({ group, cast, to, rule, from = STRING, onlyThere }) => {
    const { inputs = [], results = {} } = RECORDED[group] ?? {};
    const theirs = results[cast] ?? [];
    expect(inputs.length).toBeGreaterThan(10);
    const bound = converter(to, rule, from);
    const beyond: string[] = [];
    inputs.forEach((text, index) => {
      const converted = bound.convert(from.kind === "long" ? BigInt(text) : text);
      const known = theirs[index] ?? null;
      if (!("failure" in converted) && converted.value !== null) {
        const said = to.kind === "double" ? printValue(Number(known), to) : known;
        expect([text, printValue(converted.value, to)]).toEqual([text, said]);
      } else if (known !== null) {
        beyond.push(text);
      }
    });
    expect(beyond.toSorted()).toEqual(onlyThere.toSorted());
  });

  it.each([
    { cast: "cast timestamp(6)", to: { kind: "timestamp" }, zone: undefined },
    { cast: "cast timestamp(6) with time zone", to: { kind: "timestamptz" }, zone: "UTC" },
  ] as const)("agree with $to.kind where we accept", ({ cast, to, zone }) => {
    const { inputs = [], results = {} } = RECORDED["string to timestamp"] ?? {};
    const bound = converter(to, zone === undefined ? {} : { zone });
    let accepted = 0;
    inputs.forEach((text, index) => {
      const converted = bound.convert(text);
      const known = results[cast]?.[index] ?? null;
      // Their casts know no "T".
      if ("failure" in converted || converted.value === null || text.includes("T")) return;
      accepted++;
      const [, day = "", millis = "", rest = "0", zone = ""] = TRINO_TIME.exec(String(known)) ?? [];
      const instant = Date.parse(`${day}T${millis}${zone === "" || zone === " UTC" ? "Z" : zone.trim()}`);
      const micros = BigInt(instant) * 1000n + BigInt(rest);
      expect([text, converted.value]).toEqual([text, micros]);
    });
    expect(accepted).toBeGreaterThan(5);
  });
});
