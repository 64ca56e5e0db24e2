// Finds the members of a JSON object, and the elements of arrays among them, as slices of the bytes, in one
// pass and without parsing what lies deeper: a metadata file of 1 GiB fits no JavaScript string. Below that
// level only strings and brackets are checked; the rest is checked when a slice is parsed.
import { ToolError } from "../diagnostics/tool-error.ts";
import { decodeUtf8, MAX_JSON_DEPTH, parseJson, type TextPosition } from "./json-parse.ts";

/** A member of a scanned object. `elements` is null unless the value is an array. Slices share the scanned memory. */
export interface ScannedMember {
  readonly key: string;
  readonly value: Uint8Array;
  readonly elements: readonly Uint8Array[] | null;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const OPEN_BRACKET = 0x5b;
const CLOSE_BRACKET = 0x5d;

/** What a scan works on: the bytes, the same seen four at a time, and room for the brackets that are open. */
interface Source {
  readonly bytes: Uint8Array;
  readonly words: DataView;
  readonly closers: Uint8Array;
}

/** The members in file order; a key that stands twice comes twice. Nothing but blanks may stand around the object. */
export function scanObject(bytes: Uint8Array): readonly ScannedMember[] {
  const source = open(bytes);
  const members: ScannedMember[] = [];
  let at = skipBlanks(bytes, skipByteOrderMark(bytes));
  if (bytes[at] !== OPEN_BRACE) fail(bytes, at, "Expected an object");
  at = skipBlanks(bytes, at + 1);
  if (bytes[at] !== CLOSE_BRACE) {
    for (;;) {
      if (bytes[at] !== QUOTE) fail(bytes, at, "Expected a key in double quotes");
      const keyEnd = skipString(source, at);
      const key = decodeKey(bytes.subarray(at, keyEnd));
      at = skipBlanks(bytes, keyEnd);
      if (bytes[at] !== COLON) fail(bytes, at, 'Expected ":"');
      const start = skipBlanks(bytes, at + 1);
      const bounds: number[] | null = bytes[start] === OPEN_BRACKET ? [] : null;
      at = bounds === null ? skipValue(source, start) : skipArray(source, start, bounds);
      members.push({ key, value: bytes.subarray(start, at), elements: bounds === null ? null : slices(bytes, bounds) });
      at = skipBlanks(bytes, at);
      if (bytes[at] === CLOSE_BRACE) break;
      if (bytes[at] !== COMMA) fail(bytes, at, 'Expected "," or "}"');
      at = skipBlanks(bytes, at + 1);
    }
  }
  expectEnd(bytes, at + 1);
  return members;
}

/** The elements of an array in file order. */
export function scanArray(bytes: Uint8Array): readonly Uint8Array[] {
  const at = skipBlanks(bytes, skipByteOrderMark(bytes));
  if (bytes[at] !== OPEN_BRACKET) fail(bytes, at, "Expected an array");
  const bounds: number[] = [];
  expectEnd(bytes, skipArray(open(bytes), at, bounds));
  return slices(bytes, bounds);
}

function open(bytes: Uint8Array): Source {
  const words = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return { bytes, words, closers: new Uint8Array(MAX_JSON_DEPTH) };
}

function slices(bytes: Uint8Array, bounds: readonly number[]): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  for (let index = 0; index < bounds.length; index += 2) found.push(bytes.subarray(bounds[index], bounds[index + 1]));
  return found;
}

/** Writes start and end of each element to `bounds`; gives where the array ends. */
function skipArray(source: Source, start: number, bounds: number[]): number {
  const { bytes } = source;
  let at = skipBlanks(bytes, start + 1);
  if (bytes[at] === CLOSE_BRACKET) return at + 1;
  for (;;) {
    bounds.push(at);
    at = skipValue(source, at);
    bounds.push(at);
    at = skipBlanks(bytes, at);
    if (bytes[at] === CLOSE_BRACKET) return at + 1;
    if (bytes[at] !== COMMA) fail(bytes, at, 'Expected "," or "]"');
    at = skipBlanks(bytes, at + 1);
  }
}

