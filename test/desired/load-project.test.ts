// A project as a whole: which files are read as what, groups, findings across files, and what the project file says.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { findProjectFile, loadProject, resolveProject } from "../../src/desired/load-project.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { writeProject } from "./project-support.ts";

const folder = mkdtempSync(join(tmpdir(), "floeplan-project-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const CONFIG = "floeplan: 1\nenvironments:\n  dev: { catalogs: { lake: { type: local, warehouse: ./wh } } }\n";
const T = (name: string, column = "{ name: a, type: int }"): string => `table: ${name}\ncolumns:\n  - ${column}\n`;

function load(files: Readonly<Record<string, string | Uint8Array>>): ReturnType<typeof loadProject> {
  return loadProject(writeProject(folder, files));
}

function found(files: Readonly<Record<string, string | Uint8Array>>): string[] {
  return load(files).diagnostics.map(
    (one) => `${one.place?.file ?? ""}:${one.place?.line ?? 0}:${one.place?.column ?? 0} ${one.code}`,
  );
}

function thrown(call: () => unknown): ToolError {
  try {
    call();
  } catch (error) {
    if (error instanceof ToolError) return error;
  }
  throw new Error("No tool error");
}

describe("loading a project", () => {
  it("reads tables and shared files where the project file names none", () => {
    const project = load({
      "floeplan.yaml": CONFIG,
      "tables/a.yaml": T("x.a"),
      "tables/deep/b.yml": T("x.b", "use: audit"),
      "shared/audit.yaml": "columns-of: audit\ncolumns: [ { name: at, type: date } ]\n",
      "other/c.yaml": T("x.c"),
    });
    expect(project.diagnostics).toEqual([]);
    expect(project.tables.map((one) => one.file)).toEqual(["tables/a.yaml", "tables/deep/b.yml"]);
    expect(project.tables.map((one) => one.declaration?.groups)).toEqual([[], ["audit"]]);
    expect([...project.shared.keys()]).toEqual(["audit"]);
    expect([...project.texts.keys()].sort()).toEqual([
      "floeplan.yaml",
      "shared/audit.yaml",
      "tables/a.yaml",
      "tables/deep/b.yml",
    ]);
  });

  it("takes a file that both globs match as shared, and never the project file as a table", () => {
    const project = load({
      "floeplan.yaml": `tables: [ "**/*.yaml" ]\n${CONFIG}`,
      "shared/g.yaml": "columns-of: g\ncolumns: [ { name: at, type: date } ]\n",
      "a.yaml": T("x.a", "use: g"),
    });
    expect(project.diagnostics).toEqual([]);
    expect(project.tables.map((one) => one.file)).toEqual(["a.yaml"]);
  });

  it("finds the project file above a folder, and takes one of another name", () => {
    const root = writeProject(folder, { "floeplan.yaml": CONFIG, "deep/er/x.txt": "", "tables/a.yaml": T("x.a") });
    expect(findProjectFile(join(root, "deep/er"))).toBe(join(root, "floeplan.yaml"));
    const other = writeProject(folder, { "lake.yaml": CONFIG, "tables/a.yaml": T("x.a") });
    expect(loadProject(join(other, "lake.yaml")).config?.file).toBe("lake.yaml");
  });

  it("says that the project file is missing as a failure of the configuration", () => {
    const error = thrown(() => loadProject(join(folder, "nowhere")));
    expect([error.kind, error.mend]).toEqual(["config", expect.stringContaining("floeplan init")]);
  });

  it("reads nothing else where the project file has errors", () => {
    const project = load({ "floeplan.yaml": "floeplan: 2\n", "tables/a.yaml": "broken: [" });
    expect(project.config).toBeNull();
    expect(project.diagnostics.map((one) => one.code).sort()).toEqual(["missing-key", "value-not-allowed"]);
  });

  it("tells a group among the tables and a table among the groups in one finding each", () => {
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "tables/g.yaml": "columns-of: g\ncolumns: [ { name: a, type: int } ]\n",
        "shared/t.yaml": T("x.a"),
      }),
    ).toEqual(["shared/t.yaml:1:1 file-of-other-kind", "tables/g.yaml:1:1 file-of-other-kind"]);
  });

  it("warns where nothing matches", () => {
    expect(found({ "floeplan.yaml": `tables: [ "table/*.yaml" ]\n${CONFIG}` })).toEqual(["floeplan.yaml:1:1 no-files-match"]);
  });

  it("goes on past files that cannot be read, and tells each", () => {
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "tables/a.yaml": new Uint8Array([97, 58, 32, 98, 10, 255, 10]),
        "tables/b.yaml": new Uint8Array([255, 254, 97, 0]),
        "tables/c.yaml": "x".repeat(4 * 1024 * 1024 + 1),
        "tables/d.yaml": T("x.d"),
        "tables/e.yaml": "",
      }),
    ).toEqual([
      "tables/a.yaml:2:1 file-not-utf8",
      "tables/b.yaml:1:1 file-not-utf8",
      "tables/c.yaml:1:1 file-too-large",
      "tables/e.yaml:1:1 file-empty",
    ]);
  });
});

