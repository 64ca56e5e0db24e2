// The blocks of a section as terminal lines: step rows, tables, paragraphs, snippets. Findings have their own file.
import { displayWidth, padEnd, padStart, wrapWords } from "../display-width.ts";
import { terminalText, visibleLines } from "../escape.ts";
import type { Fact, LeafBlock, StepRow, StepsBlock, TableBlock } from "../report.ts";
import { plainText } from "../text.ts";
import { cellsOf, INDENT, layOut, type ColumnWidths, type Piece } from "./step-columns.ts";
import { findingsLines } from "./terminal-findings.ts";
import type { TerminalStyle } from "./terminal-style.ts";

export interface TerminalPage {
  readonly width: number;
  readonly verbose: boolean;
  readonly style: TerminalStyle;
  /** Null: rows are stacked. */
  readonly columns: ColumnWidths | null;
}

export function blockLines(block: LeafBlock, page: TerminalPage): string[] {
  switch (block.kind) {
    case "steps":
      return stepsLines(block, page);
    case "findings":
      return findingsLines(block, page.width, page.style);
    case "paragraph":
      // Further in than the signs of steps, which no name may imitate.
      return wrapWords(terminalText(plainText(block.text)), Math.max(20, page.width - 2 * INDENT)).map((line) =>
        indented(indented(line)),
      );
    case "table":
      return tableLines(block, page);
    case "snippet":
      return visibleLines(block.text).map((line) => indented(indented(line)).trimEnd());
  }
}

function indented(line: string): string {
  return `${" ".repeat(INDENT)}${line}`;
}

function stepsLines(block: StepsBlock, page: TerminalPage): string[] {
  return block.rows.flatMap((row) => {
    const cells = cellsOf(row, block.file);
    const lines = layOut(cells, page.columns, page.width);
    return [...lines.map((line) => draw(line, row, page.style)), ...(page.verbose ? moreLines(row, page) : [])];
  });
}

function draw(pieces: readonly Piece[], row: StepRow, style: TerminalStyle): string {
  let line = "";
  let at = 0;
  for (const { cell, column, text } of pieces) {
    line += " ".repeat(Math.max(0, column - at)) + colourOf(cell, row, style)(text);
    at = Math.max(at, column) + displayWidth(text);
  }
  return line;
}

function colourOf(cell: Piece["cell"], row: StepRow, style: TerminalStyle): (text: string) => string {
  if (cell === "symbol" || cell === "effect") return (text) => style.tone(row.tone, text);
  if (cell === "place" || cell === "answers") return style.dim;
  return (text) => text;
}

function moreLines(row: StepRow, page: TerminalPage): string[] {
  const facts = [...row.answers, ...row.facts];
  const labels = facts.reduce((most, { label }) => Math.max(most, displayWidth(terminalText(label))), 0);
  return facts.flatMap((fact) => factLines(fact, labels, page));
}

function factLines(fact: Fact, labels: number, page: TerminalPage): string[] {
  return visibleLines(fact.value).map((line, index) => {
    const label = index === 0 ? terminalText(fact.label) : "";
    const gap = line === "" ? "" : " ".repeat(labels - displayWidth(label) + 2);
    return `${" ".repeat(INDENT + 4)}${page.style.dim(label)}${gap}${line}`.trimEnd();
  });
}

function tableLines(block: TableBlock, page: TerminalPage): string[] {
  const titles = block.columns.map((column) => terminalText(column.title));
  const rows = block.rows.map((row) => row.cells.map((cell) => terminalText(plainText(cell))));
  const widths = titles.map((title, index) =>
    [title, ...rows.map((row) => row[index] ?? "")].reduce((most, cell) => Math.max(most, displayWidth(cell)), 0),
  );
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, index) => {
        const width = widths[index] ?? 0;
        return block.columns[index]?.align === "right" ? padStart(cell, width) : padEnd(cell, width);
      })
      .join("  ")
      .trimEnd();
  return [page.style.dim(line(titles)), ...rows.map(line)].map(indented);
}
