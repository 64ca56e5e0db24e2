// What a look at an environment found: each thing that was tried, whether it went, and what is missing where it did not.
// Decides what is said; how it looks is in formats/.
import type { ToolError } from "../diagnostics/tool-error.ts";
import type { JsonObject } from "../iceberg/json.ts";
import { errorBlocks } from "./apply-report.ts";
import { IMPORTANCE, type Report, type Section, type Tone } from "./report.ts";
import { counted, prose, text, type Text } from "./text.ts";

export type CheckResult =
  | { readonly state: "ok"; readonly found: string }
  | { readonly state: "not-tried"; readonly why: string }
  | { readonly state: "failed"; readonly error: ToolError };

export interface Check {
  /** A catalog's label, or the forge. */
  readonly subject: string;
  /** What was tried, e.g. `list namespaces and tables`. */
  readonly what: string;
  readonly result: CheckResult;
}

export interface CheckedEnvironment {
  readonly environment: string;
  readonly checks: readonly Check[];
}

export function doctorReport(environments: readonly CheckedEnvironment[]): Report {
  const all = environments.flatMap(({ checks }) => checks);
  const failed = all.filter(({ result }) => result.state === "failed").length;
  const troubles = environments.map((one) => ({ environment: one.environment, found: troublesOf(one.checks) }));
  const tone: Tone = failed === 0 ? "good" : "blocked";
  return {
    tone,
    headline: text`Checked ${environments.map(({ environment }) => environment).join(", ")}`,
    alerts: [],
    overview: null,
    sections: environments.flatMap((one, index) => [
      ...subjectsOf(one).map((subject) => subjectSection(one, subject)),
      ...(troubles[index]?.found ?? []).map((trouble) => troubleSection(one.environment, trouble)),
    ]),
    summary: summaryOf(
      all,
      failed,
      troubles.reduce((sum, { found }) => sum + found.length, 0),
    ),
    next: null,
    json: {
      floeplan: 1,
      environments: environments.map(({ environment, checks }) => ({ environment, checks: checks.map(checkJson) })),
    },
  };
}

function subjectsOf({ checks }: CheckedEnvironment): readonly string[] {
  return [...new Set(checks.map(({ subject }) => subject))];
}

function subjectSection({ environment, checks }: CheckedEnvironment, subject: string): Section {
  const own = checks.filter((check) => check.subject === subject);
  const isGood = own.every(({ result }) => result.state !== "failed");
  return {
    importance: IMPORTANCE.overview,
    tone: isGood ? "good" : "blocked",
    context: environment,
    title: text`${subject}`,
    state: null,
    file: null,
    brief: prose(isGood ? "fine" : "not fine"),
    blocks: [
      {
        kind: "table",
        columns: ["tried", "", "found"].map((title) => ({ title, align: "left" as const })),
        rows: own.map(({ what, result }) => ({
          importance: result.state === "failed" ? IMPORTANCE.blocked : IMPORTANCE.overview,
          cells: [prose(what), prose(wordOf(result)), prose(foundBy(result))],
        })),
      },
    ],
  };
}

/** One thing to mend, and all that it keeps from going. */
interface Trouble {
  readonly subject: string;
  readonly error: ToolError;
  readonly word: string;
  readonly whats: string[];
}

/** Tries that failed for one and the same reason are told once, under the first of them. */
function troublesOf(checks: readonly Check[]): readonly Trouble[] {
  const troubles: Trouble[] = [];
  for (const { subject, what, result } of checks) {
    if (result.state !== "failed") continue;
    const { error } = result;
    const same = troubles.find((one) => one.subject === subject && isSameTrouble(one.error, error));
    if (same === undefined) troubles.push({ subject, error, word: wordOf(result), whats: [what] });
    else same.whats.push(what);
  }
  return troubles;
}

/** The cause decides, not which call met it; one of the two may tell more before it. */
function isSameTrouble(one: ToolError, other: ToolError): boolean {
  if (one.kind !== other.kind || one.mend !== other.mend) return false;
  const [a, b] = [one.why ?? one.message, other.why ?? other.message];
  return a.endsWith(b) || b.endsWith(a);
}

function troubleSection(environment: string, { subject, error, word, whats }: Trouble): Section {
  const [first = "", ...others] = whats;
  return {
    importance: IMPORTANCE.blocked,
    tone: "blocked",
    context: environment,
    title: text`${subject}: ${prose(others.length === 0 ? first : `${first} and ${others.length} more`)}`,
    state: word,
    file: null,
    brief: prose(word),
    blocks: errorBlocks(error),
  };
}

function wordOf(result: CheckResult): string {
  if (result.state === "ok") return "ok";
  if (result.state === "not-tried") return "not tried";
  return result.error.kind === "auth" ? "denied" : result.error.kind === "config" ? "wrong" : "failed";
}

function foundBy(result: CheckResult): string {
  switch (result.state) {
    case "ok":
      return result.found;
    case "not-tried":
      return result.why;
    case "failed":
      return "see below";
  }
}

function summaryOf(all: readonly Check[], failed: number, troubles: number): Text {
  const count = (state: CheckResult["state"]): number => all.filter(({ result }) => result.state === state).length;
  const verdict = failed === 0 ? "Nothing that could be tried is missing" : `${counted(troubles, "thing")} to mend`;
  return prose(`${verdict}: ${count("ok")} ok, ${failed} failed, ${count("not-tried")} not tried.`);
}

function checkJson({ subject, what, result }: Check): JsonObject {
  const told: JsonObject =
    result.state === "failed"
      ? { message: result.error.message, why: result.error.why ?? null, mend: result.error.mend ?? null }
      : { found: foundBy(result) };
  return { subject, check: what, state: wordOf(result), ...told };
}
