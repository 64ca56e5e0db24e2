// string → boolean: a text is in the list of true values, in the list of false values, or does not convert. ASCII
// letters match in either case (counted as a loss); all others only as they are written.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import type { ConversionRule } from "../../iceberg/conversion-rule.ts";
import type { Converted } from "../conversion.ts";
import { FAILURES } from "../failures.ts";
import { hasBlanksAround } from "../grammar/blank.ts";
import type { SqlBranch } from "../sql/branch.ts";
import { regexTextAnyCase } from "../sql/regex.ts";
import { textConversion } from "../text-conversion.ts";

const DEFAULT_TRUE: readonly string[] = ["true"];
const DEFAULT_FALSE: readonly string[] = ["false"];

export const STRING_TO_BOOLEAN = textConversion({
  name: "string-to-boolean",
  to: "boolean",
  arguments: ["true-values", "false-values"],
  losses: "How a value was spelt: which word of the list, and the case of its letters",
  read(rule) {
    const { trueValues, falseValues } = listsOf(rule);
    const fault = listFault(rule, trueValues, falseValues);
    if (fault !== null) return fault;
    const words = [...trueValues.map((text) => toWord(text, true)), ...falseValues.map((text) => toWord(text, false))];
    return {
      parse: (bytes, start, end) => findWord(words, bytes, start, end),
      keepsOrder: isOrdered(trueValues, falseValues),
      readsEmpty: words.some((word) => word.bytes.length === 0),
    };
  },
  branches(rule) {
    const { trueValues, falseValues } = listsOf(rule);
    return [...listBranches(trueValues, "true"), ...listBranches(falseValues, "false")];
  },
});

interface Lists {
  readonly trueValues: readonly string[];
  readonly falseValues: readonly string[];
}

function listsOf(rule: ConversionRule): Lists {
  return { trueValues: rule.trueValues ?? DEFAULT_TRUE, falseValues: rule.falseValues ?? DEFAULT_FALSE };
}

function listFault(rule: ConversionRule, trueValues: readonly string[], falseValues: readonly string[]): Diagnostic | null {
  const all = [...trueValues, ...falseValues];
  const trueKeys = new Set(trueValues.map(lowerAscii));
  const both = falseValues.find((text) => trueKeys.has(lowerAscii(text)));
  if (both !== undefined) {
    return fault(
      `"${both}" is a true value and a false value. The case of letters does not tell them apart.`,
      "Keep it in one of the two lists.",
    );
  }
  if (trueValues.length === 0) return fault('"true-values" is empty.', "Name at least one value, or leave the key out.");
  if (falseValues.length === 0) return fault('"false-values" is empty.', "Name at least one value, or leave the key out.");
  if (all.some((text) => /\p{Surrogate}/u.test(text))) {
    return fault("A value holds half of a surrogate pair, which no text in a table can hold.", "Write the whole character.");
  }
  if (rule.emptyAsNull && all.includes("")) {
    return fault('The empty text is in a list, and "empty-as-null" makes it null.', "Keep one of the two.");
  }
  const blank = rule.trim ? all.find(hasBlanksAround) : undefined;
  if (blank === undefined) return null;
  return fault(`"${blank}" starts or ends with a blank, which "trim" takes away.`, "Write it without blanks around.");
}

function fault(why: string, mend: string): Diagnostic {
  return diagnostic("conversion-values-wrong", { what: "Cannot tell true from false by these lists of values", why, mend });
}

interface Word {
  readonly value: boolean;
  /** UTF-8 as listed, and with ASCII letters in lower case. */
  readonly bytes: Uint8Array;
  readonly lower: Uint8Array;
}

function toWord(text: string, value: boolean): Word {
  return { value, bytes: Buffer.from(text, "utf8"), lower: Buffer.from(lowerAscii(text), "utf8") };
}

function findWord(words: readonly Word[], bytes: Uint8Array, start: number, end: number): Converted {
  let other: Word | null = null;
  for (const word of words) {
    if (!isSame(word.lower, bytes, start, end, true)) continue;
    if (isSame(word.bytes, bytes, start, end, false)) return { value: word.value };
    other ??= word;
  }
  return other === null ? FAILURES["not-a-boolean"] : { value: other.value, loss: "letter-case" };
}

function isSame(word: Uint8Array, bytes: Uint8Array, start: number, end: number, isAnyCase: boolean): boolean {
  if (word.length !== end - start) return false;
  for (let index = 0; index < word.length; index++) {
    const byte = bytes[start + index] ?? 0;
    const isUpper = byte >= 0x41 && byte <= 0x5a;
    if (word[index] !== (isAnyCase && isUpper ? byte + 0x20 : byte)) return false;
  }
  return true;
}

function lowerAscii(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

function upperAscii(text: string): string {
  return text.replace(/[a-z]/g, (letter) => letter.toUpperCase());
}

/** Every spelling of a false value sorts before every spelling of a true one: capitals come before small letters. */
function isOrdered(trueValues: readonly string[], falseValues: readonly string[]): boolean {
  return falseValues.every((no) => trueValues.every((yes) => Buffer.compare(utf8(lowerAscii(no)), utf8(upperAscii(yes))) < 0));
}

function utf8(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

/** The empty text has a branch of its own, as an empty pattern. */
function listBranches(texts: readonly string[], constant: "true" | "false"): readonly SqlBranch[] {
  const words = texts.filter((text) => text !== "");
  const patterns = words.length > 0 ? [`(?:${words.map(regexTextAnyCase).join("|")})`] : [];
  return [...patterns, ...(words.length < texts.length ? [""] : [])].map((pattern) => ({ pattern, result: { constant } }));
}
