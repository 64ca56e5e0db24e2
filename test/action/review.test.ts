// What a pull request gets: comment, check, summary, outputs and annotations, state by state.
import { afterEach, describe, expect, it } from "vitest";
import { IS_LONG } from "../long.ts";
import { expectGolden, settled } from "./golden.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { CLICKS, EMPLOYEES, EMPLOYEES_CONVERTED, EMPLOYEES_DROPPED, ORDERS, putEmployees, withColumn } from "./tables.ts";

/** A first commit of floeplan: what it has declared once, it misses when it is gone. */
const COMMENT = ["name_first, type: string", 'name_first, type: string, comment: "Given name"'] as const;
const COMMENTED = EMPLOYEES.replace(...COMMENT);

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

/** Brings `main` to the warehouse. */
async function applied(environment = "prod"): Promise<void> {
  const event = lake.github.manualEvent();
  const job = await lake.job(event, { command: "apply", environment });
  expect(job.exit, job.stdout).toBe(0);
}

describe("a plan that is safe", () => {
  it("is one comment, one green check, and outputs that a shell may hold", async () => {
    lake = await startLake(project({ orders: ORDERS, clicks: CLICKS }));
    makeWarehouses(lake);
    await applied();
    const { github } = lake;
    const { number, head } = github.openPullRequest({
      files: {
        "tables/orders.yaml": withColumn(ORDERS, "coupon"),
        "tables/refunds.yaml": "table: sales.refunds\ncolumns:\n  - { name: refund_id, type: long }\n",
      },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan", "plan-out": "plan.json" });
    expect(job.exit).toBe(0);
    expect(job.outputs).toMatchObject({ status: "changes", changed: "true", destructive: "false", "tables-changed": "2" });
    for (const [name, value] of Object.entries(job.outputs)) expect(`${name}: ${value}`).toMatch(/^[a-z-]+: [A-Za-z0-9._-]*$/);
    const [check] = github.checks(head, "floeplan (prod)");
    expect(check).toMatchObject({ status: "completed", conclusion: "success" });
    expect(JSON.parse(job.plan ?? "")).toMatchObject({
      environment: "prod",
      tables: [{ table: "sales.orders" }, { table: "sales.refunds" }],
    });
    await expectGolden(
      github
        .comments(number)
        .map(({ body }) => body)
        .join("\n=====\n"),
      lake,
      "safe-comment.md",
    );
    await expectGolden(job.summary, lake, "safe-summary.md");
    await expectGolden(check?.text ?? "", lake, "safe-record.md");
  });

  it("says nothing on a pull request that changes no table, and calls no catalog", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const { number, head } = github.openPullRequest({ files: { "README.md": "more\n" } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([0, "no-changes"]);
    expect(github.comments(number)).toEqual([]);
    expect(github.checks(head, "floeplan (prod)")).toMatchObject([{ conclusion: "success" }]);
  });

  it("replaces the comment of an earlier push, and calls it out of date meanwhile", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    await applied();
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "a") } });
    await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    github.pushTo(number, { "tables/orders.yaml": withColumn(withColumn(ORDERS, "a"), "b") });
    github.clearCalls();
    await lake.job(github.eventOf(number, "synchronize"), { command: "plan" });
    const comments = github.comments(number);
    expect(comments).toHaveLength(1);
    expect(comments[0]?.body).toContain("2 added");
    expect(comments[0]?.body).not.toContain("Out of date");
    const patches = github.calls.filter(({ operation }) => operation === "PATCH /issues/comments/{id}");
    expect(patches).toHaveLength(2);
  });
});

