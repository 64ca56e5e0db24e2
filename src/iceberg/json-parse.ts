// Reads JSON text by the strict grammar of RFC 8259, with integers beyond 2^53 as `bigint`. Limits are those
// of Jackson, which every Java engine reads metadata with. Knows nothing of what the text is about.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonValue } from "./json.ts";

/** Nesting that Jackson accepts by default: no Java engine reads deeper metadata. */
export const MAX_JSON_DEPTH = 1000;
/** Characters of one number that Jackson accepts by default; a longer one would also be slow to convert. */
const MAX_NUMBER_LENGTH = 1000;
/** Integers of up to this many digits are added up exactly in a double. */
const EXACT_DIGITS = 15;

export interface ParseOptions {
  readonly maxDepth?: number;
  /** Where the text begins in the document that it is a slice of: messages then count from the document's start. */
  readonly start?: TextPosition;
}

/** Lines and columns count from 1, `offset` in bytes from 0. */
export interface TextPosition {
  readonly line: number;
  readonly column: number;
  readonly offset: number;
}

const TEXT_START: TextPosition = { line: 1, column: 1, offset: 0 };

interface Cursor {
  readonly text: string;
  readonly maxDepth: number;
  readonly start: TextPosition;
  at: number;
  depth: number;
}

/**
 * The value that the text holds. Integers that a double cannot hold exactly are `bigint`. A key that stands
 * twice in one object keeps its first place and its last value, as in Jackson's tree. Keys that look like
 * array indexes come first when the object is walked; JavaScript has no other order for them.
 */
export function parseJson(source: string | Uint8Array, options: ParseOptions = {}): JsonValue {
  const text = typeof source === "string" ? source : decodeUtf8(source);
  const { maxDepth = MAX_JSON_DEPTH, start = TEXT_START } = options;
  const cursor: Cursor = { text, maxDepth, start, at: 0, depth: 0 };
  skipBlanks(cursor);
  const value = parseValue(cursor);
  skipBlanks(cursor);
  if (cursor.at < text.length) fail(cursor, cursor.at, "Expected the end of the text");
  return value;
}

/** UTF-8 without a byte order mark; broken sequences are refused, as Jackson does. */
export function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ToolError("corrupt", "Cannot read the JSON text", { why: "It is not valid UTF-8", cause });
  }
}

function parseValue(cursor: Cursor): JsonValue {
  const code = cursor.text.charCodeAt(cursor.at);
  switch (code) {
    case 0x22:
      return parseString(cursor);
    case 0x7b:
      return parseObject(cursor);
    case 0x5b:
      return parseArray(cursor);
    case 0x74:
      return parseWord(cursor, "true", true);
    case 0x66:
      return parseWord(cursor, "false", false);
    case 0x6e:
      return parseWord(cursor, "null", null);
    default:
      if (code === 0x2d || isDigit(code)) return parseNumber(cursor);
      return fail(cursor, cursor.at, "Expected a value");
  }
}

function parseObject(cursor: Cursor): JsonValue {
  enter(cursor);
  const object: Record<string, JsonValue> = {};
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== 0x7d) {
    for (;;) {
      if (cursor.text.charCodeAt(cursor.at) !== 0x22) fail(cursor, cursor.at, "Expected a key in double quotes");
      const key = parseString(cursor);
      skipBlanks(cursor);
      if (cursor.text.charCodeAt(cursor.at) !== 0x3a) fail(cursor, cursor.at, 'Expected ":"');
      cursor.at++;
      skipBlanks(cursor);
      const value = parseValue(cursor);
      if (key === "__proto__") defineOwn(object, key, value);
      else object[key] = value;
      skipBlanks(cursor);
      const next = cursor.text.charCodeAt(cursor.at);
      if (next === 0x7d) break;
      if (next !== 0x2c) fail(cursor, cursor.at, 'Expected "," or "}"');
      cursor.at++;
      skipBlanks(cursor);
    }
  }
  cursor.at++;
  cursor.depth--;
  return object;
}

function parseArray(cursor: Cursor): JsonValue {
  enter(cursor);
  const array: JsonValue[] = [];
  cursor.at++;
  skipBlanks(cursor);
  if (cursor.text.charCodeAt(cursor.at) !== 0x5d) {
    for (;;) {
      array.push(parseValue(cursor));
      skipBlanks(cursor);
      const next = cursor.text.charCodeAt(cursor.at);
      if (next === 0x5d) break;
      if (next !== 0x2c) fail(cursor, cursor.at, 'Expected "," or "]"');
      cursor.at++;
      skipBlanks(cursor);
    }
  }
  cursor.at++;
  cursor.depth--;
  return array;
}

