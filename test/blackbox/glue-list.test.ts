// Glue's own list of a table's columns, by the whole program: what is planned for a list that another tool left
// behind, what is a note only, and what stays of others.
import { EMPLOYEE_COLUMNS } from "./employee-columns.ts";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foreignColumn, foreignCommit } from "./glue-foreign.ts";
import { type Lake, PROJECT, startLake } from "./glue-support.ts";
import type { GlueColumnEntry } from "./glue-tables.ts";

const TABLE = "hr.iceberg_employee";
const LIVE = `table: ${TABLE}
${EMPLOYEE_COLUMNS}`;
let lake: Lake;

beforeEach(async () => {
  lake = await startLake();
  lake.seed();
  lake.write("tables/employee.yaml", LIVE);
});
afterEach(async () => await lake.stop());

function spoil(change: (columns: GlueColumnEntry[]) => readonly GlueColumnEntry[]): void {
  const entry = lake.glue.tables.get("hr", "iceberg_employee") ?? {};
  const storage = entry["StorageDescriptor"] as Readonly<Record<string, unknown>>;
  lake.glue.tables.patch("hr", "iceberg_employee", {
    StorageDescriptor: { ...storage, Columns: change([...lake.columns(TABLE)]) },
  });
}

interface Difference {
  readonly subject: string;
  readonly what: string;
  readonly before: string | null;
  readonly after: string | null;
}

interface PlanJson {
  readonly tables: readonly {
    readonly steps: readonly { readonly kind: string; readonly evidence: { readonly differences?: readonly Difference[] } }[];
    readonly drift: readonly { readonly kind: string; readonly subject: string; readonly what: string }[];
    readonly notes: readonly { readonly code: string; readonly what: string }[];
  }[];
}

async function planned(): Promise<PlanJson["tables"][number]> {
  const { stdout } = await lake.run("plan", TABLE, "--format", "json");
  const [table] = (JSON.parse(stdout) as PlanJson).tables;
  if (table === undefined) throw new Error(stdout);
  return table;
}

const changed =
  (name: string, members: Partial<GlueColumnEntry>) =>
  (columns: GlueColumnEntry[]): readonly GlueColumnEntry[] =>
    columns.map((column) => (column.Name === name ? { ...column, ...members } : column));

const SPOILED: readonly (readonly [string, (columns: GlueColumnEntry[]) => readonly GlueColumnEntry[], readonly Difference[]])[] =
  [
    [
      "another type",
      changed("addressid", { Type: "bigint" }),
      [{ subject: "addressid", what: "another type", before: "bigint", after: "string" }],
    ],
    [
      "another order",
      ([first, second, ...rest]) => [second, first, ...rest].flatMap((column) => column ?? []),
      [{ subject: "name_first", what: "another place", before: "1", after: "2" }],
    ],
    [
      "a column that is missing",
      (columns) => columns.filter(({ Name }) => Name !== "sex"),
      [{ subject: "sex", what: "missing", before: null, after: "string" }],
    ],
    [
      "a column left over without a mark",
      (columns) => [...columns, { Name: "old_name", Type: "int" }],
      [{ subject: "old_name", what: "left over", before: "int", after: null }],
    ],
    [
      "a current column that is marked as old",
      changed("sex", { Parameters: { "iceberg.field.id": "6", "iceberg.field.current": "false" } }),
      [{ subject: "sex", what: "marked as old", before: "string", after: "string" }],
    ],
  ];

describe("a list that another tool left behind", () => {
  it.each(SPOILED)("with %s is drift and one step, and the apply mends it", async (_, change, differences) => {
    spoil(change);
    const plan = await planned();
    expect(plan.steps).toMatchObject([{ kind: "sync-glue-columns", effect: "metadata", evidence: { differences } }]);
    expect(plan.drift).toMatchObject([
      {
        kind: "glue-columns",
        what: `not as in the table: ${differences[0]?.subject} ${differences[0]?.what}; the next apply mends the list`,
      },
    ]);
    await lake.said(0, "apply", TABLE, "--yes");
    lake.expectListInStep(TABLE);
    expect(await lake.said(0, "plan", TABLE, "--exit-code")).toContain("No changes. 1 table in step.");
  });

  it("is shown by drift and status, and mended without touching the table where nothing is remembered", async () => {
    lake.write("tables/employee.yaml", `${LIVE}remember: false\n`);
    spoil(changed("sex", { Type: "int" }));
    const drift = await lake.said(2, "drift", "--exit-code");
    expect(drift).toContain("? Glue columns");
    expect(drift).toContain("not as in the table: sex another type");
    expect(await lake.said(0, "status")).toContain(`${TABLE} 1 behind, 1 drifted`);
    const before = lake.metadataLocation(TABLE);
    lake.clearCalls();
    await lake.said(0, "apply", TABLE, "--yes");
    lake.expectListInStep(TABLE);
    expect(lake.metadataLocation(TABLE)).toBe(before);
    expect(lake.s3.counts()["PutObject"]).toBeUndefined();
    expect(lake.glue.counts()).toMatchObject({ UpdateTable: 1 });
    expect(await lake.said(0, "drift", "--exit-code")).toContain("No drift in 1 table.");
  });
});

