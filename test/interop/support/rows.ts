// Rows in one form for all engines, so that two engines' answers can be compared by a checksum. The same form is made
// in python/rows.py; docs/testing.md tells it in words. Knows no engine.
import { createHash } from "node:crypto";

/**
 * Integers are always `bigint`, floating-point numbers always `number`. Everything else that JSON has no word for is
 * text: decimals in their scale, dates, times and timestamps in ISO form, binary in hexadecimal.
 */
type Cell = null | boolean | bigint | number | string | readonly Cell[] | { readonly [key: string]: Cell };

export type Row = Readonly<Record<string, Cell>>;

/** What an engine read. */
export interface RowSet {
  /** Column → Iceberg's word for its type, e.g. `struct<code:string,since:date>`. Fixed is told as binary. */
  readonly types: Readonly<Record<string, string>>;
  readonly count: number;
  /** sha256 over the sorted lines, each ended by a line feed. */
  readonly digest: string;
  /** One line of canonical JSON a row, in the engine's order. */
  readonly lines: readonly string[];
}

/** The rows as values, in the engine's order. */
export function rowsOf(set: RowSet): readonly Row[] {
  return set.lines.map(parseLine);
}

/** Rows that no engine read: what a suite works out by itself, to compare an engine's with. */
export function rowSet(types: Readonly<Record<string, string>>, rows: readonly Row[]): RowSet {
  const lines = rows.map(lineOf);
  return { types, count: lines.length, digest: digestOf(lines), lines };
}

function digestOf(lines: readonly string[]): string {
  // The lines are ASCII: JavaScript's order is the order of the bytes.
  const text = [...lines]
    .sort()
    .map((line) => `${line}\n`)
    .join("");
  return createHash("sha256").update(text).digest("hex");
}

/** The canonical line of one row: keys sorted by code point at every depth, no blanks, ASCII. */
export function lineOf(row: Row): string {
  return writeCell(row);
}

function writeCell(cell: Cell): string {
  if (cell === null || typeof cell === "boolean" || typeof cell === "bigint") return String(cell);
  if (typeof cell === "number") return Number.isFinite(cell) ? writeDouble(cell) : `"${cell}"`;
  if (typeof cell === "string") return writeText(cell);
  if (isList(cell)) return `[${cell.map(writeCell).join(",")}]`;
  const entries = Object.entries(cell).sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  return `{${entries.map(([key, value]) => `${writeText(key)}:${writeCell(value)}`).join(",")}}`;
}

function writeText(text: string): string {
  return JSON.stringify(text).replaceAll(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`);
}

/** The shortest digits, spelt as Python does: `1.0`, `-0.0`, `1e-07`, `1e+16`. */
function writeDouble(value: number): string {
  if (value === 0) return Object.is(value, -0) ? "-0.0" : "0.0";
  const [mantissa = "", exponent = "0"] = value.toExponential().split("e");
  const power = Number(exponent);
  const sign = mantissa.startsWith("-") ? "-" : "";
  const digits = mantissa.replaceAll(/[-.]/g, "");
  if (power < -4 || power >= 16) {
    const fraction = digits.length > 1 ? `.${digits.slice(1)}` : "";
    return `${sign}${digits.charAt(0)}${fraction}e${power < 0 ? "-" : "+"}${String(Math.abs(power)).padStart(2, "0")}`;
  }
  if (power < 0) return `${sign}0.${"0".repeat(-power - 1)}${digits}`;
  const padded = digits.padEnd(power + 1, "0");
  return `${sign}${padded.slice(0, power + 1)}.${padded.slice(power + 1) || "0"}`;
}

/** Integers become `bigint` by their spelling, which JSON.parse alone would round: all tokens are first made texts. */
function parseLine(line: string): Row {
  const marked = line.replaceAll(/"((?:[^"\\]|\\.)*)"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/g, (token, text: string | undefined) => {
    if (text !== undefined) return `"s${text}"`;
    return /[.eE]/.test(token) ? token : `"i${token}"`;
  });
  const value = unmark(JSON.parse(marked) as Cell);
  if (value === null || typeof value !== "object" || isList(value)) throw new Error(`No row: ${line}`);
  return value;
}

function unmark(cell: Cell): Cell {
  if (typeof cell === "string") return cell.startsWith("i") ? BigInt(cell.slice(1)) : cell.slice(1);
  if (cell === null || typeof cell !== "object") return cell;
  if (isList(cell)) return cell.map(unmark);
  return Object.fromEntries(Object.entries(cell).map(([key, value]) => [key.slice(1), unmark(value)]));
}

function isList(cell: Cell): cell is readonly Cell[] {
  return Array.isArray(cell);
}
