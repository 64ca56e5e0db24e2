// Is all that stands in a comment, check, issue or summary ours, whatever the names in it say? Read by an independent
// parser of GitHub's Markdown: complaints, empty where nothing foreign became more than text.
import type { FakeGithub } from "../fakes/github.ts";
import { type MarkdownNode, nodesOf, parseMarkdown, textOf } from "../report/markdown-tree.ts";

const TYPES = new Set(
  "root heading paragraph text inlineCode code strong list listItem blockquote table tableRow tableCell html link break".split(
    " ",
  ),
);
const HEADING =
  /^(?:\S+ )?(?:Iceberg plan|Iceberg drift|Applied to|Applying to|Would be applied|Not all is applied|Left to another run|Nothing to apply|Branch \S+ moved|The files|Drift|\d+ )/;
const OUR_HTML = [
  /^<!-- floeplan:(?:plan v1 head=[0-9a-f]{7} run=\d+\.\d+ state=[a-z]+|drift v1 env=\w+ set=[0-9a-f]{8}) -->$/,
  /^<\/?sub>$/,
  /^<\/details>$/,
  /^<details(?: open)?><summary>(?:<code>[^<>]*<\/code>|[^<>])*<\/summary>$/,
];
/** Mentions, references, commits, addresses: what GitHub makes of plain text. */
const ACTIVE = /(?:^|[^\w`])@[\w-]|#\d|\bGH-\d|\b[0-9a-f]{7,40}\b|:[a-z0-9_+-]+:|https?:|www\.|[\w.]@[\w.]/i;
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

export function foreignIn(text: string, { state }: FakeGithub): readonly string[] {
  const ours = `${state.serverUrl}/${state.repository}/`;
  const links = [`${ours}blob/`, `${ours}actions/runs/`, `${ours}pull/`];
  const complaintOf = (node: MarkdownNode): string | null => {
    switch (node.type) {
      case "heading":
        return node.depth === 3 && HEADING.test(textOf(node)) ? null : "heading";
      case "link":
        return links.some((link) => node.url?.startsWith(link) === true) ? null : "link";
      case "html":
        return (node.value ?? "").split("\n").every((line) => OUR_HTML.some((one) => one.test(line))) ? null : "HTML";
      case "text":
        return ACTIVE.test(node.value ?? "") ? "active text" : null;
      default:
        return TYPES.has(node.type) ? null : "markup";
    }
  };
  const found = nodesOf(withoutLinkTexts(parseMarkdown(text))).flatMap((node) => {
    const complaint = complaintOf(node);
    return complaint === null ? [] : [`${complaint}: ${JSON.stringify(node).slice(0, 200)}`];
  });
  return [...found, ...unseenIn(text)];
}

/** Characters that nobody sees; line ends, and the variation selector of an emoji, are ours. */
export function unseenIn(text: string): readonly string[] {
  return [...text.replace(/(?<=\p{Extended_Pictographic})\uFE0F/gu, "").matchAll(UNSEEN)]
    .filter(([character]) => character !== "\n")
    .map(({ 0: character, index }) => `unseen U+${(character.codePointAt(0) ?? 0).toString(16)} at ${index}`);
}

/** `run 9000012` has digits that a commit might have. */
function withoutLinkTexts(node: MarkdownNode): MarkdownNode {
  const children = node.type === "link" && /^run \d+$/.test(textOf(node)) ? [] : (node.children ?? []).map(withoutLinkTexts);
  return { ...node, children };
}
