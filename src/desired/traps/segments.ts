// Groups lexemes the way a person reads a line: the parts of `{}` and `[]` between commas, and the parts of a line
// of block style. Holds for broken YAML too, since it follows the lexemes and not the parser.
import type { Lexeme } from "../yaml/lexemes.ts";

/** Something between two commas, or what a line of block style says after its dash. */
export interface Segment {
  /** Keys, colons, values in order; blanks and line ends left out. */
  readonly parts: readonly Part[];
  /** The comment that ends it, where one does. */
  readonly comment: Lexeme | null;
}

export type Part = {
  readonly kind: Lexeme["kind"] | "group";
  readonly start: number;
  readonly end: number;
  readonly text: string;
};

export interface Group {
  /** `{`, `[`, or block style, where every line is a group of one segment. */
  readonly style: "map" | "list" | "block";
  readonly segments: readonly Segment[];
  readonly start: number;
  readonly end: number;
  /** False where the text ends, or the indentation breaks it off, before the bracket closes. */
  readonly isClosed: boolean;
}

interface OpenGroup {
  readonly style: "map" | "list";
  readonly start: number;
  readonly segments: Segment[];
  parts: Part[];
  comment: Lexeme | null;
}

/** All groups of the file, inner ones before the outer one that holds them. */
export function readGroups(lexemes: readonly Lexeme[]): Group[] {
  const groups: Group[] = [];
  const open: OpenGroup[] = [];
  let line: Part[] = [];

  const endLine = (comment: Lexeme | null): void => {
    const [first, last] = [line[0], line.at(-1)];
    if (first !== undefined && last !== undefined) {
      groups.push({ style: "block", segments: [{ parts: line, comment }], start: first.start, end: last.end, isClosed: true });
    }
    line = [];
  };
  const endSegment = (group: OpenGroup): void => {
    group.segments.push({ parts: group.parts, comment: group.comment });
    group.parts = [];
    group.comment = null;
  };
  const endGroup = (end: number, isClosed: boolean): void => {
    const group = open.pop();
    if (group === undefined) return;
    endSegment(group);
    groups.push({ style: group.style, segments: group.segments, start: group.start, end, isClosed });
    const part: Part = { kind: "group", start: group.start, end, text: "" };
    (open.at(-1)?.parts ?? line).push(part);
  };

  for (const lexeme of lexemes) {
    const group = open.at(-1);
    switch (lexeme.kind) {
      case "open":
        open.push({ style: lexeme.text === "{" ? "map" : "list", start: lexeme.start, segments: [], parts: [], comment: null });
        break;
      case "close":
        endGroup(lexeme.end, true);
        break;
      case "flow-cut":
        while (open.length > 0) endGroup(lexeme.start, false);
        endLine(null);
        break;
      case "comma":
        if (group !== undefined) endSegment(group);
        break;
      case "newline":
        if (group === undefined) endLine(null);
        break;
      case "comment":
        if (group === undefined) endLine(lexeme);
        else group.comment ??= lexeme;
        break;
      case "dash":
      case "question":
      case "document":
        if (group === undefined) endLine(null);
        break;
      case "space":
      case "directive":
      case "other":
        break;
      case "plain":
      case "quoted":
      case "block-header":
      case "block-scalar":
      case "alias":
      case "anchor":
      case "tag":
      case "colon":
        (group?.parts ?? line).push(lexeme);
        break;
    }
  }
  const length = lexemes.at(-1)?.end ?? 0;
  while (open.length > 0) endGroup(length, false);
  endLine(null);
  return groups;
}
