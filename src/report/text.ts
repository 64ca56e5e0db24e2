// Text without markup: runs of prose and of data. Every format decides for itself how data is set apart, so
// that nothing from a file, a catalog or another person can form markup. Knows no format.

/** `prose` is a sentence (ours, or a diagnostic's, which may quote data); `data` is one name or value from outside. */
type Span = { readonly kind: "prose" | "data"; readonly text: string };

export type Text = readonly Span[];

/**
 * Builds a text: the literal parts are prose, every substituted string is data, numbers are prose, and a text is
 * taken in as it is. Data is therefore the default for whatever comes from outside.
 */
export function text(parts: TemplateStringsArray, ...values: readonly (string | number | Text)[]): Text {
  const spans: Span[] = [];
  parts.forEach((part, index) => {
    if (part !== "") spans.push({ kind: "prose", text: part });
    const value = values[index];
    if (value === undefined) return;
    if (typeof value === "string") spans.push({ kind: "data", text: value });
    else if (typeof value === "number") spans.push({ kind: "prose", text: String(value) });
    else spans.push(...value);
  });
  return spans;
}

/** A whole sentence as prose. */
export function prose(sentence: string): Text {
  return [{ kind: "prose", text: sentence }];
}

export function joinTexts(texts: readonly Text[], separator: string): Text {
  return texts.flatMap((one, index) => (index === 0 ? one : [...prose(separator), ...one]));
}

/** The characters alone, for measuring and for sinks that have no markup. Still to be made visible by the sink. */
export function plainText(spans: Text): string {
  return spans.map((span) => span.text).join("");
}

/** `1 table`, `2 tables`: the number and its noun. */
export function counted(count: number, singular: string, plural: string = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`;
}
