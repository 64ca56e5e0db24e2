// The command plan: what it does depends on what started the run.
import { ToolError } from "../../diagnostics/tool-error.ts";
import { type ActionContext, needForge } from "../context.ts";
import type { ActionResult } from "../result.ts";
import { runBranchPlan } from "./branch-plan.ts";
import { runGroupPlan } from "./group-plan.ts";
import { runOfflinePlan } from "./offline-plan.ts";
import { runPullRequestPlan } from "./pull-request-plan.ts";

export async function run(context: ActionContext): Promise<ActionResult> {
  const { event } = context;
  switch (event.kind) {
    case "pull-request":
      return event.from === "repository"
        ? await runPullRequestPlan(needForge(context), event)
        : await runOfflinePlan(needForge(context), event);
    case "merge-group":
      return await runGroupPlan(needForge(context), event.group);
    case "push":
    case "schedule":
    case "manual":
      return await runBranchPlan(context, event.commit);
    case "privileged":
    case "other":
      throw new ToolError("usage", `Cannot plan on the event ${event.name}`, {
        mend: "Plan on pull_request, merge_group, push, schedule or workflow_dispatch",
      });
  }
}
