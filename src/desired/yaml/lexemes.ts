// Cuts a file into the lexemes of YAML, with offsets, and feeds them to the parser: one pass serves both the trap
// finders and the tree. Stops at what is too deep or too long before anything recursive sees it. The text must be
// free of control characters, which the lexer uses as its own signs.
import { CST, Lexer, Parser } from "yaml";
import { MAX_DEPTH, MAX_FINDINGS, MAX_LEXEMES } from "../limits.ts";

type LexemeKind =
  | "plain"
  | "quoted"
  | "block-scalar"
  | "block-header"
  | "alias"
  | "anchor"
  | "tag"
  | "comment"
  | "colon"
  | "comma"
  | "dash"
  | "question"
  | "open"
  | "close"
  | "flow-cut"
  | "newline"
  | "space"
  | "directive"
  | "document"
  | "other";

export interface Lexeme {
  readonly kind: LexemeKind;
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

export interface Lexed {
  readonly lexemes: readonly Lexeme[];
  /** Of those that say that something is wrong only the first. */
  readonly tokens: readonly CST.Token[];
  /** Where reading stopped and why, or null. */
  readonly stopped: { readonly at: number; readonly why: "too-deep" | "too-long" } | null;
}

const KINDS: Readonly<Record<CST.TokenType, LexemeKind>> = {
  alias: "alias",
  anchor: "anchor",
  "block-scalar-header": "block-header",
  "byte-order-mark": "other",
  comma: "comma",
  comment: "comment",
  "directive-line": "directive",
  "doc-end": "document",
  "doc-mode": "other",
  "doc-start": "document",
  "double-quoted-scalar": "quoted",
  "explicit-key-ind": "question",
  "flow-error-end": "flow-cut",
  "flow-map-end": "close",
  "flow-map-start": "open",
  "flow-seq-end": "close",
  "flow-seq-start": "open",
  "map-value-ind": "colon",
  newline: "newline",
  scalar: "plain",
  "seq-item-ind": "dash",
  "single-quoted-scalar": "quoted",
  space: "space",
  tag: "tag",
};

export function readLexemes(text: string): Lexed {
  const lexemes: Lexeme[] = [];
  const tokens: CST.Token[] = [];
  const parser = new Parser();
  let faults = 0;
  const take = (token: CST.Token): void => {
    if (token.type !== "error" || ++faults <= MAX_FINDINGS) tokens.push(token);
  };
  let at = 0;
  let isScalarNext = false;
  let isBlockNext = false;
  for (const source of new Lexer().lex(text)) {
    for (const token of parser.next(source)) take(token);
    // The stack holds the collections, the document around them and the scalar inside.
    if (parser.stack.length > MAX_DEPTH + 2) return { lexemes, tokens: [], stopped: { at, why: "too-deep" } };
    if (lexemes.length >= MAX_LEXEMES) return { lexemes, tokens: [], stopped: { at, why: "too-long" } };
    if (isScalarNext) {
      const end = at + source.length;
      lexemes.push({ kind: isBlockNext ? "block-scalar" : "plain", text: source, start: at, end });
      isScalarNext = isBlockNext = false;
      at = end;
    } else if (source === CST.SCALAR) {
      isScalarNext = true;
    } else if (source === CST.FLOW_END) {
      lexemes.push({ kind: "flow-cut", text: "", start: at, end: at });
    } else if (source !== CST.DOCUMENT) {
      const type = CST.tokenType(source);
      const kind = type === null ? "other" : KINDS[type];
      if (kind === "block-header") isBlockNext = true;
      const end = at + source.length;
      lexemes.push({ kind, text: source, start: at, end });
      at = end;
    }
  }
  for (const token of parser.end()) take(token);
  return { lexemes, tokens, stopped: null };
}
