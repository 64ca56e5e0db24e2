// Reads Markdown as GitHub would (CommonMark with GitHub's extensions, by an independent parser) and lists what in
// it is more than text. Used to prove that nothing from outside becomes markup.
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmFromMarkdown } from "mdast-util-gfm";
import { gfm } from "micromark-extension-gfm";

export interface MarkdownNode {
  readonly type: string;
  readonly value?: string;
  readonly url?: string;
  readonly depth?: number;
  readonly ordered?: boolean | null;
  readonly lang?: string | null;
  readonly children?: readonly MarkdownNode[];
}

export function parseMarkdown(text: string): MarkdownNode {
  const root: { readonly type: string; readonly children: readonly unknown[] } = fromMarkdown(text, {
    extensions: [gfm()],
    mdastExtensions: [gfmFromMarkdown()],
  });
  return root as MarkdownNode;
}

export function nodesOf(node: MarkdownNode): MarkdownNode[] {
  return [node, ...(node.children ?? []).flatMap(nodesOf)];
}

export function textOf(node: MarkdownNode): string {
  return node.value ?? (node.children ?? []).map(textOf).join("");
}

/** Types that our own words use; everything else is an escape that failed. */
const OURS = new Set(
  "root heading paragraph text inlineCode code strong list listItem blockquote table tableRow tableCell html link break".split(
    " ",
  ),
);
const STRONG = new Set([
  "Blocked",
  "Lost",
  "Rewritten",
  "Next:",
  "Not reviewable here:",
  "keep",
  "drop",
  "leave",
  "error",
  "warning",
  "note",
]);
const SUMMARY = /^<details( open)?><summary>((?:<code>[^<>]*<\/code>|[^<>])*)<\/summary>$/;

/** What GitHub would make of plain text: mentions, references, commits, emoji, mathematics, addresses. */
const ACTIVE = /(^|[^\w`])@[\w-]|#\d|\bGH-\d|\b[0-9a-f]{7,40}\b|:[a-z0-9_+-]+:|\$\S.*\S?\$|https?:|www\.|[\w.]@[\w.]/i;

/** Complaints about a rendered report, empty when all markup is ours. */
export function foreignMarkup(text: string, sourceUrl: string | null, nodes = nodesOf(parseMarkdown(text))): string[] {
  const complaints: string[] = [];
  const complain = (what: string, node: MarkdownNode): void => {
    complaints.push(`${what}: ${JSON.stringify(node).slice(0, 300)}`);
  };
  for (const node of nodes) {
    if (!OURS.has(node.type)) complain("markup", node);
    if (node.type === "heading" && node.depth !== 3) complain("heading", node);
    if (node.type === "list" && node.ordered === true) complain("numbered list", node);
    if (node.type === "link" && (sourceUrl === null || node.url?.startsWith(sourceUrl) !== true)) complain("link", node);
    if (node.type === "strong" && !STRONG.has(textOf(node))) complain("strong", node);
    if (node.type === "tableRow" && node.children?.length !== 3) complain("table row", node);
    if (node.type === "html" && node.value !== "</details>") {
      const summary = SUMMARY.exec(node.value ?? "");
      if (summary === null) complain("HTML", node);
      else if (ACTIVE.test((summary[2] ?? "").replace(/<code>[^<>]*<\/code>/g, ""))) complain("active text in a summary", node);
    }
    if (node.type === "text" && ACTIVE.test(node.value ?? "")) complain("active text", node);
  }
  const count = (type: string): number => nodes.filter((node) => node.type === type).length;
  if (count("heading") !== 1) complaints.push(`${count("heading")} headings`);
  if (count("blockquote") > 1) complaints.push(`${count("blockquote")} block quotes`);
  return complaints;
}

/** The lines of `diff` fences that stand for a step. */
export function visibleSteps(text: string, nodes = nodesOf(parseMarkdown(text))): number {
  return nodes
    .filter((node) => node.type === "code" && node.lang === "diff")
    .flatMap((node) => (node.value ?? "").split("\n"))
    .filter((line) => /^[+>^~!?-]/.test(line)).length;
}
