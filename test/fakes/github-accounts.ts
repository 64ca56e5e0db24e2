// Routes of the fake GitHub for who somebody is and what they may do, for runs of workflows and their environments.
import { GithubRefusal, json, NOT_FOUND } from "./github-answers.ts";
import { type Route, textIn } from "./github-routes.ts";
import type { GithubState, StoredRun } from "./github-state.ts";
import { environmentView, runView, userView } from "./github-views.ts";

const REPO = "/repos/{owner}/{repo}";
const ACTIONS = [{ permission: "actions", access: "read" }] as const;
const METADATA = [{ permission: "metadata", access: "read" }] as const;
/** What a role of GitHub's own may do, in the four words that GitHub had before. */
const PERMISSIONS: Readonly<Record<string, string>> = { triage: "read", maintain: "write" };

export const ACCOUNT_ROUTES: readonly Route[] = [
  {
    route: "GET /user",
    needs: null,
    answer: ({ token }) => {
      if (token.app !== null) throw new GithubRefusal(403, "Resource not accessible by integration");
      return json(200, userView(token.account));
    },
  },
  {
    route: "POST /graphql",
    needs: null,
    body: ["query", "variables"],
    answer: ({ state, token, body }) => {
      if (!state.hasGraphql) throw NOT_FOUND();
      const query = textIn(body, "query").replace(/\s+/g, " ").trim();
      if (query !== "query { viewer { login databaseId } }") throw new Error(`This query is not known: ${query}`);
      return json(200, { data: { viewer: { login: token.account.login, databaseId: token.account.id } } });
    },
  },
  {
    route: `GET ${REPO}/collaborators/{login}/permission`,
    needs: METADATA,
    answer: ({ state, at }) => {
      const account = state.accounts.get(at("login"));
      if (account === undefined) throw new GithubRefusal(404, `${at("login")} is not a user`);
      const role = state.roles.get(account.login) ?? "none";
      // A role of the organization's making: `auditor/write`.
      const [name = role, stands = role] = role.split("/");
      return json(200, { permission: PERMISSIONS[stands] ?? stands, role_name: name, user: userView(account) });
    },
  },
  {
    route: "GET /orgs/{organization}/teams/{team}",
    needs: null,
    answer: ({ state, token, at }) => {
      if (!token.seesTeams || !state.teams.has(`${at("organization")}/${at("team")}`)) throw NOT_FOUND();
      return json(200, { id: 77, slug: at("team"), name: at("team"), privacy: "closed" });
    },
  },
  {
    route: "GET /orgs/{organization}/teams/{team}/memberships/{login}",
    needs: null,
    answer: ({ state, token, at }) => {
      const members = state.teams.get(`${at("organization")}/${at("team")}`);
      if (!token.seesTeams || members === undefined) throw NOT_FOUND();
      // Invited, and not yet one.
      if (members.includes(`${at("login")}?`)) return json(200, { state: "pending", role: "member" });
      if (!members.includes(at("login"))) throw NOT_FOUND();
      return json(200, { state: "active", role: "member" });
    },
  },
  {
    route: `GET ${REPO}/actions/runs/{id}`,
    needs: ACTIONS,
    answer: ({ state, at }) => json(200, runView(state, runAt(state, at("id")))),
  },
  {
    route: `GET ${REPO}/actions/runs/{id}/approvals`,
    needs: ACTIONS,
    answer: ({ state, at }) => {
      const { approvals } = runAt(state, at("id"));
      return json(
        200,
        approvals.map(({ login, state: word, environments }) => {
          const account = state.accounts.get(login);
          return {
            state: word,
            comment: "",
            environments: environments.map((name, index) => ({ id: index + 1, name })),
            user: account === undefined ? null : userView(account),
          };
        }),
      );
    },
  },
  {
    route: `GET ${REPO}/environments/{name}`,
    needs: ACTIONS,
    answer: ({ state, at }) => {
      const environment = state.environments.get(at("name"));
      if (environment === undefined) throw NOT_FOUND();
      return json(200, environmentView(environment));
    },
  },
];

function runAt(state: GithubState, id: string): StoredRun {
  const run = state.runs.get(Number(id));
  if (run === undefined) throw NOT_FOUND();
  return run;
}
