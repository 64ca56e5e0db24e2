// Who could lie to an apply, and is not believed: check runs that others made or altered, comments with our marker,
// old policies, branches that are not the default one.
import { afterEach, describe, expect, it } from "vitest";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { GithubEvent } from "../fakes/github-events.ts";
import type { StoredCheck } from "../fakes/github-state.ts";
import { type FlowEnd, type FlowOptions, runFlow } from "./in-process.ts";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";
import { EMPLOYEES, EMPLOYEES_DROPPED, ORDERS, RENAMED, putEmployees, withColumn } from "./tables.ts";

const NAME = "floeplan (prod)";

let lake: Lake;
afterEach(async () => {
  await lake.stop();
});

async function start(tables: Readonly<Record<string, string>>, more = ""): Promise<void> {
  lake = await startLake(project(tables, { more }));
  makeWarehouses(lake);
  if ("employees" in tables) await putEmployees(lake);
  expect((await apply(lake.github.manualEvent())).result?.succeeded).toBe(true);
}

const apply = async (event: GithubEvent, options: FlowOptions = {}) => await runFlow(lake, event, { command: "apply" }, options);
const outcome = ({ result }: FlowEnd) => [result?.succeeded, result?.outputs.status, result?.outputs["failure-reason"]];
const REFUSED = [false, "failed", "plan-changed"];

interface Planned {
  readonly number: number;
  readonly head: string;
  readonly event: GithubEvent;
  /** The check of the plan, as it was made. */
  readonly check: Readonly<StoredCheck>;
}

async function planned(files: Readonly<Record<string, string>>): Promise<Planned> {
  const { github } = lake;
  const { number, head } = github.openPullRequest({ files });
  const event = github.eventOf(number, "opened");
  await runFlow(lake, event, { command: "plan" });
  const check = github.checks(head, NAME).at(-1);
  if (check === undefined) throw new Error("no check");
  return { number, head, event, check: { ...check } };
}

/** In place of all checks: another one of the plan's name on its commit. */
function replaceCheck({ commit, text, externalId, summary }: Readonly<StoredCheck>, app = "github-actions"): void {
  lake.github.state.checks.clear();
  lake.github.forgeCheck(commit, NAME, { text, externalId, summary, app });
}

describe("a record", () => {
  it("is believed of our own app alone, of a run of a pull request on that commit, by a workflow on the branch (T21)", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    const other = github.openPullRequest({ files: { "README.md": "more\n" } });
    const { number, head, event, check } = await planned({ "tables/orders.yaml": RENAMED });
    const pushed = github.pushEvent(github.merge(number));
    const [, digits = ""] = /:([0-9a-f]{8})$/.exec(check.externalId ?? "") ?? [];
    const madeBy = (from: GithubEvent, workflowFile?: string): Pick<StoredCheck, "externalId"> => ({
      externalId: `${github.startRun(from, workflowFile === undefined ? {} : { workflowFile }).id}.1:${digits}`,
    });
    const direct = github.pushEvent({ branch: `change-${number}`, before: null, after: head, isForced: false, by: "mallory" });
    const forgeries: Readonly<Record<string, Partial<Pick<StoredCheck, "text" | "externalId">> & { readonly app?: string }>> = {
      "another app": { app: "other-app" },
      "a run of a push to the branch": madeBy(direct),
      "a run of another commit": madeBy(github.eventOf(other.number, "opened")),
      "a workflow that is not on the branch": madeBy(event, ".github/workflows/mine.yml"),
      "a run that there is not": { externalId: `1.1:${digits}` },
      "no run": { externalId: null },
      "words for a run": { externalId: `../../runs/1.1:${digits}` },
      "another plan than its run's": { externalId: check.externalId?.replace(digits, "00000000") ?? null },
      "another environment": { text: check.text?.replace('"environment":"prod"', '"environment":"dev"') ?? null },
      "another table": { text: check.text?.replace("sales.orders", "sales.refunds") ?? null },
      "another step": { text: check.text?.replace(/"b[A-Za-z0-9_-]{43}"/, `"b${"A".repeat(43)}"`) ?? null },
      "a text that is cut": { text: check.text?.slice(0, -10) ?? null },
      "a table twice": { text: check.text?.replace('"tables":[', '"tables":[["sales.orders"],') ?? null },
      "no text": { text: null },
    };
    for (const [name, { app, ...members }] of Object.entries(forgeries)) {
      replaceCheck({ ...check, ...members }, app);
      expect([name, ...outcome(await apply(pushed))]).toEqual([name, ...REFUSED]);
    }
    replaceCheck(check);
    expect(outcome(await apply(pushed))).toEqual([true, "applied", ""]);
  });

  it("never comes out of an artifact or a comment (T11, T12)", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    const { number, check } = await planned({ "tables/orders.yaml": RENAMED });
    const [comment] = github.comments(number);
    github.editComment(comment?.id ?? 0, `${comment?.body ?? ""}\n${check.text ?? ""}`);
    github.state.checks.clear();
    github.clearCalls();
    expect(outcome(await apply(github.pushEvent(github.merge(number))))).toEqual(REFUSED);
    expect(github.calls.filter(({ operation, target }) => /artifact/.test(`${operation} ${target}`))).toEqual([]);
  });

  it("does not let a step lose data that was shown as a mild one", async () => {
    await start({ employees: EMPLOYEES });
    const { github } = lake;
    const { number, check } = await planned({ "tables/employees.yaml": EMPLOYEES_DROPPED });
    const pushed = github.pushEvent(github.merge(number));
    github.setEnvironment({ name: "gated", reviewers: ["bob"], deploysFrom: "listed" });
    const mild = check.text?.replace(/"d([A-Za-z0-9_-]{43})"/, '"m$1"') ?? "";
    expect(mild).not.toBe(check.text);
    replaceCheck({ ...check, text: mild });
    expect(outcome(await apply(pushed, { environment: "gated" }))).toEqual(REFUSED);
    replaceCheck(check);
    expect(outcome(await apply(pushed, { environment: "gated" }))).toEqual([true, "applied", ""]);
  });
});

describe("a comment with our marker", () => {
  it("is left alone where another wrote it, and ours is written anew where a person edited it (T11)", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    const { number } = github.openPullRequest({ files: { "tables/orders.yaml": RENAMED } });
    const forged = "<!-- floeplan:plan v1 head=0000000 run=1.1 state=planned -->\n### ✅ All is well, please merge\n";
    const id = github.addComment(number, { by: "mallory", body: forged });
    const opened = github.eventOf(number, "opened");
    await runFlow(lake, opened, { command: "plan" });
    const [first, own, ...others] = github.comments(number);
    expect([first?.id, first?.body, others]).toEqual([id, forged, []]);
    expect(own?.author.login).toBe("github-actions[bot]");
    github.editComment(own?.id ?? 0, (own?.body ?? "").replace("customer", "nothing"));
    await runFlow(lake, opened, { command: "plan" });
    expect(github.comments(number).at(-1)?.body).toContain("customer");
    expect(github.comments(number)).toHaveLength(2);
  });
});

describe("an apply", () => {
  it("is never of another branch, whatever started it", async () => {
    await start({ orders: ORDERS });
    const { github } = lake;
    github.pushTo("feature", { "tables/orders.yaml": withColumn(ORDERS, "a") });
    const end = await apply(github.manualEvent({}, "feature", "mallory"));
    expect(end.error?.message).toBe("Cannot apply on this event");
    const table = join(lake.warehouse, "prod/sales/orders/metadata");
    expect(readdirSync(table).filter((file) => file.endsWith(".metadata.json"))).toHaveLength(1);
  });
});
