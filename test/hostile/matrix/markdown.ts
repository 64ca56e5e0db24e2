// Comment, job summary, check summary and issue: Markdown as GitHub reads it, by an independent parser. All markup is ours,
// the comment's first line is ours, and the text is there as text or code.
import { expect, it } from "vitest";
import { commentMarker, composeComment, headOfComment, isClosedComment } from "../../../src/action/compose-comment.ts";
import type { Check } from "../../../src/forge/forge-check.ts";
import { visible } from "../../../src/report/escape.ts";
import { renderMarkdown } from "../../../src/report/formats/markdown.ts";
import { unseenIn } from "../../action/harmless.ts";
import { foreignMarkup, type MarkdownNode, nodesOf, parseMarkdown } from "../../report/markdown-tree.ts";
import { complaints, notShown, TEXTS } from "./cells.ts";

const SOURCE_URL = "https://github.example/acme/lake/blob/77ab01c/";
const HEAD = "77ab01c77ab01c77ab01c77ab01c77ab01c77ab0";

/** What a reader sees: text, code, and what stands in a summary. */
function seenIn(nodes: readonly MarkdownNode[]): string {
  const parts = nodes.flatMap(({ type, value = "" }) => {
    if (type === "text" || type === "inlineCode" || type === "code") return [value];
    if (type !== "html") return [];
    return [value.replace(/<[^>]*>/g, "").replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITY[name] ?? "")];
  });
  return parts.join("\n");
}
const ENTITY: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Rows of one table have one number of cells; how many, is the report's affair. No comment of HTML but the frame's. */
function foreignIn(markdown: string, nodes: readonly MarkdownNode[]): readonly string[] {
  const tables = nodes.filter(({ type }) => type === "table");
  const ragged = tables.filter(({ children = [] }) => new Set(children.map((row) => row.children?.length)).size !== 1);
  return [
    ...foreignMarkup(markdown, SOURCE_URL, [...nodes]).filter((one) => !one.startsWith("table row: ")),
    ...ragged.map(() => "a table with a cell too many"),
    ...nodes.filter(({ type, value = "" }) => type === "html" && value.includes("<!--")).map(() => "a comment of HTML"),
  ];
}

const CHECK: Check = {
  id: 1,
  name: "floeplan (prod)",
  commit: HEAD,
  externalId: "run=1 attempt=1 fingerprint=0",
  state: "success",
  title: null,
  summary: "### Plan",
  text: null,
  url: null,
};
const FRAME = { head: HEAD, run: "1.1", project: null, runUrl: () => SOURCE_URL };

/** What is wrong with the first line of a comment: the forge's reader and ours go by it. */
function misledBy(body: string, project: string | null): readonly string[] {
  return [
    body.startsWith(commentMarker(project)) ? null : "another first line",
    headOfComment(body) === HEAD.slice(0, 7) ? null : "another head",
    isClosedComment(body) ? "taken for an applied one" : null,
  ].filter((one) => one !== null);
}

it("Markdown and the comment that is made of it show every text as text", () => {
  const drawn = (text: string): string => visible(text).replaceAll("|", "\\u{7C}");
  expect(
    complaints((cell) => {
      const markdown = renderMarkdown(cell.report, { budget: 10_000_000, sourceUrl: SOURCE_URL });
      const nodes = nodesOf(parseMarkdown(markdown));
      const comment = composeComment([{ environment: "prod", plan: { ...CHECK, summary: markdown }, apply: null }], FRAME);
      return [
        ...foreignIn(markdown, nodes),
        ...unseenIn(markdown),
        ...misledBy(comment, null),
        ...notShown(cell, drawn, seenIn(nodes).replaceAll("|", "\\u{7C}")),
      ];
    }),
  ).toEqual([]);
});

it("a comment begins with our line, whatever a project and its environments are called", () => {
  const wrong = TEXTS.filter((text) => text !== "").flatMap((text) =>
    misledBy(composeComment([{ environment: text, plan: CHECK, apply: null }], { ...FRAME, project: text }), text).map(
      (one) => `${JSON.stringify(text)}: ${one}`,
    ),
  );
  expect(wrong).toEqual([]);
});
