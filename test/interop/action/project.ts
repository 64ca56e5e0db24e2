// A repository on the fake GitHub whose workflows run the built Action, with a warehouse that every job sees: what a team
// has after `init`, on one machine.
import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { EMPLOYEES, putEmployees } from "../../action/tables.ts";
import { type FakeGithub, startGitHub } from "../../fakes/github.ts";
import { REPOSITORY } from "../support/places.ts";

/** As the workflows name the Action. */
export const ACTION = "floeplan/floeplan@v0.1.0";
export const FILE = "tables/employees.yaml";

export interface ActionProject {
  readonly github: FakeGithub;
  /** The Action as it is published: action.yml and the bundle. */
  readonly action: string;
  readonly warehouse: string;
}

const CHECKOUT = "      - uses: actions/checkout@v7.0.1\n        with: { persist-credentials: false }\n";

const step = (inputs: string): string => `      - id: floeplan\n        uses: ${ACTION}\n        with: { ${inputs} }\n`;

const WORKFLOWS = {
  ".github/workflows/plan.yml": `name: floeplan plan
on: { pull_request: {} }
permissions: { checks: write, contents: read, pull-requests: write }
jobs:
  plan:
    runs-on: ubuntu-latest
    steps:
${CHECKOUT}${step("command: plan, environment: prod")}      - run: echo "the plan says \${{ steps.floeplan.outputs.status }}"
`,
  ".github/workflows/apply.yml": `name: floeplan apply
on: { push: { branches: [main] } }
jobs:
  safe:
    runs-on: ubuntu-latest
    outputs:
      risky: \${{ steps.floeplan.outputs.destructive == 'true' || steps.floeplan.outputs.rewrites == 'true' }}
    steps:
${CHECKOUT}${step("command: apply, environment: prod, max-effect: behaviour")}  gated:
    needs: safe
    if: \${{ !cancelled() && needs.safe.outputs.risky == 'true' }}
    runs-on: ubuntu-latest
    steps:
${CHECKOUT}${step("command: apply, environment: prod, max-effect: destructive")}`,
};

export async function actionProject(folder: string): Promise<ActionProject> {
  const [action, warehouse] = [join(folder, "action"), join(folder, "warehouse")];
  mkdirSync(action, { recursive: true });
  copyFileSync(join(REPOSITORY, "action.yml"), join(action, "action.yml"));
  execFileSync(process.execPath, ["--import", import.meta.resolve("tsx"), "scripts/build.ts", join(action, "dist")], {
    cwd: REPOSITORY,
    stdio: "inherit",
  });
  await putEmployees({ warehouse });
  const config = [
    "floeplan: 1",
    "project: lake",
    "environments:",
    "  prod:",
    `    catalogs: { lake: { type: local, warehouse: ${JSON.stringify(join(warehouse, "prod"))} } }`,
    "",
  ].join("\n");
  const github = await startGitHub({ files: { "floeplan.yaml": config, [FILE]: EMPLOYEES, ...WORKFLOWS } });
  github.setEnvironment({ name: "floeplan-prod-gated", reviewers: ["bob"], deploysFrom: "listed" });
  return { github, action, warehouse };
}
