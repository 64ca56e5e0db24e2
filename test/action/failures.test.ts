// Every call to GitHub fails in turn, in every way: a plan is not lost by what cannot be told, nothing is applied on a
// record that could not be read, and what was applied is said.
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import type { GithubEvent } from "../fakes/github-events.ts";
import type { FaultAnswer } from "../fakes/http-fake.ts";
import { IS_LONG, oneIn } from "../long.ts";
import { type FlowEnd, runFlow } from "./in-process.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { EMPLOYEES, ORDERS, RENAMED, putEmployees, withColumn } from "./tables.ts";

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

/** One of each kind: a denial, a failure, no answer. */
const TOLD: ReadonlySet<string> = new Set(["403", "500", "drop"]);
/** Calls of an apply that only tell: checks of the plan are made before. */
const TELLS = /comments|(?:POST|PATCH) \/check-runs/;
/** Calls of a plan that only tell; without the record there is none. */
const COMMENTS = /comments|GET \/pulls\/\{number\}$/;

const plan = async (event: GithubEvent, inputs: Readonly<Record<string, string>> = {}) =>
  await runFlow(lake, event, { command: "plan", ...inputs });
const apply = async (event: GithubEvent) => await runFlow(lake, event, { command: "apply" });

async function start(): Promise<void> {
  lake = await startLake(project({ orders: ORDERS }));
  makeWarehouses(lake);
  expect((await apply(lake.github.manualEvent())).result?.succeeded).toBe(true);
}

/** A pull request to the text, and its event. */
function propose(text: string): { readonly number: number; readonly head: string; readonly event: GithubEvent } {
  const { number, head } = lake.github.openPullRequest({ files: { "tables/orders.yaml": text } });
  return { number, head, event: lake.github.eventOf(number, "opened") };
}

/** The push of a pull request that was planned and merged. */
async function merged(text: string): Promise<GithubEvent> {
  const { number, event } = propose(text);
  expect((await plan(event)).result?.succeeded).toBe(true);
  return lake.github.pushEvent(lake.github.merge(number));
}

/** Calls that a run makes, each once. */
async function operationsOf(run: () => Promise<FlowEnd>): Promise<readonly string[]> {
  lake.github.clearCalls();
  expect((await run()).result?.succeeded).toBe(true);
  return Object.keys(lake.github.counts());
}

async function broken(calls: (operation: string) => boolean, answer: FaultAnswer, run: () => Promise<FlowEnd>): Promise<FlowEnd> {
  const mend = lake.github.fault({ on: ({ operation }) => calls(operation), answer, times: Number.POSITIVE_INFINITY });
  try {
    return await run();
  } finally {
    mend();
  }
}

const faultAt = (turn: number): FaultAnswer => FAULTS[turn % FAULTS.length]?.[1] ?? "drop";
const versions = (): number =>
  readdirSync(join(lake.warehouse, "prod/sales/orders/metadata")).filter((file) => file.endsWith(".metadata.json")).length;
const told = ({ result, error }: FlowEnd): unknown => [error?.message ?? null, result?.succeeded === true];
const isRecorded = (head: string): boolean =>
  lake.github.checks(head, "floeplan (prod)").some(({ text }) => text?.includes("sales.orders") === true);

describe("a plan while GitHub fails", () => {
  it("is not lost by a comment that cannot be read or written", async () => {
    await start();
    const { head, event } = propose(RENAMED);
    for (const [, answer] of FAULTS.filter(([name]) => IS_LONG || TOLD.has(name))) {
      lake.github.state.checks.clear();
      const end = await broken(
        (operation) => COMMENTS.test(operation),
        answer,
        async () => await plan(event),
      );
      expect(told(end)).toEqual([null, true]);
      expect(isRecorded(head)).toBe(true);
      expect(end.log).toMatch(/Cannot (?:comment on|read the comments of|read) pull request/);
    }
    expect(lake.github.comments(1)).toEqual([]);
  });

  it.runIf(IS_LONG)("succeeds only where it is recorded, whichever other call fails", async () => {
    await start();
    const { head, event } = propose(RENAMED);
    const operations = await operationsOf(async () => await plan(event));
    expect(operations).toContain("POST /check-runs");
    for (const [turn, operation] of operations.filter((one) => !COMMENTS.test(one)).entries()) {
      lake.github.state.checks.clear();
      const end = await broken(
        (one) => one === operation,
        faultAt(turn),
        async () => await plan(event),
      );
      expect([operation, end.result?.succeeded === true && !isRecorded(head)]).toEqual([operation, false]);
    }
    // A denial too, and whatever `fail-on` says.
    const denied = async () => await plan(event, { "fail-on": "never" });
    const end = await broken((one) => one === "POST /check-runs", refusal(403), denied);
    expect([end.result, end.error?.message]).toEqual([null, 'Cannot record the check "floeplan (prod)"']);
  });
});

describe("an apply while GitHub fails", () => {
  it("takes nothing where a call that it decides by fails, and takes it the next time, once", async () => {
    await start();
    const event = await merged(RENAMED);
    lake.github.clearCalls();
    // On a copy of the same state, to know the calls: dry-run asks all that an apply asks before it takes a step.
    const operations = await operationsOf(async () => await runFlow(lake, event, { command: "apply", "dry-run": "true" }));
    expect(operations).toContain("GET /commits/{commit}/check-runs");
    expect(operations).toContain("GET /actions/runs/{id}");
    const before = versions();
    for (const [turn, operation] of oneIn(2, operations).entries()) {
      const end = await broken(
        (one) => one === operation,
        faultAt(turn),
        async () => await apply(event),
      );
      expect([operation, end.result?.succeeded ?? false, versions() - before]).toEqual([operation, false, 0]);
    }
    for (const taken of [1, 1]) {
      expect(told(await apply(event))).toEqual([null, true]);
      expect(versions() - before).toBe(taken);
    }
  });

  it.runIf(IS_LONG)("takes the steps and ends well where only telling of it fails", async () => {
    await start();
    // Another pull request is open on the same table: its check is to be failed.
    const open = propose(withColumn(ORDERS, "note"));
    expect(told(await plan(open.event))).toEqual([null, true]);
    const texts = [RENAMED, ORDERS];
    for (const [turn, [, answer]] of FAULTS.filter(([name]) => TOLD.has(name)).entries()) {
      const event = await merged(texts[turn % 2] ?? "");
      const before = versions();
      const end = await broken(
        (operation) => TELLS.test(operation),
        answer,
        async () => await apply(event),
      );
      expect([told(end), versions() - before, end.result?.outputs.status]).toEqual([[null, true], 1, "applied"]);
    }
  });
});

describe("a drift run while GitHub fails", () => {
  it.runIf(IS_LONG)("reports what it found", async () => {
    lake = await startLake(project({ employees: EMPLOYEES.replace("  - { name: sex, type: string }\n", "") }));
    await putEmployees(lake);
    for (const [name, answer] of FAULTS) {
      const end = await broken(
        () => true,
        answer,
        async () => await runFlow(lake, lake.github.scheduleEvent(), { command: "drift" }),
      );
      expect([name, end.error, end.result?.outputs.status]).toEqual([name, null, "changes"]);
    }
  });
});
