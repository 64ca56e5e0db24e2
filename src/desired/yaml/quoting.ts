// Writes text as YAML scalars: in quotes, or plain where no reader of YAML 1.1 or 1.2 can mistake it. Knows nothing
// of documents.
import { isReadAsOtherThanText } from "./scalar-value.ts";

const SHORT_ESCAPES: ReadonlyMap<string, string> = new Map([
  ["\\", "\\\\"],
  ['"', '\\"'],
  ["\n", "\\n"],
  ["\r", "\\r"],
  ["\t", "\\t"],
]);

/** Everything that is invisible, turns text around, or ends a line somewhere, is written as an escape. */
const ESCAPED = /["\\\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}/gu;

/** A double-quoted scalar on one line. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(ESCAPED, (sign) => SHORT_ESCAPES.get(sign) ?? numericEscape(sign.codePointAt(0) ?? 0))}"`;
}

function numericEscape(code: number): string {
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, "0")}` : `\\u${code.toString(16).padStart(4, "0")}`;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Puts quotes around what already stands in a file: line ends and blanks stay, so folding means the same as before. */
export function wrapInQuotes(written: string): string {
  return /["\\]/.test(written) ? singleQuoted(written) : `"${written}"`;
}

/**
 * Words of letters, digits and harmless signs, single blanks between: neither flow signs nor `: ` nor ` #` can occur,
 * nor brackets, which the trap finders take for a text that goes on behind a comma.
 */
const HARMLESS = /^[A-Za-z_$/](?:[\w./$+~^;=-]|:(?=[\w./]))*(?: [\w./$+~^;=&-]+)*$/;

/** The most readable safe form: plain where that is sure, single quotes around double ones, else double-quoted. */
export function scalarText(text: string): string {
  if (HARMLESS.test(text) && !isReadAsOtherThanText(text)) return text;
  const escaped = doubleQuoted(text);
  return text.includes('"') && !text.includes("'") && escaped.length === text.length + 2 + countOf(text, '"')
    ? singleQuoted(text)
    : escaped;
}

function countOf(text: string, sign: string): number {
  return text.split(sign).length - 1;
}

/** A type in canonical form: with a comma, colon or square bracket in quotes, so that it can stand in `{}` as well. */
export function typeText(type: string): string {
  return /^[a-z][a-z0-9_<> ]*$/.test(type) ? type : doubleQuoted(type);
}

/** Letters, digits, blanks and brackets of a transform: plain in a list of block style, where commas mean nothing. */
const HARMLESS_IN_BLOCK = /^[A-Za-z_][\w.]*(?:\([\w., ]+\))?(?: [\w.-]+)*$/;

export function isPlainInBlock(text: string): boolean {
  return HARMLESS_IN_BLOCK.test(text) && !isReadAsOtherThanText(text);
}

/**
 * For places where the written text counts (property values, defaults): numbers and booleans stay bare when every
 * reader gives the same text back.
 */
export function sourceScalarText(text: string): string {
  return /^(?:true|false|0|-?[1-9][0-9]{0,14})$/.test(text) ? text : scalarText(text);
}
