// A Glue catalog as a project opens it, on S3, the program pointed at the fakes by the standard variables only: what
// the project file and the environment say, and what is told when they say too little.
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { done } from "../conformance/catalog-suite.ts";
import { commitOn, newTableCommit, setProperty } from "../conformance/table-commits.ts";
import type { FakeGlue } from "../fakes/glue.ts";
import { type FakeS3, startS3 } from "../fakes/s3.ts";
import { ACCOUNT, startLake } from "./glue-support.ts";

const ORDERS = { namespace: ["sales"], name: "orders" };
const LOCATION = "s3://lake/sales/orders";
const NAMES = ["AWS_REGION", "AWS_DEFAULT_REGION", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY", "AWS_CONFIG_FILE"];
let glue: FakeGlue;
let s3: FakeS3;

const start = async (clockOffsetMs = 0): Promise<void> => {
  [glue, s3] = await Promise.all([startLake({ databases: ["sales"], clockOffsetMs }), startS3({ buckets: ["lake"] })]);
  s3.setClock(clockOffsetMs);
  for (const name of NAMES) delete process.env[name];
  Object.assign(process.env, s3.variables, glue.variables, {
    AWS_CONFIG_FILE: "/nonexistent/config",
    AWS_SHARED_CREDENTIALS_FILE: "/nonexistent/credentials",
  });
};
const open = async (options: { readonly region?: string; readonly account?: string } = {}): Promise<Catalog> =>
  await openCatalog({ type: "glue", ...options }, { name: "lake", root: "/", ports: systemPorts() });
const createAndCommit = async (catalog: Catalog): Promise<string | undefined> => {
  const live = done(await catalog.createTable({ identifier: ORDERS, location: LOCATION }, newTableCommit(LOCATION)));
  done(await catalog.commit(live, commitOn(live, [setProperty("a", "1")])));
  return (await (await open()).loadTable(ORDERS))?.metadata.properties["a"];
};

beforeEach(async () => await start());
afterEach(async () => {
  await glue.stop();
  await s3.stop();
});

it("creates, commits and reads, and is named by its region", async () => {
  const catalog = await open({ region: "us-east-1", account: ACCOUNT });
  expect([catalog.kind, catalog.label]).toEqual(["glue", "lake (glue us-east-1)"]);
  expect(await createAndCommit(catalog)).toBe("1");
  const [first, second] = s3.objects.keys("lake");
  expect(first).toMatch(/^sales\/orders\/metadata\/00000-[0-9a-f-]{36}\.metadata\.json$/);
  expect(second).toMatch(/^sales\/orders\/metadata\/00001-/);
});

it("takes the region of the environment, by either variable, and says so when there is none", async () => {
  for (const name of ["AWS_REGION", "AWS_DEFAULT_REGION"]) {
    delete process.env["AWS_REGION"];
    process.env[name] = "us-east-1";
    expect((await open()).label).toBe("lake (glue us-east-1)");
  }
  delete process.env["AWS_DEFAULT_REGION"];
  delete process.env["AWS_REGION"];
  await expect(open()).rejects.toMatchObject({
    kind: "config",
    message: 'Cannot open the catalog "lake"',
    mend: "Write `region:` of the catalog in the project file, or set AWS_REGION",
  });
});

it("sends the account, so that credentials of another one are refused", async () => {
  const catalog = await open({ account: "444455556666" });
  await expect(catalog.loadTable(ORDERS)).rejects.toMatchObject({
    kind: "auth",
    why: expect.stringContaining('lacks glue:GetTable on "arn:aws:glue:us-east-1:444455556666:catalog"'),
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
  await glue.stop();
  await s3.stop();
  await start(3_600_000);
  expect(await createAndCommit(await open())).toBe("1");
});
