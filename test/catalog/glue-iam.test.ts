// Which actions of AWS a plan and an apply call, exactly, and that the policies of docs/aws.md hold these and no others.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FakeGlue } from "../fakes/glue.ts";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import { ACCOUNT, startLake } from "./glue-support.ts";

/** The action of IAM that each call needs. */
const ACTIONS: Readonly<Record<string, string>> = {
  GetObject: "s3:GetObject",
  HeadObject: "s3:GetObject",
  PutObject: "s3:PutObject",
  DeleteObject: "s3:DeleteObject",
};

const READ = ["glue:GetDatabase", "glue:GetDatabases", "glue:GetTable", "glue:GetTables", "s3:GetObject"];
const WRITE = ["glue:CreateDatabase", "glue:CreateTable", "glue:UpdateTable", "s3:DeleteObject", "s3:PutObject"];

/** In a policy without a call of their own here. */
const BESIDE: Readonly<Record<string, string>> = {
  "s3:ListBucket": "S3 says that an object is missing only to those who may list; to others, that they are denied",
  "s3:AbortMultipartUpload": "the upload of a converted data file that is given up",
};

const ORDERS = { namespace: ["sales"], name: "orders" };
let glue: FakeGlue;
let s3: FakeS3;
let catalog: Catalog;

beforeEach(async () => {
  [glue, s3] = await Promise.all([startLake({ databases: ["sales"] }), startS3({ buckets: ["lake"] })]);
  Object.assign(process.env, s3.variables, glue.variables);
  catalog = await openCatalog({ type: "glue", account: ACCOUNT }, { name: "lake", root: "/", ports: systemPorts() });
});
afterEach(async () => {
  await glue.stop();
  await s3.stop();
});

const called = (): readonly string[] =>
  [...new Set([...glue.calls, ...s3.calls].map(({ operation }) => ACTIONS[operation] ?? `glue:${operation}`))].sort();

async function create(name: string, properties: Readonly<Record<string, string>> = {}): Promise<LiveTable> {
  const table = { identifier: { namespace: ["sales"], name }, location: `s3://lake/sales/${name}` };
  return done(await catalog.createTable(table, newTableCommit(table.location, properties)));
}

describe("the actions of AWS", () => {
  it("of plan, drift, show and import", async () => {
    const broken = await create("broken");
    for (const name of ["orders", "a", "b", "c", "d"]) await create(name);
    glue.clearCalls();
    s3.clearCalls();

    catalog.prefetch?.(["a", "b", "c", "d"].map((name) => ({ namespace: ["sales"], name })));
    expect(await catalog.loadTable({ namespace: ["sales"], name: "a" })).not.toBeNull();
    expect(await catalog.loadTable(ORDERS)).not.toBeNull();
    expect(await catalog.loadTable({ namespace: ["sales"], name: "new" })).toBeNull();
    expect(await catalog.namespaceExists(["sales"])).toBe(true);
    for await (const { name } of catalog.listTables()) expect(name).not.toBe("");
    s3.objects.remove(broken.metadataLocation);
    await expect(catalog.loadTable({ namespace: ["sales"], name: "broken" })).rejects.toMatchObject({ kind: "corrupt" });
    expect(called()).toEqual(READ);
  });

  it("of apply and rollback", async () => {
    await catalog.createNamespace(["hr"]);
    expect(await catalog.namespaceExists(["hr"])).toBe(true);
    let live = await create("orders", {
      "write.metadata.previous-versions-max": "1",
      "write.metadata.delete-after-commit.enabled": "true",
    });
    const stale = live;
    for (let round = 0; round < 3; round++)
      live = done(await catalog.commit(live, commitOn(live, [setProperty("round", String(round))])));
    expect((await catalog.commit(stale, commitOn(stale, [setProperty("a", "1")]))).state).toBe("conflict");
    expect(await catalog.loadTable(ORDERS)).not.toBeNull();
    const planned = new Set(READ);
    expect(called().filter((action) => !planned.has(action))).toEqual(WRITE);
  });
});

describe("docs/aws.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/aws.md"), "utf8");
  const policies = [...page.slice(page.indexOf("## Glue")).matchAll(/### (.+?)\n[\s\S]*?```json\n([\s\S]*?)```/g)];

  it.each([
    ["The role that plans", READ],
    ["The role that applies", [...READ, ...WRITE]],
  ])("gives exactly these: %s", (heading, actions) => {
    const [, , text = ""] = policies.find(([, title]) => title === heading) ?? [];
    const policy = JSON.parse(text) as {
      readonly Statement: readonly { readonly Effect: string; readonly Action: string | string[] }[];
    };
    const granted = policy.Statement.flatMap(({ Action }) => Action);
    expect(policy.Statement.map(({ Effect }) => Effect)).not.toContain("Deny");
    expect(granted.filter((action) => BESIDE[action] === undefined).sort()).toEqual([...actions].sort());
    expect(granted.filter((action) => action.includes("*"))).toEqual([]);
  });
});