describe("groups", () => {
  const group = (name: string, column = "{ name: at, type: date }"): string => `columns-of: ${name}\ncolumns:\n  - ${column}\n`;

  it("are told when unknown, unused, twice there, or used by each other", () => {
    expect(found({ "floeplan.yaml": CONFIG, "tables/a.yaml": T("x.a", "use: audi"), "shared/g.yaml": group("audit") })).toEqual([
      "shared/g.yaml:1:13 group-unused",
      "tables/a.yaml:3:10 group-unknown",
    ]);
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "tables/a.yaml": T("x.a", "use: g"),
        "shared/g.yaml": group("g"),
        "shared/h.yaml": group("g"),
      }),
    ).toEqual(["shared/h.yaml:1:13 group-declared-twice"]);
    expect(
      found({ "floeplan.yaml": CONFIG, "tables/a.yaml": T("x.a", "use: g"), "shared/g.yaml": group("g", "use: g") }),
    ).toContain("shared/g.yaml:3:5 unknown-key");
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "tables/a.yaml": T("x.a", "use: g"),
        "shared/g.yaml": group("g", "{ name: s, type: struct, fields: [ { use: g } ] }"),
      }),
    ).toEqual(["shared/g.yaml:3:47 group-in-group"]);
  });

  it("are not called unused while a table cannot be read", () => {
    expect(found({ "floeplan.yaml": CONFIG, "tables/a.yaml": "table: [", "shared/g.yaml": group("g") })).toEqual([
      "tables/a.yaml:1:8 yaml-syntax",
    ]);
  });

  it("tell their findings once, in their own file, and no spec is built of them", () => {
    const project = load({
      "floeplan.yaml": CONFIG,
      "shared/g.yaml": group("g", "{ name: at, type: dte }"),
      "tables/a.yaml": T("x.a", "use: g"),
      "tables/b.yaml": T("x.b", "use: g"),
      "tables/c.yaml": T("x.c"),
    });
    expect(project.diagnostics.map((one) => one.place?.file)).toEqual(["shared/g.yaml"]);
    expect(resolveProject(project, "dev").tables.map((one) => one.name)).toEqual(["x.c"]);
  });

  it("pin no ids, and bring no column a second time", () => {
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "tables/a.yaml": T("x.a", "use: g"),
        "shared/g.yaml": group("g", "{ name: at, type: date, id: 5 }"),
      }),
    ).toEqual(["shared/g.yaml:3:33 pinned-id-in-group"]);
    expect(
      found({
        "floeplan.yaml": CONFIG,
        "shared/g.yaml": group("g"),
        "tables/a.yaml": "table: x.a\ncolumns:\n  - { name: at, type: int }\n  - use: g\n",
      }),
    ).toEqual(["tables/a.yaml:4:10 field-declared-twice"]);
  });

  it("stand in any struct", () => {
    const project = load({
      "floeplan.yaml": CONFIG,
      "shared/g.yaml": group("g"),
      "tables/a.yaml":
        "table: x.a\ncolumns:\n  - name: s\n    type: list<struct>\n    fields:\n      - { name: b, type: int }\n      - use: g\n",
    });
    expect(project.diagnostics).toEqual([]);
    const [column] = resolveProject(project, "dev").tables[0]?.columns ?? [];
    expect(column?.type).toMatchObject({
      element: {
        type: {
          fields: [
            { name: "b", group: null },
            { name: "at", group: "g" },
          ],
        },
      },
    });
  });
});

