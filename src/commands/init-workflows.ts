// The workflows that `init` writes: plan on the pull request, apply on merge, drift every morning. Actions are pinned,
// every job has the least that it needs. Text only; knows nothing of files and questions.

export interface WorkflowPlan {
  /** In order of promotion. */
  readonly environments: readonly string[];
  readonly region: string;
  /** Twelve digits. */
  readonly account: string;
  readonly secondLock: "environment" | "reviews";
  /** The default branch. */
  readonly branch: string;
  /** `owner/name@ref` of this action. */
  readonly action: string;
}

const CHECKOUT = "actions/checkout@3d3c42e5aac5ba805825da76410c181273ba90b1 # v7.0.1";
const CHECKED_OUT = `      - uses: ${CHECKOUT}
        with:
          persist-credentials: false`;
const CREDENTIALS = "aws-actions/configure-aws-credentials@e6de054238d6b7531b4efff3b6587d9aade6a06c # v6.2.3";
const PATHS = `["tables/**", "shared/**", "floeplan.yaml"]`;

export function planWorkflow(plan: WorkflowPlan): string {
  return `# Every pull request gets a plan of each environment against the live tables. No \`paths:\`: a check that is required
# must report on every pull request; without a change it is done in seconds and calls no catalog.
name: floeplan plan
on:
  pull_request: {}
  merge_group: {}
permissions: {}
concurrency:
  group: floeplan-plan-\${{ github.event.pull_request.number || github.ref }}
  cancel-in-progress: true
jobs:
  plan:
    name: plan \${{ matrix.environment }}
    runs-on: ubuntu-latest
    timeout-minutes: 30
    permissions:
      actions: read # of a merge queue: which run made a record
      checks: write # the record of what was shown
      contents: read
      id-token: write # the role that reads
      pull-requests: write # the comment
${matrix(plan)}
    steps:
${CHECKED_OUT}
      - uses: ${CREDENTIALS}
        # Forks and Dependabot get no credentials: they are checked offline.
        if: >-
          github.event_name == 'merge_group' ||
          (github.event.pull_request.head.repo.full_name == github.repository &&
          github.event.pull_request.user.login != 'dependabot[bot]')
${asReader(plan, "plan")}
`;
}

export function applyWorkflow(plan: WorkflowPlan): string {
  const jobs = plan.environments.flatMap((name, index) => applyJobs(plan, name, plan.environments[index - 1] ?? null));
  const lock =
    plan.secondLock === "environment"
      ? "# Each environment has two jobs: one without a gate, for what at most changes behaviour; and one that waits until a\n# reviewer of its environment lets it through, for what rewrites or loses data. A table goes whole to one of them."
      : "# What rewrites or loses data wants reviews of exactly the merged commit: `policy.approve` in floeplan.yaml.";
  return `# What is merged is applied, one environment after the other.
${lock}
name: floeplan apply
on:
  push:
    branches: [${plan.branch}]
    paths: ${PATHS}
  workflow_dispatch: {}
permissions: {}
jobs:
${jobs.join("\n")}`;
}

function applyJobs(plan: WorkflowPlan, name: string, before: string | null): readonly string[] {
  if (plan.secondLock === "reviews") {
    const needs = before === null ? null : { jobs: before, condition: null };
    return [applyJob(plan, { id: name, name, needs, maxEffect: "destructive", environment: `floeplan-${name}` })];
  }
  return [
    applyJob(plan, {
      id: `${name}-safe`,
      name,
      needs: before === null ? null : { jobs: `${before}-safe`, condition: null },
      maxEffect: "behaviour",
      environment: `floeplan-${name}`,
    }),
    applyJob(plan, {
      id: `${name}-gated`,
      name,
      // Nobody is asked where nothing is left, and a table that failed above holds up none of these.
      needs: {
        jobs: before === null ? `${name}-safe` : `[${name}-safe, ${before}-gated]`,
        condition: [
          "!cancelled()",
          `needs.${name}-safe.outputs.risky == 'true'`,
          ...(before === null ? [] : [`needs.${before}-gated.result != 'failure'`]),
        ].join(" && "),
      },
      maxEffect: "destructive",
      environment: `floeplan-${name}-gated`,
    }),
  ];
}

interface ApplyJob {
  readonly id: string;
  readonly name: string;
  readonly needs: { readonly jobs: string; readonly condition: string | null } | null;
  readonly maxEffect: string;
  readonly environment: string;
}

function applyJob(plan: WorkflowPlan, { id, name, needs, maxEffect, environment }: ApplyJob): string {
  const condition = needs?.condition ?? null;
  return `  ${id}:
${needs === null ? "" : `    needs: ${needs.jobs}\n`}${condition === null ? "" : `    if: \${{ ${condition} }}\n`}    runs-on: ubuntu-latest
    environment: ${environment}
    concurrency:
      group: floeplan-apply-${id}
      cancel-in-progress: false
      queue: max
    permissions:
      actions: read # who made the records, who let the run through
      checks: write
      contents: read
      id-token: write # the role that writes
      pull-requests: write
    outputs:
      risky: \${{ steps.floeplan.outputs.destructive == 'true' || steps.floeplan.outputs.rewrites == 'true' }}
    steps:
${CHECKED_OUT}
      - uses: ${CREDENTIALS}
        with:
          role-to-assume: ${role(plan, `floeplan-apply-${name}`)}
          aws-region: ${plan.region}
      - id: floeplan
        uses: ${plan.action}
        with:
          command: apply
          environment: ${name}
          max-effect: ${maxEffect}
`;
}

export function driftWorkflow(plan: WorkflowPlan): string {
  return `# What other writers changed: one issue for each environment, closed when all is in step.
name: floeplan drift
on:
  schedule:
    - cron: "17 5 * * *"
  workflow_dispatch: {}
permissions: {}
concurrency:
  group: floeplan-drift
  cancel-in-progress: false
jobs:
  drift:
    name: drift \${{ matrix.environment }}
    runs-on: ubuntu-latest
    timeout-minutes: 60
    permissions:
      contents: read
      id-token: write # the role that reads
      issues: write
${matrix(plan)}
    steps:
${CHECKED_OUT}
      - uses: ${CREDENTIALS}
${asReader(plan, "drift")}
`;
}

function role({ account }: WorkflowPlan, name: string): string {
  return `arn:aws:iam::${account}:role/${name}`;
}

/** A job for each environment, with the role that reads it. */
function matrix(plan: WorkflowPlan): string {
  const rows = plan.environments.flatMap((name) => [
    `          - environment: ${name}`,
    `            role: ${role(plan, `floeplan-plan-${name}`)}`,
  ]);
  return ["    strategy:", "      fail-fast: false", "      matrix:", "        include:", ...rows].join("\n");
}

/** What the step that logs in is given, and the step after it. */
function asReader({ region, action }: WorkflowPlan, command: "plan" | "drift"): string {
  return `        with:
          role-to-assume: \${{ matrix.role }}
          aws-region: ${region}
      - uses: ${action}
        with:
          command: ${command}
          environment: \${{ matrix.environment }}`;
}
