// Runs of workflows on GitHub, who let them through, and the environments that hold them up.
import { mapAnswer } from "./forge-answer.ts";
import type { Run, RunApproval, RunEnvironment, Runs } from "./forge-run.ts";
import type { GithubClient } from "./github-client.ts";
import { flagOf, listOf, memberOf, numberOf, textOf, textOrNull } from "./github-read.ts";

const READ = { permission: "actions: read", missing: "missing" } as const;

export function githubRuns(client: GithubClient): Runs {
  return {
    get: async (id) => {
      const what = `Cannot read run ${id}`;
      const answer = await client.call({ route: "GET /repos/{owner}/{repo}/actions/runs/{id}", values: { id }, what, ...READ });
      return mapAnswer(answer, readRun);
    },
    approvals: async (id) => {
      const answer = await client.call({
        route: "GET /repos/{owner}/{repo}/actions/runs/{id}/approvals",
        values: { id },
        what: `Cannot read who let run ${id} through`,
        ...READ,
      });
      return mapAnswer(answer, (value) => listOf(value).flatMap(readApproval));
    },
    environment: async (name) => {
      const answer = await client.call({
        route: "GET /repos/{owner}/{repo}/environments/{name}",
        values: { name },
        what: `Cannot read environment "${name}"`,
        ...READ,
      });
      return mapAnswer(answer, readEnvironment);
    },
  };
}

function readRun(value: unknown): Run {
  return {
    id: numberOf(value, "id"),
    // A reusable workflow's has `@ref` behind it.
    workflowFile: textOf(value, "path").replace(/@.*$/, ""),
    event: textOf(value, "event"),
    commit: textOf(value, "head_sha"),
    url: textOf(value, "html_url"),
  };
}

function readApproval(value: unknown): readonly RunApproval[] {
  const login = textOrNull(value, "user", "login");
  const state = textOf(value, "state");
  if (login === null || state === "pending") return [];
  return [
    { login, isApproved: state === "approved", environments: listOf(value, "environments").map((one) => textOf(one, "name")) },
  ];
}

function readEnvironment(value: unknown): RunEnvironment {
  const rules = memberOf(value, "protection_rules");
  const policy = memberOf(value, "deployment_branch_policy");
  return {
    name: textOf(value, "name"),
    hasReviewers: Array.isArray(rules) && rules.some((rule) => textOrNull(rule, "type") === "required_reviewers"),
    deploysFrom: flagOf(policy, "protected_branches") ? "protected" : flagOf(policy, "custom_branch_policies") ? "listed" : "any",
  };
}
