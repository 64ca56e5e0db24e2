// A catalog of S3 Tables as a project opens it, the program pointed at the fakes by the standard variables only: what the
// project file and the environment say, and what is told when they say too little.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import { type Fakes, startFakes } from "./s3-tables-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const NAMES = ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_CONFIG_FILE"];
let fakes: Fakes;

const start = async (clockOffsetMs = 0): Promise<void> => {
  fakes = await startFakes({ namespaces: ["sales"], clockOffsetMs, region: "eu-west-1" });
  fakes.s3.setClock(clockOffsetMs);
  for (const name of NAMES) delete process.env[name];
  // The region is that of the ARN, whatever the environment says.
  Object.assign(process.env, fakes.s3.variables, fakes.tables.variables, {
    AWS_REGION: "us-east-1",
    AWS_CONFIG_FILE: "/nonexistent/config",
    AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/credentials",
  });
};
const open = async (bucket = fakes.tables.arn): Promise<Catalog> =>
  await openCatalog({ type: "s3-tables", bucket }, { name: "events", root: "/", ports: systemPorts() });
const createAndCommit = async (catalog: Catalog): Promise<string | undefined> => {
  const table = { identifier: ORDERS, location: null };
  const live = done(await catalog.createTable(table, newTableCommit(await catalog.newTableLocation(table))));
  done(await catalog.commit(live, commitOn(live, [setProperty("a", "1")])));
  return (await (await open()).loadTable(ORDERS))?.metadata.properties["a"];
};

beforeEach(async () => await start());
afterEach(async () => await fakes.stop());

it("creates, commits and reads, and is named by its table bucket", async () => {
  const catalog = await open();
  expect([catalog.kind, catalog.label]).toEqual(["s3-tables", "events (s3-tables lake in eu-west-1)"]);
  expect(await createAndCommit(catalog)).toBe("1");
});

it("shows the form of an ARN where `bucket:` is a plain name", async () => {
  await expect(open("events")).rejects.toMatchObject({
    kind: "config",
    why: '"events" is not the ARN of a table bucket',
    mend: expect.stringContaining("arn:aws:s3tables:REGION:ACCOUNT:bucket/NAME"),
  });
});

it("says whose the table bucket is, to credentials of another account", async () => {
  const catalog = await open(fakes.tables.arn.replace("011122223333", "444455556666"));
  await expect(catalog.loadTable(ORDERS)).rejects.toMatchObject({
    kind: "auth",
    why: expect.stringContaining("The credentials are of account 011122223333, and the table bucket belongs to 444455556666"),
  });
});

it("says how credentials are given where there are none", async () => {
  delete process.env["AWS_ACCESS_KEY_ID"];
  delete process.env["AWS_SECRET_ACCESS_KEY"];
  await expect((await open()).loadTable(ORDERS)).rejects.toMatchObject({
    kind: "auth",
    mend: expect.stringContaining("aws-actions/configure-aws-credentials"),
  });
});

it("works with a clock that is an hour behind", async () => {
  await fakes.stop();
  await start(3_600_000);
  expect(await createAndCommit(await open())).toBe("1");
});
