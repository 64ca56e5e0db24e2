// The last line of a plan on a pull request: what must be done, and by whom, before it is applied. Pure.
import type { Policy } from "../desired/project-config.ts";
import { touchesValues, type Plan } from "../plan/plan.ts";
import { prose, type Text } from "../report/text.ts";
import type { Verdict } from "./plan-outputs.ts";

export function nextOnPullRequest({ tables }: Plan, verdict: Verdict, policy: Policy): Text | null {
  if (verdict.status === "needs-acknowledgement")
    return prose("list each lost column under `dropped:` with a reason, or declare it again; then push");
  if (verdict.status === "failed") return prose("mend what kept tables from being read, then run this job again");
  if (!verdict.isGood) return prose("mend what is blocked, then push again");
  if (verdict.status === "no-changes") {
    const drifted = tables.some((table) => table.drift.length > 0);
    return drifted ? prose("keep, drop or leave what has drifted, in this pull request or another") : null;
  }
  if (policy.mode === "observe") return prose("merging applies nothing here: the environment is only observed");
  const risky = tables.some((table) => table.steps.some(({ effect }) => touchesValues(effect)));
  if (!risky) return prose("review and merge; merging applies exactly this");
  const lock =
    policy.approve === null
      ? "a reviewer of the protected environment lets the apply through after the merge"
      : `${policy.approve.count} approving ${policy.approve.count === 1 ? "review" : "reviews"} of this commit by ${policy.approve.by.map((who) => `"${who}"`).join(", ")}, then merge`;
  return prose(`review what is lost or rewritten: ${lock}`);
}