describe("what is no difference", () => {
  it("is a column of an older schema with the mark that Java writers give it: a note, and no step", async () => {
    await lake.said(0, "plan", "--exit-code");
    foreignCommit(lake, TABLE, [{ action: "set-properties", updates: { by: "spark" } }]);
    expect(await lake.said(0, "plan", "--exit-code")).toContain("No changes");

    lake.write("tables/employee.yaml", LIVE.replace("{ name: sex,", "{ name: gender, renamed-from: [ sex ],"));
    await lake.said(0, "apply", TABLE, "--yes");
    lake.expectListInStep(TABLE);
    foreignCommit(lake, TABLE, [{ action: "set-properties", updates: { by: "spark again" } }]);
    expect(lake.columns(TABLE).at(-1)).toMatchObject({ Name: "sex", Parameters: { "iceberg.field.current": "false" } });
    const plan = await planned();
    expect([plan.steps, plan.drift]).toEqual([[], []]);
    expect(plan.notes).toMatchObject([{ code: "catalog-shows", what: 'Glue also lists "sex", marked as of an older schema' }]);
    expect((await lake.run("drift", "--exit-code")).exit).toBe(0);
  });

  it("is letter case, a spelling of a type, and marks that are missing", async () => {
    spoil((columns) => columns.map(({ Name, Type }) => ({ Name: Name.toUpperCase(), Type: Type.toUpperCase() })));
    expect((await planned()).steps).toEqual([]);
  });
});

describe("what others keep in Glue", () => {
  it("stays: comments that only Glue has go with a renamed column, and the description and other parameters too", async () => {
    spoil(changed("sex", { Comment: "By hand in the console" }));
    lake.glue.tables.patch("hr", "iceberg_employee", {
      Description: "Typed in by hand",
      Parameters: { ...lake.parameters(TABLE), UPDATED_BY_CRAWLER: "nightly" },
    });
    expect((await planned()).steps).toEqual([]);
    lake.write("tables/employee.yaml", LIVE.replace("{ name: sex,", "{ name: gender, renamed-from: [ sex ],"));
    await lake.said(0, "apply", TABLE, "--yes");
    expect(lake.columns(TABLE).find(({ Name }) => Name === "gender")?.Comment).toBe("By hand in the console");
    expect(lake.glue.tables.get("hr", "iceberg_employee")).toMatchObject({
      Description: "Typed in by hand",
      Owner: "spark",
      Parameters: { UPDATED_BY_CRAWLER: "nightly" },
    });
  });

  it("is adopted by import when it is asked for, and then declared", async () => {
    spoil(changed("sex", { Comment: 'As in the passport: "F", M or X' }));
    const plain = await lake.run("import", TABLE, "--glue", "us-east-1");
    expect([plain.exit, plain.stdout.includes("passport")]).toEqual([0, false]);
    expect(plain.stderr).toContain("1 comment lives only in glue");
    const adopted = await lake.run("import", TABLE, "--glue", "us-east-1", "--comments", "glue");
    expect(adopted.exit).toBe(0);
    lake.write("tables/employee.yaml", adopted.stdout);
    expect((await planned()).steps).toMatchObject([{ kind: "set-doc", after: 'As in the passport: "F", M or X' }]);
    await lake.said(0, "apply", TABLE, "--yes");
    lake.expectListInStep(TABLE);
  });
});

