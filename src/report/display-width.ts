// How many terminal cells a text takes: wide East Asian characters and emoji take two, combining marks none.
// Expects visible text (escape.ts): control characters have no width that could be told.
import { eastAsianWidth } from "get-east-asian-width";

const ASCII = /^[ -~]*$/;
/** A sequence of several characters with one of these is drawn as one emoji. */
const EMOJI = /\p{Extended_Pictographic}|\p{Regional_Indicator}|\u20E3/u;
const NO_WIDTH = /^[\p{M}\p{Default_Ignorable_Code_Point}]/u;
let segmenter: Intl.Segmenter | undefined;

export function displayWidth(text: string): number {
  if (ASCII.test(text)) return text.length;
  let width = 0;
  for (const cluster of clustersOf(text)) width += clusterWidth(cluster);
  return width;
}

/** What a reader takes for one character. The segmenter costs time to make, so it is made when it is needed. */
function clustersOf(text: string): string[] {
  segmenter ??= new Intl.Segmenter("en", { granularity: "grapheme" });
  return Array.from(segmenter.segment(text), ({ segment }) => segment);
}

function clusterWidth(cluster: string): number {
  if (NO_WIDTH.test(cluster)) return 0;
  if (cluster.length > 1 && EMOJI.test(cluster)) return 2;
  // A cluster such as a Hangul syllable of several jamo is drawn in the cells of its first character.
  return eastAsianWidth(cluster.codePointAt(0) ?? 0);
}

/** The beginning of a text that takes at most so many cells. */
export function cutToWidth(text: string, width: number): string {
  if (ASCII.test(text)) return text.slice(0, Math.max(0, width));
  let cut = "";
  let left = width;
  for (const cluster of clustersOf(text)) {
    left -= clusterWidth(cluster);
    if (left < 0) break;
    cut += cluster;
  }
  return cut;
}

export function padEnd(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - displayWidth(text)));
}

export function padStart(text: string, width: number): string {
  return " ".repeat(Math.max(0, width - displayWidth(text))) + text;
}

/** Splits at blanks so that no line is wider than `width`; a longer word keeps its own line whole. */
export function wrapWords(text: string, width: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(" ")) {
    if (line !== "" && displayWidth(line) + 1 + displayWidth(word) > width) {
      lines.push(line);
      line = word;
    } else line = line === "" ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
