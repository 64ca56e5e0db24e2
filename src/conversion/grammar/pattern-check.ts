// Whether a format says what its type needs, with the corrected format where the mistake is a common one. Knows the
// types by what they need of a pattern; reading values is in pattern-parser.ts.
import { type Diagnostic, diagnostic } from "../../diagnostics/diagnostic.ts";
import { hasBlanksAround } from "./blank.ts";
import { isPatternFault, type PatternField, type PatternPart, readTimePattern } from "./time-pattern.ts";

export interface PatternNeeds {
  /** In this order: one that is there needs all before it. */
  readonly always: readonly PatternField[];
  readonly optional: readonly PatternField[];
  readonly offset: boolean;
}

export const DATE_NEEDS: PatternNeeds = { always: ["year", "month", "day"], optional: [], offset: false };
const TIME_FIELDS: readonly PatternField[] = ["hour", "minute", "second", "fraction"];
export const TIMESTAMP_NEEDS: PatternNeeds = { always: DATE_NEEDS.always, optional: TIME_FIELDS, offset: false };
export const TIMESTAMPTZ_NEEDS: PatternNeeds = { ...TIMESTAMP_NEEDS, offset: true };

const LETTERS: Readonly<Record<PatternField, string>> = {
  year: "yyyy",
  month: "MM",
  day: "dd",
  hour: "HH",
  minute: "mm",
  second: "ss",
  fraction: "S",
  offset: "XXX",
};

/** The parts of a format that fits, or the finding. `trim` would take away blanks that the format wants. */
export function checkPattern(
  format: string,
  needs: PatternNeeds,
  type: string,
  trim: boolean,
): readonly PatternPart[] | Diagnostic {
  const parts = readTimePattern(format);
  const why = isPatternFault(parts) ? parts.why : needsFault(parts, needs, type, trim);
  if (why === null && !isPatternFault(parts)) return parts;
  const better = commonSpelling(format);
  const isBetter = better !== format && better !== null && isFitting(better, needs, type, trim);
  return diagnostic("conversion-format-wrong", {
    what: `Cannot use the format "${format}" for a ${type}`,
    ...(why === null ? {} : { why }),
    mend: isBetter ? `Write \`format: ${quoteYaml(better)}\`.` : `Write a format such as \`${EXAMPLES[type] ?? "yyyyMMdd"}\`.`,
  });
}

const EXAMPLES: Readonly<Record<string, string>> = {
  date: "format: yyyyMMdd",
  timestamp: 'format: "yyyy-MM-dd HH:mm:ss"',
  timestamptz: "format: \"yyyy-MM-dd'T'HH:mm:ssXXX\"",
};

function isFitting(format: string, needs: PatternNeeds, type: string, trim: boolean): boolean {
  const parts = readTimePattern(format);
  return !isPatternFault(parts) && needsFault(parts, needs, type, trim) === null;
}

function needsFault(parts: readonly PatternPart[], needs: PatternNeeds, type: string, trim: boolean): string | null {
  const has = (field: PatternField): boolean => parts.some((part) => "field" in part && part.field === field);
  const missing = needs.always.find((field) => !has(field));
  if (missing !== undefined) {
    const hint = missing === "month" && has("minute") ? ' Small letters "mm" are the minute.' : "";
    return `It has no ${missing} ("${LETTERS[missing]}").${hint}`;
  }
  const unwanted = TIME_FIELDS.find((field) => has(field) && !needs.optional.includes(field));
  if (unwanted !== undefined) {
    return `A ${type} has no ${unwanted}: it would be lost in silence. Where it is always the same, quote it as a literal.`;
  }
  const gap = needs.optional.find((field, index) => !has(field) && needs.optional.slice(index + 1).some(has));
  if (gap !== undefined) return `It has no ${gap} ("${LETTERS[gap]}"), but a smaller part of the time.`;
  if (has("offset") && !needs.offset) return `A ${type} has no offset: it would be lost in silence.`;
  const offset = parts.findIndex((part) => "field" in part && part.field === "offset");
  if (offset >= 0 && parts.slice(offset).some((part) => "field" in part && part.field !== "offset")) {
    return 'The offset ("XXX") varies in width and must come after all other letters.';
  }
  const ends = [parts[0], parts.at(-1)].map((part) => (part !== undefined && "literal" in part ? part.literal : "-")).join("");
  return trim && hasBlanksAround(ends) ? "It starts or ends with a blank, which `trim` takes away." : null;
}

// Spellings of other tools, and slips. Each is tried on the whole format; the result counts only if it fits.
const STRFTIME: readonly (readonly [RegExp, string])[] = [
  [/%F/g, "yyyy-MM-dd"],
  [/%T/g, "HH:mm:ss"],
  [/%Y/g, "yyyy"],
  [/%m/g, "MM"],
  [/%d/g, "dd"],
  [/%H/g, "HH"],
  [/%[Mi]/g, "mm"],
  [/%[Ss]/g, "ss"],
  [/%f/g, "SSSSSS"],
  [/%z/g, "XXX"],
];
const SLIPS: readonly (readonly [RegExp, string])[] = [
  [/YYYY|uuuu/g, "yyyy"],
  [/D{2}/g, "dd"],
  [/HH24|HH12|hh24|hh/g, "HH"],
  [/MI|mi/g, "mm"],
  [/(?<!S)SS(?!S)/g, "ss"],
  [/TZH:TZM|(?<=[sS])Z{1,5}$|(?<=[sS])X{1,2}$/g, "XXX"],
];

function commonSpelling(format: string): string | null {
  if (format.includes("'")) return null;
  let text = format;
  for (const [spelling, letters] of format.includes("%") ? STRFTIME : SLIPS) text = text.replace(spelling, letters);
  text = text.replace(/(?<=d)T(?=H)/, "'T'");
  // "yyyymmdd": minutes without hours are a month.
  if (!text.includes("MM") && !text.includes("H")) text = text.replace("mm", "MM");
  else if (!text.includes("MM") && /mm.*H/.test(text)) text = text.replace("mm", "MM");
  return text;
}

function quoteYaml(format: string): string {
  return /^[A-Za-z][A-Za-z/-]*$/.test(format) ? format : JSON.stringify(format);
}
