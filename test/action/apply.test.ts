// What a merge does: what was shown, and nothing else that anybody would notice.
import { afterEach, describe, expect, it } from "vitest";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { IS_LONG } from "../long.ts";
import { expectGolden } from "./golden.ts";
import { type JobOptions, type JobResult, type Lake, makeWarehouses, project, startLake } from "./support.ts";
import {
  CLICKS,
  EMPLOYEES,
  EMPLOYEES_CONVERTED,
  EMPLOYEES_DROPPED,
  ORDERS,
  RENAMED,
  putEmployees,
  withColumn,
} from "./tables.ts";

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

async function start(tables: Readonly<Record<string, string>>, more = ""): Promise<void> {
  lake = await startLake(project(tables, { more }));
  makeWarehouses(lake);
  if ("employees" in tables) await putEmployees(lake);
  const job = await lake.job(lake.github.manualEvent(), { command: "apply" });
  expect(job.exit).toBe(0);
}

async function propose(files: Readonly<Record<string, string | null>>): Promise<number> {
  const { number } = lake.github.openPullRequest({ files });
  await lake.job(lake.github.eventOf(number, "opened"), { command: "plan" });
  return number;
}

async function applyPush(
  pushed: Parameters<Lake["github"]["pushEvent"]>[0],
  inputs: Readonly<Record<string, string>> = {},
  options: JobOptions = {},
): Promise<JobResult> {
  return await lake.job(lake.github.pushEvent(pushed), { command: "apply", ...inputs }, options);
}

const merge = (number: number) => lake.github.merge(number);
const outcome = ({ exit, outputs }: JobResult) => [exit, outputs["status"], outputs["failure-reason"]];

async function planIsEmpty(): Promise<void> {
  const job = await lake.job(lake.github.scheduleEvent(), { command: "plan" });
  expect(outcome(job)).toEqual([0, "no-changes", ""]);
}