describe("two columns that only letter case tells apart", () => {
  it("are not made, and keep a table that has them already out of no other change", async () => {
    lake.write("tables/employee.yaml", `${LIVE}  - { name: Sex, type: string }\n`);
    expect(await lake.said(3, "plan")).toContain(
      'Cannot add "Sex" beside "sex" [name-differs-in-case] tables/employee.yaml:16:5',
    );
    foreignColumn(lake, TABLE, "Sex");
    lake.write("tables/employee.yaml", `comment: With both\n${LIVE}  - { name: Sex, type: string }\n`);
    expect((await planned()).steps.map(({ kind }) => kind)).toEqual(["set-comment"]);
    await lake.said(0, "apply", TABLE, "--yes");
    expect(lake.columns(TABLE).filter(({ Name }) => /^sex$/i.test(Name))).toMatchObject([
      { Name: "sex", Parameters: { "iceberg.field.id": "6" } },
      { Name: "Sex", Parameters: { "iceberg.field.id": "14" } },
    ]);
    await lake.said(0, "plan", "--exit-code");
  });
});

describe("parameters of the entry", () => {
  const declare = (parameters: string, more = ""): void =>
    lake.write("tables/employee.yaml", `${LIVE}glue: { parameters: { ${parameters} } }\n${more}`);
  const own = (): Readonly<Record<string, string>> => {
    const { table_type: _, metadata_location: __, previous_metadata_location: ___, ...others } = lake.parameters(TABLE);
    return others;
  };
  const patch = (parameters: Readonly<Record<string, string>>): void =>
    lake.glue.tables.patch("hr", "iceberg_employee", { Parameters: { ...lake.parameters(TABLE), ...parameters } });

  it("are set, changed and removed by those who declare them, and never those of others", async () => {
    patch({ classification: "parquet" });
    declare("data_class: internal, tier: 1.10, stale: null");
    await lake.said(0, "apply", "--yes");
    expect(own()).toEqual({ classification: "parquet", data_class: "internal", tier: "1.10" });
    expect(JSON.parse(lake.metadata(TABLE).properties["floeplan.applied.glue-parameters"] ?? "")).toEqual({
      data_class: "internal",
      tier: "1.10",
    });

    declare("data_class: secret");
    const plan = await lake.said(0, "plan", "--out", "plan.json");
    expect(plan).toContain("~ data_class internal → secret metadata Glue parameter");
    expect(plan).toContain("- tier was 1.10 metadata Glue parameter");
    await lake.said(0, "apply", "--plan", "plan.json");
    expect(own()).toEqual({ classification: "parquet", data_class: "secret" });

    patch({ data_class: "public" });
    lake.write("tables/employee.yaml", LIVE);
    const left = await planned();
    expect(left.steps).toEqual([]);
    expect(left.drift).toMatchObject([
      { kind: "glue-parameter", subject: "data_class", what: 'set to "public" by another writer; floeplan had set "secret"' },
    ]);
    declare("data_class: confidential");
    const conflict = await lake.said(3, "plan");
    expect(conflict).toContain('Cannot decide about Glue parameter "data_class": Git and another writer both changed it');
    expect(conflict).toContain("tables/employee.yaml:16:23");
    expect((await lake.run("apply", "--yes")).exit).toBe(3);
    expect(own()["data_class"]).toBe("public");
  });

  it("are remembered nowhere where the memory is given up: then the file alone decides", async () => {
    declare("data_class: internal", "remember: false\n");
    const before = lake.metadataLocation(TABLE);
    await lake.said(0, "apply", "--yes");
    expect(own()).toEqual({ data_class: "internal" });
    expect(lake.metadataLocation(TABLE)).toBe(before);
    lake.write("tables/employee.yaml", `${LIVE}remember: false\n`);
    expect((await planned()).steps).toEqual([]);
    declare("data_class: null", "remember: false\n");
    await lake.said(0, "apply", "--yes");
    expect(own()).toEqual({});
    expect(Object.keys(lake.metadata(TABLE).properties).filter((key) => key.startsWith("floeplan."))).toEqual([]);
  });
});

describe("the memory", () => {
  it("is given up for a whole project by one word", async () => {
    lake.write("floeplan.yaml", `${PROJECT}remember: false\n`);
    lake.write("tables/employee.yaml", `${LIVE}comment: One row per employee\n`);
    const plan = await lake.said(0, "plan");
    expect(plan).not.toContain("first-memory");
    await lake.said(0, "apply", "--yes");
    expect(Object.keys(lake.metadata(TABLE).properties).filter((key) => key.startsWith("floeplan."))).toEqual([]);
    expect(await lake.said(0, "plan", "--exit-code")).toContain("No changes");
    expect(lake.glue.tables.get("hr", "iceberg_employee")?.["Description"]).toBe("One row per employee");
  });
});
