// Turns the parser's tokens into the tree, with what the library found wrong. The only file that knows the
// library's nodes. Scalars are read as text here; what a plain one means is in scalar-value.ts.
import { Composer, type CST, type Document, isAlias, isMap, isPair, isScalar, isSeq, Scalar, type YAMLParseError } from "yaml";
import { readPlain } from "./scalar-value.ts";
import type { MapEntry, ScalarNode, YamlNode } from "./tree.ts";

export interface YamlFault {
  readonly code: YAMLParseError["code"];
  readonly message: string;
  readonly start: number;
  readonly end: number;
}

export interface Composed {
  readonly root: YamlNode | null;
  readonly faults: readonly YamlFault[];
  /** Keys that are lists or maps, which no key of ours is. */
  readonly badKeys: readonly { readonly start: number; readonly end: number }[];
  /** Where the second document starts, or null. */
  readonly secondDocument: number | null;
}

export function composeTree(tokens: readonly CST.Token[], length: number): Composed {
  // "failsafe" leaves every scalar as text; duplicate keys are found later in linear time.
  const composer = new Composer({
    schema: "failsafe",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    version: "1.2",
  });
  const documents: Document.Parsed[] = [...composer.compose(tokens, true, length)];
  const faults = documents.flatMap((document) => document.errors.map(toFault));
  const badKeys: { start: number; end: number }[] = [];
  const [first, second] = documents;
  const root = first?.contents === null || first === undefined ? null : toNode(first.contents, badKeys);
  return { root, faults, badKeys, secondDocument: second === undefined ? null : second.range[0] };
}

function toFault(error: YAMLParseError): YamlFault {
  return { code: error.code, message: error.message, start: error.pos[0], end: error.pos[1] };
}

function toNode(node: unknown, badKeys: { start: number; end: number }[]): YamlNode {
  if (isScalar(node)) return toScalar(node);
  if (isMap(node)) {
    const entries: MapEntry[] = [];
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      const { key } = pair;
      const value: YamlNode = pair.value === null ? emptyAt(rangeOf(key).end) : toNode(pair.value, badKeys);
      if (isScalar(key)) entries.push({ key: toScalar(key), value });
      else badKeys.push(rangeOf(key));
    }
    return { kind: "map", entries, flow: node.flow === true, ...rangeOf(node) };
  }
  if (isSeq(node)) {
    return { kind: "list", items: node.items.map((item) => toNode(item, badKeys)), flow: node.flow === true, ...rangeOf(node) };
  }
  // Aliases are refused with their place by the lexemes; here they only keep the tree whole.
  const name = isAlias(node) ? `*${node.source}` : "";
  return { kind: "scalar", value: name, text: name, style: "plain", ...rangeOf(node) };
}

const STYLES: Readonly<Record<string, ScalarNode["style"]>> = {
  [Scalar.QUOTE_SINGLE]: "single",
  [Scalar.QUOTE_DOUBLE]: "double",
  [Scalar.BLOCK_FOLDED]: "block",
  [Scalar.BLOCK_LITERAL]: "block",
};

function toScalar(node: Scalar): ScalarNode {
  const style = STYLES[node.type ?? ""] ?? "plain";
  // A tag, which is refused, may have made something else of the text.
  const text = typeof node.value === "string" ? node.value : (node.source ?? "");
  return { kind: "scalar", value: style === "plain" ? readPlain(text) : text, text, style, ...rangeOf(node) };
}

function emptyAt(offset: number): ScalarNode {
  return { kind: "scalar", value: null, text: "", style: "plain", start: offset, end: offset };
}

function rangeOf(node: unknown): { start: number; end: number } {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  const [start, end] = Array.isArray(range) ? range : [0, 0];
  return { start: Number(start), end: Number(end) };
}
