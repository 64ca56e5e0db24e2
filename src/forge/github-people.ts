// Who the token is and what people may do. The workflow's own token may not ask for itself by REST, so GraphQL is asked
// for it; where both are silent, the author of the first thing that was written tells. Asked once and kept.
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done, isDone, mapAnswer } from "./forge-answer.ts";
import { type People, type Person, type Role, ROLES } from "./forge-people.ts";
import type { GithubClient } from "./github-client.ts";
import { memberOf, numberOrNull, textOf, textOrNull } from "./github-read.ts";

export interface GithubPeople extends People {
  /** The author of something that the token wrote. */
  readonly learn: (author: Person | null) => void;
}

/** An account in an answer; null where it is gone. */
export function readPerson(value: unknown): Person | null {
  const login = textOrNull(value, "login");
  if (login === null) return null;
  return { login, id: numberOrNull(value, "id"), isBot: textOrNull(value, "type") === "Bot" || login.endsWith("[bot]") };
}

export function isSamePerson(a: Person | null, b: Person | null): boolean {
  if (a === null || b === null) return false;
  return a.id !== null && b.id !== null ? a.id === b.id : a.login.toLowerCase() === b.login.toLowerCase();
}

export function githubPeople(client: GithubClient, token: string): GithubPeople {
  let asked: Promise<Person | null> | null = null;
  let learned: Person | null = null;
  return {
    self: async () => {
      asked ??= whoami(client, token);
      return learned ?? (await asked);
    },
    learn: (author) => {
      learned ??= author;
    },
    role: async (login) => {
      const answer = await client.call({
        route: "GET /repos/{owner}/{repo}/collaborators/{login}/permission",
        values: { login },
        what: `Cannot see what "${login}" may do in the repository`,
        permission: "metadata: read",
        missing: "missing",
      });
      return answer.kind === "missing" ? done("none") : mapAnswer(answer, readRole);
    },
    isInTeam: async (team, login) => await isInTeam(client, team, login),
  };
}

async function whoami(client: GithubClient, token: string): Promise<Person | null> {
  // Tokens of apps begin so.
  const ways = token.startsWith("ghs_") ? [byGraphql, byRest] : [byRest, byGraphql];
  for (const ask of ways) {
    const person = await ask(client);
    if (person !== null) return person;
  }
  return null;
}

async function byRest(client: GithubClient): Promise<Person | null> {
  const answer = await client.call({
    route: "GET /user",
    what: "Cannot ask GitHub who the token is",
    permission: "metadata: read",
    missing: "missing",
  });
  return isDone(answer) ? readPerson(answer.value) : null;
}

async function byGraphql(client: GithubClient): Promise<Person | null> {
  const viewer = memberOf(await client.query("query { viewer { login databaseId } }"), "viewer");
  const login = textOrNull(viewer, "login");
  return login === null ? null : { login, id: numberOrNull(viewer, "databaseId"), isBot: login.endsWith("[bot]") };
}

/** The role's name where it is one of GitHub's own; a role of the organization's making stands on a permission. */
function readRole(value: unknown): Role {
  const name = textOrNull(value, "role_name");
  const permission = textOf(value, "permission");
  return ROLES.find((role) => role === name) ?? ROLES.find((role) => role === permission) ?? "none";
}

async function isInTeam(client: GithubClient, team: string, login: string): Promise<Answer<boolean>> {
  const [organization, slug, ...rest] = team.replace(/^@/, "").split("/");
  if (organization === undefined || slug === undefined || rest.length > 0)
    throw new ToolError("config", `Cannot find team "${team}"`, { mend: "Write it as organization/team" });
  const words = { what: `Cannot see the members of team "${organization}/${slug}"`, permission: "members: read" } as const;
  const member = await client.call({
    route: "GET /orgs/{organization}/teams/{slug}/memberships/{login}",
    values: { organization, slug, login },
    missing: "missing",
    ...words,
  });
  if (isDone(member)) return done(textOrNull(member.value, "state") === "active");
  if (member.kind !== "missing") return member;
  // No member, or a team that the token may not see: only the second has no answer here.
  const seen = await client.call({
    route: "GET /orgs/{organization}/teams/{slug}",
    values: { organization, slug },
    missing: "forbidden",
    ...words,
  });
  return mapAnswer(seen, () => false);
}
