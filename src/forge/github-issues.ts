// Issues on GitHub. Pull requests are issues there too, and are never taken for one.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { Issue, IssueMark, Issues } from "./forge-issue.ts";
import type { GithubClient } from "./github-client.ts";
import { createComment, tooLong } from "./github-comments.ts";
import { type GithubPeople, isSamePerson, readPerson } from "./github-people.ts";
import { memberOf, numberOf, textOf, textOrNull } from "./github-read.ts";

const READ = "issues: read";
const WRITE = "issues: write";

export function githubIssues(client: GithubClient, people: GithubPeople): Issues {
  const find = async (mark: IssueMark): Promise<Answer<Issue | null>> => await findIssue(client, people, mark);
  return {
    find,
    create: async ({ title, body, mark }) => {
      const what = `Cannot open the issue "${title}"`;
      if (!body.startsWith(mark.marker)) throw new ToolError("internal", "An issue does not begin with its marker");
      const limit = tooLong(body, what);
      if (limit !== null) return limit;
      const send = async (): Promise<Answer<Issue>> => {
        const answer = await client.call({
          route: "POST /repos/{owner}/{repo}/issues",
          values: { title, body, labels: [mark.label] },
          makesNew: true,
          what,
          permission: WRITE,
          missing: "forbidden",
        });
        if (isDone(answer)) people.learn(readPerson(memberOf(answer.value, "user")));
        return mapAnswer(answer, readIssue);
      };
      try {
        return await send();
      } catch (error) {
        if (!(error instanceof ToolError) || error.kind !== "unavailable") throw error;
        const found = await find(mark);
        return isDone(found) && found.value !== null && found.value.isOpen ? done(found.value) : await send();
      }
    },
    update: async (number, { title, body, isOpen }) => {
      const what = `Cannot change issue ${number}`;
      const limit = body === undefined ? null : tooLong(body, what);
      if (limit !== null) return limit;
      const answer = await client.call({
        route: "PATCH /repos/{owner}/{repo}/issues/{number}",
        values: {
          number,
          ...(title === undefined ? {} : { title }),
          ...(body === undefined ? {} : { body }),
          ...(isOpen === undefined ? {} : stateOf(isOpen)),
        },
        what,
        permission: WRITE,
        missing: "missing",
      });
      return mapAnswer(answer, readIssue);
    },
    comment: async (number, body) =>
      await createComment(client, people, { number, body, what: `Cannot comment on issue ${number}`, permission: WRITE }),
  };
}

function stateOf(isOpen: boolean): Readonly<Record<string, string>> {
  return isOpen ? { state: "open", state_reason: "reopened" } : { state: "closed", state_reason: "completed" };
}

async function findIssue(client: GithubClient, people: GithubPeople, mark: IssueMark): Promise<Answer<Issue | null>> {
  const self = await people.self();
  if (self === null) return done(null);
  const list = async (values: Readonly<Record<string, string>>): Promise<Answer<readonly Issue[]>> => {
    const answer = await client.list({
      route: "GET /repos/{owner}/{repo}/issues",
      values,
      what: "Cannot read the issues",
      permission: READ,
      missing: "forbidden",
    });
    return mapAnswer(answer, (items) =>
      items
        .filter((item) => memberOf(item, "pull_request") === undefined)
        .filter((item) => isSamePerson(readPerson(memberOf(item, "user")), self))
        .map(readIssue)
        .filter((issue) => issue.body.startsWith(mark.marker))
        .sort((a, b) => a.number - b.number),
    );
  };
  const labelled = await list({ labels: mark.label, state: "all" });
  if (!isDone(labelled)) return labelled;
  const open = labelled.value.find((issue) => issue.isOpen);
  if (open !== undefined) return done(open);
  // A person may have taken the label off one that is open.
  const unlabelled = await list({ creator: self.login, state: "open" });
  return mapAnswer(unlabelled, ([first]) => first ?? labelled.value.at(-1) ?? null);
}

function readIssue(value: unknown): Issue {
  return {
    number: numberOf(value, "number"),
    title: textOf(value, "title"),
    body: textOrNull(value, "body") ?? "",
    isOpen: textOf(value, "state") === "open",
    url: textOf(value, "html_url"),
  };
}
