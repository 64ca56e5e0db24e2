// An apply whose process is killed between its calls to GitHub, and started again: the same end, as if nothing had been.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, it } from "vitest";
import { IS_LONG } from "../long.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { ORDERS } from "./tables.ts";

const NAMES = ["customer", "client", "buyer", "payer", "patron", "account"];

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

const named = (turn: number): string => {
  const [before, now] = [NAMES[turn - 1] ?? "", NAMES[turn] ?? ""];
  const earlier = NAMES.slice(0, turn).reverse().join(", ");
  return before === "" ? ORDERS : ORDERS.replace("customer, type: string", `${now}, type: string, renamed-from: [${earlier}]`);
};

const versions = (): number =>
  readdirSync(join(lake.warehouse, "prod/sales/orders/metadata")).filter((file) => file.endsWith(".metadata.json")).length;

/** The process dies with such a call on its way: before the steps, before and after it tells, with the table taken. */
const DEATHS: readonly (readonly [operation: string, turn: number])[] = [
  ["GET /commits/{commit}/check-runs", 1],
  ["POST /check-runs", 1],
  ["PATCH /issues/comments/{id}", 1],
  ["PATCH /check-runs/{id}", 1],
  ["PATCH /issues/comments/{id}", 2],
];

it.runIf(IS_LONG)("an apply that is killed at any call ends the same when it is run again (T25)", async () => {
  lake = await startLake(project({ orders: ORDERS }));
  makeWarehouses(lake);
  const { github } = lake;
  await lake.job(github.manualEvent(), { command: "apply" });
  for (const [index, [operation, occurrence]] of DEATHS.entries()) {
    const { number, head } = github.openPullRequest({ files: { "tables/orders.yaml": named(index + 1) } });
    expect((await lake.job(github.eventOf(number, "opened"), { command: "plan" })).exit).toBe(0);
    const pushed = github.pushEvent(github.merge(number));
    const before = versions();
    let kill: (signal: NodeJS.Signals) => void = () => {};
    let seen = 0;
    const watch = github.fault({
      on: (call) => {
        if (call.operation === operation && ++seen === occurrence) kill("SIGKILL");
        return false;
      },
      answer: "drop",
    });
    const forget = github.fault({
      on: (call) => call.operation === operation,
      skip: occurrence - 1,
      answer: "drop",
    });
    const killed = await lake.job(
      pushed,
      { command: "apply" },
      {
        onStart: (how) => {
          kill = how;
        },
      },
    );
    forget();
    watch();
    expect([operation, killed.exit]).toEqual([operation, null]);
    const again = await lake.job(pushed, { command: "apply" });
    expect([operation, again.exit, versions() - before]).toEqual([operation, 0, 1]);
    const check = github.checks(head, "floeplan apply (prod)").at(-1);
    expect([operation, check?.status, check?.conclusion]).toEqual([operation, "completed", "success"]);
    const comments = github.comments(number);
    expect([operation, comments.map(({ body }) => / state=(\w+) /.exec(body)?.[1])]).toEqual([operation, ["applied"]]);
  }
  const plan = await lake.job(github.scheduleEvent(), { command: "plan" });
  expect([plan.exit, plan.outputs["status"]]).toEqual([0, "no-changes"]);
});
