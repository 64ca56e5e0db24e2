// The one comment of a pull request, made of the check runs of all environments: who is done, what each plan says, how
// each apply went. Everything in it was made by us; nothing is ever read back from a comment but its first line. Pure.
import type { Check } from "../forge/forge-check.ts";
import { markdownCode } from "../report/escape-markdown.ts";
import { madeBy } from "./check-names.ts";
import { readRecord } from "./record.ts";

export interface EnvironmentChecks {
  readonly environment: string;
  readonly plan: Check | null;
  readonly apply: Check | null;
}

export interface CommentFrame {
  /** Of the pull request. */
  readonly head: string;
  /** `RUN.ATTEMPT`. */
  readonly run: string;
  /** Where a repository has several projects; null: the usual one. */
  readonly project: string | null;
  readonly runUrl: (id: string) => string;
}

type CommentState = "planned" | "blocked" | "applying" | "applied" | "failed";

/** Its first line begins so. Only letters that cannot end an HTML comment are let in. */
export function commentMarker(project: string | null): string {
  const which = project === null ? "" : `project=${project.replace(/[^A-Za-z0-9._-]/g, "_")} `;
  return `<!-- floeplan:plan v1 ${which}head=`;
}

/** A comment of an apply that is over is history: the next plan gets its own. */
export function isClosedComment(body: string): boolean {
  return firstLine(body).includes(" state=applied ");
}

export function headOfComment(body: string): string | null {
  return /^<!-- floeplan:plan v1 (?:project=[A-Za-z0-9._-]+ )?head=([0-9a-f]+) /.exec(body)?.[1] ?? null;
}

/** The same comment with a word on top that it is out of date; null where it says so already. */
export function markedOutdated(body: string, head: string): string | null {
  const end = body.indexOf("\n");
  if (end < 0 || body.slice(end + 1).startsWith(OUTDATED)) return null;
  const old = headOfComment(body);
  const below = old === null ? "" : ` (below: the plan of \`${old}\`)`;
  return `${body.slice(0, end + 1)}${OUTDATED} commit \`${head.slice(0, 7)}\` is being planned${below}\n\n${body.slice(end + 1)}`;
}

const OUTDATED = "> ⏳ Out of date:";

export function composeComment(environments: readonly EnvironmentChecks[], frame: CommentFrame): string {
  const state = stateOf(environments);
  const marker = `${commentMarker(frame.project)}${frame.head.slice(0, 7)} run=${frame.run} state=${state} -->`;
  const parts = groups(environments).map(groupText);
  const body = [marker, ...parts, `<sub>${footer(environments, frame)}</sub>`].join("\n\n");
  return `${body.replace("\n\n", "\n")}\n`;
}

function stateOf(environments: readonly EnvironmentChecks[]): CommentState {
  const applies = environments.flatMap(({ apply }) => (apply === null ? [] : [apply]));
  if (applies.some((check) => check.state === "running")) return "applying";
  if (applies.some((check) => check.state === "failure")) return "failed";
  const open = environments.filter(({ plan, apply }) => apply === null && hasSteps(plan));
  if (applies.length > 0 && open.length === 0) return "applied";
  if (environments.some(({ plan, apply }) => apply === null && plan?.state === "failure")) return "blocked";
  return "planned";
}

function hasSteps(plan: Check | null): boolean {
  return plan !== null && (readRecord(plan.text)?.tables.size ?? 0) > 0;
}

interface Group {
  /** In order of promotion; the last one's text stands for all. */
  readonly names: readonly string[];
  readonly text: string;
}

function groups(environments: readonly EnvironmentChecks[]): readonly Group[] {
  const found = new Map<string, { readonly names: string[]; text: string }>();
  for (const { environment, plan, apply } of environments) {
    const check = apply ?? plan;
    if (check === null) continue;
    const agreement = apply === null && plan?.state === "success" ? readRecord(plan.text)?.agreement : undefined;
    const key = agreement ?? `alone ${environment}`;
    const group = found.get(key) ?? { names: [], text: "" };
    group.names.push(environment);
    group.text = check.summary ?? "";
    found.set(key, group);
  }
  return [...found.values()];
}

function groupText({ names, text }: Group): string {
  const others = names.slice(0, -1);
  if (others.length === 0) return text.trimEnd();
  const list = others.map(markdownCode).join(", ");
  const end = text.indexOf("\n");
  const [head, rest] = end < 0 ? [text, ""] : [text.slice(0, end), text.slice(end)];
  return `${head}\n\nThe same in ${list}.${rest.trimEnd()}`;
}

function footer(environments: readonly EnvironmentChecks[], frame: CommentFrame): string {
  const words = environments.flatMap(({ environment, plan, apply }) => {
    const check = apply ?? plan;
    const made = madeBy(check?.externalId ?? null);
    if (check === null || made === null) return [];
    const run = `[run ${made.runId}](${frame.runUrl(made.runId)})`;
    const what = apply === null ? `plan \`${made.fingerprint}\` at \`${check.commit.slice(0, 7)}\`` : "apply";
    return [`${markdownCode(environment)}: ${what}, ${run}`];
  });
  const later = environments.every(({ apply }) => apply === null)
    ? " It is planned again on merge; appends in the meantime do not matter."
    : "";
  return `${words.join(" · ")}.${later}`;
}

function firstLine(body: string): string {
  const end = body.indexOf("\n");
  return end < 0 ? body : body.slice(0, end);
}
