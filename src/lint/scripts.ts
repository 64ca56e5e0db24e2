// Which script a letter is written in, and which scripts stand together in one word. Pure text.

/** In common modern use (UAX 31, table 5). */
export const SCRIPTS = [
  "Latin",
  "Arabic",
  "Armenian",
  "Bengali",
  "Bopomofo",
  "Cyrillic",
  "Devanagari",
  "Ethiopic",
  "Georgian",
  "Greek",
  "Gujarati",
  "Gurmukhi",
  "Han",
  "Hangul",
  "Hebrew",
  "Hiragana",
  "Kannada",
  "Katakana",
  "Khmer",
  "Lao",
  "Malayalam",
  "Myanmar",
  "Oriya",
  "Sinhala",
  "Tamil",
  "Telugu",
  "Thaana",
  "Thai",
  "Tibetan",
] as const;

export type Script = (typeof SCRIPTS)[number];

/** Scripts that one language writes together (UTS 39, "Highly Restrictive"). */
const TOGETHER: readonly ReadonlySet<string>[] = [
  new Set(["Latin", "Han", "Hiragana", "Katakana"]),
  new Set(["Latin", "Han", "Bopomofo"]),
  new Set(["Latin", "Han", "Hangul"]),
];

const TESTS = SCRIPTS.map((script) => [script, new RegExp(`\\p{Script_Extensions=${script}}`, "u")] as const);
const COMMON = /[\p{Script=Common}\p{Script=Inherited}]/u;
const ANY_SCRIPT = "another script";

/** Scripts that use the letter; none where all do. */
export function scriptsOf(letter: string): readonly string[] {
  const found = TESTS.filter(([, test]) => test.test(letter)).map(([script]) => script);
  return found.length > 0 || COMMON.test(letter) ? found : [ANY_SCRIPT];
}

/** The scripts of a word that no language writes together, in order of appearance; null where they belong together. */
export function mixedScripts(word: string): readonly string[] | null {
  const letters = Array.from(word)
    .map(scriptsOf)
    .filter((scripts) => scripts.length > 0);
  const all = [...new Set(letters.flat())];
  const fits = (allowed: ReadonlySet<string>): boolean => letters.every((scripts) => scripts.some((one) => allowed.has(one)));
  if (letters.length === 0 || all.some((script) => fits(new Set([script]))) || TOGETHER.some(fits)) return null;
  return [...new Set(letters.map((scripts) => scripts[0] ?? ANY_SCRIPT))];
}
