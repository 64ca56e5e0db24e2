// What a command has to say, free of any format: sections, steps, findings, tables, each with its importance.
// Built by plan-report.ts and its kin, drawn by formats/. Knows no Markdown, no colour and no width.
import type { Diagnostic, Place } from "../diagnostics/diagnostic.ts";
import type { JsonObject } from "../iceberg/json.ts";
import type { Text } from "./text.ts";

/** What is shortened last when a format has a limit. Alerts are never shortened. */
export const IMPORTANCE = {
  blocked: 95,
  destructive: 90,
  rewrite: 85,
  warning: 70,
  drift: 65,
  overview: 60,
  behaviour: 50,
  metadata: 40,
  note: 20,
  unchanged: 10,
} as const;

/** How a thing is felt; formats turn it into a colour or a sign. */
export type Tone = "good" | "added" | "changed" | "behaviour" | "rewritten" | "lost" | "drifted" | "blocked" | "quiet";

export interface Fact {
  readonly label: string;
  readonly value: string;
}

export interface StepRow {
  readonly symbol: string;
  readonly tone: Tone;
  readonly importance: number;
  readonly subject: string;
  readonly change: string;
  /** The effect's word, e.g. `lost`. */
  readonly effect: string;
  readonly detail: string;
  readonly place: Place | null;
  /** 64 hex, for approval. */
  readonly id: string | null;
  /** What to write for each answer; a row has a place or answers. Multi-line text is kept as it is. */
  readonly answers: readonly Fact[];
  /** Evidence and SQL, shown when asked for. */
  readonly facts: readonly Fact[];
}

/** A diagnostic with the line of the file that it speaks of. */
export interface Finding {
  readonly diagnostic: Diagnostic;
  readonly excerpt: string | null;
}

export interface StepsBlock {
  readonly kind: "steps";
  /** The file that the places are in when they do not say another. */
  readonly file: string | null;
  readonly rows: readonly StepRow[];
}

export interface FindingsBlock {
  readonly kind: "findings";
  /** `full`: what, where, why, mend and the excerpt. `line`: one line each. */
  readonly detail: "full" | "line";
  readonly items: readonly Finding[];
}

interface ParagraphBlock {
  readonly kind: "paragraph";
  readonly text: Text;
}

export interface TableBlock {
  readonly kind: "table";
  readonly columns: readonly { readonly title: string; readonly align: "left" | "right" }[];
  readonly rows: readonly { readonly importance: number; readonly cells: readonly Text[] }[];
}

/** Text to copy, e.g. YAML. */
interface SnippetBlock {
  readonly kind: "snippet";
  readonly language: string;
  readonly text: string;
}

export type LeafBlock = StepsBlock | FindingsBlock | ParagraphBlock | TableBlock | SnippetBlock;

/** What belongs to one table, or to one cause. */
export interface Section {
  readonly importance: number;
  readonly tone: Tone;
  /** The environment. */
  readonly context: string | null;
  readonly title: Text;
  /** A word after the title, e.g. `blocked`. */
  readonly state: string | null;
  readonly file: string | null;
  /** One line that can stand for the section, without the title. */
  readonly brief: Text;
  readonly blocks: readonly LeafBlock[];
}

/** What must be read before anything else: what is lost, rewritten, blocked. Never cut. */
export interface Alert {
  readonly tone: "blocked" | "lost" | "rewritten";
  readonly word: string;
  readonly table: string;
  readonly text: Text;
  readonly place: Place | null;
}

export interface Report {
  readonly tone: Tone;
  /** The verdict in one line. */
  readonly headline: Text;
  readonly alerts: readonly Alert[];
  /** One row a table; null where the sections say it already. */
  readonly overview: TableBlock | null;
  readonly sections: readonly Section[];
  readonly summary: Text;
  /** A command or an instruction. */
  readonly next: Text | null;
  /** How a terminal that leaves things out is made to show them; stands behind `next`. */
  readonly more?: Text;
  /** The same for machines. */
  readonly json: JsonObject;
}
