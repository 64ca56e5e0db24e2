// Every call to GitHub fails in turn, in every way: a plan is not lost by what cannot be told, nothing is applied on a
// record that could not be read, and what was applied is said.
import { readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { FaultAnswer } from "../fakes/http-fake.ts";
import { type FlowEnd, runFlow } from "./in-process.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { EMPLOYEES, ORDERS, putEmployees, withColumn } from "./tables.ts";

const RENAMED = ORDERS.replace("customer, type: string", "client, type: string, renamed-from: customer");

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

const refusal = (status: number, headers: Readonly<Record<string, string>> = {}): FaultAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify({ message: "No" }),
});
const FAULTS: readonly (readonly [string, FaultAnswer])[] = [
  ["403", refusal(403)],
  ["404", refusal(404)],
  ["422", refusal(422)],
  ["500", refusal(500)],
  ["429", refusal(429, { "retry-after": "1" })],
  ["drop", "drop"],
];

/** Calls of an apply that only tell. */
const TELLS = /comments|(?:POST|PATCH) \/check-runs/;

async function start(): Promise<void> {
  lake = await startLake(project({ orders: ORDERS }));
  makeWarehouses(lake);
  expect((await runFlow(lake, lake.github.manualEvent(), { command: "apply" })).result?.succeeded).toBe(true);
}

/** Calls that a run makes, each once. */
async function operationsOf(run: () => Promise<FlowEnd>): Promise<readonly string[]> {
  lake.github.clearCalls();
  expect((await run()).result?.succeeded).toBe(true);
  return Object.keys(lake.github.counts()).filter((one) => one !== "GET id-token");
}

async function broken(operation: string, answer: FaultAnswer, run: () => Promise<FlowEnd>): Promise<FlowEnd> {
  const mend = lake.github.fault({ on: operation, answer, times: Number.POSITIVE_INFINITY });
  try {
    return await run();
  } finally {
    mend();
  }
}

const versions = (): number =>
  readdirSync(join(lake.warehouse, "prod/sales/orders/metadata")).filter((file) => file.endsWith(".metadata.json")).length;

describe("a plan while GitHub fails", () => {
  it.each(FAULTS)("is recorded and shown, or fails: never less (%s)", async (_name, answer) => {
    await start();
    const { github } = lake;
    const { number, head } = github.openPullRequest({ files: { "tables/orders.yaml": RENAMED } });
    const event = github.eventOf(number, "opened");
    const plan = async () => await runFlow(lake, event, { command: "plan" });
    for (const operation of await operationsOf(plan)) {
      github.state.checks.clear();
      const { result, error } = await broken(operation, answer, plan);
      const recorded = github.checks(head, "floeplan (prod)").some(({ text }) => text?.includes("sales.orders") === true);
      const told = `${operation}: ${error?.message ?? "done"}`;
      if (/comments|GET \/pulls\/\{number\}$/.test(operation)) {
        expect([told, recorded, result?.succeeded]).toEqual([`${operation}: done`, true, true]);
      } else {
        expect([told, result?.succeeded === true]).toEqual([told, recorded && result !== null]);
      }
    }
  });
});

describe("an apply while GitHub fails", () => {
  it.each(FAULTS)("takes a step on a whole record alone, once, and says so (%s)", async (_name, answer) => {
    await start();
    const { github } = lake;
    const texts = [RENAMED, ORDERS];
    // Another pull request is open on the same table: it is told last.
    const open = github.openPullRequest({ files: { "tables/orders.yaml": withColumn(ORDERS, "note") } });
    await runFlow(lake, github.eventOf(open.number, "opened"), { command: "plan" });
    const next = async (turn: number) => {
      const { number } = github.openPullRequest({ files: { "tables/orders.yaml": texts[turn % 2] ?? "" } });
      expect((await runFlow(lake, github.eventOf(number, "opened"), { command: "plan" })).result?.succeeded).toBe(true);
      const event = github.pushEvent(github.merge(number));
      return async () => await runFlow(lake, event, { command: "apply" });
    };
    let turn = 0;
    for (const operation of await operationsOf(await next(turn++))) {
      const apply = await next(turn++);
      const before = versions();
      const { result, error } = await broken(operation, answer, apply);
      const told = `${operation}: ${error?.message ?? "done"}`;
      const taken = versions() - before;
      if (TELLS.test(operation)) expect([told, taken, result?.succeeded]).toEqual([`${operation}: done`, 1, true]);
      else expect([told, taken, result?.succeeded === true]).toEqual([told, 0, false]);
      const again = await apply();
      expect([told, again.result?.succeeded, versions() - before]).toEqual([told, true, 1]);
    }
  });
});

describe("a drift run while GitHub fails", () => {
  it.each(FAULTS)("reports what it found (%s)", async (_name, answer) => {
    lake = await startLake(project({ employees: EMPLOYEES.replace("  - { name: sex, type: string }\n", "") }));
    await putEmployees(lake);
    const drift = async () => await runFlow(lake, lake.github.scheduleEvent(), { command: "drift" });
    for (const operation of await operationsOf(drift)) {
      const { result, error } = await broken(operation, answer, drift);
      expect([operation, error, result?.outputs.status]).toEqual([operation, null, "changes"]);
    }
    rmSync(join(lake.warehouse, "prod"), { recursive: true });
  });
});
