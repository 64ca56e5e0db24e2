// The walk of the README by the built program on a REST catalog: a strict fake over real HTTP that gives tokens by OAuth
// and keys for the files of each table, which lie in a fake S3. The program has no keys of its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { createS3Store } from "../../src/storage/s3.ts";
import { type FakeRest, restError, startRest } from "../fakes/rest.ts";
import { type JsonMap, mapsOf, textOf, writeJson } from "../fakes/rest-json.ts";
import { FAKE_KEYS, type FakeS3, startS3 } from "../fakes/s3.ts";
import { exampleTable } from "./glue-tables.ts";
import { inside } from "./inside.ts";
import { committedBy, lateAppendTo } from "./late-append.ts";
import { floeplan, type Ran } from "./support.ts";

const TABLE = "hr.iceberg_employee";
const EXAMPLE = resolve(import.meta.dirname, "../../examples/employees/tables/hr/iceberg_employee.yaml");
const VENDED = { accessKeyId: "AKIAVENDEDVENDED", secretAccessKey: "vended-secret", sessionToken: "vended-token" };
const SECRET = "secret-of-the-ci-client";

let s3: FakeS3;
let rest: FakeRest;
let folder = "";
let variables: Readonly<Record<string, string>> = {};

beforeEach(async () => {
  s3 = await startS3({ buckets: ["lake"], keys: [FAKE_KEYS, VENDED] });
  rest = await startRest({
    store: createS3Store({ endpoint: s3.url, region: "us-east-1", credentials: FAKE_KEYS }),
    warehouse: "s3://lake/wh",
    named: "acme",
    prefix: "catalogs/acme",
    pageSize: 1,
    keyLifetime: "PT30M",
    access: { kind: "oauth2", client: "ci", secret: SECRET, scope: "catalog" },
    gift: (namespace, name) => ({
      config: { "s3.endpoint": s3.url, "client.region": "us-east-1", "s3.path-style-access": "true" },
      credentials: [
        {
          prefix: `s3://lake/wh/${[...namespace, name].join("/")}`,
          config: {
            "s3.access-key-id": VENDED.accessKeyId,
            "s3.secret-access-key": VENDED.secretAccessKey,
            "s3.session-token": VENDED.sessionToken,
          },
        },
      ],
    }),
  });
  folder = mkdtempSync(join(tmpdir(), "floeplan-rest-"));
  variables = {
    FLOEPLAN_REST_CREDENTIAL_LAKE: `ci:${SECRET}`,
    AWS_CONFIG_FILE: join(folder, "no-aws-config"),
    AWS_SHARED_CREDENTIALS_FILE: join(folder, "no-aws-credentials"),
    AWS_EC2_METADATA_DISABLED: "true",
    AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true",
  };
  const lake = `{ type: rest, uri: "${rest.url}", warehouse: acme, auth: oauth2 }`;
  write("floeplan.yaml", `floeplan: 1\ntables: [ "tables/**/*.yaml" ]\nenvironments:\n  prod: { catalogs: { lake: ${lake} } }\n`);
  write("tables/hr/iceberg_employee.yaml", readFileSync(EXAMPLE, "utf8"));
  const { objects, metadataLocation } = exampleTable("iceberg_employee", "s3://lake/wh/hr/iceberg_employee");
  for (const [at, bytes] of objects) s3.objects.put(at, bytes);
  rest.tables.namespace("hr");
  await rest.tables.register(["hr", "iceberg_employee"], metadataLocation);
});
afterEach(async () => {
  rmSync(folder, { recursive: true, force: true });
  await rest.stop();
  await s3.stop();
});

