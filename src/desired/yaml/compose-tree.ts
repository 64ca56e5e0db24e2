// Turns the parser's tokens into the tree, with what the library found wrong. The only file that knows the
// library's nodes. Scalars are read as text here; what a plain one means is in scalar-value.ts.
import { Composer, type CST, isAlias, isMap, isPair, isScalar, isSeq, Scalar, type YAMLParseError } from "yaml";
import { readPlain } from "./scalar-value.ts";
import type { Span } from "./source-text.ts";
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
  readonly badKeys: readonly Span[];
  /** Where the second document starts, or null. */
  readonly secondDocument: number | null;
}

export function composeTree(tokens: readonly CST.Token[], text: string): Composed {
  // "failsafe" leaves every scalar as text; duplicate keys are found later in linear time.
  const composer = new Composer({
    schema: "failsafe",
    uniqueKeys: false,
    prettyErrors: false,
    logLevel: "silent",
    version: "1.2",
  });
  const documents = withoutStacks(() => [...composer.compose(tokens, true, text.length)]);
  const faults = documents.flatMap((document) => document.errors.map(toFault));
  const badKeys: Span[] = [];
  const [first, second] = documents;
  const contents = first?.contents ?? null;
  const root = contents === null ? null : toNode(contents, { text, badKeys });
  return { root, faults, badKeys, secondDocument: second === undefined ? null : second.range[0] };
}

/** The library makes an error for each fault, and a hostile file has 100,000 whose stacks nobody reads. */
function withoutStacks<T>(run: () => T): T {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 0;
  try {
    return run();
  } finally {
    Error.stackTraceLimit = limit;
  }
}

interface Composing {
  readonly text: string;
  readonly badKeys: Span[];
}

function toFault(error: YAMLParseError): YamlFault {
  return { code: error.code, message: error.message, start: error.pos[0], end: error.pos[1] };
}

function toNode(node: unknown, composing: Composing): YamlNode {
  if (isScalar(node)) return toScalar(node, composing.text);
  if (isMap(node)) {
    const entries: MapEntry[] = [];
    for (const pair of node.items) {
      if (!isPair(pair)) continue;
      const { key } = pair;
      const value: YamlNode = pair.value === null ? emptyAt(rangeOf(key).end) : toNode(pair.value, composing);
      if (isScalar(key)) entries.push({ key: toScalar(key, composing.text), value });
      else composing.badKeys.push(rangeOf(key));
    }
    const { start, end } = rangeOf(node);
    const flow = node.flow === true;
    return { kind: "map", entries, flow, start, end: flow ? end : (entries.at(-1)?.value.end ?? start) };
  }
  if (isSeq(node)) {
    const items = node.items.map((item) => toNode(item, composing));
    const { start, end } = rangeOf(node);
    const flow = node.flow === true;
    return { kind: "list", items, flow, start, end: flow ? end : (items.at(-1)?.end ?? start) };
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

function toScalar(node: Scalar, source: string): ScalarNode {
  const style = STYLES[node.type ?? ""] ?? "plain";
  // A tag, which is refused, may have made something else of the text.
  const text = typeof node.value === "string" ? node.value : (node.source ?? "");
  const { start, end } = rangeOf(node);
  const value = style === "plain" ? readPlain(text) : text;
  return {
    kind: "scalar",
    value,
    text,
    style,
    start,
    end: style === "block" ? start + source.slice(start, end).trimEnd().length : end,
  };
}

function emptyAt(offset: number): ScalarNode {
  return { kind: "scalar", value: null, text: "", style: "plain", start: offset, end: offset };
}

function rangeOf(node: unknown): Span {
  const range = typeof node === "object" && node !== null && "range" in node ? node.range : null;
  const [start, end] = Array.isArray(range) ? range : [0, 0];
  return { start: Number(start), end: Number(end) };
}