function skipValue(source: Source, start: number): number {
  const { bytes } = source;
  const first = bytes[start];
  if (first === QUOTE) return skipString(source, start);
  if (first === OPEN_BRACE || first === OPEN_BRACKET) return skipNested(source, start);
  let at = start;
  while (at < bytes.length && !isScalarEnd(bytes[at])) at++;
  if (at === start) fail(bytes, at, "Expected a value");
  return at;
}

/** Past the bracket that closes the one at `start`. */
function skipNested(source: Source, start: number): number {
  const { bytes, closers } = source;
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === QUOTE) {
      at = skipString(source, at) - 1;
    } else if (byte === OPEN_BRACE || byte === OPEN_BRACKET) {
      if (depth === MAX_JSON_DEPTH) fail(bytes, at, `Values are nested more than ${MAX_JSON_DEPTH} deep`);
      // In ASCII each closing bracket stands two after its opening one.
      closers[depth++] = byte + 2;
    } else if (byte === CLOSE_BRACE || byte === CLOSE_BRACKET) {
      if (closers[--depth] !== byte) fail(bytes, at, "A bracket closes what it did not open");
      if (depth === 0) return at + 1;
    }
  }
  return fail(bytes, start, "The value that starts here has no end");
}

/** Past the closing quote of the string at `start`. Four bytes a step while none of them is a quote or a backslash. */
function skipString(source: Source, start: number): number {
  const { bytes, words } = source;
  const lastWord = bytes.length - 4;
  let at = start + 1;
  for (;;) {
    while (at <= lastWord && !hasQuoteOrBackslash(words.getInt32(at, true))) at += 4;
    if (at >= bytes.length) return fail(bytes, start, "The string that starts here has no end");
    const byte = bytes[at];
    if (byte === QUOTE) return at + 1;
    at += byte === BACKSLASH ? 2 : 1;
  }
}

/** The usual test for a zero byte in a word, after XOR has made the wanted byte zero. */
function hasQuoteOrBackslash(word: number): boolean {
  const quote = word ^ 0x22222222;
  const backslash = word ^ 0x5c5c5c5c;
  return ((((quote - 0x01010101) & ~quote) | ((backslash - 0x01010101) & ~backslash)) & 0x80808080) !== 0;
}

function decodeKey(quoted: Uint8Array): string {
  if (!quoted.includes(BACKSLASH)) return decodeUtf8(quoted).slice(1, -1);
  const key = parseJson(quoted);
  return typeof key === "string" ? key : fail(quoted, 0, "Expected a key in double quotes");
}

/** The place of the next byte that is no blank; may be the end. */
export function skipBlanks(bytes: Uint8Array, from: number): number {
  let at = from;
  while (isBlank(bytes[at])) at++;
  return at;
}

export function isBlank(byte: number | undefined): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function isScalarEnd(byte: number | undefined): boolean {
  return byte === COMMA || byte === CLOSE_BRACE || byte === CLOSE_BRACKET || byte === COLON || isBlank(byte);
}

function skipByteOrderMark(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function expectEnd(bytes: Uint8Array, from: number): void {
  const at = skipBlanks(bytes, from);
  if (at < bytes.length) fail(bytes, at, "Expected the end of the text");
}

/** The place of a byte in the text, for messages. Columns count bytes. */
export function positionAt(bytes: Uint8Array, offset: number): TextPosition {
  let line = 1;
  let lineStart = 0;
  for (let end = bytes.indexOf(0x0a); end >= 0 && end < offset; end = bytes.indexOf(0x0a, end + 1)) {
    line++;
    lineStart = end + 1;
  }
  return { line, column: offset - lineStart + 1, offset };
}

function fail(bytes: Uint8Array, at: number, why: string): never {
  const { line, column, offset } = positionAt(bytes, at);
  throw new ToolError("corrupt", "Cannot read the JSON text", {
    why: `${why} at line ${line}, column ${column}`,
    context: { line, column, offset },
  });
}
