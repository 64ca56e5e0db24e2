// Texts and places of a report as Markdown and as the HTML of a `<summary>`. The only file of the Markdown format
// that sees single words; everything from outside passes through escape-markdown.ts here.
import { formatPlace, type Place } from "../../diagnostics/diagnostic.ts";
import { clip } from "../escape.ts";
import { htmlCode, htmlProse, joinApart, markdownCode, markdownProse, sourceLink } from "../escape-markdown.ts";
import type { Text } from "../text.ts";

/** A name, a type, a value; and a sentence. Longer ones are in the JSON. */
const LONGEST_DATA = 200;
const LONGEST_PROSE = 600;

export function textMarkdown(text: Text): string {
  return joinApart(text.map((span) => (span.kind === "data" ? dataMarkdown(span.text) : proseMarkdown(span.text))));
}

export function textHtml(text: Text): string {
  return text
    .map((span) => (span.kind === "data" ? htmlCode(clip(span.text, LONGEST_DATA)) : htmlProse(clip(span.text, LONGEST_PROSE))))
    .join("");
}

export function dataMarkdown(data: string): string {
  return markdownCode(clip(data, LONGEST_DATA));
}

export function proseMarkdown(sentence: string): string {
  return markdownProse(clip(sentence, LONGEST_PROSE));
}

/** With a base address, a link to the line; the base is trusted, the path is encoded. */
export function placeMarkdown(place: Place, base: string | null): string {
  const shown = dataMarkdown(formatPlace(place));
  return base === null ? shown : `[${shown}](${sourceLink(base, place.file, place.line)})`;
}

export function fileMarkdown(file: string, base: string | null): string {
  const shown = dataMarkdown(file);
  return base === null ? shown : `[${shown}](${sourceLink(base, file, 1)})`;
}
