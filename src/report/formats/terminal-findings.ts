// Findings on a terminal: what, where, the line with a caret, why, how to mend, the corrected line.
import { formatPlace, type Severity } from "../../diagnostics/diagnostic.ts";
import { displayWidth, wrapWords } from "../display-width.ts";
import { terminalText } from "../escape.ts";
import { markedRange } from "../excerpt.ts";
import type { Finding, FindingsBlock, Tone } from "../report.ts";
import type { TerminalStyle } from "./terminal-style.ts";

const TONE: Readonly<Record<Severity, Tone>> = { error: "blocked", warning: "behaviour", note: "quiet" };
const INDENT = "  ";

export function findingsLines(block: FindingsBlock, width: number, style: TerminalStyle): string[] {
  if (block.detail === "line") return block.items.flatMap((item) => shortLines(item, width, style));
  return block.items.flatMap((item, index) => [...(index === 0 ? [] : [""]), ...fullLines(item, width, style)]);
}

function shortLines({ diagnostic }: Finding, width: number, style: TerminalStyle): string[] {
  const place = diagnostic.place === undefined ? "" : `  ${terminalText(formatPlace(diagnostic.place))}`;
  const sentence = `${terminalText(diagnostic.what)} [${diagnostic.code}]${place}`;
  return hanging(`${diagnostic.severity}: `, sentence, width, (head) => style.tone(TONE[diagnostic.severity], head));
}

function fullLines(finding: Finding, width: number, style: TerminalStyle): string[] {
  const { diagnostic } = finding;
  const lines = hanging(
    `${diagnostic.severity}: `,
    `${terminalText(diagnostic.what)} [${diagnostic.code}]`,
    width,
    (head) => style.tone(TONE[diagnostic.severity], head),
    style.bold,
  );
  const where = [diagnostic.place === undefined ? null : formatPlace(diagnostic.place), diagnostic.table, diagnostic.field]
    .flatMap((part) => (part === null || part === undefined ? [] : [terminalText(part)]))
    .join("  ");
  if (where !== "") lines.push(`${INDENT}${INDENT}${style.dim(where)}`);
  lines.push(...excerptLines(finding, width, style));
  if (diagnostic.why !== undefined) lines.push(...labelled("Why:", diagnostic.why, width, style));
  if (diagnostic.mend !== undefined) lines.push(...labelled("Mend:", diagnostic.mend, width, style));
  if (diagnostic.correctedLine !== undefined && diagnostic.place !== undefined) {
    const gutter = `${diagnostic.place.line} + `;
    lines.push(`${INDENT}${INDENT}${style.dim(gutter)}${style.tone("added", terminalText(untabbed(diagnostic.correctedLine)))}`);
  }
  return lines;
}

/** The line of the file, cut around the marked part where it is longer than the terminal. */
function excerptLines(finding: Finding, width: number, style: TerminalStyle): string[] {
  const range = markedRange(finding);
  const place = finding.diagnostic.place;
  if (range === null || finding.excerpt === null || place === undefined) return [];
  const gutter = `${place.line} | `;
  const room = Math.max(20, width - 2 * INDENT.length - gutter.length);
  const from = Math.max(0, Math.min(range.start - Math.floor(room / 3), finding.excerpt.length - room));
  const to = from + room;
  const before = `${from > 0 ? "…" : ""}${terminalText(untabbed(finding.excerpt.slice(from, range.start)))}`;
  const marked = terminalText(untabbed(finding.excerpt.slice(range.start, Math.min(range.end, to))));
  const after = `${terminalText(untabbed(finding.excerpt.slice(range.end, to)))}${finding.excerpt.length > to ? "…" : ""}`;
  const blank = `${" ".repeat(gutter.length - 2)}| `;
  const caret = " ".repeat(displayWidth(before)) + "^".repeat(Math.max(1, displayWidth(marked)));
  const tone = TONE[finding.diagnostic.severity];
  return [
    `${INDENT}${INDENT}${style.dim(gutter)}${before}${marked}${after}`.trimEnd(),
    `${INDENT}${INDENT}${style.dim(blank)}${style.tone(tone, caret)}`,
  ];
}

function labelled(label: string, sentence: string, width: number, style: TerminalStyle): string[] {
  return hanging(`${INDENT}${label} `, terminalText(sentence), width, style.dim);
}

function hanging(
  head: string,
  sentence: string,
  width: number,
  styleHead: (text: string) => string,
  styleBody: (text: string) => string = (text) => text,
): string[] {
  const body = wrapWords(sentence, Math.max(20, width - INDENT.length - head.length));
  return body.map((line, index) =>
    index === 0 ? `${INDENT}${styleHead(head)}${styleBody(line)}` : `${INDENT}${" ".repeat(head.length)}${styleBody(line)}`,
  );
}

function untabbed(line: string): string {
  return line.replaceAll("\t", "  ");
}