describe("a plan that loses or rewrites data", () => {
  it("opens with what is lost and rewritten, and asks for the second person", async () => {
    lake = await startLake(project({ employees: EMPLOYEES }));
    await putEmployees(lake);
    await applied();
    const { github } = lake;
    const both = EMPLOYEES_DROPPED.replace(
      "validity_startdate, type: string",
      "validity_startdate, type: date, convert: { from: string, format: yyyyMMdd }",
    );
    const { number, head } = github.openPullRequest({ files: { "tables/employees.yaml": both } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect(job.exit).toBe(0);
    expect(job.outputs).toMatchObject({ destructive: "true", rewrites: "true", status: "changes" });
    expect(github.checks(head, "floeplan (prod)")).toMatchObject([{ conclusion: "success" }]);
    await expectGolden(github.comments(number)[0]?.body ?? "", lake, "destructive-comment.md");
  });

  it("is red until the drop is acknowledged", async () => {
    lake = await startLake(project({ employees: COMMENTED }));
    await putEmployees(lake);
    await applied();
    const { github } = lake;
    const { number, head } = github.openPullRequest({
      files: { "tables/employees.yaml": COMMENTED.replace("  - { name: loginname, type: string }\n", "") },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect(job.exit).toBe(1);
    expect(job.outputs).toMatchObject({ status: "needs-acknowledgement", "failure-reason": "not-acknowledged" });
    expect(github.checks(head, "floeplan (prod)")).toMatchObject([{ conclusion: "failure" }]);
    expect(job.stdout).toMatch(/^::error title=field-dropped-unacknowledged,file=tables\/employees\.yaml,line=/m);
    github.pushTo(number, { "tables/employees.yaml": EMPLOYEES_DROPPED.replace(...COMMENT) });
    const again = await lake.job(github.eventOf(number, "synchronize"), { command: "plan" });
    expect([again.exit, again.outputs["status"]]).toEqual([0, "changes"]);
  });
});

describe("a plan that cannot be taken", () => {
  it("shows what is blocked and what has drifted, and approves nothing of it", async () => {
    lake = await startLake(project({ orders: ORDERS, employees: EMPLOYEES.replace("  - { name: sex, type: string }\n", "") }));
    makeWarehouses(lake);
    await putEmployees(lake);
    await applied();
    const { github } = lake;
    const { number, head } = github.openPullRequest({
      files: {
        "tables/orders.yaml": ORDERS.replace("order_id, type: long", "order_id, type: int"),
        "tables/employees.yaml": EMPLOYEES.replace("  - { name: sex, type: string }\n", "").replace(
          "name_first, type: string",
          'name_first, type: string, comment: "Given name"',
        ),
      },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "blocked"]);
    await expectGolden(github.comments(number)[0]?.body ?? "", lake, "blocked-comment.md");
    const [check] = github.checks(head, "floeplan (prod)");
    expect(check?.conclusion).toBe("failure");
    expect(check?.text).not.toContain("sales.orders");
    expect(check?.text).toContain("hr.iceberg_employee");
  });

  it("tells errors of files at their lines", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const { number, head } = github.openPullRequest({
      files: { "tables/orders.yaml": ORDERS.replace('"decimal(9,2)"', "decimal(9,2)") },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan", environment: "prod" });
    expect([job.exit, job.outputs["failure-reason"]]).toEqual([1, "invalid-schema"]);
    expect(job.stdout).toMatch(/::error title=unquoted-comma,file=tables\/orders\.yaml,line=7/);
    expect(github.checks(head, "floeplan (prod)")).toMatchObject([{ conclusion: "failure" }]);
    expect(github.comments(number)).toHaveLength(1);
  });

  it("is behind when the table was applied from a commit that the branch lacks", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    await applied();
    const { github } = lake;
    const old = github.tip();
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "mine") } });
    const before = github.eventOf(number, "opened");
    github.pushTo("main", {
      "tables/orders.yaml": ORDERS.replace("customer, type: string }", 'customer, type: string, comment: "Who" }'),
    });
    await applied();
    expect(github.tip()).not.toBe(old);
    const job = await lake.job(before, { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "blocked"]);
    expect(job.stdout).toContain("branch-behind");
  });
});

