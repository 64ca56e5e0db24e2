// `init`: the files of a new project and its workflows. Writes only what is not there yet; what is there is kept and said.
import { readFile, writeFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { plural } from "../diagnostics/number-words.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { InitArguments } from "./arguments.ts";
import { codeownersLines, exampleTable, isPlainName, projectFile, type ProjectPlan } from "./init-files.ts";
import { initLocal } from "./init-local.ts";
import { applyWorkflow, driftWorkflow, planWorkflow } from "./init-workflows.ts";
import { cannotWrite, writeNew } from "./init-write.ts";
import type { CommandContext } from "./ports.ts";
import type { CommandResult } from "./result.ts";

const CODEOWNERS = ".github/CODEOWNERS";

export async function run(context: CommandContext, args: InitArguments): Promise<CommandResult> {
  if (args.local !== null) return await initLocal(context, args, args.local);
  const plan: ProjectPlan = {
    environments: args.environments.length === 0 ? ["dev", "prod"] : args.environments,
    region: args.region ?? "eu-west-1",
    account: args.account ?? "111122223333",
    secondLock: args.secondLock ?? (await askLock(context)),
    branch: args.branch ?? "main",
    action: args.action ?? `floeplan/floeplan@v${context.version}`,
    project: args.project ?? plainName(basename(context.directory)),
    owner: args.owner ?? "@acme/data-platform",
  };
  check(plan);
  const files: readonly (readonly [string, string])[] = [
    ["floeplan.yaml", projectFile(plan)],
    ["tables/sales/orders.yaml", exampleTable(plan.owner)],
    [".github/workflows/floeplan-plan.yml", planWorkflow(plan)],
    [".github/workflows/floeplan-apply.yml", applyWorkflow(plan)],
    [".github/workflows/floeplan-drift.yml", driftWorkflow(plan)],
  ];
  const lines: string[] = [];
  for (const [file, text] of files) lines.push(await writeNew(context.directory, file, text));
  lines.push(await addOwners(context.directory, codeownersLines(plan)));
  return { exit: "ok", output: { kind: "text", text: `${[...lines, "", ...nextSteps(plan)].join("\n")}\n` }, diagnostics: [] };
}

async function askLock({ asking }: CommandContext): Promise<ProjectPlan["secondLock"]> {
  if (asking === null) {
    throw new ToolError("usage", "Cannot choose the second lock", {
      why: "Before data is lost or rewritten a second person must agree, and nobody is here to say how",
      mend: "Say `--second-lock environment` (reviewers of a protected environment; on private repositories that needs GitHub Enterprise) or `--second-lock reviews` (approving reviews of the pull request)",
    });
  }
  const question =
    "Shall reviewers of a protected environment let through what rewrites or loses data? (On private repositories that needs GitHub Enterprise. No: approving reviews of the pull request count.)";
  return (await asking.confirm(question)) ? "environment" : "reviews";
}

function check(plan: ProjectPlan): void {
  const wrong = [
    ...plan.environments
      .filter((name) => !isPlainName(name))
      .map((name) => `--environment "${name}" is no plain name, like prod`),
    ...(isPlainName(plan.project) ? [] : [`--project "${plan.project}" is no plain name, like acme-lake`]),
    ...(/^\d{12}$/.test(plan.account) ? [] : [`--account "${plan.account}" is not twelve digits`]),
    ...(/^[a-z]{2}(?:-[a-z]+)+-\d$/.test(plan.region) ? [] : [`--region "${plan.region}" is no region, like eu-west-1`]),
    ...(/^@[\w.-]+(?:\/[\w.-]+)?$/.test(plan.owner) ? [] : [`--owner "${plan.owner}" is neither @user nor @organization/team`]),
    ...(/^[\w./-]+@[\w./-]+$/.test(plan.action) ? [] : [`--action "${plan.action}" is not OWNER/NAME@REF`]),
    ...(/^[\w./-]+$/.test(plan.branch) ? [] : [`--branch "${plan.branch}" is no plain name, like main`]),
  ];
  if (wrong.length > 0) throw new ToolError("usage", "Cannot make a project of this", { why: wrong.join("; ") });
}

function plainName(text: string): string {
  const plain = text
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .replace(/^[^a-z]+|-+$/g, "")
    .slice(0, 40);
  return isPlainName(plain) ? plain : "lake";
}

/** Lines that are there stay as they are; only those that lack are added. */
async function addOwners(folder: string, lines: readonly string[]): Promise<string> {
  const path = join(folder, CODEOWNERS);
  try {
    const text = await readFile(path, "utf8").catch(() => "");
    const known = new Set(text.split("\n").map((line) => line.trim().split(/\s+/)[0]));
    const missing = lines.filter((line) => !known.has(line.split(" ")[0]));
    if (missing.length === 0) return `kept   ${CODEOWNERS} (it has the lines already)`;
    const before = text === "" || text.endsWith("\n") ? text : `${text}\n`;
    await writeFile(path, `${before}${missing.join("\n")}\n`);
    return text === "" ? `wrote  ${CODEOWNERS}` : `added  ${plural(missing.length, "line", "lines")} to ${CODEOWNERS}`;
  } catch (error) {
    throw cannotWrite(CODEOWNERS, error);
  }
}

function nextSteps(plan: ProjectPlan): readonly string[] {
  const gated = plan.secondLock === "environment" ? plan.environments.map((name) => `floeplan-${name}-gated`) : [];
  const environments = [...plan.environments.map((name) => `floeplan-${name}`), ...gated];
  const last = plan.environments.at(-1) ?? "prod";
  return [
    "Next:",
    "1. Put your account, region and bucket into floeplan.yaml and the workflows, and make the roles: docs/aws.md has the policies.",
    `2. Try it, read-only: floeplan doctor -e ${last}. Write the files of your tables: floeplan import 'sales.*' -e ${last};`,
    `   then floeplan plan -e ${last} shows no changes. tables/sales/orders.yaml is an example: remove it.`,
    `3. Let these environments of GitHub be used from ${plan.branch} only, so that no branch can reach their roles:`,
    ...environments.flatMap((name) => [
      `   gh api -X PUT "repos/{owner}/{repo}/environments/${name}" -F 'deployment_branch_policy[protected_branches]=false' -F 'deployment_branch_policy[custom_branch_policies]=true'`,
      `   gh api -X POST "repos/{owner}/{repo}/environments/${name}/deployment-branch-policies" -f name=${plan.branch}`,
    ]),
    gated.length === 0
      ? `4. ${plan.owner} approves pull requests that rewrite or lose data; a team needs a github-token that may read its members.`
      : `4. Set required reviewers on ${gated.join(", ")}.`,
  ];
}
