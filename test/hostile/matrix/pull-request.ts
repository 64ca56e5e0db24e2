// A pull request's own text: what is not read cannot be told, and is shown not to be read; what is told outside of a report
// (the headings of an apply and of a plan that was overtaken) is read back as GitHub would.
import { expect, it } from "vitest";
import { visible } from "../../../src/report/escape.ts";
import { textMarkdown } from "../../../src/report/formats/markdown-text.ts";
import { text } from "../../../src/report/text.ts";
import { approversOf } from "../../../src/forge/forge-pull-request.ts";
import { foreignMarkup, nodesOf, parseMarkdown, textOf } from "../../report/markdown-tree.ts";
import { TEXTS } from "./cells.ts";
import { pullRequestEvent } from "./pull-request-sources.ts";

/** Of the members of GitHub's pull request that hold words of a person, those that nothing is made of. */
const UNREAD = (words: string): object => ({
  title: words,
  body: words,
  labels: [{ name: words, description: words }],
  milestone: { title: words },
  requested_reviewers: [{ login: words }],
  merged_by: { login: words },
  auto_merge: { commit_title: words, commit_message: words },
});

it("title, description, labels and the words of commits are not read", () => {
  const plain = pullRequestEvent("main");
  expect(TEXTS.filter((words) => JSON.stringify(pullRequestEvent("main", UNREAD(words))) !== JSON.stringify(plain))).toEqual([]);
});

it("a login is compared and told to nobody, and only an exact one is the author's", () => {
  const person = (login: string) => ({ login, id: null, isBot: false });
  const reviews = TEXTS.map((login) => ({ author: person(login), verdict: "approved" as const, commit: "1" }));
  const own = TEXTS.filter((login) => approversOf(reviews, "1", person(login)).includes(login));
  expect(own).toEqual([]);
  expect(approversOf(reviews, "1", person("alice"))).toHaveLength(TEXTS.length);
});

it.each([
  ["of an apply", (words: string) => text`Applying to ${words}: 1 table`],
  ["of a plan that was overtaken", (words: string) => text`Branch ${words} moved and touches the same tables`],
])("the heading %s shows every text as text", (_, heading) => {
  const wrong = TEXTS.filter((words) => words !== "").flatMap((words) => {
    const markdown = `### 🔵 ${textMarkdown(heading(words))}\n`;
    const nodes = nodesOf(parseMarkdown(markdown));
    const code = nodes.filter(({ type }) => type === "inlineCode").map(textOf);
    const shown = visible(words).replaceAll("|", "\\u{7C}");
    const isSeen = words.length > 60 || code.some((one) => one.trim() === shown.trim());
    return [...foreignMarkup(markdown, null, nodes), ...(isSeen ? [] : [`not shown: ${words}`])];
  });
  expect(wrong).toEqual([]);
});
