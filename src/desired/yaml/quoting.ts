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

/** Everything that is invisible, reverses text, or ends a line somewhere, is written as an escape. */
const ESCAPED =
  // oxlint-disable-next-line no-control-regex -- these are the characters to be escaped
  /[\\"\u0000-\u001f\u007f-\u00a0\u00ad\u061c\u200b-\u200f\u2028-\u202f\u2060-\u206f\ufeff\ufff0-\uffff\ud800-\udfff]/gu;

/** A double-quoted scalar on one line. */
export function doubleQuoted(text: string): string {
  return `"${text.replace(ESCAPED, (sign) => SHORT_ESCAPES.get(sign) ?? `\\u${(sign.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`)}"`;
}

export function singleQuoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}

/** Puts quotes around what already stands in a file: line ends and blanks stay, so folding means the same as before. */
export function wrapInQuotes(written: string): string {
  return /["\\]/.test(written) ? singleQuoted(written) : `"${written}"`;
}

/** Words of letters, digits and harmless signs, single blanks between; neither flow signs nor `: ` nor ` #` can occur. */
const HARMLESS = /^[A-Za-z_$/](?:[\w./$+~^()<>;=-]|:(?=[\w./]))*(?: [\w./$+~^()<>;=&-]+)*$/;

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
