// Reads docs/conversions.md: its example tables are the tests, its lists of reasons and losses are checked.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parse } from "yaml";
import type { Value } from "../../src/conversion/conversion.ts";
import type { ConversionRule } from "../../src/iceberg/conversion-rule.ts";
import type { PrimitiveType } from "../../src/iceberg/type.ts";
import { rule } from "./rules.ts";

export interface PageCase {
  readonly conversion: string;
  /** The line as it stands on the page. */
  readonly line: string;
  readonly from: PrimitiveType;
  readonly to: PrimitiveType;
  readonly rule: ConversionRule;
  readonly value: string | bigint;
  /** As printed on the page; null for null. */
  readonly becomes: string | null;
  readonly failure: string | null;
  readonly loss: string | null;
}

const PAGE = `\n${readFileSync(resolve(import.meta.dirname, "../../docs/conversions.md"), "utf8")}`;

/** The body rows of the tables under a heading, cell by cell. */
export function tableRows(heading: string): string[][] {
  const start = PAGE.search(new RegExp(`\\n##? ${heading}\\n`));
  if (start < 0) throw new Error(`docs/conversions.md has no heading "${heading}"`);
  const end = PAGE.indexOf("\n## ", start + 1);
  return PAGE.slice(start, end < 0 ? undefined : end)
    .split("\n")
    .filter((line) => line.startsWith("|"))
    .map((line) =>
      line
        .slice(1, -1)
        .split("|")
        .map((cell) => cell.trim()),
    )
    .slice(2);
}

export function conversionHeadings(): string[] {
  return [...PAGE.matchAll(/^## (\S+ → \S+)$/gm)].map((match) => match[1] ?? "");
}

export function pageCases(): PageCase[] {
  return conversionHeadings().flatMap((heading) => tableRows(heading).map((cells) => toCase(heading, cells)));
}

function toCase(heading: string, cells: readonly string[]): PageCase {
  const [given = "", arguments_ = "", becomes = "", counted = ""] = cells;
  const [from = "", to = ""] = heading.split(" → ");
  const keys: Record<string, unknown> = parse(`{ ${code(arguments_)} }`) ?? {};
  return {
    conversion: heading.replace(" → ", "-to-"),
    line: cells.join(" | "),
    from: toType(from),
    to: toType(typeof keys["type"] === "string" ? keys["type"] : to),
    rule: toRule(from, keys),
    value: from === "string" ? String(JSON.parse(code(given))) : BigInt(code(given)),
    becomes: becomes === "–" || becomes === "null" ? null : code(becomes),
    failure: becomes === "–" ? counted : null,
    loss: counted.startsWith("loses ") ? counted.slice("loses ".length) : null,
  };
}

/** The text between backquotes. */
export function code(cell: string): string {
  return cell === "" ? "" : cell.slice(1, -1);
}

function toRule(from: string, keys: Readonly<Record<string, unknown>>): ConversionRule {
  const text = (key: string): Record<string, string> => (typeof keys[key] === "string" ? { [key]: keys[key] } : {});
  const list = (key: string, name: string): Record<string, string[]> =>
    Array.isArray(keys[key]) ? { [name]: keys[key].map(String) } : {};
  return rule({
    from,
    ...text("format"),
    ...text("zone"),
    ...list("true-values", "trueValues"),
    ...list("false-values", "falseValues"),
    trim: keys["trim"] === true,
    emptyAsNull: keys["empty-as-null"] === true,
    onError: keys["on-error"] === "set-null" ? "set-null" : "fail",
  });
}

function toType(text: string): PrimitiveType {
  const decimal = /^decimal\((\d+),(\d+)\)$/.exec(text);
  if (decimal !== null) return { kind: "decimal", precision: Number(decimal[1]), scale: Number(decimal[2]) };
  switch (text) {
    case "string":
    case "boolean":
    case "int":
    case "long":
    case "double":
    case "date":
    case "timestamp":
    case "timestamptz":
      return { kind: text };
    default:
      throw new Error(`The page names an unknown type "${text}"`);
  }
}

/** A value as the page prints it; days and instants through the language's own calendar, not ours. */
export function printValue(value: Value, type: PrimitiveType): string {
  switch (type.kind) {
    case "date":
      return new Date(Number(value) * 86_400_000).toISOString().slice(0, 10);
    case "timestamp":
      return printMicros(BigInt(value as bigint));
    case "timestamptz":
      return `${printMicros(BigInt(value as bigint))}Z`;
    case "decimal":
      return printDecimal(BigInt(value as bigint), type.scale);
    case "double":
      return Object.is(value, -0) ? "-0" : String(value).replace("e+", "e");
    default:
      return String(value);
  }
}

function printMicros(micros: bigint): string {
  const rest = ((micros % 1000n) + 1000n) % 1000n;
  const milliseconds = Number((micros - rest) / 1000n);
  return new Date(milliseconds).toISOString().slice(0, -1) + String(rest).padStart(3, "0");
}

function printDecimal(unscaled: bigint, scale: number): string {
  const digits = String(unscaled < 0n ? -unscaled : unscaled).padStart(scale + 1, "0");
  const whole = digits.slice(0, digits.length - scale);
  const fraction = digits.slice(digits.length - scale);
  return `${unscaled < 0n ? "-" : ""}${whole}${scale > 0 ? `.${fraction}` : ""}`;
}
