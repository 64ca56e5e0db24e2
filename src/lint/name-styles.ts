// Ways to write a name of several words: how each is recognised, and how words are joined in it. Letters of scripts
// without capitals fit every style. Pure text; knows no rule.

interface NameStyle {
  readonly fits: RegExp;
  readonly join: (words: readonly string[]) => string;
}

const LOW = String.raw`\p{Ll}\p{Lo}\p{Lm}\p{M}`;
const HIGH = String.raw`\p{Lu}\p{Lt}\p{Lo}\p{Lm}\p{M}`;
const DIGIT = String.raw`\p{N}`;

/** The names of engines and loaders open with underscores (`_ingested_at`): they are right in every style. */
function whole(pattern: string): RegExp {
  return new RegExp(`^_*${pattern}$`, "u");
}

const lower = (word: string): string => word.toLowerCase();
const upper = (word: string): string => word.toUpperCase();

function capital(word: string): string {
  const [first = "", ...rest] = word;
  return upper(first) + lower(rest.join(""));
}

export const STYLE_NAMES = ["snake_case", "camelCase", "PascalCase", "kebab-case", "UPPER_SNAKE_CASE", "lowercase"] as const;
export type StyleName = (typeof STYLE_NAMES)[number];

const STYLES: Readonly<Record<StyleName, NameStyle>> = {
  snake_case: { fits: whole(`[${LOW}][${LOW}${DIGIT}]*(?:_[${LOW}${DIGIT}]+)*`), join: (words) => words.map(lower).join("_") },
  camelCase: {
    fits: whole(`[${LOW}][${LOW}${HIGH}${DIGIT}]*`),
    join: ([first = "", ...rest]) => lower(first) + rest.map(capital).join(""),
  },
  PascalCase: { fits: whole(`[${HIGH}][${LOW}${HIGH}${DIGIT}]*`), join: (words) => words.map(capital).join("") },
  "kebab-case": { fits: whole(`[${LOW}][${LOW}${DIGIT}]*(?:-[${LOW}${DIGIT}]+)*`), join: (words) => words.map(lower).join("-") },
  UPPER_SNAKE_CASE: {
    fits: whole(`[${HIGH}][${HIGH}${DIGIT}]*(?:_[${HIGH}${DIGIT}]+)*`),
    join: (words) => words.map(upper).join("_"),
  },
  lowercase: { fits: /^[^\p{Lu}\p{Lt}]*$/u, join: (words) => words.map(lower).join("_") },
};

export function fitsStyle(name: string, style: StyleName): boolean {
  return STYLES[style].fits.test(name);
}

/** The name in the style, or null where that cannot be told. */
export function inStyle(name: string, style: StyleName): string | null {
  const opening = /^_*/.exec(name)?.[0] ?? "";
  const result = opening + STYLES[style].join(wordsOf(name));
  return fitsStyle(result, style) && result !== name ? result : null;
}

/** `orderID`, `order-id`, `Order Id` and `ORDER_ID` are the words order and id. */
function wordsOf(name: string): readonly string[] {
  return name
    .replace(/[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu, "")
    .replace(/(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, " ")
    .split(/[^\p{L}\p{M}\p{N}]+/u)
    .filter((word) => word !== "");
}
