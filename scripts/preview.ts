// One page with the comments, issues and summaries that the Action writes, for looking at in a browser at any width:
// `npm run preview` makes .cache/preview.html of test/action/golden/*.md.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { escapeHtml, markdownHtml, PREVIEW_STYLE } from "./preview-html.ts";

const root = resolve(import.meta.dirname, "..");
const goldens = join(root, "test/action/golden");
const page = join(root, ".cache/preview.html");

/** What the goldens leave out, since it differs from run to run, at its true width. */
const SHOWN: Readonly<Record<string, string>> = { IDENT8: "c40e7718", COMMIT7: "3f9c2ab", RUN: "9000017" };

const articles = readdirSync(goldens)
  .filter((name) => name.endsWith(".md"))
  .map((name) => {
    const id = name.replace(/\.md$/, "");
    const text = readFileSync(join(goldens, name), "utf8").replace(/\b(?:IDENT8|COMMIT7|RUN)\b/g, (word) => SHOWN[word] ?? word);
    const body = markdownHtml(text);
    return `<article id="${escapeHtml(id)}"><header>${escapeHtml(id)}</header><div>${body}</div></article>`;
  });
const head = `<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>What the Action writes</title>`;
mkdirSync(join(root, ".cache"), { recursive: true });
writeFileSync(page, `<!doctype html>\n${head}\n<style>${PREVIEW_STYLE}</style>\n<main>\n${articles.join("\n")}\n</main>\n`);
console.log(page);
