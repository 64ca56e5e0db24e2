// Changes of text by lines, words and signs, as people and broken tools make them: for YAML, and for the small languages
// of types, paths and patterns.
import type { Random } from "../random.ts";
import { NAMES, NUMBERS } from "./hostile.ts";

type Change = (text: string, random: Random, other: string) => string;

const SIGNS: readonly string[] = [
  ...Array.from("{}[]()<>,:;-?#&*!|>'\"%@`~\t\n\\=+."),
  " ",
  "  ",
  ": ",
  "- ",
  " #",
  "\n  ",
  "\n- ",
  "\r\n",
  "\r",
  "---\n",
  "...\n",
  "\u0000",
  "\u0085",
  "\u00a0",
  "\u2028",
  "\ufeff",
  "\ud800",
  "&a ",
  "*a",
  "<<: *a\n",
  "!!binary ",
  "!<tag:x> ",
  "!x ",
  "%YAML 1.1\n---\n",
  "|2-\n",
  ">+\n",
  "? ",
  "? a\n: b\n",
  "''",
  '""',
  '"\\x41"',
  '"\\ud83d"',
  "0x1F",
  "1_000",
  "yes",
  "~",
  "null",
  "2024-01-31",
  "12:30:45",
  ".inf",
  ".nan",
];

const BOMBS: readonly ((random: Random) => string)[] = [
  (random) =>
    random
      .pick(["[", "{a: ", "- ", "(", "<", "list<", "struct<a:", "? ", "!x ", "&a "])
      .repeat(random.pick([10, 100, 1000, 20_000])),
  (random) => `${"[".repeat(500)}${"]".repeat(random.pick([499, 500, 501]))}`,
  (random) =>
    random.pick(["x", "\u00e9", "\t", " ", "\n", "#", "'", '"', "-", ":", "0", "\\"]).repeat(random.pick([100, 10_000, 60_000])),
  () => aliases(),
  (random) => Array.from({ length: random.pick([100, 2000]) }, (_, index) => `k${index}: v\n`).join(""),
  (random) => Array.from({ length: random.pick([100, 3000]) }, (_, index) => `${" ".repeat(index % 70)}- a\n`).join(""),
];

/** Each name ten times the one before: a gigabyte for who follows them. */
function aliases(): string {
  const rows = Array.from({ length: 9 }, (_, index) => {
    const before = index === 0 ? '"lol"' : `*a${index - 1}`;
    return `a${index}: &a${index} [${Array.from({ length: 10 }, () => before).join(",")}]\n`;
  });
  return rows.join("");
}

const LINES: readonly Change[] = [
  ofLines((lines, random) => void lines.splice(random.below(lines.length), random.few(4))),
  ofLines((lines, random) => void lines.splice(random.below(lines.length + 1), 0, random.pick(lines))),
  ofLines((lines, random) => {
    const [from] = lines.splice(random.below(lines.length), 1);
    if (from !== undefined) lines.splice(random.below(lines.length + 1), 0, from);
  }),
  ofLines((lines, random) => {
    const at = random.below(lines.length);
    lines[at] = `${random.pick([" ", "  ", "\t", "    "])}${lines[at] ?? ""}`;
  }),
  ofLines((lines, random) => {
    const at = random.below(lines.length);
    lines[at] = (lines[at] ?? "").replace(/^ {1,2}/, "");
  }),
  ofLines((lines, random) => {
    const at = random.below(lines.length);
    lines[at] = (lines[at] ?? "").trimStart();
  }),
  (text, random, other) => {
    const theirs = other.split("\n");
    const from = random.below(theirs.length);
    return ofLines((lines) => void lines.splice(random.below(lines.length + 1), 0, ...theirs.slice(from, from + random.few(8))))(
      text,
      random,
      other,
    );
  },
];

const SMALL: readonly Change[] = [
  (text, random) => inserted(text, random.below(text.length + 1), random.pick(SIGNS)),
  (text, random) => inserted(text, random.below(text.length + 1), random.pick(SIGNS)),
  (text, random) => {
    const at = random.below(text.length + 1);
    return text.slice(0, at) + text.slice(at + random.few(5));
  },
  (text, random) => replaceWord(text, random, () => random.pick(NAMES)),
  (text, random) => replaceWord(text, random, () => random.pick(NUMBERS)),
  (text, random, other) => replaceWord(text, random, () => wordOf(random.once(2) ? text : other, random)),
  (text, random, other) => replaceWord(text, random, () => wordOf(random.once(2) ? text : other, random)),
  (text, random) => {
    const at = random.below(text.length + 1);
    return inserted(text, random.below(text.length + 1), text.slice(at, at + random.below(20)));
  },
];

const RARE: readonly Change[] = [
  (text) => text.replace(/\r?\n/g, "\r\n"),
  (text) => text.replace(/\n/g, "\r"),
  (text) => `\ufeff${text}`,
  (text) => text.replace(/ {2}/g, "\t"),
  (text) => text.trimEnd(),
  (text) => `${text}\n\n   \n`,
  (text) => `--- \n${text}`,
  (text, _random, other) => `${text}\n---\n${other}`,
  (text) => text + text,
  (text, random) => inserted(text, random.below(text.length + 1), random.pick(BOMBS)(random)),
];

/** Text with lines, such as YAML. */
export function mutateText(text: string, random: Random, other: string, most = 5): string {
  let changed = text;
  for (let left = random.few(most); left > 0; left--) {
    const changes = random.once(30) ? RARE : random.once(2) ? LINES : SMALL;
    changed = random.pick(changes)(changed, random, other);
  }
  return changed;
}

/** Text of one line. */
export function mutateWords(text: string, random: Random, other: string, most = 5): string {
  let changed = text;
  for (let left = random.few(most); left > 0; left--) {
    changed = random.once(60)
      ? inserted(changed, random.below(changed.length + 1), random.pick(BOMBS)(random))
      : random.pick(SMALL)(changed, random, other);
  }
  return changed;
}

/** UTF-8, with lone surrogates as the three bytes that no decoder takes. */
export function utf8WithSurrogates(text: string): Uint8Array {
  const parts = text.split(/(\p{Cs})/u).map((part) => {
    const code = part.charCodeAt(0);
    const isLone = part.length === 1 && code >= 0xd800 && code <= 0xdfff;
    return isLone
      ? Uint8Array.of(0xe0 | (code >> 12), 0x80 | ((code >> 6) & 0x3f), 0x80 | (code & 0x3f))
      : new TextEncoder().encode(part);
  });
  return new Uint8Array(Buffer.concat(parts));
}

function ofLines(change: (lines: string[], random: Random) => void): Change {
  return (text, random) => {
    const lines = text.split("\n");
    change(lines, random);
    return lines.join("\n");
  };
}

function inserted(text: string, at: number, piece: string): string {
  return text.slice(0, at) + piece + text.slice(at);
}

function wordsOf(text: string): readonly RegExpExecArray[] {
  return [...text.matchAll(/[A-Za-z0-9_-]+/g)];
}

function wordOf(text: string, random: Random): string {
  const words = wordsOf(text);
  return words.length === 0 ? "x" : random.pick(words)[0];
}

function replaceWord(text: string, random: Random, word: () => string): string {
  const words = wordsOf(text);
  if (words.length === 0) return text + word();
  const { index, 0: old } = random.pick(words);
  return text.slice(0, index) + word() + text.slice(index + old.length);
}