describe("who may be told, and what", () => {
  it("plans a fork's pull request without credentials, comment or check", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    const { github } = lake;
    const { number, head } = github.openPullRequest({
      files: { "tables/orders.yaml": withColumn(ORDERS, "coupon") },
      fork: "mallory/lake",
      author: "mallory",
    });
    const readOnly = github.newToken({ permissions: { contents: "read", pull_requests: "read", metadata: "read" } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" }, { token: readOnly });
    expect([job.exit, job.outputs["status"]]).toEqual([0, "offline"]);
    expect(github.comments(number)).toEqual([]);
    expect(github.checks(head)).toEqual([]);
    await expectGolden(job.summary, lake, "fork-summary.md");
  });

  it("plans without the comment where the token may not write one", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "coupon") } });
    const token = github.newToken({
      permissions: { contents: "read", checks: "write", pull_requests: "read", metadata: "read" },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" }, { token });
    expect([job.exit, job.outputs["status"], job.outputs["comment-id"]]).toEqual([0, "changes", ""]);
    expect(job.stdout).toMatch(/::warning::.*pull-requests: write/);
  });

  it("fails where the record cannot be written: nobody could have approved anything", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "coupon") } });
    const token = github.newToken({ permissions: { contents: "read", pull_requests: "write", metadata: "read" } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" }, { token });
    expect(job.exit).toBe(1);
    expect(job.stdout).toContain("checks: write");
  });

  it("is judged by the policy of the base branch, and says that it is changed", async () => {
    lake = await startLake(project({ employees: EMPLOYEES }, { more: "policy: { max-rewrite: 1KiB }" }));
    await putEmployees(lake);
    await applied();
    const { github } = lake;
    const files = project({}, { more: "policy: { max-rewrite: 1TiB }" })(lake.warehouse);
    const { number } = github.openPullRequest({ files: { ...files, "tables/employees.yaml": EMPLOYEES_CONVERTED } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "blocked"]);
    expect(job.stdout).toContain("policy-changed");
  });

  it("says that a table which is no longer declared stays as it is", async () => {
    lake = await startLake(project({ orders: ORDERS, clicks: CLICKS }));
    makeWarehouses(lake);
    await applied();
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/clicks.yaml": null } });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect([job.exit, job.outputs["status"]]).toEqual([0, "no-changes"]);
    expect(job.summary).toContain("nothing of it is deleted");
  });
});

describe("many tables and environments", () => {
  it.runIf(IS_LONG)("fits 400 tables into a comment, and never cuts what is lost", async () => {
    lake = await startLake(project({ employees: EMPLOYEES }));
    makeWarehouses(lake);
    await putEmployees(lake);
    const { github } = lake;
    const columns = Array.from({ length: 12 }, (_, index) => `  - { name: column_${index}, type: string }\n`).join("");
    const tables = Array.from({ length: 400 }, (_, index) => [
      `tables/t${index}.yaml`,
      `table: big.t${index}\ncolumns:\n${columns}`,
    ]);
    const { number } = github.openPullRequest({
      files: { ...Object.fromEntries(tables), "tables/employees.yaml": EMPLOYEES_DROPPED },
    });
    const job = await lake.job(github.eventOf(number, "opened"), { command: "plan" });
    expect([job.exit, job.outputs["tables-changed"]]).toEqual([0, "401"]);
    const body = github.comments(number)[0]?.body ?? "";
    expect(body.length).toBeLessThan(65_536);
    expect(body).toMatch(/\*\*Lost\*\* in `hr\.iceberg_employee`: `loginname`/);
    expect(body).toContain("Shortened to fit");
  });

  it("shows environments that agree once, in one comment of several jobs", async () => {
    lake = await startLake(project({ orders: ORDERS }, { environments: ["dev", "staging", "prod"] }));
    makeWarehouses(lake, ["dev", "staging", "prod"]);
    for (const name of ["dev", "prod"]) await applied(name);
    const { github } = lake;
    const { number, head } = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "coupon") } });
    const event = github.eventOf(number, "opened");
    const jobs = await Promise.all(
      ["dev", "staging", "prod"].map(async (environment) => await lake.job(event, { command: "plan", environment })),
    );
    expect(jobs.map(({ exit }) => exit)).toEqual([0, 0, 0]);
    expect(
      github
        .checks(head)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(["floeplan (dev)", "floeplan (prod)", "floeplan (staging)"]);
    const comments = github.comments(number);
    expect(comments).toHaveLength(1);
    const body = settled(comments[0]?.body ?? "", lake);
    expect(body.match(/^### /gm)).toHaveLength(2);
    expect(body).toContain("The same in `dev`.");
  });
});
