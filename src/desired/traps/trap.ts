// The contract of a trap finder: text that YAML reads as something else than its author meant. One finder a file,
// one line in find-traps.ts. Finders see lexemes in groups, never the tree.
import type { DiagnosticCode } from "../../diagnostics/codes.ts";
import type { Severity } from "../../diagnostics/diagnostic.ts";
import type { Group, Part, Segment } from "./segments.ts";

export interface Trap {
  readonly code: DiagnosticCode;
  readonly severity: Severity;
  /** Where the finding stands. */
  readonly at: number;
  /** The range that is misread; it is replaced by `replacement`. */
  readonly start: number;
  readonly end: number;
  /** Where what is misread because of it ends; absent: at `end`. Nothing else is found in there. */
  readonly misreadTo?: number;
  readonly replacement: string;
  readonly what: string;
  readonly why: string;
  readonly mend: string;
}

export interface TrapContext {
  readonly text: string;
  /** Does the parser find fault with the file? */
  readonly isBroken: boolean;
  /** Every key of the format. */
  readonly keys: ReadonlySet<string>;
  /** Keys whose value may be text. */
  readonly textKeys: ReadonlySet<string>;
  /** Names of the anchors in the file. */
  readonly anchors: ReadonlySet<string>;
}

export type TrapFinder = (groups: readonly Group[], context: TrapContext) => Trap[];

/** Keys whose value is a sentence; their text is never taken for a key. */
export const SENTENCE_KEYS: ReadonlySet<string> = new Set(["comment", "reason"]);

/** The text from the first to the last part. */
export function spanOf(parts: readonly Part[]): { readonly start: number; readonly end: number } | null {
  const [first, last] = [parts[0], parts.at(-1)];
  return first === undefined || last === undefined ? null : { start: first.start, end: last.end };
}

/** The key's text without quotes. */
function keyText(key: Part): string {
  return key.kind === "quoted" ? key.text.slice(1, -1) : key.text;
}

/** What a segment says: the parts behind its key, or all of them where it has none. */
export function saidParts(segment: Segment): { readonly key: string | null; readonly value: readonly Part[] } {
  const [key, colon] = segment.parts;
  if (key !== undefined && colon?.kind === "colon" && (key.kind === "plain" || key.kind === "quoted")) {
    return { key: keyText(key), value: segment.parts.slice(2) };
  }
  return { key: null, value: segment.parts };
}
