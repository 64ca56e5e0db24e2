// Comments of pull requests and issues on GitHub, which are one thing there.
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import type { Comment, Comments } from "./forge-comment.ts";
import type { GithubClient } from "./github-client.ts";
import { type GithubPeople, isSamePerson, readPerson } from "./github-people.ts";
import { memberOf, numberOf, textOf, textOrNull } from "./github-read.ts";

const PERMISSION = "pull-requests: write";

/** Longest text that is taken, in UTF-16 units; GitHub counts at most as many. */
export const BODY_LIMIT = 65_536;

export function githubComments(client: GithubClient, people: GithubPeople): Comments {
  return {
    own: async (number, marker) => {
      const self = await people.self();
      if (self === null) return done(null);
      const all = await client.list({
        route: "GET /repos/{owner}/{repo}/issues/{number}/comments",
        values: { number },
        what: `Cannot read the comments of pull request ${number}`,
        permission: "pull-requests: read",
        missing: "forbidden",
      });
      return mapAnswer(all, (items) =>
        items
          .filter((item) => isSamePerson(readPerson(memberOf(item, "user")), self))
          .map(readComment)
          .filter((comment) => comment.body.startsWith(marker))
          .sort((a, b) => a.id - b.id),
      );
    },
    create: async (number, body) =>
      await createComment(client, people, {
        number,
        body,
        what: `Cannot comment on pull request ${number}`,
        permission: PERMISSION,
      }),
    update: async (id, body) => {
      const words = { what: "Cannot change the comment of an earlier run", permission: PERMISSION };
      const limit = tooLong(body, words.what);
      if (limit !== null) return limit;
      const answer = await client.call({
        route: "PATCH /repos/{owner}/{repo}/issues/comments/{id}",
        values: { id, body },
        missing: "missing",
        ...words,
      });
      return mapAnswer(answer, readComment);
    },
    remove: async (id) => {
      const answer = await client.call({
        route: "DELETE /repos/{owner}/{repo}/issues/comments/{id}",
        values: { id },
        what: "Cannot remove a comment of an earlier run",
        permission: PERMISSION,
        missing: "missing",
      });
      return mapAnswer(answer, () => null);
    },
  };
}

export interface CommentCall {
  readonly number: number;
  readonly body: string;
  readonly what: string;
  readonly permission: string;
}

export async function createComment(client: GithubClient, people: GithubPeople, call: CommentCall): Promise<Answer<Comment>> {
  const { number, body, what, permission } = call;
  const limit = tooLong(body, what);
  if (limit !== null) return limit;
  const answer = await client.call({
    route: "POST /repos/{owner}/{repo}/issues/{number}/comments",
    values: { number, body },
    makesNew: true,
    what,
    permission,
    missing: "forbidden",
  });
  if (isDone(answer)) people.learn(readPerson(memberOf(answer.value, "user")));
  return mapAnswer(answer, readComment);
}

/** Said before it is sent: the answer would be the same, and takes a call. */
export function tooLong(body: string, what: string): Answer<never> | null {
  if (body.length <= BODY_LIMIT) return null;
  return {
    kind: "too-long",
    what,
    why: `The text has ${body.length} characters, and GitHub takes ${BODY_LIMIT}`,
    limit: BODY_LIMIT,
  };
}

function readComment(value: unknown): Comment {
  return { id: numberOf(value, "id"), body: textOrNull(value, "body") ?? "", url: textOf(value, "html_url") };
}
