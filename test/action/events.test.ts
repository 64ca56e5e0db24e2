// What else starts a job: the merge queue, a schedule, a click; and what is refused whoever asks.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { expectGolden } from "./golden.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { CLICKS, EMPLOYEES, ORDERS, RENAMED, putEmployees, withColumn } from "./tables.ts";

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

async function start(tables: Readonly<Record<string, string>>): Promise<void> {
  lake = await startLake(project(tables));
  makeWarehouses(lake);
  const job = await lake.job(lake.github.manualEvent(), { command: "apply" });
  expect(job.exit).toBe(0);
}

describe("the merge queue", () => {
  it("passes a group whose steps its pull requests showed, and comments nowhere", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": RENAMED } });
    await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    const before = github.comments(number).length;
    const [group] = github.queue([number]);
    if (group === undefined) throw new Error("no group");
    const job = await lake.job(github.mergeGroupEvent(group), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([0, "changes"]);
    expect(github.checks(group.commit, "floeplan (prod)")).toMatchObject([{ conclusion: "success" }]);
    expect(github.comments(number)).toHaveLength(before);
    const applied = await lake.job(github.pushEvent(github.mergeGroup(group)), { command: "apply" });
    expect([applied.exit, applied.outputs["status"]]).toEqual([0, "applied"]);
  });

  it("fails a group that does what nobody was shown", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": RENAMED } });
    const [group] = github.queue([number]);
    if (group === undefined) throw new Error("no group");
    const job = await lake.job(github.mergeGroupEvent(group), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "blocked"]);
    expect(job.stdout).toContain("plan-not-recorded");
    expect(github.checks(group.commit, "floeplan (prod)")).toMatchObject([{ conclusion: "failure" }]);
  });
});

describe("drift", () => {
  const LESS = EMPLOYEES.replace("  - { name: sex, type: string }\n", "");

  async function drifted(): Promise<void> {
    lake = await startLake(project({ employees: LESS }));
    await putEmployees(lake);
  }
  const drift = async (inputs: Readonly<Record<string, string>> = {}) =>
    await lake.job(lake.github.scheduleEvent(), { command: "drift", ...inputs });

  it("keeps one issue: opened, unchanged, closed when clean, opened again", async () => {
    await drifted();
    const { github } = lake;
    const first = await drift();
    expect([first.exit, first.outputs["status"]]).toEqual([0, "changes"]);
    const issues = github.issues();
    expect(issues).toHaveLength(1);
    const [issue] = issues;
    expect(first.outputs["issue-number"]).toBe(String(issue?.number));
    await expectGolden(issue?.body ?? "", lake, "drift-issue.md");
    await drift();
    expect(github.comments(issue?.number ?? 0)).toEqual([]);
    github.pushTo("main", { "tables/employees.yaml": EMPLOYEES });
    const clean = await drift();
    expect([clean.exit, clean.outputs["status"]]).toEqual([0, "no-changes"]);
    expect(github.issues()).toMatchObject([{ isOpen: false }]);
    github.pushTo("main", { "tables/employees.yaml": LESS });
    await drift();
    expect(github.issues()).toMatchObject([{ number: issue?.number, isOpen: true }]);
    expect(github.comments(issue?.number ?? 0)).toHaveLength(2);
  });

  it("proposes the lines that declare it, once, and the issue is closed when they are merged", async () => {
    await drifted();
    const { github } = lake;
    const token = github.newToken({
      permissions: { contents: "write", pull_requests: "write", issues: "write", metadata: "read" },
    });
    const run = async () => await lake.job(github.scheduleEvent(), { command: "drift", adopt: "pull-request" }, { token });
    expect((await run()).exit).toBe(0);
    expect((await run()).exit).toBe(0);
    const pulls = [...github.state.issues.values()].filter(({ pull }) => pull !== null);
    expect(pulls).toHaveLength(1);
    const number = pulls[0]?.number ?? 0;
    expect(github.issues()[0]?.body).toContain(`/pull/${number}`);
    github.merge(number);
    expect((await drift()).outputs["status"]).toBe("no-changes");
    expect(github.issues()).toMatchObject([{ isOpen: false }]);
  });

  it("lets the job fail where it is asked to", async () => {
    await drifted();
    const job = await drift({ "fail-on": "drift", "drift-issue": "false" });
    expect([job.exit, job.outputs["failure-reason"]]).toEqual([1, "drift"]);
    expect(lake.github.issues()).toEqual([]);
  });

  it("goes on without an issue where the repository has none", async () => {
    lake = await startLake(project({ employees: LESS }), { hasIssues: false });
    await putEmployees(lake);
    const job = await drift();
    expect([job.exit, job.outputs["issue-number"]]).toEqual([0, ""]);
    expect(job.stdout).toContain("::warning::");
  });
});

