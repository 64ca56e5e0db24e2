// What `doctor` tries of an environment, what it says is missing, and that it changes nothing.
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { glueError } from "../fakes/glue.ts";
import { type FakeGithub, startGitHub } from "../fakes/github.ts";
import { s3Error } from "../fakes/s3-xml.ts";
import { type FakeSts, startSts, stsError } from "../fakes/sts.ts";
import { ACCOUNT, exampleFile, type Lake, PROJECT, startLake } from "./glue-support.ts";
import { startTableBucket } from "./s3-tables-support.ts";
import { employees, floeplan } from "./support.ts";

const ALWAYS = 1000;
const ROLE = `arn:aws:sts::${ACCOUNT}:assumed-role/floeplan-plan/tests`;

interface CheckJson {
  readonly subject: string;
  readonly check: string;
  readonly state: string;
  readonly found?: string;
  readonly message?: string;
  readonly why?: string;
  readonly mend?: string;
}

let lake: Lake;
let sts: FakeSts;
beforeEach(async () => {
  [lake, sts] = await Promise.all([startLake(), startSts({ account: ACCOUNT })]);
  lake.seed();
  lake.write("tables/hr/iceberg_employee.yaml", exampleFile("tables/hr/iceberg_employee.yaml"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await sts.stop();
  await lake.stop();
});

async function doctor(
  exit: number,
  {
    words = [],
    variables = {},
  }: { readonly words?: readonly string[]; readonly variables?: Readonly<Record<string, string>> } = {},
): Promise<readonly CheckJson[]> {
  const ran = await lake.runWith({ ...sts.variables, ...variables }, "doctor", "--format", "json", ...words);
  expect([ran.exit, ran.exit === exit ? "" : ran.stdout + ran.stderr]).toEqual([exit, ""]);
  const { environments } = JSON.parse(ran.stdout) as {
    readonly environments: readonly { readonly checks: readonly CheckJson[] }[];
  };
  return environments.flatMap(({ checks }) => checks);
}

const named = (checks: readonly CheckJson[], check: string): CheckJson | undefined => checks.find((one) => one.check === check);
const states = (checks: readonly CheckJson[]): readonly string[] => checks.map(({ check, state }) => `${check}: ${state}`);
const denyGlue = (action: string): void => {
  const message = `User: ${ROLE} is not authorized to perform: glue:${action} on resource: arn:aws:glue:us-east-1:${ACCOUNT}:catalog because no identity-based policy allows the glue:${action} action`;
  lake.glue.fault({ on: action, answer: glueError("AccessDeniedException", message), times: ALWAYS });
};

describe("doctor on Glue", () => {
  it("tries every right that reading needs, lists those of writing, and changes nothing", async () => {
    const before = lake.state("hr.iceberg_employee");
    const checks = await doctor(0);
    expect(states(checks)).toEqual([
      "open: ok",
      "credentials: ok",
      "list namespaces and tables: ok",
      "look for the namespace hr: ok",
      "read the entry and the metadata of hr.iceberg_employee: ok",
      "read its manifests: ok",
      "read a data file: ok",
      "tell a missing file from a denied one: ok",
      "glue:UpdateTable: not tried",
      "glue:CreateTable: not tried",
      "glue:CreateDatabase: not tried",
      "s3:PutObject: not tried",
      "s3:DeleteObject: not tried",
      "s3:AbortMultipartUpload: not tried",
      "environment floeplan-prod: not tried",
      "environment floeplan-prod-gated: not tried",
    ]);
    expect(named(checks, "credentials")?.found).toBe(`${ROLE}, of the account ${ACCOUNT} as declared`);
    expect(named(checks, "environment floeplan-prod")?.found).toContain("GITHUB_TOKEN and GITHUB_REPOSITORY");
    expect(lake.state("hr.iceberg_employee")).toEqual(before);
    expect(Object.keys(lake.glue.counts()).sort()).toEqual(["GetDatabase", "GetDatabases", "GetTable", "GetTables"]);
    expect(Object.keys(lake.s3.counts()).sort()).toEqual(["GetObject", "HeadObject"]);
    expect(sts.counts()).toEqual({ GetCallerIdentity: 1 });
  });

  it("says it in words too", async () => {
    const ran = await lake.runWith(sts.variables, "doctor");
    expect(ran.stdout).toContain("prod  lake (glue us-east-1)");
    expect(ran.stdout.replaceAll(/\s+/g, " ")).toContain("Nothing that could be tried is missing: 8 ok, 0 failed, 8 not tried.");
  });

  it.each(["GetDatabases", "GetDatabase", "GetTable"])(
    "names glue:%s where it is denied, and tries the others",
    async (action) => {
      denyGlue(action);
      const checks = await doctor(77);
      const denied = checks.filter(({ state }) => state === "denied");
      expect(denied).toHaveLength(1);
      expect(denied[0]?.why).toContain(`lacks glue:${action}`);
      expect(denied[0]?.mend).toContain(`Add glue:${action}`);
      expect(named(checks, "credentials")?.state).toBe("ok");
    },
  );

  it("names s3:GetObject, of the metadata and of the manifests", async () => {
    const deny = (suffix: string) =>
      lake.s3.fault({
        on: (call) => call.operation === "GetObject" && call.target.endsWith(suffix),
        answer: s3Error(403, "AccessDenied", { message: "Access Denied" }),
        times: ALWAYS,
      });
    const lift = deny(".metadata.json");
    const [metadata] = (await doctor(77)).filter(({ state }) => state === "denied");
    expect(metadata).toMatchObject({ check: "read the entry and the metadata of hr.iceberg_employee" });
    expect(metadata?.why).toContain("lack s3:GetObject");
    lift();
    deny(".avro");
    const checks = await doctor(77);
    expect(named(checks, "read its manifests")?.why).toContain("lack s3:GetObject");
    expect(named(checks, "read a data file")).toMatchObject({ state: "not tried", found: "only manifests name them" });
  });

  it("names s3:ListBucket, without which a missing file looks denied", async () => {
    const message = `User: ${ROLE} is not authorized to perform: s3:ListBucket on resource: "arn:aws:s3:::acme-lake" because no identity-based policy allows the s3:ListBucket action`;
    const isOfNoFile = ({ target }: { readonly target: string }) => target.includes("/floeplan-doctor-");
    lake.s3.fault({ on: isOfNoFile, answer: s3Error(403, "AccessDenied", { message }), times: ALWAYS });
    const checks = await doctor(77);
    expect(named(checks, "tell a missing file from a denied one")).toMatchObject({ state: "denied" });
    expect(named(checks, "tell a missing file from a denied one")?.why).toContain("lack s3:ListBucket on");
  });

  it("tells keys that AWS does not know from a lacking right", async () => {
    sts.fault({
      on: "GetCallerIdentity",
      answer: stsError("InvalidClientTokenId", "The security token is invalid."),
      times: ALWAYS,
    });
    expect(named(await doctor(77), "credentials")).toMatchObject({ state: "denied", why: "The security token is invalid" });
  });

  it("takes credentials of another account for right where they are let in, and for the cause where nothing answers", async () => {
    await sts.stop();
    sts = await startSts({ account: "999988887777" });
    expect(named(await doctor(0), "credentials")?.found).toContain(`of the account 999988887777, let in by ${ACCOUNT}`);
    for (const action of ["GetDatabases", "GetDatabase", "GetTable"]) denyGlue(action);
    const wrong = named(await doctor(78), "credentials");
    expect([wrong?.state, wrong?.why]).toEqual(["wrong", expect.stringContaining("999988887777")]);
  });

  it("goes on with the next environment, and looks at one alone where it is named", async () => {
    lake.write(
      "floeplan.yaml",
      PROJECT.replace("  prod:", `  dev:\n    catalogs:\n      lake: { type: local, warehouse: ./nowhere }\n  prod:`),
    );
    const both = await doctor(78);
    expect(new Set(both.map(({ subject }) => subject.replace(/ \(local .*/, " (local)")))).toEqual(
      new Set(["lake (local)", "GitHub", "lake (glue us-east-1)"]),
    );
    expect(named(both, "list namespaces and tables")?.state).toBe("wrong");
    expect(states(await doctor(0, { words: ["-e", "prod"] }))).toContain("read a data file: ok");
    expect((await lake.run("doctor", "-e", "prd")).exit).toBe(64);
  });

  it("does without tables: none declared, and none there yet", async () => {
    lake.glue.tables.remove("hr", "iceberg_employee");
    expect(named(await doctor(0), "read a table")).toMatchObject({
      state: "not tried",
      found: "not there yet: hr.iceberg_employee",
    });
    lake.write("floeplan.yaml", PROJECT.replace("tables/**", "others/**"));
    expect(named(await doctor(0), "read a table")).toMatchObject({ found: "no table of this catalog is declared" });
  });

  it("stops at a project file that cannot be read", async () => {
    lake.write("floeplan.yaml", "floeplan: 1\nenvironments: {}\n");
    expect((await lake.run("doctor")).exit).toBe(78);
  });
});

describe("doctor on GitHub", () => {
  let github: FakeGithub;
  beforeEach(async () => {
    github = await startGitHub();
  });
  afterEach(async () => await github.stop());
  const look = async (exit: number, token = github.token): Promise<readonly CheckJson[]> =>
    (await doctor(exit, { variables: { ...github.variables, GITHUB_TOKEN: token } })).filter(
      ({ subject }) => subject === "GitHub",
    );

  it("finds the environments guarded", async () => {
    github.setEnvironment({ name: "floeplan-prod", deploysFrom: "listed" });
    github.setEnvironment({ name: "floeplan-prod-gated", reviewers: ["bob"], deploysFrom: "protected" });
    expect((await look(0)).map(({ state, found }) => [state, found])).toEqual([
      ["ok", "used from the branches that it lists only"],
      ["ok", "used from protected branches only, after a reviewer's word"],
    ]);
  });

  it("says what is open: no such environment, any branch, nobody asked", async () => {
    github.setEnvironment({ name: "floeplan-prod", deploysFrom: "any" });
    const [open, missing] = await look(78);
    expect([open?.state, open?.why]).toEqual(["wrong", "Any branch may use it, and so reach the role that writes"]);
    expect(missing?.why).toContain("There is none of this name");
    github.setEnvironment({ name: "floeplan-prod-gated", deploysFrom: "listed" });
    expect((await look(78))[1]?.why).toContain("It asks nobody");
  });

  it("wants no gated environment where reviews are the second lock, and looks at none that is only observed", async () => {
    github.setEnvironment({ name: "floeplan-prod", deploysFrom: "listed" });
    lake.write("floeplan.yaml", `${PROJECT}policy: { approve: { by: ["@bob"], count: 1 } }\n`);
    expect((await look(0)).map(({ state }) => state)).toEqual(["ok", "not tried"]);
    lake.write("floeplan.yaml", `${PROJECT}policy: { mode: observe }\n`);
    expect((await look(0)).map(({ state }) => state)).toEqual(["not tried", "not tried"]);
  });

  it("says that it could not look where the token may not", async () => {
    const checks = await look(0, github.newToken({ permissions: { contents: "read", metadata: "read" } }));
    expect(checks.map(({ state }) => state)).toEqual(["not tried", "not tried"]);
    expect(checks[0]?.found).toContain("actions: read");
  });
});

describe("doctor elsewhere", () => {
  it("tries a table bucket of S3 Tables, against the account of its ARN", async () => {
    const bucket = await startTableBucket();
    bucket.seed();
    bucket.write("tables/ssb/lineorder.yaml", "table: ssb.lineorder\ncolumns: [ { name: lo_orderkey, type: int } ]\n");
    const [, account = ""] = /:(\d{12}):/.exec(bucket.tables.arn) ?? [];
    const own = await startSts({ account });
    vi.stubEnv("AWS_ENDPOINT_URL_STS", own.url);
    const said = await bucket.said(0, "doctor");
    expect(said).toContain(`of the account ${account} as declared`);
    expect(said).toContain("s3tables:UpdateTableMetadataLocation not tried");
    expect(said).toContain("tell a missing file from a denied one not tried this store lists nothing");
    expect(Object.keys(bucket.s3.counts()).sort()).toEqual(["GetObject"]);
    await own.stop();
    await bucket.stop();
  });

  it("tries a local warehouse, by the built program", async () => {
    const { folder, remove } = await employees();
    const { exit, stdout } = await floeplan(folder, ["doctor"]);
    expect([exit, stdout.replaceAll(/\s+/g, " ")]).toEqual([
      0,
      expect.stringMatching(/credentials not tried .* read a data file ok read .* writing below \S+ not tried/),
    ]);
    remove();
  });
});
