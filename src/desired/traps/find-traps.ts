// All trap finders over one file, and their findings as diagnostics with the corrected line. Overlapping findings
// are told once: the first.
import { type Diagnostic, diagnostic, type TextEdit } from "../../diagnostics/diagnostic.ts";
import { MAX_FINDINGS } from "../limits.ts";
import { correctedLine } from "../yaml/corrected-line.ts";
import type { Lexeme } from "../yaml/lexemes.ts";
import { placeAt, type SourceText, type Span } from "../yaml/source-text.ts";
import { findHashCutComments } from "./hash-cut-comment.ts";
import { findMissingSeparators } from "./missing-separator.ts";
import { findQuotedPaths } from "./quoted-path.ts";
import { readGroups } from "./segments.ts";
import type { Trap, TrapContext, TrapFinder } from "./trap.ts";
import { findUnquotedSigns } from "./unquoted-sign.ts";
import { findUnquotedStars } from "./unquoted-star.ts";
import { findUnquotedValues } from "./unquoted-value.ts";

const FINDERS: readonly TrapFinder[] = [
  findHashCutComments,
  findMissingSeparators,
  findUnquotedValues,
  findUnquotedStars,
  findQuotedPaths,
  findUnquotedSigns,
];

export interface FoundTraps {
  readonly diagnostics: readonly Diagnostic[];
  /** What mends all of them, those without a diagnostic of their own too. */
  readonly edits: readonly TextEdit[];
  /** Ranges that are misread, in order: what else is found inside them is a consequence. */
  readonly spans: readonly Span[];
}

export interface KnownKeys {
  readonly keys: ReadonlySet<string>;
  readonly textKeys: ReadonlySet<string>;
}

export function findTraps(source: SourceText, lexemes: readonly Lexeme[], isBroken: boolean, known: KnownKeys): FoundTraps {
  const anchors = new Set(lexemes.filter((lexeme) => lexeme.kind === "anchor").map((lexeme) => lexeme.text.slice(1)));
  const context: TrapContext = { text: source.text, isBroken, anchors, ...known };
  const groups = readGroups(lexemes);
  const traps = withoutOverlaps(FINDERS.flatMap((find) => find(groups, context)));
  const edits = traps.map((trap) => toEdit(trap, source));
  return {
    diagnostics: traps.slice(0, MAX_FINDINGS).map((trap) => toDiagnostic(trap, edits, source)),
    edits,
    spans: traps.map(({ start, end, misreadTo }) => ({ start, end: misreadTo ?? end })),
  };
}

function withoutOverlaps(traps: readonly Trap[]): Trap[] {
  const kept: Trap[] = [];
  let end = -1;
  let misread: { readonly to: number; readonly by: Trap["code"] | null } = { to: -1, by: null };
  // Finders come in order of precedence, so of two that start together the earlier one stays.
  for (const trap of [...traps].sort((a, b) => a.start - b.start)) {
    if (trap.start < end || trap.start === kept.at(-1)?.start) continue;
    // The same mistake made again further down is one of its own.
    if (trap.start < misread.to && trap.code !== misread.by) continue;
    kept.push(trap);
    ({ end } = trap);
    if (trap.misreadTo !== undefined) misread = { to: trap.misreadTo, by: trap.code };
  }
  return kept;
}

function toDiagnostic(trap: Trap, all: readonly TextEdit[], source: SourceText): Diagnostic {
  const { code, severity, what, why, mend } = trap;
  // With every other trap of the line mended as well, or the corrected line would not be right.
  const line = correctedLine(source, trap.start, all);
  return diagnostic(code, {
    severity,
    what,
    why,
    mend,
    place: placeAt(source, trap.at, Math.max(trap.at, trap.end)),
    edits: [toEdit(trap, source)],
    ...(line === null ? {} : { correctedLine: line }),
  });
}

function toEdit(trap: Trap, source: SourceText): TextEdit {
  return { file: source.file, start: trap.start, end: trap.end, text: trap.replacement };
}
