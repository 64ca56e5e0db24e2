// The columns of step rows in text of fixed width (terminal, diff fences): how wide each is, and how a row is
// laid into them. Names and types are never cut: a row that is too wide for the columns is stacked.
import { displayWidth, wrapWords } from "../display-width.ts";
import { clip, terminalText } from "../escape.ts";
import type { StepRow } from "../report.ts";

/** Subject, change, effect, detail, place. Answers stand where the place would, or beneath where they do not fit. */
export interface ColumnWidths {
  readonly subject: number;
  readonly change: number;
  readonly effect: number;
  readonly detail: number;
  readonly place: number;
}

/** One row as text cells. */
export interface Cells {
  readonly symbol: string;
  readonly subject: string;
  readonly change: string;
  readonly effect: string;
  readonly detail: string;
  readonly place: string;
  readonly answers: string;
}

/** Below this a column of words cannot be read; then rows are stacked. */
const NARROWEST_DETAIL = 24;
/** Short plans look alike from table to table with these. */
const USUAL = { subject: 13, change: 16, effect: 9, detail: 31 };
/** From roomy to tight: a row with a longer name or type is stacked by itself instead of widening the columns. */
const CAPS = [
  { subject: 32, change: 32 },
  { subject: 26, change: 26 },
  { subject: 20, change: 20 },
  { subject: 14, change: 16 },
] as const;
const WIDEST_DETAIL = 60;
/** A comment may be long; what is left out is in the JSON. */
const LONGEST_CELL = 600;

export const GAP = 2;
export const INDENT = 2;
/** Indent, symbol, blank. */
const BEFORE_SUBJECT = INDENT + 2;

/** Places in `file`, the table's own, are lines only. */
export function cellsOf(row: StepRow, file: string | null): Cells {
  const show = (text: string): string => terminalText(clip(text, LONGEST_CELL));
  const { place } = row;
  return {
    symbol: show(row.symbol),
    subject: show(row.subject),
    change: show(row.change),
    effect: show(row.effect),
    detail: show(row.detail),
    place: place === null ? "" : show(`${place.file === file ? "" : place.file}:${place.line}`),
    answers: show(row.answers.map(({ label }) => label).join(" · ")),
  };
}

/** The widths that all rows of a report share, within `width` cells in all; null where only stacked rows fit. */
export function columnWidths(rows: readonly Cells[], width: number): ColumnWidths | null {
  for (const cap of CAPS) {
    const fitting = rows.filter((row) => displayWidth(row.subject) <= cap.subject && displayWidth(row.change) <= cap.change);
    const widths = fitting.length === 0 ? null : widthsOf(fitting, width);
    if (widths !== null) return widths;
  }
  return null;
}

function widthsOf(rows: readonly Cells[], width: number): ColumnWidths | null {
  const widest = (key: keyof Cells): number => rows.reduce((most, row) => Math.max(most, displayWidth(row[key])), 0);
  // A place in another file stands beneath where it does not fit.
  const place = rows.reduce((most, row) => (row.place.startsWith(":") ? Math.max(most, displayWidth(row.place)) : most), 0);
  const natural = { subject: widest("subject"), change: widest("change"), effect: widest("effect"), detail: 0, place };
  const detail = Math.min(widest("detail"), WIDEST_DETAIL);
  const usual = {
    subject: Math.max(natural.subject, USUAL.subject),
    change: Math.max(natural.change, USUAL.change),
    effect: Math.max(natural.effect, USUAL.effect),
    detail: Math.max(detail, USUAL.detail),
    place,
  };
  if (lineWidth(usual) <= width) return usual;
  const room = width - lineWidth(natural);
  return room >= Math.min(detail, NARROWEST_DETAIL) ? { ...natural, detail: Math.min(detail, room) } : null;
}

export function lineWidth(widths: ColumnWidths): number {
  return placeColumn(widths) + widths.place;
}

export function placeColumn(widths: ColumnWidths): number {
  return BEFORE_SUBJECT + widths.subject + widths.change + widths.effect + widths.detail + 4 * GAP;
}

/** A piece of a line: the cell that it is of, and the column that it starts at. */
export interface Piece {
  readonly cell: keyof Cells;
  readonly column: number;
  readonly text: string;
}

export function layOut(cells: Cells, widths: ColumnWidths | null, width: number): Piece[][] {
  const fits = widths !== null && displayWidth(cells.subject) <= widths.subject && displayWidth(cells.change) <= widths.change;
  return fits ? layInColumns(cells, widths, width) : layStacked(cells, width);
}

function layInColumns(cells: Cells, widths: ColumnWidths, width: number): Piece[][] {
  const first: Piece[] = [{ cell: "symbol", column: INDENT, text: cells.symbol }];
  let column = BEFORE_SUBJECT;
  for (const cell of ["subject", "change", "effect"] as const) {
    first.push({ cell, column, text: cells[cell] });
    column += widths[cell] + GAP;
  }
  const [detail = "", ...more] = wrapWords(cells.detail, widths.detail);
  first.push({ cell: "detail", column, text: detail });
  const beneath: Piece[][] = [];
  const beside = displayWidth(detail) <= widths.detail;
  for (const cell of ["place", "answers"] as const) {
    const fits = beside && placeColumn(widths) + displayWidth(cells[cell]) <= width;
    if (fits) first.push({ cell, column: placeColumn(widths), text: cells[cell] });
    else beneath.push([{ cell, column, text: cells[cell] }]);
  }
  return withoutEmpty([first, ...more.map((text): Piece[] => [{ cell: "detail", column, text }]), ...beneath]);
}

/** What it is about first, the rest beneath. */
function layStacked(cells: Cells, width: number): Piece[][] {
  const column = BEFORE_SUBJECT + 2;
  const room = Math.max(8, width - column);
  const subject = { cell: "subject" as const, column: BEFORE_SUBJECT, text: cells.subject };
  const placeAt = Math.max(BEFORE_SUBJECT + displayWidth(cells.subject) + GAP, width - displayWidth(cells.place));
  const effectAt = column + displayWidth(cells.change) + GAP;
  const change = { cell: "change" as const, column, text: cells.change };
  const together = cells.change !== "" && effectAt + displayWidth(cells.effect) <= width;
  const effect = { cell: "effect" as const, column: together ? effectAt : column, text: cells.effect };
  const lines: Piece[][] = [
    [{ cell: "symbol", column: INDENT, text: cells.symbol }, subject, { cell: "place", column: placeAt, text: cells.place }],
    ...(together ? [[change, effect]] : [[change], [effect]]),
    ...wrapWords(cells.detail, room).map((text): Piece[] => [{ cell: "detail", column, text }]),
    [{ cell: "answers", column, text: cells.answers }],
  ];
  return withoutEmpty(lines);
}

function withoutEmpty(lines: readonly (readonly Piece[])[]): Piece[][] {
  return lines.map((line) => line.filter((piece) => piece.text !== "")).filter((line) => line.length > 0);
}
