// The main road: a table is proposed, planned, merged, applied; changed, planned, merged, applied.
import { afterEach, describe, expect, it } from "vitest";
import { type Lake, makeWarehouses, project, startLake } from "./support.ts";

const ORDERS = `table: sales.orders
comment: One row per order
owner: "@acme/sales"
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: customer, type: string }
  - { name: amount, type: "decimal(9,2)" }
`;

let lake: Lake;

afterEach(async () => {
  await lake.stop();
});

describe("a pull request", () => {
  it("gets a plan, a comment and a check; the merge applies exactly that", async () => {
    lake = await startLake(project({ orders: ORDERS }));
    makeWarehouses(lake);
    const { github } = lake;
    const created = await lake.job(
      github.pushEvent({ branch: "main", before: null, after: github.tip(), isForced: false, by: "alice" }),
      {
        command: "apply",
      },
    );
    console.log(created.stdout, created.outputs);
    expect(created.exit).toBe(0);

    const opened = github.openPullRequest({
      files: { "tables/orders.yaml": ORDERS.replace("customer, type: string", "client, type: string, renamed-from: customer") },
    });
    const planned = await lake.job(github.eventOf(opened.number, "opened"), { command: "plan" });
    console.log(planned.stdout, planned.outputs, planned.summary);
    console.log(
      github
        .comments(opened.number)
        .map((c) => c.body)
        .join("\n=====\n"),
    );
    console.log(github.checks(opened.head));
    expect(planned.exit).toBe(0);
    const applied = await lake.job(github.pushEvent(github.merge(opened.number)), { command: "apply" });
    console.log(applied.stdout, applied.outputs, applied.summary);
    console.log(
      github
        .comments(opened.number)
        .map((c) => c.body)
        .join("\n=====\n"),
    );
    expect(applied.exit).toBe(0);
    expect(applied.outputs["status"]).toBe("applied");
  });
});