describe("one environment of a project", () => {
  it("refuses two files for one table, also after the template", () => {
    const project = load({
      "floeplan.yaml": CONFIG.replace("./wh } }", './wh } }, namespace: "all"'),
      "tables/a.yaml": T("x.t"),
      "tables/b.yaml": T("y.t"),
    });
    expect(project.diagnostics).toEqual([]);
    const { diagnostics } = resolveProject(project, "dev");
    expect(diagnostics.map((one) => [one.code, one.place?.file, one.why])).toEqual([
      ["table-declared-twice", "tables/b.yaml", "tables/a.yaml:1:1 declares it already"],
    ]);
  });

  it("refuses two tables in one folder", () => {
    const project = load({
      "floeplan.yaml": 'floeplan: 1\nenvironments:\n  dev: { catalogs: { lake: { type: glue } }, location: "s3://b/{table}" }\n',
      "tables/a.yaml": T("x.t"),
      "tables/b.yaml": T("y.t"),
    });
    expect(resolveProject(project, "dev").diagnostics.map((one) => one.code)).toEqual(["location-shared"]);
  });

  it("is a usage error where it does not exist", () => {
    const error = thrown(() => resolveProject(load({ "floeplan.yaml": CONFIG, "tables/a.yaml": T("x.t") }), "de"));
    expect([error.kind, error.message, error.mend]).toEqual(["usage", 'Cannot find environment "de"', 'Did you mean "dev"?']);
  });

  it("has relative warehouses below the project file", () => {
    const root = writeProject(folder, { "floeplan.yaml": CONFIG, "tables/a.yaml": T("x.t") });
    expect(loadProject(root).config?.environments[0]?.catalogs.get("lake")).toMatchObject({ warehouse: join(root, "wh") });
  });
});

