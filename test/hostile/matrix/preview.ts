// The page of `npm run preview`: comments as HTML for a browser. Read by a tokenizer of HTML that knows no Markdown: each tag
// is one that the preview writes, nothing runs or loads, all elements close, and the text is there as text.
import { expect, it } from "vitest";
import { markdownHtml } from "../../../scripts/preview-html.ts";
import { visible } from "../../../src/report/escape.ts";
import { renderMarkdown } from "../../../src/report/formats/markdown.ts";
import { complaints, notShown } from "./cells.ts";

const SOURCE_URL = "https://github.example/acme/lake/blob/77ab01c/";
/** Between them they fill every kind of node that the preview draws; the same Markdown is read in markdown.ts for all. */
const DRAWN = new Set(["live columns", "reasons of holds", "names of environments", "owners of tables"]);
const VOID = new Set(["br"]);
const PLAIN = new Set("p h3 code strong br ul li blockquote pre table tr th td details summary".split(" "));
/** What may stand in a tag, attributes and all, beside the plain ones. */
const OURS = [
  /^details open$/,
  /^a href="https:\/\/github\.example\/acme\/lake\/blob\/77ab01c\/[^"<>\s]*"$/,
  /^div class="alert caution"$/,
  /^p class="title"$/,
  /^span class="(?:added|removed|changed|range)"$/,
];
const ENTITY: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

interface Page {
  readonly wrong: readonly string[];
  readonly text: string;
}

/** By the standard a `<` before a letter, `/`, `!` or `?` begins markup, and every other character is text. */
function readHtml(html: string): Page {
  const wrong: string[] = [];
  const open: string[] = [];
  const text: string[] = [];
  let from = 0;
  for (const match of html.matchAll(/<(?=[A-Za-z/!?])([^>]*)>?/g)) {
    text.push(html.slice(from, match.index));
    from = match.index + match[0].length;
    const tag = match[1] ?? "";
    if (!match[0].endsWith(">")) wrong.push(`a tag without an end: ${tag.slice(0, 60)}`);
    if (tag.startsWith("/")) {
      if (open.pop() !== tag.slice(1)) wrong.push(`closed out of order: ${tag}`);
    } else {
      if (!PLAIN.has(tag) && !OURS.some((one) => one.test(tag))) wrong.push(`a foreign tag: ${tag.slice(0, 60)}`);
      if (!VOID.has(tag)) open.push(tag.split(" ", 1)[0] ?? "");
    }
  }
  text.push(html.slice(from));
  if (open.length > 0) wrong.push(`left open: ${open.join(" ")}`);
  return { wrong, text: text.join("\n").replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITY[name] ?? "") };
}

it("the preview shows every text as text", () => {
  const drawn = (text: string): string => visible(text).replaceAll("|", "\\u{7C}");
  expect(
    complaints((cell) => {
      if (!DRAWN.has(cell.source)) return [];
      const { wrong, text } = readHtml(markdownHtml(renderMarkdown(cell.report, { budget: null, sourceUrl: SOURCE_URL })));
      return [...wrong, ...notShown(cell, drawn, text.replaceAll("|", "\\u{7C}"))];
    }),
  ).toEqual([]);
});

it("is read by a reader that sees what is wrong", () => {
  expect(readHtml("<p>a</p>").wrong).toEqual([]);
  expect(
    ["<img src=x>", "<p>", "</p>", '<a href="//evil">a</a>', "<!-- x -->", "<p", "<p><code></p></code>"].map(
      (html) => readHtml(html).wrong.length > 0,
    ),
  ).toEqual(Array<boolean>(7).fill(true));
});
