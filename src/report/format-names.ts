// The names and file endings of the formats that exist, light enough for `--help`: drawing is in formats/.

export const FORMAT_NAMES = ["terminal", "markdown", "json"] as const;
export type FormatName = (typeof FORMAT_NAMES)[number];

/** Ending of a `--out` file → format. */
export const FORMAT_OF_ENDING: Readonly<Record<string, FormatName>> = { ".json": "json", ".md": "markdown" };

export function isFormatName(text: string): text is FormatName {
  return FORMAT_NAMES.some((name) => name === text);
}
