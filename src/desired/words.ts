// Small helpers for the wording of findings: names and values in quotes, lists of choices. Knows no rule.

const MAX_SHOWN = 60;

/** The text in double quotes on one line, shortened where it is long. */
export function quoted(text: string): string {
  const line = text.replace(/(?<!\s)\s*[\r\n]\s*/g, " ");
  return `"${line.length > MAX_SHOWN ? `${line.slice(0, MAX_SHOWN - 1)}…` : line}"`;
}

/** `"a", "b" or "c"`. */
export function choices(words: readonly string[]): string {
  return joined(words.map(quoted), "or");
}

/** `a, b and c`. */
export function joined(words: readonly string[], last: "and" | "or"): string {
  if (words.length <= 1) return words.join("");
  return `${words.slice(0, -1).join(", ")} ${last} ${words.at(-1) ?? ""}`;
}
