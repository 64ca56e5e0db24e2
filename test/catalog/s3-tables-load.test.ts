// Reading from S3 Tables: pointers that lead nowhere or move, tables without metadata, lists in pages, a table bucket that
// is not there, and what the ARN in the project file must be.
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { parseTableBucket } from "../../src/catalog/s3-tables-names.ts";
import type { ToolError } from "../../src/diagnostics/tool-error.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { failureOf } from "../storage/s3-support.ts";
import { type Fakes, openTables, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
let fakes: Fakes;
let catalog: Catalog;

beforeEach(async () => {
  fakes = await startFakes({ namespaces: ["sales"] });
  catalog = openTables(fakes);
});
afterEach(async () => await fakes.stop());

const create = async (name = "orders", namespace = "sales"): Promise<LiveTable> => {
  const table = { identifier: { namespace: [namespace], name }, location: null };
  return done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
};
const gather = async (namespace?: readonly string[], from: Catalog = catalog): Promise<readonly string[]> => {
  const found: string[] = [];
  for await (const identifier of from.listTables(namespace)) found.push([...identifier.namespace, identifier.name].join("."));
  return found;
};

describe("a table", () => {
  it("is read with its token and its place in one call", async () => {
    const made = await create();
    fakes.tables.clearCalls();
    const live = await catalog.loadTable(ORDERS);
    expect(fakes.tables.counts()).toEqual({ GetTableMetadataLocation: 1 });
    expect(live).toMatchObject({ token: made.token, metadataLocation: made.metadataLocation, identifier: ORDERS });
    expect(live?.catalogState?.parameters).toBeNull();
    expect(live?.catalogState?.comments(made.metadata)).toEqual([]);
    expect(live?.catalogState?.differences(made.metadata)).toEqual([]);
  });

  it("without metadata is none yet, and is listed", async () => {
    fakes.tables.tables.create("sales", "orders");
    expect(await catalog.loadTable(ORDERS)).toBeNull();
    expect(await gather()).toEqual(["sales.orders"]);
  });

  it("whose file was cleaned away by a later commit before it was read, is read anew", async () => {
    const first = await create();
    const second = done(await catalog.commit(first, commitOn(first, [setProperty("a", "1")])));
    fakes.tables.tables.point("sales", "orders", first.metadataLocation);
    fakes.s3.objects.remove(first.metadataLocation);
    fakes.s3.fault({
      on: ({ operation }) => {
        if (operation === "GetObject") fakes.tables.tables.point("sales", "orders", second.metadataLocation);
        return false;
      },
      answer: "drop",
    });
    expect((await catalog.loadTable(ORDERS))?.metadata.properties["a"]).toBe("1");
  });

  it("whose file is missing says which, and what to do", async () => {
    const live = await create();
    fakes.s3.objects.remove(live.metadataLocation);
    expect(await failureOf(catalog.loadTable(ORDERS))).toMatchObject({
      kind: "corrupt",
      message: 'Cannot load "sales.orders": the metadata file that S3 Tables names is missing',
      why: `S3 Tables names "${live.metadataLocation}", and nothing is there`,
      mend: expect.stringContaining("update-table-metadata-location"),
    });
  });

  it("whose objects may not be read says the permission of S3 Tables that is missing", async () => {
    const live = await create();
    fakes.s3.fault({
      on: "GetObject",
      answer: { status: 403, body: "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>" },
      times: 9,
    });
    expect(await failureOf(catalog.loadTable(ORDERS))).toMatchObject({
      kind: "auth",
      why: expect.stringContaining(`lack s3tables:GetTableData on "${live.metadataLocation}"`),
    });
  });

  it("that may not be written to, neither", async () => {
    const live = await create();
    fakes.s3.fault({
      on: "PutObject",
      answer: { status: 403, body: "<Error><Code>AccessDenied</Code><Message>Access Denied</Message></Error>" },
      times: 9,
    });
    expect(await catalog.commit(live, commitOn(live, [setProperty("a", "1")]))).toMatchObject({
      state: "refused",
      why: expect.stringContaining("lack s3tables:PutTableData"),
    });
  });

  it.each([
    [{ namespace: ["sales"], name: "Orders" }, 'Write "orders"'],
    [{ namespace: [], name: "orders" }, "Declare the table as `namespace.table`"],
    [{ namespace: ["a", "b"], name: "orders" }, "Declare the table as `namespace.table`"],
  ])("of a name that S3 Tables cannot have says so: %j", async (identifier, mend) => {
    expect((await failureOf(catalog.loadTable(identifier))).mend).toBe(mend);
    expect(fakes.tables.calls).toEqual([]);
  });
});

describe("a list", () => {
  it("is in order, of all pages, and without what AWS keeps for itself", async () => {
    await catalog.createNamespace(["hr"]);
    for (let index = 0; index < 1003; index++) fakes.tables.tables.create("sales", `t${String(1002 - index).padStart(4, "0")}`);
    for (const name of ["system", "replica", "people"]) fakes.tables.tables.create("hr", name);
    fakes.tables.tables.patch("hr", "system", { type: "aws" });
    fakes.tables.tables.patch("hr", "replica", { managedByService: "replication.s3tables.amazonaws.com" });
    fakes.tables.clearCalls();
    const all = await gather();
    expect([all.length, all[0], all[1], all.at(-1)]).toEqual([1004, "hr.people", "sales.t0000", "sales.t1002"]);
    expect(fakes.tables.counts()).toEqual({ ListTables: 2 });
    expect(await gather(["hr"])).toEqual(["hr.people"]);
    expect(await gather(["none"])).toEqual([]);
  });
});

describe("a table bucket that is not there", () => {
  it.each<readonly [string, (from: Catalog) => Promise<unknown>]>([
    ["loadTable", async (from) => await from.loadTable(ORDERS)],
    ["namespaceExists", async (from) => await from.namespaceExists(["sales"])],
    ["listTables", async (from) => await gather(undefined, from)],
    ["listTables of one namespace", async (from) => await gather(["sales"], from)],
  ])("is said by %s, and not taken for an empty one", async (_, ask) => {
    const arn = `${fakes.tables.arn}-typo`;
    const failure: ToolError = await failureOf(ask(openTables(fakes, { arn })));
    expect(failure).toMatchObject({
      kind: "config",
      message: 'Cannot find the table bucket "lake-typo"',
      why: `There is no "${arn}"`,
      mend: expect.stringContaining("list-table-buckets"),
    });
  });

  it("is looked for once, and only where something was not found", async () => {
    await create();
    const fresh = openTables(fakes);
    fakes.tables.clearCalls();
    await fresh.loadTable(ORDERS);
    expect(fakes.tables.counts()).not.toHaveProperty("ListNamespaces");
    for (const name of ["a", "b", "c"]) expect(await fresh.loadTable({ namespace: ["sales"], name })).toBeNull();
    expect(await fresh.namespaceExists(["hr"])).toBe(false);
    expect(fakes.tables.counts()["ListNamespaces"]).toBe(1);
  });

  it("cannot be told by a role that may not list namespaces, which reads on", async () => {
    const denied = { message: "not authorized to perform: s3tables:ListNamespaces" };
    fakes.tables.fault({
      on: "ListNamespaces",
      answer: { status: 403, headers: { "x-amzn-errortype": "AccessDeniedException" }, body: JSON.stringify(denied) },
      times: 9,
    });
    expect(await openTables(fakes).loadTable(ORDERS)).toBeNull();
  });
});

describe("`bucket:` in the project file", () => {
  it.each([
    ["arn:aws:s3tables:eu-west-1:011122223333:bucket/events", "eu-west-1", "events"],
    ["arn:aws-cn:s3tables:cn-north-1:011122223333:bucket/a-b_c", "cn-north-1", "a-b_c"],
    ["arn:aws-us-gov:s3tables:us-gov-west-1:011122223333:bucket/abc", "us-gov-west-1", "abc"],
  ])("is an ARN, from which region and account come: %s", (arn, region, name) => {
    expect(parseTableBucket(arn, "events")).toEqual({ arn, region, account: "011122223333", name });
  });

  it.each([
    ["events", '"events" is not the ARN of a table bucket'],
    ["", "A catalog of S3 Tables needs its table bucket"],
    [null, "A catalog of S3 Tables needs its table bucket"],
    ["arn:aws:s3:::events", '"arn:aws:s3:::events" is not the ARN of a table bucket'],
    ["arn:aws:s3tables:eu-west-1:1:bucket/events", "is not the ARN of a table bucket"],
    [
      "arn:aws:s3tables:eu-west-1:011122223333:bucket/events/table/0",
      "is the ARN of a table, and a catalog is a whole table bucket",
    ],
  ])("that is none shows the form: %s", (text, why) => {
    const failure = ((): unknown => {
      try {
        return parseTableBucket(text, "events");
      } catch (error) {
        return error;
      }
    })();
    expect(failure).toMatchObject({
      kind: "config",
      message: 'Cannot open the catalog "events"',
      why: expect.stringContaining(why),
      mend: expect.stringContaining("arn:aws:s3tables:REGION:ACCOUNT:bucket/NAME"),
    });
  });
});
