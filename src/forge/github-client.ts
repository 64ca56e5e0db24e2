// Calls of GitHub's REST API for one repository: the client with its retries, limits and pages, and every answer as
// an `Answer`. Reads and repeatable writes are sent again when no answer comes; what makes something new is sent once.
import { Octokit } from "@octokit/core";
import { paginateRest } from "@octokit/plugin-paginate-rest";
import { retry } from "@octokit/plugin-retry";
import { throttling } from "@octokit/plugin-throttling";
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, done } from "./forge-answer.ts";
import { type CallWords, denialOf, failureOf } from "./github-errors.ts";
import { fetchFrom } from "./github-host.ts";
import { throttleOptions } from "./github-limits.ts";
import { listOf, memberOf } from "./github-read.ts";

export interface GithubCall extends CallWords {
  /** E.g. `GET /repos/{owner}/{repo}/pulls/{number}`; owner and repo are filled in. */
  readonly route: string;
  readonly values?: Readonly<Record<string, unknown>>;
  /** Sent twice it would make two: it is not sent again without an answer. */
  readonly makesNew?: boolean;
  /** Without: GitHub's JSON. */
  readonly accept?: string;
}

export interface GithubClient {
  readonly call: (call: GithubCall) => Promise<Answer<unknown>>;
  /** All items of a list, page by page, in one; `isLast` over a page ends it there. */
  readonly list: (call: GithubCall, isLast?: (items: readonly unknown[]) => boolean) => Promise<Answer<readonly unknown[]>>;
  /** The `data` of a query, or null where GraphQL does not answer it. */
  readonly query: (query: string) => Promise<unknown>;
}

export interface GithubClientOptions {
  readonly token: string;
  readonly apiUrl: string;
  /** `owner/name`. */
  readonly repository: string;
  /** E.g. `floeplan/1.2.0`; GitHub wants one. */
  readonly userAgent: string;
  /** For one answer. Without: 30 s. */
  readonly timeoutMs?: number;
  /** How long a second of waiting takes. Without: a second. */
  readonly secondMs?: number;
}

const PAGE_SIZE = 100;
/** Not helped by asking again; 429 is the throttling's. */
const FINAL = [400, 401, 403, 404, 409, 410, 413, 422, 429, 451];

/** An error of ours in the way of a call stays what it is: the client makes it an answer of status 500 and tries again. */
function ownErrors(octokit: Octokit): void {
  octokit.hook.error("request", (error) => {
    const cause: unknown = memberOf(error, "cause");
    throw cause instanceof ToolError ? cause : error;
  });
}

// In this order: each plugin is asked before those to its left.
const Client = Octokit.plugin(ownErrors, paginateRest, retry, throttling);
const silent = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export function githubClient(options: GithubClientOptions): GithubClient {
  const { timeoutMs = 30_000, secondMs = 1000 } = options;
  const [owner = "", repo = ""] = options.repository.split("/");
  const octokit = new Client({
    auth: options.token,
    baseUrl: options.apiUrl.replace(/(?<!\/)\/+$/, ""),
    userAgent: options.userAgent,
    log: silent,
    request: { fetch: fetchFrom(options.apiUrl, timeoutMs), log: silent },
    retry: { doNotRetry: FINAL, retryAfterBaseValue: secondMs },
    throttle: throttleOptions(secondMs),
  });
  const parametersOf = ({ route, values, makesNew, accept }: GithubCall): Record<string, unknown> => ({
    // What a route has no place for is sent along.
    ...(route.includes("{owner}/{repo}") ? { owner, repo } : {}),
    ...values,
    headers: { "x-github-api-version": "2022-11-28", ...(accept === undefined ? {} : { accept }) },
    request: makesNew === true ? { retries: 0 } : {},
  });
  return {
    call: async (call) =>
      await answered(call, async () => {
        const { data } = (await octokit.request(call.route, parametersOf(call))) as { readonly data: unknown };
        return data;
      }),
    list: async (call, isLast = () => false) =>
      await answered(call, async () => {
        const all: unknown[] = [];
        for await (const page of octokit.paginate.iterator(call.route, { per_page: PAGE_SIZE, ...parametersOf(call) })) {
          const items = listOf(page.data);
          for (const item of items) all.push(item);
          if (isLast(items)) break;
        }
        return all;
      }),
    query: async (query) => {
      try {
        return await octokit.graphql<unknown>(query);
      } catch (error) {
        const failure = failureOf(error);
        // The query's own errors have no status: the data is withheld.
        if (failure === null && Array.isArray(memberOf(error, "errors"))) return null;
        if (failure === null) throw garbled("Cannot ask GitHub who the token is", error);
        denialOf(
          failure,
          { what: "Cannot ask GitHub who the token is", permission: "metadata: read", missing: "missing" },
          error,
        );
        return null;
      }
    },
  };
}

async function answered<T>(words: CallWords, ask: () => Promise<T>): Promise<Answer<T>> {
  try {
    return done(await ask());
  } catch (error) {
    if (error instanceof ToolError) throw error;
    const failure = failureOf(error);
    if (failure === null) throw garbled(words.what, error);
    return denialOf(failure, words, error);
  }
}

/** The client takes an answer's form for granted: what it cannot walk (text, a number, endless nesting), it throws over. */
function garbled(what: string, cause: unknown): unknown {
  if (!(cause instanceof TypeError || cause instanceof RangeError)) return cause;
  return new ToolError("corrupt", what, {
    why: "The answer does not have the form that GitHub documents",
    mend: "Check GITHUB_API_URL: it must be the address of GitHub's REST API",
    cause,
  });
}
