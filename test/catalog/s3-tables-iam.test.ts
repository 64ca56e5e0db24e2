// Which actions of AWS a plan and an apply call, exactly, and that the policies of docs/aws.md hold these and no others.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { type Fakes, startFakes } from "./s3-tables-support.ts";

/** The action of IAM that each call of S3 needs in a table's storage (user guide, "Access management for S3 Tables"). */
const DATA: Readonly<Record<string, string>> = {
  GetObject: "s3tables:GetTableData",
  HeadObject: "s3tables:GetTableData",
  PutObject: "s3tables:PutTableData",
  CreateMultipartUpload: "s3tables:PutTableData",
  UploadPart: "s3tables:PutTableData",
  CompleteMultipartUpload: "s3tables:PutTableData",
  AbortMultipartUpload: "s3tables:PutTableData",
};

const READ = [
  "s3tables:GetNamespace",
  "s3tables:GetTableData",
  "s3tables:GetTableMetadataLocation",
  "s3tables:ListNamespaces",
  "s3tables:ListTables",
];
const WRITE = [
  "s3tables:CreateNamespace",
  "s3tables:CreateTable",
  "s3tables:PutTableData",
  "s3tables:UpdateTableMetadataLocation",
];

const ORDERS = { namespace: ["sales"], name: "orders" };
let fakes: Fakes;
let catalog: Catalog;

beforeEach(async () => {
  fakes = await startFakes({ namespaces: ["sales"] });
  Object.assign(process.env, fakes.s3.variables, fakes.tables.variables);
  catalog = await open();
});
afterEach(async () => await fakes.stop());

const open = async (): Promise<Catalog> =>
  await openCatalog({ type: "s3-tables", bucket: fakes.tables.arn }, { name: "events", root: "/", ports: systemPorts() });
const called = (): readonly string[] => {
  const ofService = fakes.tables.calls.map(({ operation }) => `s3tables:${operation}`);
  const ofStorage = fakes.s3.calls.map(({ operation }) => DATA[operation] ?? `s3:${operation}`);
  return [...new Set([...ofService, ...ofStorage])].sort();
};
const create = async (name: string): Promise<LiveTable> => {
  const table = { identifier: { namespace: ["sales"], name }, location: null };
  return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
};

describe("the actions of AWS", () => {
  it("of plan, drift, show and import", async () => {
    const broken = await create("broken");
    const live = await create("orders");
    fakes.tables.clearCalls();
    fakes.s3.clearCalls();
    // As another run would: what this one knows already is not asked again.
    catalog = await open();

    expect(await catalog.loadTable(ORDERS)).not.toBeNull();
    expect(await catalog.loadTable({ namespace: ["sales"], name: "new" })).toBeNull();
    expect(await catalog.namespaceExists(["sales"])).toBe(true);
    for await (const { name } of catalog.listTables()) expect(name).not.toBe("");
    await catalog.storeFor(live).readRange(live.metadataLocation, 0, 10);
    fakes.s3.objects.remove(broken.metadataLocation);
    await expect(catalog.loadTable({ namespace: ["sales"], name: "broken" })).rejects.toMatchObject({ kind: "corrupt" });
    expect(called()).toEqual(READ);
  });

  it("of apply and rollback", async () => {
    await catalog.createNamespace(["hr"]);
    expect(await catalog.namespaceExists(["hr"])).toBe(true);
    let live = await create("orders");
    const stale = live;
    for (let round = 0; round < 3; round++)
      live = done(await catalog.commit(live, commitOn(live, [setProperty("round", String(round))])));
    expect((await catalog.commit(stale, commitOn(stale, [setProperty("a", "1")]))).state).toBe("conflict");
    expect(await catalog.loadTable(ORDERS)).not.toBeNull();
    // As a conversion does: data in parts, given up and ended, and a journal that is emptied.
    const store = catalog.storeFor(live);
    const writer = await store.create(`${live.metadata.location}/data/converted.parquet`);
    await writer.write(new Uint8Array(9 << 20));
    await writer.close();
    const givenUp = await store.create(`${live.metadata.location}/data/given-up.parquet`);
    await givenUp.write(new Uint8Array(9 << 20));
    await givenUp.abort();
    await store.replace(`${live.metadata.location}/metadata/floeplan-journal.json`, new Uint8Array(2));
    const planned = new Set(READ);
    expect(called().filter((action) => !planned.has(action))).toEqual(WRITE);
  });
});

describe("docs/aws.md", () => {
  const page = readFileSync(resolve(import.meta.dirname, "../../docs/aws.md"), "utf8");
  const part = page.slice(page.indexOf("\n## S3 Tables\n"));
  const policies = [...part.matchAll(/### (.+?)\n[\s\S]*?```json\n([\s\S]*?)```/g)];

  it.each([
    ["The role that plans, on S3 Tables", READ],
    ["The role that applies, on S3 Tables", [...READ, ...WRITE]],
  ])("gives exactly these: %s", (heading, actions) => {
    const [, , text = ""] = policies.find(([, title]) => title === heading) ?? [];
    const policy = JSON.parse(text) as {
      readonly Statement: readonly {
        readonly Effect: string;
        readonly Action: readonly string[];
        readonly Resource: readonly string[];
      }[];
    };
    expect(policy.Statement.map(({ Effect }) => Effect)).toEqual(["Allow"]);
    expect(policy.Statement.flatMap(({ Action }) => Action).toSorted()).toEqual(actions.toSorted());
    // Some of them are asked of the table bucket, some of the table.
    const [bucket = "", tables] = policy.Statement[0]?.Resource ?? [];
    expect([bucket.includes(":s3tables:"), tables]).toEqual([true, `${bucket}/table/*`]);
  });
});
