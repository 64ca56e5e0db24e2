// Writes the comment of a pull request from its check runs. That it cannot be written fails nothing: it is said once.
import { isDone, mendOf, type Denial } from "../forge/forge-answer.ts";
import type { PullRequest } from "../forge/forge-pull-request.ts";
import { writeSticky } from "../forge/forge-sticky.ts";
import { applyCheckName, planCheckName } from "./check-names.ts";
import {
  commentMarker,
  composeComment,
  headOfComment,
  isClosedComment,
  markedOutdated,
  type EnvironmentChecks,
} from "./compose-comment.ts";
import { type ContextWithForge, projectName } from "./context.ts";
import { telling } from "./telling.ts";

export interface CommentOptions {
  /** All environments of the project, in order of promotion. */
  readonly environments: readonly string[];
  /** False: only a comment that is there is changed. */
  readonly mayCreate: boolean;
}

/** Two jobs may write at once: whoever sees later that a check has come writes again. */
const TRIES = 4;

/** The comment's id, or null where there is none. */
export async function writeComment(
  context: ContextWithForge,
  pullRequest: PullRequest,
  options: CommentOptions,
): Promise<number | null> {
  if (context.inputs.comment === "never") return null;
  return await telling(context, null, async () => await writeOpen(context, pullRequest, options));
}

async function writeOpen(context: ContextWithForge, pullRequest: PullRequest, options: CommentOptions): Promise<number | null> {
  const { forge, inputs, runner } = context;
  const project = projectName(context);
  const head = pullRequest.head.commit;
  let seen = "";
  let id: number | null = null;
  for (let attempt = 0; attempt < TRIES; attempt++) {
    const checks = await checksOf(context, head, options.environments);
    const now = JSON.stringify(checks.map(({ plan, apply }) => [plan?.id, plan?.state, apply?.id, apply?.state]));
    if (now === seen) return id;
    seen = now;
    const body = composeComment(checks, {
      head,
      run: `${runner.runId}.${runner.attempt}`,
      project,
      runUrl: forge.links.run,
    });
    const written = await writeSticky(forge.comments, pullRequest.number, {
      marker: commentMarker(project),
      body,
      isClosed: isClosedComment,
      mode: attempt === 0 ? inputs.commentMode : "update",
      mayCreate: options.mayCreate || inputs.comment === "always",
    });
    if (!isDone(written)) {
      sayDenied(context, written);
      return null;
    }
    id = written.value.comment?.id ?? null;
  }
  return id;
}

async function checksOf(
  context: ContextWithForge,
  head: string,
  environments: readonly string[],
): Promise<readonly EnvironmentChecks[]> {
  const { checks } = context.forge;
  const latest = async (name: string) => {
    const answer = await checks.latest(head, name);
    return isDone(answer) ? answer.value : null;
  };
  return await Promise.all(
    environments.map(async (environment) => {
      const names = [planCheckName(context, environment), applyCheckName(context, environment)];
      const [plan = null, apply = null] = await Promise.all(names.map(latest));
      return { environment, plan, apply };
    }),
  );
}

/** An older plan that still shows says that it is out of date, until the new one is there. */
export async function markOutdated(context: ContextWithForge, pullRequest: PullRequest): Promise<void> {
  if (context.inputs.comment === "never") return;
  await telling(context, undefined, async () => {
    await markOpen(context, pullRequest);
  });
}

async function markOpen(context: ContextWithForge, { number, head }: PullRequest): Promise<void> {
  const { forge } = context;
  const project = projectName(context);
  const own = await forge.comments.own(number, commentMarker(project));
  if (!isDone(own)) return;
  const open = (own.value ?? []).find(({ body }) => !isClosedComment(body));
  if (open === undefined || head.commit.startsWith(headOfComment(open.body) ?? "-")) return;
  const body = markedOutdated(open.body, head.commit);
  if (body === null || body.length > forge.limits.body) return;
  const written = await forge.comments.update(open.id, body);
  if (!isDone(written)) sayDenied(context, written);
}

export function sayDenied({ log }: Pick<ContextWithForge, "log">, denial: Denial): void {
  const mend = mendOf(denial);
  log.warn(`${denial.what}: ${denial.why}${mend === null ? "" : `. ${mend}`}`);
}
