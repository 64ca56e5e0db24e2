// What a plain scalar means by the core schema of YAML 1.2 (spec section 10.3), whole numbers kept exact. Also which
// plain texts older readers (YAML 1.1) take for something else. Text in, value out.
import type { ScalarValue } from "./tree.ts";

const NULL = /^(?:~|null|Null|NULL|)$/;
const BOOLEAN = /^(?:true|True|TRUE|false|False|FALSE)$/;
const DECIMAL = /^[-+]?[0-9]+$/;
const OCTAL = /^0o[0-7]+$/;
const HEXADECIMAL = /^0x[0-9a-fA-F]+$/;
const FLOAT = /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/;
const INFINITY = /^([-+]?)\.(?:inf|Inf|INF)$/;
const NOT_A_NUMBER = /^\.(?:nan|NaN|NAN)$/;

/** Longer runs of digits are no number that anybody means, and costly to convert. */
const MAX_DIGITS = 100;

export function readPlain(text: string): ScalarValue {
  if (NULL.test(text)) return null;
  if (text.length > MAX_DIGITS) return text;
  if (BOOLEAN.test(text)) return text.toLowerCase() === "true";
  if (DECIMAL.test(text)) return narrow(BigInt(text.startsWith("+") ? text.slice(1) : text));
  if (OCTAL.test(text) || HEXADECIMAL.test(text)) return narrow(BigInt(text));
  if (FLOAT.test(text)) return Number(text);
  const infinity = INFINITY.exec(text);
  if (infinity !== null) return infinity[1] === "-" ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
  return NOT_A_NUMBER.test(text) ? Number.NaN : text;
}

function narrow(value: bigint): number | bigint {
  return value >= BigInt(Number.MIN_SAFE_INTEGER) && value <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(value) : value;
}

/** YAML 1.1 words and numbers that 1.2 reads as text: `yes`, `12:30:45`, `1_000`, `E0`, `2024-01-31`, `<<`, `=`. */
const OLD_MEANING: readonly RegExp[] = [
  /^(?:y|n|yes|no|on|off|<<|=)$/i,
  /^[-+]?0(?:b[01_]+|x[0-9a-f_]+)$/i,
  /^[-+]?(?:[0-9][0-9_]*)?(?:\.[0-9_]*)?(?:e[-+]?[0-9]+)?$/i,
  /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/,
  /^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}/,
];

/** Would a reader of YAML 1.1 or 1.2 take the plain text for anything but that text? */
export function isReadAsOtherThanText(text: string): boolean {
  return typeof readPlain(text) !== "string" || OLD_MEANING.some((shape) => shape.test(text));
}
