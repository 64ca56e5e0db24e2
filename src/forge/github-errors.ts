// What an error of a call to GitHub means: a denial where the answer is a clear no, else a failure to throw. GitHub
// says 404 where it may not even tell that something exists, so a call says what its 404 means. Knows no call.
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Denial } from "./forge-answer.ts";
import { listOf, memberOf, textOrNull } from "./github-read.ts";

/** What a call is about, for its denials. */
export interface CallWords {
  /** `Cannot comment on pull request 7`. */
  readonly what: string;
  /** The right that it takes, as a workflow writes it. */
  readonly permission: string;
  /** What a 404 means: what was asked for is not there, or the token may not see it. */
  readonly missing: "missing" | "forbidden";
}

export interface GithubFailure {
  /** Null where no answer came. */
  readonly status: number | null;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly data: unknown;
  /** GitHub's message, or the network's. */
  readonly message: string;
}

/** Reads an error of the client by its shape; null for an error that no call made. */
export function failureOf(error: unknown): GithubFailure | null {
  const status = memberOf(error, "status");
  if (!(error instanceof Error) || typeof status !== "number") return null;
  const response = memberOf(error, "response");
  const headers = memberOf(response, "headers");
  const data = memberOf(response, "data");
  return {
    status: response === undefined ? null : status,
    headers: typeof headers === "object" && headers !== null ? { ...headers } : {},
    data,
    message: textOrNull(data, "message") ?? error.message,
  };
}

/** The denial, or throws. */
export function denialOf(failure: GithubFailure, words: CallWords, cause: unknown): Denial {
  const { status, message } = failure;
  const { what, permission } = words;
  const says = saying(message);
  if (status === null) throw unavailable(what, `No answer came: ${oneLine(message)}`, cause);
  if (status === 401) {
    throw new ToolError("auth", what, {
      why: "GitHub does not accept the token",
      mend: "Check the input `github-token`: the token may have expired, or be one of another server",
      cause,
    });
  }
  if (isRateLimit(failure)) throw throttled(failure, what, cause);
  if (status >= 500) throw unavailable(what, `GitHub answers ${status}`, cause);
  if (status === 403) return forbiddenOr(failure, words);
  if (status === 404) {
    if (words.missing === "missing") return { kind: "missing", what, why: says };
    return { kind: "forbidden", what, why: `${says}, which it also says where the token may not look`, permission };
  }
  const limit = tooLong(failure);
  if (limit !== null) return { kind: "too-long", what, why: says, limit };
  return { kind: "refused", what, why: says };
}

/** GitHub's words for a no that no permission would change. */
const FINAL = /\b(?:locked|archived|disabled|blocked|suspended|read-only|not permitted to create)\b/i;
const ONLY_APPS = /authenticate via a GitHub App/i;

function forbiddenOr(failure: GithubFailure, { what, permission }: CallWords): Denial {
  const why = saying(failure.message);
  if (FINAL.test(failure.message)) return { kind: "refused", what, why };
  if (ONLY_APPS.test(failure.message)) {
    const mend = "Only the workflow's own token and tokens of GitHub Apps may; this is a person's token";
    return { kind: "forbidden", what, why: `${why}. ${mend}`, permission: null };
  }
  if (failure.headers["x-github-sso"] !== undefined) {
    const mend = "The token must be authorized for the organization's single sign-on";
    return { kind: "forbidden", what, why: `${why}. ${mend}`, permission: null };
  }
  return { kind: "forbidden", what, why, permission: acceptedPermission(failure, permission) };
}

/** GitHub's own list of what would do (`issues=write; pull_requests=write`) wins where it lacks what we expect. */
function acceptedPermission({ headers }: GithubFailure, expected: string): string {
  const accepted = headers["x-accepted-github-permissions"];
  const sets = typeof accepted === "string" ? accepted.split(";").map((one) => one.trim()) : [];
  const permissions = sets
    .filter((one) => /^[a-z_]+=[a-z]+(?:,[a-z_]+=[a-z]+)*$/.test(one))
    .map((one) => one.replaceAll("_", "-").replaceAll("=", ": ").replaceAll(",", ", "));
  return permissions.includes(expected) ? expected : (permissions[0] ?? expected);
}

function isRateLimit({ status, headers, message }: GithubFailure): boolean {
  if (status === 429) return true;
  return status === 403 && (headers["x-ratelimit-remaining"] === "0" || /\brate limit\b/i.test(message));
}

function throttled({ headers, message }: GithubFailure, what: string, cause: unknown): ToolError {
  const reset = new Date(Number(headers["x-ratelimit-reset"]) * 1000);
  const isPrimary = headers["x-ratelimit-remaining"] === "0" && !Number.isNaN(reset.getTime());
  const retryAfter = Number(headers["retry-after"]);
  const when = isPrimary
    ? `The token's requests are used up until ${reset.toISOString().slice(0, 19)}Z`
    : `It asks to come back ${retryAfter > 0 ? `in ${retryAfter} s` : "later"}`;
  return new ToolError("throttled", what, {
    why: `${saying(message)}. ${when}`,
    mend: "Run it again then; the token of a GitHub App has a limit of its own",
    cause,
  });
}

/** The limit in GitHub's words, of which there are several. */
function tooLong({ status, message, data }: GithubFailure): number | null {
  if (status !== 422) return null;
  const errors = Array.isArray(memberOf(data, "errors")) ? listOf(data, "errors") : [];
  const texts = [message, ...errors.map((one) => (typeof one === "string" ? one : (textOrNull(one, "message") ?? "")))];
  for (const text of texts) {
    const [, maximum, bytes, allowed] =
      /too long \(maximum is (\d+)|maximum bytesize of (\d+)|Only (\d+) characters are allowed/i.exec(text) ?? [];
    const limit = maximum ?? bytes ?? allowed;
    if (limit !== undefined) return Number(limit);
  }
  return null;
}

function unavailable(what: string, why: string, cause: unknown): ToolError {
  return new ToolError("unavailable", what, { why, mend: "Run it again; https://www.githubstatus.com may say more", cause });
}

function saying(message: string): string {
  return `GitHub says "${oneLine(message)}"`;
}

function oneLine(message: string): string {
  const line = message.replace(/\s+/g, " ").trim();
  return line.length > 200 ? `${line.slice(0, 199)}…` : line;
}
