// The second lock before data is lost or rewritten: an environment of the forge that holds the job until somebody lets
// it through, or reviews that the policy of the base branch asks for.
import type { Policy } from "../desired/project-config.ts";
import { isDone } from "../forge/forge-answer.ts";
import { approversOf } from "../forge/forge-pull-request.ts";
import { touchesValues, type Step, type TablePlan } from "../plan/plan.ts";
import type { ContextWithForge } from "./context.ts";
import type { Recorded } from "./records.ts";
import { remembered } from "./remembered.ts";

/** Null: the lock is open. Else why it is not. */
export type Locked = string | null;

export interface SecondLock {
  readonly check: (plan: TablePlan, records: readonly Recorded[]) => Promise<Locked>;
}

/** The forge is asked only once a step needs the lock. */
export function openSecondLock(context: ContextWithForge, policy: Policy): SecondLock {
  const passed = remembered(async (environment: string) => await isGuarded(context, environment));
  return {
    check: async (plan, records) => {
      const steps = plan.steps.filter((step) => needsLock(step, plan, policy));
      if (steps.length === 0) return null;
      const environment = await context.jobEnvironment();
      if (environment !== null && (await passed(environment))) return null;
      if (policy.approve === null) {
        const where = environment === null ? "this job runs in no environment" : `environment "${environment}" asks nobody`;
        return `${where}, and \`policy.approve\` is not set on the base branch`;
      }
      return await reviewsMissing(context, policy.approve, steps, records);
    },
  };
}

/** A drop on a small table may go without, where the policy says how small. */
function needsLock({ effect }: Step, { facts }: TablePlan, { gateBelowRows }: Policy): boolean {
  if (!touchesValues(effect)) return false;
  const rows = facts?.size?.rows;
  return effect !== "destructive" || rows === undefined || rows >= BigInt(gateBelowRows);
}

/** Somebody let this run through, or nobody could have come here without. */
async function isGuarded({ forge, runner }: ContextWithForge, name: string): Promise<boolean> {
  const approvals = await forge.runs.approvals(Number(runner.runId));
  if (isDone(approvals) && approvals.value.some((one) => one.isApproved && one.environments.includes(name))) return true;
  const environment = await forge.runs.environment(name);
  return isDone(environment) && environment.value.hasReviewers;
}

/** Each step needs one pull request that showed it and that enough people approved. */
async function reviewsMissing(
  context: ContextWithForge,
  approve: NonNullable<Policy["approve"]>,
  steps: readonly Step[],
  records: readonly Recorded[],
): Promise<Locked> {
  const open = new Set(steps.map((step) => step.id));
  const why: string[] = [];
  for (const { pullRequest, record } of records) {
    const shown = [...record.tables.values()].flatMap((ids) => [...ids.keys()]).filter((id) => open.has(id));
    if (shown.length === 0) continue;
    const reviews = await context.forge.pullRequests.reviews(pullRequest.number);
    if (!isDone(reviews)) return reviews.why;
    const approvers = approversOf(reviews.value, pullRequest.head.commit, pullRequest.author);
    const { count, unseen } = await countMembers(context, approvers, approve.by);
    if (count >= approve.count) {
      for (const id of shown) open.delete(id);
      continue;
    }
    const teams = unseen.length === 0 ? "" : `; the members of ${unseen.join(", ")} cannot be read with this token`;
    why.push(
      `pull request ${pullRequest.number} has ${count} of ${approve.count} ${approve.count === 1 ? "approval" : "approvals"} by ${approve.by.join(", ")}${teams}`,
    );
  }
  if (open.size === 0) return null;
  return why.length === 0 ? "no pull request showed these steps" : why.join("; ");
}

async function countMembers(
  { forge }: ContextWithForge,
  approvers: readonly string[],
  by: readonly string[],
): Promise<{ readonly count: number; readonly unseen: readonly string[] }> {
  const unseen = new Set<string>();
  let count = 0;
  for (const login of approvers) {
    let isMember = false;
    for (const who of by) {
      const name = who.replace(/^@/, "");
      if (!name.includes("/")) isMember ||= name.toLowerCase() === login.toLowerCase();
      else if (!isMember) {
        const answer = await forge.people.isInTeam(name, login);
        if (isDone(answer)) isMember = answer.value;
        else unseen.add(who);
      }
    }
    if (isMember) count++;
  }
  return { count, unseen: [...unseen] };
}
