// Small helpers for the wording of findings. Knows no rule.

/** The text in double quotes on one line. */
export function quoted(text: string): string {
  return `"${text.replace(/(?<!\s)\s*[\r\n]\s*/g, " ")}"`;
}

/** `a, b or c`. */
export function choices(words: readonly string[]): string {
  return words.length <= 1 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1) ?? ""}`;
}

/** `a, b and c`. */
export function listed(words: readonly string[]): string {
  return words.length <= 1 ? words.join("") : `${words.slice(0, -1).join(", ")} and ${words.at(-1) ?? ""}`;
}

/** `"ο" (U+03BF)`, and the number alone for what shows nothing or moves what is shown. */
export function character(one: string): string {
  const code = `U+${(one.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]$/u.test(one) ? `${quoted(one)} (${code})` : code;
}
