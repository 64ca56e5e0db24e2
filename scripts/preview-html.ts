// Markdown as GitHub shows it, for looking at: from the same independent parser that the tests use to a page with colours
// and widths like those of a comment. For our own goldens only: HTML in them is passed on.
import { parseMarkdown, textOf, type MarkdownNode } from "../test/report/markdown-tree.ts";

const ALERTS: Readonly<Record<string, string>> = {
  NOTE: "Note",
  TIP: "Tip",
  IMPORTANT: "Important",
  WARNING: "Warning",
  CAUTION: "Caution",
};

export function markdownHtml(text: string): string {
  return childrenHtml(parseMarkdown(text));
}

export function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}

function childrenHtml(node: MarkdownNode): string {
  return (node.children ?? []).map(nodeHtml).join("");
}

function nodeHtml(node: MarkdownNode): string {
  const inner = (): string => childrenHtml(node);
  switch (node.type) {
    case "text":
      return escapeHtml(node.value ?? "");
    case "html":
      return node.value ?? "";
    case "paragraph":
      return `<p>${inner()}</p>\n`;
    case "heading":
      return `<h${node.depth ?? 1}>${inner()}</h${node.depth ?? 1}>\n`;
    case "inlineCode":
      return `<code>${escapeHtml(node.value ?? "")}</code>`;
    case "strong":
      return `<strong>${inner()}</strong>`;
    case "emphasis":
      return `<em>${inner()}</em>`;
    case "link":
      return `<a href="${escapeHtml(node.url ?? "")}">${inner()}</a>`;
    case "break":
      return "<br>\n";
    case "list":
      return node.ordered === true ? `<ol>${inner()}</ol>\n` : `<ul>${inner()}</ul>\n`;
    case "listItem":
      return `<li>${inner()}</li>\n`;
    case "blockquote":
      return quoteHtml(node);
    case "code":
      return `<pre><code>${codeHtml(node.value ?? "", node.lang ?? "")}</code></pre>\n`;
    case "table":
      return `<table>${(node.children ?? []).map((row, index) => rowHtml(row, index === 0 ? "th" : "td")).join("")}</table>\n`;
    default:
      throw new Error(`The preview does not know the Markdown node ${node.type}`);
  }
}

function rowHtml(row: MarkdownNode, cell: "th" | "td"): string {
  return `<tr>${(row.children ?? []).map((one) => `<${cell}>${childrenHtml(one)}</${cell}>`).join("")}</tr>`;
}

/** `[!CAUTION]` at the start makes an alert of a quotation. */
function quoteHtml(node: MarkdownNode): string {
  const [first, ...rest] = node.children ?? [];
  const [, name = ""] = /^\[!([A-Z]+)\]\s*/.exec(first === undefined ? "" : textOf(first)) ?? [];
  const title = ALERTS[name];
  if (first === undefined || title === undefined) return `<blockquote>${childrenHtml(node)}</blockquote>\n`;
  const head = nodeHtml(first).replace(`[!${name}]`, "");
  const body = head.replace(/<p>\s*<\/p>\n?/, "") + rest.map(nodeHtml).join("");
  return `<div class="alert ${name.toLowerCase()}"><p class="title">${title}</p>${body}</div>\n`;
}

/** GitHub colours the lines of a diff by their first sign. */
function codeHtml(text: string, language: string): string {
  if (language !== "diff") return escapeHtml(text);
  const classes: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "!": "changed", "@": "range" };
  return text
    .split("\n")
    .map((line) => {
      const name = classes[line.charAt(0)];
      return name === undefined ? escapeHtml(line) : `<span class="${name}">${escapeHtml(line)}</span>`;
    })
    .join("\n");
}

/** Colours, sizes and widths like a comment's in the light theme; our own sheet, nothing of GitHub's. */
export const PREVIEW_STYLE = `
body { margin: 0; background: #fff; color: #1f2328; font: 14px/1.5 -apple-system, "Segoe UI", "Open Sans", "Liberation Sans", "DejaVu Sans", Arial, sans-serif; }
main { max-width: 860px; margin: 0 auto; padding: 16px; }
article { border: 1px solid #d1d9e0; border-radius: 6px; margin: 0 0 32px; overflow: hidden; }
article > header { background: #f6f8fa; border-bottom: 1px solid #d1d9e0; padding: 8px 16px; color: #59636e; }
article > div { padding: 16px; overflow-wrap: break-word; }
h2, h3, h4 { line-height: 1.25; margin: 0 0 16px; font-weight: 600; }
h3 { font-size: 1.25em; }
p, ul, ol, pre, table, details, blockquote { margin: 0 0 16px; }
ul, ol { padding-left: 2em; } li > p { margin: 0; }
a { color: #0969da; text-decoration: none; }
code { font: 85% ui-monospace, "DejaVu Sans Mono", "Liberation Mono", Menlo, monospace; background: #818b981f; border-radius: 6px; padding: .2em .4em; }
pre { background: #f6f8fa; border-radius: 6px; padding: 16px; overflow: auto; line-height: 1.45; }
pre code { background: none; padding: 0; white-space: pre; }
.added { color: #116329; background: #dafbe1; } .removed { color: #82071e; background: #ffebe9; }
.changed { color: #953800; background: #ffd8b5; } .range { color: #8250df; }
table { border-collapse: collapse; display: block; overflow: auto; width: max-content; max-width: 100%; }
td, th { border: 1px solid #d1d9e0; padding: 6px 13px; }
blockquote { border-left: .25em solid #d1d9e0; padding: 0 1em; color: #59636e; }
.alert { border-left: .25em solid; padding: 8px 16px; margin: 0 0 16px; } .alert > :last-child { margin: 0; }
.alert .title { font-weight: 500; margin: 0 0 16px; }
.note { border-color: #0969da; } .note .title { color: #0969da; } .tip { border-color: #1a7f37; } .tip .title { color: #1a7f37; }
.important { border-color: #8250df; } .important .title { color: #8250df; }
.warning { border-color: #9a6700; } .warning .title { color: #9a6700; }
.caution { border-color: #cf222e; } .caution .title { color: #d1242f; }
`;
