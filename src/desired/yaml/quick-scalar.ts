// Scalars and keys of ordinary YAML for quick-tree.ts and quick-flow.ts. Throws where the library shall read.
import { readPlain } from "./scalar-value.ts";
import type { ScalarNode } from "./tree.ts";

/** Not an error of the file: it is left to the library. Never leaves quick-tree.ts. */
export class NotOrdinary extends Error {}

/** Longer keys are refused by the library. */
const MAX_KEY_LENGTH = 1000;

export function plain(text: string, start: number, end: number): ScalarNode {
  const written = text.slice(start, end);
  return { kind: "scalar", value: readPlain(written), text: written, style: "plain", start, end };
}

/** A scalar in quotes without escapes, or null where the text does not start with a quote. */
export function quotedScalar(text: string, start: number, lineEnd: number): ScalarNode | null {
  const quote = text[start];
  if (quote !== '"' && quote !== "'") return null;
  const close = text.indexOf(quote, start + 1);
  if (close < 0 || close >= lineEnd || text[close + 1] === quote) throw new NotOrdinary();
  const written = text.slice(start + 1, close);
  if (quote === '"' && written.includes("\\")) throw new NotOrdinary();
  return { kind: "scalar", value: written, text: written, style: quote === '"' ? "double" : "single", start, end: close + 1 };
}

/** The length of a plain key: letters and `_`, then also digits, `.` and `-`. 0 where there is none. */
export function keyLength(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isKeySign(text.charCodeAt(at), at === start)) at++;
  if (at - start > MAX_KEY_LENGTH) throw new NotOrdinary();
  return text[at] === ":" && (at + 1 === end || text[at + 1] === " ") ? at - start : 0;
}

function isKeySign(code: number, isFirst: boolean): boolean {
  if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code === 95) return true;
  return !isFirst && ((code >= 48 && code <= 57) || code === 45 || code === 46);
}

/** With these a plain value in block style starts without a meaning of its own. */
const FIRST = /[A-Za-z0-9_./$+~\u00a1-\uffff]|-(?=[\d.])/y;

/** A plain value up to the end of the line or a remark. */
export function plainInBlock(text: string, start: number, lineEnd: number): ScalarNode {
  FIRST.lastIndex = start;
  if (!FIRST.test(text)) throw new NotOrdinary();
  let end = lineEnd;
  for (let at = start; at < lineEnd; at++) {
    const sign = text[at];
    if (sign === ":" && (at + 1 === lineEnd || text[at + 1] === " ")) throw new NotOrdinary();
    if (sign === "#" && text[at - 1] === " ") {
      end = at;
      break;
    }
  }
  while (text[end - 1] === " ") end--;
  return plain(text, start, end);
}

/** Words of letters, digits and a few signs; single blanks between. */
const WORDS = /(?:[A-Za-z0-9_/$+~]|-(?=\d)|\.(?=\d))[A-Za-z0-9_./$+~@<>()*-]*(?: [A-Za-z0-9_./$+~<>()-]+)*/y;

/** A plain value inside {} or [], which ends before a comma or a bracket. */
export function plainInFlow(text: string, start: number, lineEnd: number): ScalarNode {
  WORDS.lastIndex = start;
  const words = WORDS.exec(text)?.[0];
  if (words === undefined || start + words.length >= lineEnd || !isBalanced(words)) throw new NotOrdinary();
  return plain(text, start, start + words.length);
}

/** A bracket that stays open may be text that a comma cuts. */
function isBalanced(text: string): boolean {
  let open = 0;
  for (const sign of text) {
    if (sign === "(" || sign === "<") open++;
    else if ((sign === ")" || sign === ">") && --open < 0) return false;
  }
  return open === 0;
}