function parseString(cursor: Cursor): string {
  const { text } = cursor;
  const start = cursor.at;
  let hasEscape = false;
  let at = start + 1;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code > 0x22 && code !== 0x5c) {
      at++;
    } else if (code === 0x22) {
      break;
    } else if (code === 0x5c) {
      hasEscape = true;
      at += 2;
    } else if (code >= 0x20) {
      at++;
    } else if (at < text.length) {
      fail(cursor, at, "A control character stands in a string without an escape");
    } else {
      fail(cursor, start, "The string that starts here has no end");
    }
  }
  cursor.at = at + 1;
  return hasEscape ? unescape(cursor, start, at + 1) : text.slice(start + 1, at);
}

function unescape(cursor: Cursor, start: number, end: number): string {
  try {
    const value: unknown = JSON.parse(cursor.text.slice(start, end));
    if (typeof value === "string") return value;
  } catch {
    // Said below with its place.
  }
  return fail(cursor, start, "The string that starts here has an escape that JSON does not know");
}

function parseNumber(cursor: Cursor): number | bigint {
  const { text } = cursor;
  const start = cursor.at;
  const isNegative = text.charCodeAt(start) === 0x2d;
  const first = isNegative ? start + 1 : start;
  let at = first;
  let sum = 0;
  let code = text.charCodeAt(at);
  if (!isDigit(code)) fail(cursor, start, "Expected a digit after the minus sign");
  for (; isDigit(code); code = text.charCodeAt(++at)) sum = sum * 10 + (code - 0x30);
  if (text.charCodeAt(first) === 0x30 && at - first > 1) fail(cursor, start, "A number must not start with a zero");
  const digits = at - first;
  let isInteger = true;
  if (code === 0x2e) {
    isInteger = false;
    at = skipDigits(cursor, at + 1, "Expected a digit after the decimal point");
    code = text.charCodeAt(at);
  }
  if (code === 0x65 || code === 0x45) {
    isInteger = false;
    const sign = text.charCodeAt(at + 1);
    at = skipDigits(cursor, sign === 0x2b || sign === 0x2d ? at + 2 : at + 1, "Expected a digit in the exponent");
  }
  if (at - start > MAX_NUMBER_LENGTH) fail(cursor, start, `A number is longer than ${MAX_NUMBER_LENGTH} characters`);
  cursor.at = at;
  if (isInteger && digits <= EXACT_DIGITS) return isNegative && sum !== 0 ? -sum : sum;
  const value = Number(text.slice(start, at));
  if (isInteger) return Number.isSafeInteger(value) ? value : BigInt(text.slice(start, at));
  if (!Number.isFinite(value)) fail(cursor, start, "A number is too large for a double");
  return value;
}

function skipDigits(cursor: Cursor, from: number, expected: string): number {
  let at = from;
  while (isDigit(cursor.text.charCodeAt(at))) at++;
  if (at === from) fail(cursor, from, expected);
  return at;
}

function parseWord<T>(cursor: Cursor, word: string, value: T): T {
  if (!cursor.text.startsWith(word, cursor.at)) fail(cursor, cursor.at, "Expected a value");
  cursor.at += word.length;
  return value;
}

function skipBlanks(cursor: Cursor): void {
  const { text } = cursor;
  let { at } = cursor;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) break;
    at++;
  }
  cursor.at = at;
}

function enter(cursor: Cursor): void {
  if (++cursor.depth > cursor.maxDepth) fail(cursor, cursor.at, `Values are nested more than ${cursor.maxDepth} deep`);
}

function isDigit(code: number): boolean {
  return code >= 0x30 && code <= 0x39;
}

function defineOwn(object: Record<string, JsonValue>, key: string, value: JsonValue): void {
  Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
}

function fail(cursor: Cursor, at: number, why: string): never {
  const { text, start } = cursor;
  const before = text.slice(0, at);
  const lines = before.split("\n").length;
  const line = start.line + lines - 1;
  const column = at - before.lastIndexOf("\n") + (lines === 1 ? start.column - 1 : 0);
  const found = at < text.length ? JSON.stringify(String.fromCodePoint(text.codePointAt(at) ?? 0)) : "the end of the text";
  throw new ToolError("corrupt", "Cannot read the JSON text", {
    why: `${why}${why.startsWith("Expected") ? `, found ${found}` : ""} at line ${line}, column ${column}`,
    context: { line, column, offset: start.offset + Buffer.byteLength(before) },
  });
}
