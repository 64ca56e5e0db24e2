// What every reader of a file shares: its source, the findings so far, and the ranges that are misread. A reader
// returns undefined for what has the wrong kind; check-shape.ts has told that already.
import type { DiagnosticCode } from "../diagnostics/codes.ts";
import { type Diagnostic, type DiagnosticParts, diagnostic, type Place } from "../diagnostics/diagnostic.ts";
import { correctedLine } from "./yaml/corrected-line.ts";
import { isInside, placeOf, type SourceText, type Span } from "./yaml/source-text.ts";
import type { ScalarNode, YamlNode } from "./yaml/tree.ts";

export interface Reading {
  readonly source: SourceText;
  /** Declared table name for the findings. */
  readonly table: string | undefined;
  readonly found: Diagnostic[];
  /** Text that YAML reads as something else: findings inside are consequences and stay untold. */
  readonly misread: readonly Span[];
}

export function report(reading: Reading, code: DiagnosticCode, span: Span, parts: DiagnosticParts): void {
  if (isMisread(reading, span)) return;
  const table = reading.table === undefined ? {} : { table: reading.table };
  const line = parts.edits === undefined ? null : correctedLine(reading.source, span.start, parts.edits);
  const corrected = line === null ? {} : { correctedLine: line };
  reading.found.push(diagnostic(code, { ...table, ...corrected, place: placeOf(reading.source, span), ...parts }));
}

export function isMisread(reading: Reading, span: Span): boolean {
  return isInside(reading.misread, span.start);
}

export function placeIn(reading: Reading, span: Span): Place {
  return placeOf(reading.source, span);
}

/** The written text of a scalar with content; undefined for null, empty and collections. */
export function textOf(node: YamlNode | undefined): string | undefined {
  return node?.kind === "scalar" && node.value !== null ? node.text : undefined;
}

export function flagOf(node: YamlNode | undefined): boolean | undefined {
  return node?.kind === "scalar" && typeof node.value === "boolean" ? node.value : undefined;
}

export function itemsOf(node: YamlNode | undefined): readonly YamlNode[] | undefined {
  return node?.kind === "list" ? node.items : undefined;
}

/** The offset within a scalar's text as a span of the file, or the whole scalar where text and file differ. */
export function spotIn(reading: Reading, node: ScalarNode, offset: number): Span {
  const start = node.start + (node.style === "single" || node.style === "double" ? 1 : 0);
  const isVerbatim = reading.source.text.slice(start, start + node.text.length) === node.text;
  return isVerbatim && offset < node.text.length ? { start: start + offset, end: node.end } : node;
}