describe("a merge", () => {
  it("applies what its pull request showed, and closes the comment", async () => {
    await start({ orders: ORDERS });
    const number = await propose({ "tables/orders.yaml": RENAMED });
    const job = await applyPush(merge(number));
    expect(outcome(job)).toEqual([0, "applied", ""]);
    const [comment, ...others] = lake.github.comments(number);
    expect(others).toEqual([]);
    await expectGolden(comment?.body ?? "", lake, "applied-comment.md");
    await planIsEmpty();
  });

  it("converts data once somebody has let the job through", async () => {
    await start({ employees: EMPLOYEES });
    const number = await propose({ "tables/employees.yaml": EMPLOYEES_CONVERTED });
    const pushed = merge(number);
    const refused = await applyPush(pushed);
    expect(outcome(refused)).toEqual([1, "failed", "no-second-lock"]);
    expect(lake.github.comments(number)[0]?.body).toContain("no-second-lock");
    lake.github.setEnvironment({ name: "floeplan-prod-gated", reviewers: ["bob"], deploysFrom: "listed" });
    // Who says which environment it is fails once, and is asked again.
    const unavailable = { status: 503, headers: {}, body: "" };
    lake.github.clearCalls();
    lake.github.fault({ on: ({ operation }) => operation === "GET id-token", answer: unavailable, times: 1 });
    const job = await applyPush(pushed, {}, { environment: "floeplan-prod-gated" });
    expect(lake.github.counts()["GET id-token"]).toBe(2);
    expect(outcome(job)).toEqual([0, "applied", ""]);
    expect(job.stdout).toContain("data files rewritten in snapshot");
    await planIsEmpty();
  });

  it("takes reviews of the recorded commit by those whom the base branch names as the second lock", async () => {
    await start({ employees: EMPLOYEES }, "policy: { approve: { by: ['@bob', '@acme/data'], count: 1 } }");
    const number = await propose({ "tables/employees.yaml": EMPLOYEES_DROPPED });
    lake.github.review(number, { by: "mallory" });
    lake.github.review(number, { by: "alice" });
    const pushed = merge(number);
    expect(outcome(await applyPush(pushed))).toEqual([1, "failed", "no-second-lock"]);
    lake.github.review(number, { by: "bob" });
    expect(outcome(await applyPush(pushed))).toEqual([0, "applied", ""]);
  });

  it("does not believe reviews that a pull request's own policy asks for", async () => {
    await start({ employees: EMPLOYEES }, "policy: { approve: { by: ['@bob'], count: 1 } }");
    const loosened = project({}, { more: "policy: { approve: { by: ['@mallory'], count: 1 } }" })(lake.warehouse);
    const number = await propose({ ...loosened, "tables/employees.yaml": EMPLOYEES_DROPPED });
    lake.github.review(number, { by: "mallory" });
    const job = await applyPush(merge(number));
    expect(outcome(job)).toEqual([1, "failed", "no-second-lock"]);
  });

  it("stops a table whose plan holds more than was shown, and goes on with the others", async () => {
    await start({ orders: ORDERS, clicks: CLICKS });
    const number = await propose({ "tables/clicks.yaml": withColumn(CLICKS, "referrer") });
    // Nobody plans this push: it is not in the record.
    lake.github.pushTo(number, { "tables/orders.yaml": RENAMED });
    lake.github.forgeCheck(lake.github.tip(`refs/pull/${number}/head`), "floeplan (prod)", { app: "other-app" });
    const job = await applyPush(merge(number));
    expect(outcome(job)).toEqual([1, "partly-applied", "plan-changed"]);
    expect(job.stdout).toMatch(/Cannot apply "sales\.orders": its plan is not the one that was reviewed/);
  });

  it("runs metadata that nobody recorded, and says so", async () => {
    await start({ orders: ORDERS });
    const pushed = lake.github.pushTo("main", { "tables/orders.yaml": withColumn(ORDERS, "coupon") });
    const job = await applyPush(pushed);
    expect(outcome(job)).toEqual([0, "applied", ""]);
    expect(job.stdout).toContain('sales.orders: not shown by a pull request, and applied because it is metadata only: "coupon"');
  });

  it("runs nothing but metadata on a direct push", async () => {
    await start({ orders: ORDERS });
    const job = await applyPush(lake.github.pushTo("main", { "tables/orders.yaml": RENAMED }));
    expect(outcome(job)).toEqual([1, "failed", "plan-changed"]);
  });

  it.runIf(IS_LONG)("refuses an old commit: an old run that is started again takes nothing back", async () => {
    await start({ orders: ORDERS });
    const first = await propose({ "tables/orders.yaml": withColumn(ORDERS, "a") });
    const old = merge(first);
    await applyPush(old);
    const second = await propose({ "tables/orders.yaml": withColumn(withColumn(ORDERS, "a"), "b") });
    await applyPush(merge(second));
    // The tip declares as the old commit does again, so that it is not simply superseded.
    lake.github.pushTo("main", { "tables/orders.yaml": withColumn(ORDERS, "a") });
    const job = await applyPush(old);
    expect(job.outputs["failure-reason"]).toBe("stale-commit");
    expect(job.exit).toBe(1);
  });

  it.runIf(IS_LONG)("leaves a table to the tip's run where the tip declares it otherwise", async () => {
    await start({ orders: ORDERS });
    const first = await propose({ "tables/orders.yaml": RENAMED });
    const early = merge(first);
    const second = await propose({ "tables/orders.yaml": withColumn(RENAMED, "b") });
    const late = merge(second);
    const job = await applyPush(early);
    expect(outcome(job)).toEqual([0, "no-changes", ""]);
    expect(job.stdout).toContain("left to a newer run");
    // The tip's run has the records of both.
    expect(outcome(await applyPush(late))).toEqual([0, "applied", ""]);
    await planIsEmpty();
    for (const number of [first, second]) expect(lake.github.comments(number)[0]?.body).toContain("state=applied");
  });

  it.runIf(IS_LONG)("takes two merged pull requests of one push together", async () => {
    await start({ orders: ORDERS, clicks: CLICKS });
    const before = lake.github.tip();
    const first = await propose({ "tables/orders.yaml": RENAMED });
    const second = await propose({
      "tables/clicks.yaml": CLICKS.replace("url, type: string", "address, type: string, renamed-from: url"),
    });
    merge(first);
    const pushed = { ...merge(second), before };
    const job = await applyPush(pushed);
    expect(outcome(job)).toEqual([0, "applied", ""]);
    await planIsEmpty();
  });

  it.runIf(IS_LONG)("brings an environment that is two pull requests behind up to date, with both records", async () => {
    lake = await startLake(project({ orders: ORDERS }, { environments: ["dev", "prod"] }));
    makeWarehouses(lake, ["dev", "prod"]);
    const apply = async (environment: string) => await lake.job(lake.github.manualEvent(), { command: "apply", environment });
    const plan = async (number: number) => {
      const event = lake.github.eventOf(number, "opened");
      for (const environment of ["dev", "prod"]) await lake.job(event, { command: "plan", environment });
    };
    expect((await apply("dev")).exit).toBe(0);
    expect((await apply("prod")).exit).toBe(0);
    const texts = [
      RENAMED,
      RENAMED.replace("client, type: string, renamed-from: customer", "buyer, type: string, renamed-from: [client, customer]"),
    ];
    const numbers: number[] = [];
    for (const text of texts) {
      const { number } = lake.github.openPullRequest({ files: { "tables/orders.yaml": text } });
      await plan(number);
      numbers.push(number);
      merge(number);
      expect((await apply("dev")).exit).toBe(0);
      expect(lake.github.comments(number)[0]?.body).toContain("state=planned");
    }
    // Of the second, prod was shown a rename in one go; the first recorded the one to `client`.
    expect(outcome(await apply("prod"))).toEqual([0, "applied", ""]);
    expect(lake.github.comments(numbers[1] ?? 0)[0]?.body).toContain("state=applied");
  });

  it("lets safe tables go while a gated one waits", async () => {
    await start({ employees: EMPLOYEES, orders: ORDERS });
    const number = await propose({ "tables/employees.yaml": EMPLOYEES_DROPPED, "tables/orders.yaml": RENAMED });
    const pushed = merge(number);
    const safe = await applyPush(pushed, { "max-effect": "behaviour" });
    expect(outcome(safe)).toEqual([0, "applied", ""]);
    expect(safe.stdout).toContain('Table "hr.iceberg_employee" is left to the gated job');
    expect(safe.outputs["destructive"]).toBe("true");
    lake.github.setEnvironment({ name: "gated", reviewers: ["bob"], deploysFrom: "listed" });
    const gated = await applyPush(pushed, {}, { environment: "gated" });
    expect(outcome(gated)).toEqual([0, "applied", ""]);
    await planIsEmpty();
  });

  it("tells a table that fails apart, goes on with the others, and finishes on a second run", async () => {
    await start({ orders: ORDERS, clicks: CLICKS });
    const number = await propose({ "tables/orders.yaml": RENAMED, "tables/clicks.yaml": withColumn(CLICKS, "referrer") });
    const pushed = merge(number);
    const metadata = join(lake.warehouse, "prod/web/clicks/metadata/v1.metadata.json");
    const whole = readFileSync(metadata);
    writeFileSync(metadata, whole.subarray(0, 100));
    const job = await applyPush(pushed);
    expect(outcome(job)).toEqual([1, "partly-applied", "catalog-error"]);
    expect(job.stdout).toMatch(/web\.clicks +failed/);
    writeFileSync(metadata, whole);
    expect(outcome(await applyPush(pushed))).toEqual([0, "applied", ""]);
    await planIsEmpty();
  });

  it.runIf(IS_LONG)("undoes a reverted pull request like any other change", async () => {
    await start({ orders: ORDERS });
    const number = await propose({ "tables/orders.yaml": RENAMED });
    await applyPush(merge(number));
    const revert = await propose({ "tables/orders.yaml": ORDERS });
    const job = await applyPush(merge(revert));
    expect(outcome(job)).toEqual([0, "applied", ""]);
    expect(job.stdout).toContain("renamed back from client");
  });

  it.runIf(IS_LONG)("sets the checks of open pull requests on the same table to failed", async () => {
    await start({ orders: ORDERS, clicks: CLICKS });
    const first = await propose({ "tables/orders.yaml": RENAMED });
    const same = await propose({ "tables/orders.yaml": withColumn(ORDERS, "note") });
    const other = await propose({ "tables/clicks.yaml": withColumn(CLICKS, "referrer") });
    await applyPush(merge(first));
    const conclusion = (number: number) =>
      lake.github.checks(lake.github.tip(`refs/pull/${number}/head`), "floeplan (prod)").at(-1)?.conclusion;
    expect([conclusion(same), conclusion(other)]).toEqual(["failure", "success"]);
    expect(lake.github.comments(same)[0]?.body).toContain("Branch `main` moved and touches the same tables");
  });

  it("changes nothing with dry-run", async () => {
    await start({ orders: ORDERS });
    const number = await propose({ "tables/orders.yaml": RENAMED });
    const pushed = merge(number);
    const job = await applyPush(pushed, { "dry-run": "true" });
    expect(outcome(job)).toEqual([0, "no-changes", ""]);
    expect(job.stdout).toContain("would be applied");
    expect(lake.github.comments(number)[0]?.body).toContain("state=planned");
  });

  it("applies nothing to an environment that is only observed", async () => {
    lake = await startLake(project({ orders: ORDERS }, { more: "policy: { mode: observe }" }));
    makeWarehouses(lake);
    const job = await lake.job(lake.github.manualEvent(), { command: "apply" });
    expect([job.exit, job.outputs["status"]]).toEqual([1, "blocked"]);
    expect(job.stdout).toContain("environment-observed");
  });

  it("warns where any branch may use the job's environment", async () => {
    await start({ orders: ORDERS });
    lake.github.setEnvironment({ name: "floeplan-prod", deploysFrom: "any" });
    const job = await applyPush(
      lake.github.pushTo("main", { "tables/orders.yaml": withColumn(ORDERS, "a") }),
      {},
      { environment: "floeplan-prod" },
    );
    expect(job.exit).toBe(0);
    expect(job.stdout).toContain("title=deployment-unrestricted");
  });
});
