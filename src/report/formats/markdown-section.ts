// One section of a report as Markdown at each level of detail: in full, steps only, one line, nothing.
import { padEnd } from "../display-width.ts";
import { clip, visible, visibleLines } from "../escape.ts";
import { markdownFence } from "../escape-markdown.ts";
import { IMPORTANCE, type Finding, type LeafBlock, type Section, type StepRow, type TableBlock } from "../report.ts";
import { fileMarkdown, dataMarkdown, placeMarkdown, proseMarkdown, textHtml, textMarkdown } from "./markdown-text.ts";
import { cellsOf, columnWidths, INDENT, layOut, type Piece } from "./step-columns.ts";
import { displayWidth } from "../display-width.ts";

export const SECTION_GONE = 3;

/** A comment shows about this many cells of a fence; the rest is reached by scrolling sideways. */
const FENCE_WIDTH = 100;
/** Beyond so many sections all but what rewrites or loses data is folded; beyond so many lines what is harmless. */
const LINES_OPEN = 10;
const SECTIONS_OPEN = 3;

export interface MarkdownPage {
  readonly sourceUrl: string | null;
  /** How many sections the whole report has. */
  readonly sections: number;
}

export function sectionMarkdown(section: Section, level: number, page: MarkdownPage): string {
  if (level >= 2) return briefMarkdown(section, page);
  const blocks = section.blocks.flatMap((block) => blockMarkdown(block, level, page));
  // A link never opens a line: `[…]:` there would define a reference.
  const file = section.file === null ? [] : [`Declared in ${fileMarkdown(section.file, page.sourceUrl)}`];
  const body = [...file, ...blocks].join("\n\n");
  const state = section.state === null ? "" : ` ${section.state}`;
  const brief = textHtml(section.brief);
  const title = `${textHtml(section.title)}${state}${brief === "" ? "" : `: ${brief}`}`;
  return `<details${isOpen(section, body, page) ? " open" : ""}><summary>${title}</summary>\n\n${body}\n\n</details>`;
}

function isOpen(section: Section, body: string, page: MarkdownPage): boolean {
  if (section.importance >= IMPORTANCE.rewrite) return true;
  if (page.sections > SECTIONS_OPEN) return false;
  return section.importance >= IMPORTANCE.drift || body.split("\n").length <= LINES_OPEN;
}

function briefMarkdown(section: Section, page: MarkdownPage): string {
  const brief = textMarkdown(section.brief);
  const where = section.file === null ? "" : ` · ${fileMarkdown(section.file, page.sourceUrl)}`;
  return `- ${textMarkdown(section.title)}${brief === "" ? "" : `: ${brief}`}${where}`;
}

function blockMarkdown(block: LeafBlock, level: number, page: MarkdownPage): string[] {
  switch (block.kind) {
    case "steps":
      return [stepsMarkdown(block.rows, block.file), ...(level === 0 ? block.rows.flatMap(answersMarkdown) : [])];
    case "findings":
      if (block.detail === "line" && level > 0) return [];
      return [findingsMarkdown(block.items, block.detail === "full" && level === 0, page)];
    case "paragraph":
      return level === 0 ? [textMarkdown(block.text)] : [];
    case "table":
      return [tableMarkdown(block, 0)];
    case "snippet":
      return level === 0 ? [markdownFence(visibleLines(block.text), block.language)] : [];
  }
}

/** The first character of a line is what gives it its colour in a `diff` fence. */
function stepsMarkdown(rows: readonly StepRow[], file: string | null): string {
  const cells = rows.map((row) => {
    const plain = cellsOf(row, file);
    return row.id === null ? plain : { ...plain, place: `${padEnd(plain.place, 5)} ${row.id.slice(0, 8)}` };
  });
  const widths = columnWidths(cells, FENCE_WIDTH);
  const lines = cells.flatMap((row) => layOut(row, widths, FENCE_WIDTH));
  return markdownFence(lines.map(drawn), "diff");
}

function drawn(pieces: readonly Piece[]): string {
  let line = "";
  for (const { column, text } of pieces) line = `${padEnd(line, column - INDENT)}${text}`;
  // A line that goes on from the one before must not look like a step of its own.
  return pieces[0]?.cell === "symbol" ? line : ` ${line.slice(displayWidth(line) > 0 ? 1 : 0)}`;
}

function answersMarkdown(row: StepRow): string[] {
  if (row.answers.length === 0) return [];
  const answers = row.answers.map(({ label, value }) => {
    const lines = visibleLines(clip(value, 2_000));
    const [only] = lines;
    if (lines.length === 1 && only !== undefined) return `- **${label}**: ${dataMarkdown(only)}`;
    return `- **${label}**:\n\n${indent(markdownFence(lines, "yaml"), 2)}\n`;
  });
  return [`${dataMarkdown(row.subject)}: choose one.`, answers.join("\n")];
}

function findingsMarkdown(items: readonly Finding[], full: boolean, page: MarkdownPage): string {
  return items.map((item) => findingMarkdown(item, full, page)).join("\n");
}

function findingMarkdown({ diagnostic }: Finding, full: boolean, page: MarkdownPage): string {
  const place = diagnostic.place === undefined ? "" : ` · ${placeMarkdown(diagnostic.place, page.sourceUrl)}`;
  const lines = [`- **${diagnostic.severity}** \`${diagnostic.code}\`${place}: ${proseMarkdown(diagnostic.what)}`];
  if (full && diagnostic.why !== undefined) lines.push(`  Why: ${proseMarkdown(diagnostic.why)}`);
  if (full && diagnostic.mend !== undefined) lines.push(`  Mend: ${proseMarkdown(diagnostic.mend)}`);
  // A backslash at the end of a line breaks it, in files as in comments.
  const said = lines.join("\\\n");
  if (!full || diagnostic.correctedLine === undefined) return said;
  return `${said}\n\n${indent(markdownFence([visible(clip(diagnostic.correctedLine, 600))], "yaml"), 2)}`;
}

/** Rows below `importance` are left out, with a word on how many. */
export function tableMarkdown(block: TableBlock, importance: number): string {
  const rows = block.rows.filter((row) => row.importance >= importance);
  const left = block.rows.length - rows.length;
  const head = block.columns.map((column) => proseMarkdown(column.title)).join(" | ");
  const rule = block.columns.map((column) => (column.align === "right" ? "--:" : ":--")).join(" | ");
  const body = rows.map((row) => `| ${row.cells.map(textMarkdown).join(" | ")} |`);
  const table = rows.length === 0 ? [] : [[`| ${head} |`, `| ${rule} |`, ...body].join("\n")];
  return [...table, ...(left === 0 ? [] : [`${left} more ${left === 1 ? "table" : "tables"}, milder than these.`])].join("\n\n");
}

function indent(block: string, blanks: number): string {
  return block
    .split("\n")
    .map((line) => `${" ".repeat(blanks)}${line}`)
    .join("\n");
}
