// The built Action as a real job: act runs workflows that use it, against the fake GitHub, from the pull request to the
// converted table; and actionlint looks at the workflows that `init` writes.
import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { EMPLOYEES_CONVERTED, withColumn } from "../../action/tables.ts";
import type { GithubEvent } from "../../fakes/github-events.ts";
import { runSuite } from "../support/expect.ts";
import { newestMetadata, REPOSITORY } from "../support/places.ts";
import { atEnd } from "../support/lifetime.ts";
import { type ActRun, prepareAct } from "./act.ts";
import { lintWorkflows } from "./actionlint.ts";
import { ACTION, actionProject, FILE } from "./project.ts";

await runSuite("action", async (suite) => {
  await suite.check("actionlint finds nothing in the workflows of `init`", async () => {
    const folder = join(REPOSITORY, "examples/github/.github/workflows");
    same(await lintWorkflows(readdirSync(folder).map((name) => join(folder, name))), []);
  });

  const { github, action, warehouse } = await actionProject(suite.scratch);
  atEnd("the fake GitHub", async () => await github.stop());
  const act = await prepareAct({ home: join(suite.scratch, "act"), name: ACTION, action });
  let jobs = 0;
  const run = async (event: GithubEvent, workflow: string, environment?: string): Promise<ActRun> => {
    const workspace = join(suite.scratch, `workspace-${++jobs}`);
    github.checkout(workspace, event.commit, 1);
    const { eventFile, variables } = github.startRun(event, environment === undefined ? {} : { environment });
    const file = `.github/workflows/${workflow}.yml`;
    return await act.run({ workspace, workflow: file, event: event.name, eventFile, token: github.token, variables });
  };
  const pull = github.openPullRequest({ files: { [FILE]: withColumn(EMPLOYEES_CONVERTED, "office") } });

  await suite.check("a job on a pull request plans, comments, records and says so in its summary", async () => {
    const ran = await run(github.eventOf(pull.number, "opened"), "plan");
    ended(ran, 0, { plan: "success" });
    same([ran.outputs["status"], ran.outputs["rewrites"]], ["changes", "true"]);
    holds(ran.log, "the plan says changes");
    holds(ran.summary, "validity_startdate");
    const [comment, ...others] = github.comments(pull.number);
    same(others.length, 0);
    holds(comment?.body ?? "", "validity_startdate");
    const checks = github.checks(github.tip(`refs/pull/${pull.number}/head`), "floeplan (prod)");
    same(
      checks.map(({ conclusion }) => conclusion),
      ["success"],
    );
  });

  await suite.check("the jobs of the merge apply: the safe one leaves the table, the gated one converts it", async () => {
    const ran = await run(github.pushEvent(github.merge(pull.number)), "apply", "floeplan-prod-gated");
    ended(ran, 0, { safe: "success", gated: "success" });
    holds(ran.log, "is left to the gated job");
    same(ran.outputs["status"], "applied");
    holds(github.comments(pull.number)[0]?.body ?? "", "state=applied");
    const metadata = await readFile(await newestMetadata(join(warehouse, "prod/hr/iceberg_employee")), "utf8");
    const { schemas, "current-schema-id": current } = JSON.parse(metadata) as {
      readonly schemas: readonly {
        readonly "schema-id": number;
        readonly fields: readonly { readonly name: string; readonly type: unknown }[];
      }[];
      readonly "current-schema-id": number;
    };
    const fields = schemas.find((schema) => schema["schema-id"] === current)?.fields ?? [];
    same(
      fields.flatMap(({ name, type }) => (name === "validity_startdate" || name === "office" ? [`${name} ${String(type)}`] : [])),
      ["validity_startdate date", "office string"],
    );
  });

  await suite.check("a type that there is not lets the job fail, with the error on its line of the file", async () => {
    const { number } = github.openPullRequest({
      files: { [FILE]: EMPLOYEES_CONVERTED.replace("sex, type: string", "sex, type: strng") },
    });
    const ran = await run(github.eventOf(number, "opened"), "plan");
    ended(ran, 1, { plan: "failure" });
    same(ran.errors, [`${FILE}:9 type-unknown`]);
  });
});

function ended(ran: ActRun, exit: number, jobs: Readonly<Record<string, string>>): void {
  if (ran.exit === exit && JSON.stringify(ran.jobs) === JSON.stringify(jobs)) return;
  throw new Error(`act ended with ${ran.exit}, jobs ${JSON.stringify(ran.jobs)}\n${ran.log.split("\n").slice(-60).join("\n")}`);
}

function same(actual: unknown, expected: unknown): void {
  const [is, must] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (is !== must) throw new Error(`It is ${is}, and must be ${must}`);
}

function holds(text: string, part: string): void {
  if (!text.includes(part)) throw new Error(`"${part}" is not in:\n${text.slice(0, 3000)}`);
}