describe("the project file", () => {
  const cases: readonly (readonly [string, string, readonly string[]])[] = [
    ["no environments", "floeplan: 1\n", ["missing-key"]],
    ["an environment without catalogs", "floeplan: 1\nenvironments: { dev: {} }\n", ["missing-key"]],
    [
      "an unknown kind of catalog",
      "floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: hive } } } }\n",
      ["value-not-allowed"],
    ],
    [
      "a bucket that is no ARN",
      "floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: s3-tables, bucket: events } } } }\n",
      ["value-malformed"],
    ],
    [
      "an account that lost its zero",
      "floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: glue, account: 11122223333 } } } }\n",
      ["value-malformed"],
    ],
    [
      "a key of another kind of catalog",
      "floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: glue, warehouse: x } } } }\n",
      ["unknown-key"],
    ],
    [
      "a token",
      'floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: rest, uri: "https://c", token: x } } } }\n',
      ["secret-in-file"],
    ],
    [
      "a password in the address",
      'floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: rest, uri: "https://u:p@c" } } } }\n',
      ["secret-in-file"],
    ],
    [
      "an unquoted template",
      "floeplan: 1\nenvironments:\n  dev:\n    catalogs: { l: { type: glue } }\n    namespace: {namespace}_dev\n",
      ["unquoted-sign"],
    ],
    [
      "a placeholder that is none",
      'floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: glue } }, namespace: "{table}" } }\n',
      ["template-malformed"],
    ],
    [
      "a location without the table",
      'floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: glue } }, location: "s3://b/{namespace}" } }\n',
      ["template-malformed"],
    ],
    [
      "one location for two environments",
      'floeplan: 1\nenvironments:\n  dev: { catalogs: { l: { type: glue } }, namespace: "{namespace}_dev", location: "s3://b/{namespace}/{table}" }\n  prod: { catalogs: { l: { type: glue } }, location: "s3://b/{namespace}/{table}" }\n',
      ["location-shared"],
    ],
    ["a size without a unit that exists", `policy: { max-rewrite: 200GB }\n${CONFIG}`, ["value-malformed"]],
    ["a default catalog that does not exist", `default-catalog: lak\n${CONFIG}`, ["catalog-unknown"]],
    ["a lint level that does not exist", `lint: { missing-comment: warn }\n${CONFIG}`, ["value-malformed"]],
    ["reviews of nobody", `policy: { approve: { by: [] } }\n${CONFIG}`, ["too-few-items"]],
  ];
  for (const [what, text, expected] of cases) {
    it(`is told about ${what}`, () => {
      const project = load({ "floeplan.yaml": text, "tables/a.yaml": T("x.t") });
      expect(project.diagnostics.map((one) => one.code)).toEqual(expected);
      expect(project.diagnostics.every((one) => one.place?.file === "floeplan.yaml")).toBe(true);
      expect(project.config).toBeNull();
    });
  }

  it("keeps unknown engines with a warning", () => {
    const project = load({ "floeplan.yaml": `engines: [ athna, spark ]\n${CONFIG}`, "tables/a.yaml": T("x.t") });
    expect(project.diagnostics.map((one) => [one.code, one.severity, one.mend])).toEqual([
      ["engine-unknown", "warning", 'Did you mean "athena"?'],
    ]);
    expect(project.config?.engines).toEqual(["athna", "spark"]);
  });

  it("keeps the leading zero of a plain account", () => {
    const text = "floeplan: 1\nenvironments: { dev: { catalogs: { l: { type: glue, account: 011122223333 } } } }\n";
    expect(load({ "floeplan.yaml": text, "tables/a.yaml": T("x.t") }).config?.environments[0]?.catalogs.get("l")).toMatchObject({
      account: "011122223333",
    });
  });

  it("replaces the policy of the project key by key in an environment", () => {
    const text = `policy: { mode: observe, column-order: append, snapshot-tag: none, apply: action-only, gate-below-rows: 5, approve: { by: [ x ] } }
floeplan: 1
environments:
  dev: { catalogs: { l: { type: glue } }, policy: { column-order: declared } }
  prod: { catalogs: { l: { type: glue } }, policy: { mode: apply, snapshot-tag: keep, apply: anywhere, gate-below-rows: 0, approve: { by: [ y ], count: 2 } } }
`;
    const common = { columnOrder: "append", maxRewriteBytes: null };
    const project = {
      ...common,
      mode: "observe",
      snapshotTag: "none",
      apply: "action-only",
      gateBelowRows: 5,
      approve: { by: ["x"], count: 1 },
    };
    const { config } = load({ "floeplan.yaml": text, "tables/a.yaml": T("x.t") });
    expect(config?.environments.map((one) => one.policy)).toEqual([
      { ...project, columnOrder: "declared" },
      { ...common, mode: "apply", snapshotTag: "keep", apply: "anywhere", gateBelowRows: 0, approve: { by: ["y"], count: 2 } },
    ]);
  });

  it("reads sizes in binary units", () => {
    const bytes = (size: string): unknown =>
      load({ "floeplan.yaml": `policy: { max-rewrite: ${size} }\n${CONFIG}`, "tables/a.yaml": T("x.t") }).config?.environments[0]
        ?.policy.maxRewriteBytes;
    expect(["0", "512", "1KiB", "1.5 MiB", "200GiB", "2TiB"].map(bytes)).toEqual([
      0, 512, 1024, 1572864, 214748364800, 2199023255552,
    ]);
  });
});
