// What brings each finding of the Action: its own judgement over a real plan, and its flows on the fake GitHub for what
// only they know. One job stands for several findings: each costs a checkout.
import { type Judge, judge } from "../../../../src/action/approvals.ts";
import type { ActionResult } from "../../../../src/action/result.ts";
import { policyNotes, removedNotes } from "../../../../src/action/scope.ts";
import { DEFAULT_POLICY } from "../../../../src/desired/project-config.ts";
import type { ACTION_CODES } from "../../../../src/diagnostics/codes/action.ts";
import type { PullRequest } from "../../../../src/forge/forge-pull-request.ts";
import { planTable } from "../../../../src/plan/plan-table.ts";
import type { TablePlan } from "../../../../src/plan/plan.ts";
import { type FlowOptions, runFlow } from "../../../action/in-process.ts";
import type { Lake } from "../../../action/support.ts";
import { ORDERS, RENAMED, withColumn } from "../../../action/tables.ts";
import { field, inputOf, metadataOf, schemaOf } from "../../../plan/support.ts";
import { findingsIn } from "../in-process.ts";
import type { Picture } from "../wall.ts";

type Code = keyof typeof ACTION_CODES;
type FlowCode = "branch-behind" | "deployment-unrestricted" | "plan-not-recorded";
type Event = Parameters<typeof runFlow>[1];

const FILE = "tables/orders.yaml";
const LIVE = metadataOf([schemaOf(field(1, "order_id", "long"), field(2, "customer", "string"))], {
  properties: {
    "floeplan.applied.field-ids": "1-2",
    "floeplan.applied.schema-id": "0",
    "floeplan.applied.spec-id": "0",
    "floeplan.applied.sort-order-id": "0",
    "floeplan.applied.properties": "{}",
    "floeplan.applied.commit": "b".repeat(40),
    "floeplan.applied.plan": "c".repeat(64),
    "floeplan.applied.env": "prod",
  },
});
const YAML = "table: ns.t\ncolumns:\n  - { name: order_id, type: long }\n";

function planOf(yaml: string): TablePlan {
  return planTable(inputOf(yaml, LIVE)).plan;
}

const DROP = planOf(`${YAML}dropped: [ { field: customer, reason: unused } ]\n`);
const RENAME = planOf(`${YAML}  - { name: client, type: string, renamed-from: customer }\n`);

async function judged(plan: TablePlan, by: Partial<Judge>): Promise<Picture> {
  const judgement = await judge(plan, {
    commit: "a".repeat(40),
    environment: "prod",
    maxEffect: "destructive",
    records: NOTHING_RECORDED,
    lock: { check: async () => await Promise.resolve(null) },
    before: null,
    relation: async () => await Promise.resolve("behind"),
    superseded: new Set(),
    ...by,
  });
  return { found: "why" in judgement ? [judgement.why] : [] };
}

const NOTHING_RECORDED: Judge["records"] = {
  merged: async () => await Promise.resolve([]),
  ofGroup: async () => await Promise.resolve([]),
};
const DROP_RECORDED: Judge["records"] = {
  ...NOTHING_RECORDED,
  merged: async () =>
    await Promise.resolve([
      {
        pullRequest: PULL_REQUEST,
        record: {
          environment: "prod",
          fingerprint: "",
          agreement: "",
          tables: new Map([[DROP.table, new Map(DROP.steps.map(({ id, effect }) => [id, effect]))]]),
        },
      },
    ]),
};
const PULL_REQUEST: PullRequest = {
  number: 7,
  state: "merged",
  author: null,
  head: { commit: "d".repeat(40), branch: "feature", repository: "acme/lake" },
  base: { commit: "e".repeat(40), branch: "main" },
  isFork: false,
  isDraft: false,
  mergeCommit: "a".repeat(40),
  mergedAt: null,
  url: "https://github.example/acme/lake/pull/7",
};

export const JUDGED_SCENES: Readonly<Record<Exclude<Code, FlowCode>, () => Promise<Picture>>> = {
  "left-to-gated-job": async () => await judged(DROP, { maxEffect: "behaviour" }),
  "no-second-lock": async () =>
    await judged(DROP, {
      records: DROP_RECORDED,
      lock: { check: async () => await Promise.resolve("pull request 7 has 0 of 1 approvals by @bob") },
    }),
  "plan-changed": async () => await judged(RENAME, {}),
  "policy-changed": async () =>
    await Promise.resolve({
      found: policyNotes(DEFAULT_POLICY, { ...DEFAULT_POLICY, mode: "observe" }, { file: "floeplan.yaml" }, "prod"),
    }),
  "stale-commit": async () => await judged(RENAME, { relation: async () => await Promise.resolve("ahead") }),
  superseded: async () => await judged(RENAME, { superseded: new Set([RENAME.table]) }),
  "table-undeclared": async () => await Promise.resolve({ found: removedNotes([inputOf(YAML, LIVE).spec]) }),
};

async function ran(lake: Lake, event: Event, command: string, options: FlowOptions = {}): Promise<Picture> {
  const { result, error } = await runFlow(lake, event, { command }, options);
  if (result === null) throw error ?? new Error("The flow has no end");
  return pictureOf(result);
}

function pictureOf({ diagnostics, annotations, report, sources }: ActionResult): Picture {
  const told = report === null ? [] : findingsIn(report);
  return { found: [...diagnostics, ...annotations, ...told], ...(sources === undefined ? {} : { sources }) };
}

/** On a lake that declares `ORDERS` and has nothing yet. */
export async function flowPictures(lake: Lake): Promise<Readonly<Record<FlowCode, Picture>>> {
  const { github } = lake;
  github.setEnvironment({ name: "floeplan-prod", deploysFrom: "any" });
  const first = await ran(lake, github.manualEvent(), "apply", { environment: "floeplan-prod" });
  const { number } = github.openPullRequest({ files: { [FILE]: RENAMED } });
  const [group] = github.queue([number]);
  if (group === undefined) throw new Error("The queue has no group");
  const unread = await ran(lake, github.mergeGroupEvent(group), "plan");
  const { number: behind } = github.openPullRequest({ files: { [FILE]: withColumn(ORDERS, "mine") } });
  const old = github.eventOf(behind, "opened");
  github.pushTo("main", { [FILE]: ORDERS.replace("customer, type: string", 'customer, type: string, comment: "Who"') });
  await ran(lake, github.manualEvent(), "apply");
  return {
    "deployment-unrestricted": first,
    "plan-not-recorded": unread,
    "branch-behind": await ran(lake, old, "plan"),
  };
}
