// The small typed builder of SQL text (I6): only `Sql` goes into `Sql`, and text becomes `Sql` only here, through a
// function that knows its role. Knows dialects, not conversions.
import { bug } from "../../diagnostics/tool-error.ts";

/** Athena speaks Trino's dialect in queries. */
export type Dialect = "spark" | "trino";

export interface Sql {
  readonly text: string;
}

/** Builds SQL from constant parts of our own and from `Sql`. */
export function sql(parts: TemplateStringsArray, ...values: readonly Sql[]): Sql {
  return { text: parts.map((part, index) => part + (values[index]?.text ?? "")).join("") };
}

/** Joins with a constant of our own between. */
export function joinSql(parts: readonly Sql[], between: string): Sql {
  return { text: parts.map((part) => part.text).join(between) };
}

const PART = '(?:[A-Za-z_][A-Za-z0-9_]*|"(?:[^"\\0]|"")+"|`(?:[^`\\0]|``)+`)';
const COLUMN = new RegExp(`^${PART}(?:\\.${PART})*$`);

/** A column or nested field that the caller has quoted for the engine. */
export function sqlColumn(quoted: string): Sql {
  if (!COLUMN.test(quoted)) throw bug("A column was not quoted for SQL", { column: quoted });
  return { text: quoted };
}

/** A constant of our own: a type's name, a number. */
export function sqlWord(word: string): Sql {
  if (!/^[A-Za-z0-9_.()+, -]+$/.test(word) || word.includes("--")) throw bug("Not a word of SQL", { word });
  return { text: word };
}

const SAFE_TEXT = /^[A-Za-z0-9_ .:,+/$-]*$/;

/** A text literal of our own making, such as a replacement; neither dialect has a meaning of its own for its characters. */
export function sqlText(text: string): Sql {
  if (!SAFE_TEXT.test(text) || text.includes("--")) throw bug("Not a safe text literal for SQL", { text });
  return { text: `'${text}'` };
}

/**
 * A regular expression as a literal without escapes. Spark's plain literals read backslashes by a setting and take `''`
 * for nothing, its raw ones (since 3.3) for what they are; Trino's have no escape but the doubled quote.
 */
export function sqlRegex(dialect: Dialect, pattern: string): Sql {
  if (/['\0\n\r;]|\$\{|\/\*/.test(pattern)) throw bug("Not a safe regular expression for SQL", { pattern });
  const text = pattern.replaceAll("--", "-\\x2D");
  return { text: dialect === "spark" ? `r'${text}'` : `'${text}'` };
}