function write(path: string, text: string): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}
const built = async (...words: readonly string[]): Promise<Ran> => await floeplan(folder, words, { variables });
const run = async (...words: readonly string[]): Promise<Ran> => await inside(folder, words, variables);
const said = async (exit: number, ...words: readonly string[]): Promise<string> => {
  const ran = await run(...words);
  expect([ran.exit, ran.exit === exit ? "" : ran.stdout + ran.stderr], words.join(" ")).toEqual([exit, ""]);
  return (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ");
};
const metadata = (): JsonMap => {
  const found = rest.tables.metadata("hr", "iceberg_employee");
  if (found === undefined) throw new Error("The table is gone");
  return found;
};
const fields = (): string[] => {
  const schema = mapsOf(metadata()["schemas"]).find((one) => one["schema-id"] === metadata()["current-schema-id"]);
  return mapsOf(schema?.["fields"]).map(({ name = null, type = null }) => `${textOf(name)} ${writeJson(type)}`);
};
const effects = async (run: () => Promise<unknown>): Promise<number> => {
  const before = rest.effects();
  await run();
  return rest.effects() - before;
};

describe("the walk on a REST catalog", () => {
  it("plans, adds the schema and converts in one commit after it, shows drift and status, and goes back", async () => {
    const before = metadata();
    const planned = await built("plan", TABLE, "--preflight", "--out", "plan.json");
    expect([planned.exit, planned.stderr]).toEqual([0, ""]);
    expect(planned.stdout.replaceAll(/\s+/g, " ")).toContain("0 of 1,607 fail");
    expect(rest.effects()).toBe(0);

    const commits = await effects(async () => {
      const applied = await built("apply", TABLE, "--plan", "plan.json");
      expect([applied.exit, applied.stderr]).toEqual([0, ""]);
    });
    // A server of which nothing is known yet gives the new schema its id first; then all is changed at once.
    expect(commits).toBe(2);
    expect(fields()).toContain('validity_startdate "date"');
    expect(rest.counts()["CommitTable"]).toBe(2);

    expect(await said(0, "plan", TABLE, "--exit-code")).toContain("No changes. 1 table in step.");
    const shown = await run("show", TABLE, "--format", "json", "--rows", "1");
    expect(JSON.parse(shown.stdout)).toMatchObject({ rows: [{ employeeid: "1601", validity_startdate: "2006-04-17" }] });

    const current = mapsOf(metadata()["schemas"]).find((one) => one["schema-id"] === metadata()["current-schema-id"]);
    const foreign = { id: Number(metadata()["last-column-id"]) + 1, name: "utm_medium", required: false, type: "string" };
    await rest.tables.commit(
      ["hr", "iceberg_employee"],
      { action: "add-schema", schema: { ...current, fields: [...mapsOf(current?.["fields"]), foreign] } },
      { action: "set-current-schema", "schema-id": -1 },
    );
    const drifted = await built("drift", "--exit-code");
    expect([drifted.exit, drifted.stdout]).toEqual([2, expect.stringContaining("? utm_medium")]);
    const status = await built("status", "--format", "json");
    expect(JSON.parse(status.stdout)).toMatchObject({ tables: [{ table: TABLE, environments: { prod: { state: "drift" } } }] });

    const back = await built("rollback", TABLE, "--yes", "--reason", "not today");
    expect([back.exit, back.stderr]).toEqual([0, ""]);
    expect(metadata()["current-snapshot-id"]).toEqual(before["current-snapshot-id"]);
    expect(fields()).toContain('validity_startdate "string"');
    const held = await run("apply", TABLE, "--plan", "plan.json");
    expect([held.exit, held.stdout]).toEqual([3, expect.stringContaining("[table-held]")]);
  });

  it("is told of late: files of a writer that had loaded the table before the conversion block, by plan, drift and status", async () => {
    await said(0, "plan", TABLE, "--out", "plan.json");
    await said(0, "apply", TABLE, "--plan", "plan.json");
    const location = rest.tables.location("hr", "iceberg_employee") ?? "";
    const converted = readMetadata(s3.objects.get(location) ?? new Uint8Array(), location);
    const next = location.replace(/[^/]+$/, "late.metadata.json");
    s3.objects.put(next, committedBy(converted, location, lateAppendTo(converted, s3.objects)));
    await rest.tables.register(["hr", "iceberg_employee"], next);
    const late = '1 live file (7 rows) holds "employeeid" only under its retired field id 1 [late-files]';
    for (const [exit, ...words] of [
      [3, "plan", TABLE],
      [0, "drift", TABLE],
    ] as const) {
      const ran = await built(...words);
      expect([ran.exit, (ran.stdout + ran.stderr).replaceAll(/\s+/g, " ")]).toEqual([exit, expect.stringContaining(late)]);
    }
    expect(await said(0, "status")).toContain(`${TABLE} blocked`);
  });

  it("makes a new namespace and table, and plans nothing again", async () => {
    write(
      "tables/web/clicks.yaml",
      'table: web.clicks\ncolumns:\n  - { name: id, type: long, required: true }\n  - { name: at, type: timestamptz }\npartition-by: [ day(at) ]\nsort-by: [ id ]\nproperties: { owner: "team-web" }\n',
    );
    await said(0, "plan", "web.clicks", "--out", "plan.json");
    await said(0, "apply", "web.clicks", "--plan", "plan.json");
    expect(rest.tables.metadata("web", "clicks")).toMatchObject({
      location: "s3://lake/wh/web/clicks",
      "partition-specs": [{ fields: [{ transform: "day", "source-id": 2 }] }],
      properties: { owner: "team-web" },
    });
    expect(await said(0, "plan", "web.clicks", "--exit-code")).toContain("No changes");
  });

  it("reads without a project, and writes files whose plan is empty", async () => {
    const named = { ...variables, FLOEPLAN_REST_CREDENTIAL_REST: `ci:${SECRET}` };
    const address = `${rest.url}/?warehouse=acme`;
    const shown = await inside(folder, ["show", TABLE, "--rest", address, "--rows", "0"], named);
    expect([shown.exit, shown.stdout]).toEqual([0, expect.stringContaining("validity_startdate")]);
    const found = await inside(folder, ["import", "hr.*", "--rest", address, "--stdout"], named);
    expect([found.exit, found.stdout]).toEqual([0, expect.stringContaining("table: hr.iceberg_employee")]);
    rmSync(join(folder, "tables"), { recursive: true });
    await said(0, "import");
    expect(await said(0, "plan", "--exit-code")).toContain("No changes");
    expect(rest.effects()).toBe(0);
  });

  it("changes a table of a place that it cannot read, and refuses what would need to read it", async () => {
    const elsewhere = await startRest({ store: createMemoryStore(), warehouse: "gs://bucket/wh" });
    try {
      elsewhere.tables.namespace("shop");
      await elsewhere.tables.create(["shop", "orders"]);
      write(
        "floeplan.yaml",
        `floeplan: 1\nenvironments:\n  prod: { catalogs: { lake: { type: rest, uri: "${elsewhere.url}" } } }\n`,
      );
      rmSync(join(folder, "tables"), { recursive: true });
      write(
        "tables/orders.yaml",
        'table: shop.orders\ncolumns:\n  - { name: id, type: long, comment: "Number" }\n  - { name: note, type: string }\n',
      );
      await said(0, "plan", "--out", "plan.json");
      await said(0, "apply", "--plan", "plan.json");
      expect(await said(0, "plan", "--exit-code")).toContain("No changes");
      const current = elsewhere.tables.metadata("shop", "orders");
      await elsewhere.tables.commit(
        ["shop", "orders"],
        {
          action: "add-snapshot",
          snapshot: {
            "snapshot-id": 7,
            "sequence-number": 1,
            "timestamp-ms": Number(current?.["last-updated-ms"]),
            "manifest-list": "gs://bucket/wh/shop/orders/metadata/snap-7.avro",
            summary: { operation: "append" },
            "schema-id": Number(current?.["current-schema-id"]),
          },
        },
        { action: "set-snapshot-ref", "ref-name": "main", type: "branch", "snapshot-id": 7 },
      );
      write(
        "tables/orders.yaml",
        "table: shop.orders\ncolumns:\n  - { name: id, type: long }\n  - { name: remark, type: string, renamed-from: [ note ] }\n",
      );
      await said(0, "plan", "--out", "plan.json");
      await said(0, "apply", "--plan", "plan.json");
      expect(await said(0, "plan", "--exit-code")).toContain("No changes");
      const effects = elsewhere.effects();
      expect(await said(1, "show", "shop.orders", "--rows", "1")).toContain('Locations with "gs:" are not served');
      write(
        "tables/orders.yaml",
        "table: shop.orders\ncolumns:\n  - { name: id, type: long }\n  - { name: remark, type: date, convert: { from: string } }\n",
      );
      for (const words of [["plan"], ["apply", "--yes"]]) {
        expect(await said(1, ...words)).toContain('Locations with "gs:" are not served');
      }
      expect(elsewhere.effects()).toBe(effects);
    } finally {
      await elsewhere.stop();
    }
  });

  it("tells a refusal of the catalog, changes nothing, and shows no secret", async () => {
    await said(0, "plan", TABLE, "--out", "plan.json");
    const objects = s3.objects.keys("lake");
    rest.fault({
      on: "CommitTable",
      answer: restError(403, "ForbiddenException", `Principal ci with ${SECRET} lacks TABLE_WRITE_DATA`),
      times: 9,
    });
    const refused = await run("apply", TABLE, "--plan", "plan.json");
    expect(refused.exit).not.toBe(0);
    const words = (refused.stdout + refused.stderr).replaceAll(/\s+/g, " ");
    expect(words).toContain("lacks TABLE_WRITE_DATA (ForbiddenException)");
    expect(words).not.toContain(SECRET);
    expect(rest.effects()).toBe(0);
    // Converted files stay for the next apply; the manifests of this one are gone.
    const more = s3.objects.keys("lake").filter((key) => !objects.includes(key));
    expect(more.filter((key) => key.endsWith(".avro"))).toEqual([]);
  });

  it("goes on after a commit whose answer was lost", async () => {
    await said(0, "plan", TABLE, "--out", "plan.json");
    rest.fault({ on: "CommitTable", answer: "drop", effect: "after" });
    expect(await effects(async () => await said(0, "apply", TABLE, "--plan", "plan.json"))).toBe(2);
    expect(await said(0, "plan", TABLE, "--exit-code")).toContain("No changes");
  });
});
