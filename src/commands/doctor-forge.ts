// What can be read of the forge's environments, which hold the roles of an environment and the second lock: whether they
// are there, ask somebody, and are closed to other branches than the default one.
import type { EnvironmentConfig } from "../desired/project-config.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { type Answer, mendOf } from "../forge/forge-answer.ts";
import type { RunEnvironment } from "../forge/forge-run.ts";
import type { Forge } from "../forge/forge.ts";
import { openGithub } from "../forge/github.ts";
import type { Check, CheckResult } from "../report/doctor-report.ts";
import type { CommandContext } from "./ports.ts";

const SUBJECT = "GitHub";

/** Null: no token or no repository is named. */
export function openForge({ variables, version }: CommandContext): Forge | null {
  const token = variables["GITHUB_TOKEN"] ?? "";
  if (token === "" || (variables["GITHUB_REPOSITORY"] ?? "") === "") return null;
  return openGithub(variables, { token, version });
}

export async function checkForge(forge: Forge | null, environment: EnvironmentConfig): Promise<readonly Check[]> {
  const { name, policy } = environment;
  const [plain, gated] = [`floeplan-${name}`, `floeplan-${name}-gated`];
  const check = (what: string, result: CheckResult): Check => ({ subject: SUBJECT, what: `environment ${what}`, result });
  if (forge === null) {
    const why = "GITHUB_TOKEN and GITHUB_REPOSITORY are not both set";
    return [plain, gated].map((one) => check(one, { state: "not-tried", why }));
  }
  if (policy.mode === "observe") {
    const why = "nothing is applied here: `policy.mode` is observe";
    return [plain, gated].map((one) => check(one, { state: "not-tried", why }));
  }
  const asked = await forge.runs.environment(plain);
  const checks = [check(plain, judge(asked, plain, false))];
  if (policy.approve !== null) {
    const by = policy.approve.by.join(", ");
    return [...checks, check(gated, { state: "not-tried", why: `not needed: reviews by ${by} are the second lock` })];
  }
  return [...checks, check(gated, judge(await forge.runs.environment(gated), gated, true))];
}

function judge(answer: Answer<RunEnvironment>, name: string, wantsReviewers: boolean): CheckResult {
  const wrong = (why: string, mend: string): CheckResult => ({
    state: "failed",
    error: new ToolError("config", `The environment "${name}" of the repository does not guard its role`, { why, mend }),
  });
  switch (answer.kind) {
    case "done":
      break;
    case "missing":
      return wrong(
        "There is none of this name, or the token may not see it",
        `Make it under Settings, Environments, with deployments from the default branch only${wantsReviewers ? " and required reviewers" : ""}`,
      );
    case "forbidden":
    case "refused":
    case "too-long": {
      const mend = mendOf(answer);
      return { state: "not-tried", why: `${answer.why}${mend === null ? "" : `. ${mend}`}` };
    }
  }
  const { hasReviewers, deploysFrom } = answer.value;
  if (deploysFrom === "any") {
    return wrong(
      "Any branch may use it, and so reach the role that writes",
      `Allow deployments from the default branch only: gh api -X PUT "repos/{owner}/{repo}/environments/${name}" -F 'deployment_branch_policy[protected_branches]=false' -F 'deployment_branch_policy[custom_branch_policies]=true'`,
    );
  }
  if (wantsReviewers && !hasReviewers) {
    return wrong(
      "It asks nobody, so it is no second lock before data is lost or rewritten",
      "Set required reviewers, or `policy.approve` in the project file",
    );
  }
  const branches = deploysFrom === "protected" ? "protected branches" : "the branches that it lists";
  return { state: "ok", found: `used from ${branches} only${hasReviewers ? ", after a reviewer's word" : ""}` };
}
