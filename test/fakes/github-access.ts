// Whose token a request bears and what it may do, as GitHub answers it: an app's token by its permissions, a person's
// by their role. What may not even be seen is 404.
import { GithubRefusal, NOT_FOUND } from "./github-answers.ts";
import type { Access, GithubState, Token } from "./github-state.ts";

/** Any one of them is enough, as `x-accepted-github-permissions` tells it. */
export type Needs = readonly { readonly permission: string; readonly access: Access }[];

/** GitHub takes `token X` and `bearer X`. */
export function tokenOf(state: GithubState, authorization: string | undefined): Token {
  const [, text = ""] = /^(?:token|bearer) (\S+)$/i.exec(authorization ?? "") ?? [];
  const token = state.tokens.get(text);
  if (token === undefined) throw new GithubRefusal(401, "Bad credentials");
  return token;
}

export function requireAccess(state: GithubState, token: Token, needs: Needs): void {
  if (!token.seesRepository) throw NOT_FOUND();
  const mayDo = token.app === null ? personMay(state, token, needs) : appMay(token, needs);
  if (!mayDo) {
    const whose = token.app === null ? "personal access token" : "integration";
    throw new GithubRefusal(
      403,
      `Resource not accessible by ${whose}`,
      {},
      {
        "x-accepted-github-permissions": needs.map(({ permission, access }) => `${permission}=${access}`).join("; "),
      },
    );
  }
  if (state.isArchived && needs.every(({ access }) => access === "write")) {
    throw new GithubRefusal(403, "Repository was archived so is read-only.");
  }
}

function appMay({ permissions }: Token, needs: Needs): boolean {
  return (
    needs.length === 0 ||
    needs.some(({ permission, access }) => permissions[permission] === "write" || permissions[permission] === access)
  );
}

/** Whoever may read may also comment and open issues; the rest takes the right to write. */
function personMay(state: GithubState, { account }: Token, needs: Needs): boolean {
  const role = state.roles.get(account.login) ?? "none";
  if (role === "none") return false;
  const isTalk = needs.every(
    ({ permission, access }) => access === "read" || permission === "issues" || permission === "pull_requests",
  );
  return isTalk || role === "write" || role === "maintain" || role === "admin";
}