describe("what needs no table", () => {
  it("validates the files alone", async () => {
    lake = await startLake(project({ orders: ORDERS, clicks: CLICKS.replace("string }", "strng }") }));
    const job = await lake.job(lake.github.scheduleEvent(), { command: "validate" });
    expect([job.exit, job.outputs["failure-reason"]]).toEqual([1, "invalid-schema"]);
    expect(job.stdout).toMatch(/::error title=[a-z-]+,file=tables\/clicks\.yaml,line=3/);
  });

  it("imports live tables into the workspace", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    await putEmployees(lake);
    let workspace = "";
    const job = await lake.job(
      lake.github.manualEvent(),
      { command: "import", tables: "hr.*" },
      {
        prepare: (folder) => {
          workspace = folder;
        },
      },
    );
    expect(job.exit).toBe(0);
    expect(readFileSync(join(workspace, "tables/hr/iceberg_employee.yaml"), "utf8")).toContain("name: loginname");
  });
});

describe("what is refused", () => {
  it.each(["pull_request_target", "workflow_run", "issue_comment", "pull_request_review"])("runs nothing on %s", async (name) => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "a") }, fork: "mallory/lake" });
    const event = name === "pull_request_target" ? github.eventOf(number, "opened", { name }) : github.otherEvent(name);
    for (const command of ["plan", "apply"]) {
      const job = await lake.job(event, { command });
      expect(job.exit).toBe(1);
      expect(job.stdout).toContain(`Cannot run on the event ${name}`);
    }
    expect(github.calls).toEqual([]);
  });

  it("applies neither a branch nor a tag nor a pull request", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const branch = github.pushEvent(github.pushTo("feature", { "tables/orders.yaml": withColumn(ORDERS, "a") }));
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "a") } });
    for (const event of [branch, github.tagEvent("v1", github.tip()), github.eventOf(number, "opened")]) {
      const job = await lake.job(event, { command: "apply" });
      expect(job.exit).toBe(1);
      expect(job.stdout).toContain("Cannot apply on this event");
    }
  });

  it("tells all mistakes of the inputs at once, with near spellings", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const job = await lake.job(lake.github.scheduleEvent(), { command: "plann", comment: "alway", "dry-run": "true" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "failed"]);
    expect(job.stdout).toContain('`command` is "plann"');
    expect(job.stdout).toContain('did you mean "plan"?');
    expect(job.stdout).toContain('did you mean "always"?');
    expect(job.stdout).toContain("`dry-run` is for the command apply alone");
  });

  it("does not work on another commit than the event's", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const old = github.tip();
    github.pushTo("main", { "README.md": "more\n" });
    const job = await lake.job(github.manualEvent(), { command: "apply" }, { checkout: old });
    expect(job.exit).toBe(1);
    expect(job.stdout).toContain("another one is checked out");
  });

  it("writes the plan nowhere but below the workspace", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    const job = await lake.job(lake.github.scheduleEvent(), { command: "plan", "plan-out": "../../plan.json" });
    expect(job.exit).toBe(1);
    expect(job.stdout).toContain("is outside of the workspace");
  });
});
