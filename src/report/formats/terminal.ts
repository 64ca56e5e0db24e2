// A report for a person at a terminal, or for a CI log. Every word from outside is made visible first; colour is
// added last, so that no text can bring its own.
import { displayWidth, padEnd, wrapWords } from "../display-width.ts";
import { logLines, terminalName, terminalText } from "../escape.ts";
import { IMPORTANCE, type LeafBlock, type Report, type Section } from "../report.ts";
import { plainText, prose, type Text } from "../text.ts";
import { blockLines, type TerminalPage } from "./terminal-blocks.ts";
import { cellsOf, columnWidths, GAP, lineWidth, placeColumn } from "./step-columns.ts";
import { terminalStyle } from "./terminal-style.ts";

export interface TerminalOptions {
  /** Cells in a line. */
  readonly width: number;
  readonly colour: boolean;
  /** Evidence, SQL and what to write for drift, beneath each step; no table is shortened. */
  readonly verbose: boolean;
}

/** A file that does not fit beside its table; further in than the signs of steps, which no name may imitate. */
const BENEATH = 6;

/** With more mild tables than this, each takes one line. */
const MILD_IN_FULL = 20;

export function renderTerminal(report: Report, options: TerminalOptions): string {
  const rows = report.sections.flatMap((section) =>
    section.blocks.flatMap((block) => (block.kind === "steps" ? block.rows.map((row) => cellsOf(row, block.file)) : [])),
  );
  const page: TerminalPage = {
    width: options.width,
    verbose: options.verbose,
    style: terminalStyle(options.colour),
    columns: columnWidths(rows, options.width),
  };
  const mild = report.sections.filter(isMild);
  const shortened = new Set(options.verbose || mild.length <= MILD_IN_FULL ? [] : mild);
  const full = report.sections.filter((section) => !shortened.has(section)).map((section) => sectionLines(section, page));
  const brief = briefLines([...shortened], page);
  const groups = [...full, ...(brief.length === 0 ? [] : [brief])];
  const lines = groups.flatMap((group, index) => (index === 0 ? group : ["", ...group]));
  if (groups.length > 1 || report.sections.some(hasFullFindings)) lines.push("");
  lines.push(...wrapWords(terminalText(plainText(report.summary)), options.width));
  if (report.next !== null) lines.push(`${page.style.bold("Next:")} ${terminalText(plainText(nextText(report, options)))}`);
  return logLines(`${lines.join("\n")}\n`);
}

function nextText({ next, more }: Report, { verbose }: TerminalOptions): Text {
  return [...(next ?? []), ...(more === undefined || verbose ? [] : [...prose("; "), ...more])];
}

/** Metadata steps only: nothing that a reader or a writer notices. */
function isMild(section: Section): boolean {
  return section.importance <= IMPORTANCE.metadata && section.context !== null && section.file !== null;
}

function sectionLines(section: Section, page: TerminalPage): string[] {
  const lines = [headerLine(section, page)];
  section.blocks.forEach((block, index) => {
    if (index > 0 && (isFullFindings(block) || isFullFindings(section.blocks[index - 1]))) lines.push("");
    lines.push(...blockLines(block, page));
  });
  return lines;
}

function isFullFindings(block: LeafBlock | undefined): boolean {
  return block?.kind === "findings" && block.detail === "full";
}

function hasFullFindings(section: Section): boolean {
  return section.blocks.some(isFullFindings);
}

function headerLine(section: Section, page: TerminalPage): string {
  const context = section.context === null ? "" : `${terminalName(section.context)}${" ".repeat(GAP)}`;
  const title = terminalName(plainText(section.title));
  const state = section.state === null ? "" : `${" ".repeat(GAP)}${terminalText(section.state)}`;
  const file = section.file === null ? "" : terminalName(section.file);
  const width = displayWidth(context) + displayWidth(title) + displayWidth(state);
  // The file ends just before the column of the line numbers that are in it.
  const end = page.columns === null ? page.width : placeColumn(page.columns) - GAP - 1;
  const gap = Math.max(GAP, end - width - displayWidth(file));
  const drawn = `${page.style.dim(context)}${page.style.bold(title)}${page.style.tone(section.tone, state)}`;
  if (file === "") return drawn;
  const beneath = width + GAP + displayWidth(file) > page.width;
  return `${drawn}${beneath ? `\n${" ".repeat(BENEATH)}` : " ".repeat(gap)}${page.style.dim(file)}`;
}

function briefLines(sections: readonly Section[], page: TerminalPage): string[] {
  const titles = sections.map((section) => `${terminalName(section.context ?? "")}  ${terminalName(plainText(section.title))}`);
  const briefs = sections.map((section) => terminalText(plainText(section.brief)));
  const widest = (texts: readonly string[]): number => texts.reduce((most, one) => Math.max(most, displayWidth(one)), 0);
  const room = page.columns === null ? page.width : lineWidth(page.columns);
  const titleWidth = Math.min(widest(titles), Math.max(20, Math.floor(room / 2)));
  const briefWidth = Math.min(widest(briefs), 40);
  return sections.map((section, index) => {
    const cells = `${padEnd(titles[index] ?? "", titleWidth)}  ${padEnd(briefs[index] ?? "", briefWidth)}`;
    return `${cells}  ${page.style.dim(terminalText(section.file ?? ""))}`.trimEnd();
  });
}
