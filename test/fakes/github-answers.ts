// How the fake GitHub answers: its JSON, its headers, its refusals in the words that GitHub was seen to use, and pages
// with Link headers.
import type { FakeAnswer } from "./http-fake.ts";
import type { GithubState, Json } from "./github-state.ts";

/** A clear no, thrown by a route. */
export class GithubRefusal extends Error {
  readonly status: number;
  readonly more: Json;
  readonly headers: Readonly<Record<string, string>>;

  constructor(status: number, message: string, more: Json = {}, headers: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.more = more;
    this.headers = headers;
  }
}

export const NOT_FOUND = (): GithubRefusal => new GithubRefusal(404, "Not Found");

/** As GitHub refuses a value: `errors` says which. */
export function invalid(resource: string, field: string, message: string, code = "custom"): GithubRefusal {
  return new GithubRefusal(422, "Validation Failed", { errors: [{ resource, code, field, message }] });
}

/** For faults too. */
export function githubError(
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
  more: Json = {},
): FakeAnswer {
  return {
    status,
    headers: { "content-type": "application/json; charset=utf-8", ...headers },
    body: JSON.stringify({ message, ...more, documentation_url: "https://docs.github.com/rest", status: String(status) }),
  };
}

/** Null: without a word on when to come back. */
export function secondaryRateLimit(retryAfterSeconds: number | null, status: 403 | 429 = 403): FakeAnswer {
  return githubError(
    status,
    "You have exceeded a secondary rate limit. Please wait a few minutes before you try again.",
    retryAfterSeconds === null ? {} : { "retry-after": String(retryAfterSeconds) },
  );
}

/** `resetSeconds` since 1970. */
export function primaryRateLimit(resetSeconds: number, status: 403 | 429 = 403): FakeAnswer {
  return githubError(status, "API rate limit exceeded for installation ID 12345.", {
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": "0",
    "x-ratelimit-reset": String(resetSeconds),
  });
}

export function json(status: number, data: unknown, headers: Readonly<Record<string, string>> = {}): FakeAnswer {
  return { status, headers: { "content-type": "application/json; charset=utf-8", ...headers }, body: JSON.stringify(data) };
}

/** One page of the items. GitHub's links name the repository by its number. */
export function paged(
  state: GithubState,
  path: string,
  query: ReadonlyMap<string, string>,
  items: readonly unknown[],
  wrap: (page: readonly unknown[]) => unknown = (page) => page,
): FakeAnswer {
  const size = Math.min(Math.max(Number(query.get("per_page") ?? 30), 1), 100);
  const page = Math.max(Number(query.get("page") ?? 1), 1);
  const last = Math.max(Math.ceil(items.length / size), 1);
  const link = (to: number, rel: string): string => {
    const address = new URL(`${state.apiUrl}${path.replace(/^\/repos\/[^/]+\/[^/]+/, `/repositories/${state.repositoryId}`)}`);
    for (const [name, value] of query) address.searchParams.set(name, value);
    address.searchParams.set("page", String(to));
    return `<${address.href}>; rel="${rel}"`;
  };
  const links = [
    ...(page > 1 ? [link(page - 1, "prev")] : []),
    ...(page < last ? [link(page + 1, "next"), link(last, "last")] : []),
    ...(page > 1 ? [link(1, "first")] : []),
  ];
  return json(200, wrap(items.slice((page - 1) * size, page * size)), links.length === 0 ? {} : { link: links.join(", ") });
}
