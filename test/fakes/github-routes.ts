// One route of the fake GitHub: its address, what it takes and what it needs. Strict about what our program sends: a
// parameter or member that GitHub does not document for the call is a mistake of ours, which GitHub would pass over.
import { requireAccess, type Needs, tokenOf } from "./github-access.ts";
import { GithubRefusal, githubError } from "./github-answers.ts";
import type { GithubState, Json, Token } from "./github-state.ts";
import type { CallName, FakeAnswer, FakeRequest } from "./http-fake.ts";

export interface RouteCall {
  readonly state: GithubState;
  readonly token: Token;
  /** Of the address, decoded, by the names in braces. */
  readonly at: (name: string) => string;
  readonly query: ReadonlyMap<string, string>;
  readonly body: Json;
  readonly headers: Readonly<Record<string, string>>;
  /** As sent, without the API's own path. */
  readonly path: string;
}

export interface Route {
  /** `GET /repos/{owner}/{repo}/pulls/{number}`; `{+name}` takes slashes. */
  readonly route: string;
  /** Null: the repository plays no part, and the route itself refuses. */
  readonly needs: Needs | null;
  readonly query?: readonly string[];
  readonly body?: readonly string[];
  readonly answer: (call: RouteCall) => FakeAnswer;
}

export interface RouteTable {
  readonly name: (request: FakeRequest) => CallName | null;
  readonly answer: (request: FakeRequest) => FakeAnswer;
}

const PAGING = ["per_page", "page"];

/** `apiPath`: what stands before every route, e.g. `/api/v3`. */
export function routeTable(state: GithubState, apiPath: string, routes: readonly Route[]): RouteTable {
  const compiled = routes.map((route) => ({ route, pattern: patternOf(route.route) }));
  const find = (
    request: FakeRequest,
  ): { readonly route: Route; readonly path: string; readonly values: Readonly<Record<string, string | undefined>> } | null => {
    const path = pathOf(state, request, apiPath);
    if (path === null) return null;
    for (const { route, pattern } of compiled) {
      const match = pattern.exec(`${request.method} ${path}`);
      if (match !== null) return { route, path, values: { ...match.groups } };
    }
    return null;
  };
  return {
    name: (request) => {
      const found = find(request);
      if (found === null) return null;
      return { operation: found.route.route.replace("/repos/{owner}/{repo}", ""), target: found.path };
    },
    answer: (request) => {
      const found = find(request);
      if (found === null) throw new Error(`${request.path} was named and is not known`);
      const { route, path, values } = found;
      try {
        const token = tokenOf(state, request.headers["authorization"]);
        checkHeaders(request);
        if (route.needs !== null) requireAccess(state, token, route.needs);
        const { headers } = request;
        const at = (name: string): string => decodeURIComponent(values[name] ?? "");
        return route.answer({ state, token, at, query: queryOf(request, route), body: bodyOf(request, route), headers, path });
      } catch (error) {
        if (!(error instanceof GithubRefusal)) throw error;
        return githubError(error.status, error.message, error.headers, error.more);
      }
    },
  };
}

/** The repository by its name or by its number, as in GitHub's own links; another one is not known. */
function pathOf(state: GithubState, { path }: FakeRequest, apiPath: string): string | null {
  if (apiPath !== "" && path === "/api/graphql") return "/graphql";
  if (!path.startsWith(`${apiPath}/`)) return null;
  const own = path
    .slice(apiPath.length)
    .replace(new RegExp(`^/repositories/${state.repositoryId}(?=/|$)`), `/repos/${state.repository}`);
  const [, named] = /^\/repos\/([^/]+\/[^/]+)/.exec(own) ?? [];
  return named === undefined || named.toLowerCase() === state.repository.toLowerCase() ? own : null;
}

function patternOf(route: string): RegExp {
  const text = route
    .replace(/[.]/g, "\\.")
    .replace(/\{(\+?)(\w+)\}/g, (_whole, spans: string, name: string) => `(?<${name}>${spans === "" ? "[^/]+" : ".+"})`);
  return new RegExp(`^${text}$`);
}

function checkHeaders({ headers, method, body, path }: FakeRequest): void {
  if ((headers["user-agent"] ?? "") === "") {
    throw new GithubRefusal(
      403,
      "Request forbidden by administrative rules. Please make sure your request has a User-Agent header",
    );
  }
  const version = headers["x-github-api-version"];
  if (version !== undefined && version !== "2022-11-28")
    throw new GithubRefusal(400, `The version "${version}" is not supported`);
  if (version === undefined && !path.endsWith("/graphql")) throw new Error(`${method} ${path} names no version of the API`);
  if (body.length > 0 && !(headers["content-type"] ?? "").startsWith("application/json")) {
    throw new Error(`${method} ${path} sends a body that is not called JSON`);
  }
}

function queryOf({ query, method, path }: FakeRequest, route: Route): ReadonlyMap<string, string> {
  const known = new Set([...(route.query ?? []), ...(method === "GET" ? PAGING : [])]);
  for (const [name] of query) if (!known.has(name)) throw new Error(`${method} ${path} has no parameter "${name}"`);
  return new Map(query.map(([name, value]) => [name, value.replaceAll("+", " ")]));
}

function bodyOf({ body, method, path }: FakeRequest, route: Route): Json {
  if (body.length === 0) return {};
  let parsed: unknown;
  try {
    parsed = JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw new GithubRefusal(400, "Problems parsing JSON");
  }
  if (typeof parsed !== "object" || parsed === null || Array.isArray(parsed))
    throw new GithubRefusal(400, "Body should be a JSON object");
  for (const name of Object.keys(parsed)) {
    if (route.body?.includes(name) !== true) throw new Error(`${method} ${path} has no member "${name}"`);
  }
  return { ...parsed };
}

/** A member that must be a text. */
export function textIn(body: Json, name: string): string {
  const value = body[name];
  if (typeof value === "string") return value;
  throw new GithubRefusal(422, `Invalid request.\n\n"${name}" wasn't supplied.`);
}

export function textOrUndefined(body: Json, name: string): string | undefined {
  return body[name] === undefined || body[name] === null ? undefined : textIn(body, name);
}
