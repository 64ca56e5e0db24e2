// `import` by the built program: files whose plan is empty, never over one that is there, in the project's own places.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foreignColumn } from "./foreign.ts";
import { employees, floeplan } from "./support.ts";

let folder = "";
let remove: () => void = () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await employees());
});
afterEach(() => remove());

const read = (file: string): string => readFileSync(join(folder, file), "utf8");
const project = (text: string): void => writeFileSync(join(folder, "floeplan.yaml"), `floeplan: 1\n${text}`);
const table = (): string => join(folder, "warehouse/hr/iceberg_employee");

describe("import", () => {
  it("writes the files of a warehouse into a project without tables, and the next plan is empty", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    const imported = await floeplan(folder, ["import", "hr.*"]);
    expect(imported.stderr).toBe("");
    expect(imported.exit).toBe(0);
    expect(imported.stdout).toContain("tables/hr/iceberg_employee.yaml        hr.iceberg_employee        13 columns");
    expect(read("tables/hr/iceberg_employee.yaml")).toContain("  - { name: validity_enddate, type: string }\n");
    const planned = await floeplan(folder, ["plan", "--exit-code"]);
    expect([planned.stdout, planned.exit]).toEqual(["No changes. 2 tables in step.\n", 0]);
    const again = await floeplan(folder, ["import"]);
    expect([again.stdout, again.exit]).toEqual(["Nothing to import. 2 tables are declared already.\n", 0]);
  });

  it("gives tables whose names differ in case alone files that any checkout can hold", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    renameSync(join(folder, "warehouse/hr/iceberg_employee_dirty"), join(folder, "warehouse/hr/Iceberg_Employee"));
    const imported = await floeplan(folder, ["import", "hr.*"]);
    expect(imported.exit).toBe(0);
    const files = readdirSync(join(folder, "tables/hr"));
    expect(files.map((file) => file.replace(/-[0-9a-f]{6}/, "-MARK"))).toEqual([
      "Iceberg_Employee-MARK.yaml",
      "iceberg_employee-MARK.yaml",
    ]);
    expect(new Set(files.map((file) => file.toLowerCase())).size).toBe(2);
  });

  it("writes over nothing: neither a file that declares the table nor one that is merely there", async () => {
    const before = read("tables/hr/iceberg_employee.yaml");
    const declared = await floeplan(folder, ["import", "hr.iceberg_employee"]);
    expect(declared.exit).toBe(3);
    expect(declared.stdout).toContain("[import-table-declared]");
    expect(read("tables/hr/iceberg_employee.yaml")).toBe(before);

    rmSync(join(folder, "tables/hr/iceberg_employee.yaml"));
    const skipped = `${read("tables/hr/iceberg_employee_dirty.yaml")}environments: { demo: { skip: true } }\n`;
    writeFileSync(join(folder, "tables/hr/iceberg_employee_dirty.yaml"), skipped);
    const some = await floeplan(folder, ["import", "--format", "json"]);
    expect(some.exit).toBe(3);
    const { tables } = JSON.parse(some.stdout) as { tables: { table: string; state: string; findings: { code: string }[] }[] };
    expect(tables.map(({ table: name, state, findings }) => [name, state, findings.map(({ code }) => code)])).toEqual([
      ["hr.iceberg_employee", "written", ["import-properties-left-out"]],
      ["hr.iceberg_employee_dirty", "refused", ["import-file-exists"]],
    ]);
    expect(read("tables/hr/iceberg_employee_dirty.yaml")).toBe(skipped);
  });

  it("adds a column of another writer to the file that is there, and nothing else", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    await floeplan(folder, ["import"]);
    const file = "tables/hr/iceberg_employee.yaml";
    const edited = read(file).replace("table: hr.iceberg_employee\n", "table: hr.iceberg_employee   # ours\nowner: hr\n");
    writeFileSync(join(folder, file), edited);
    foreignColumn(table(), "utm_medium", "sex", "From the web team");
    const updated = await floeplan(folder, ["import", "--update"]);
    expect(updated.exit).toBe(0);
    expect(updated.stdout).toContain("1 field added");
    expect(read(file)).toBe(
      edited.replace(
        "  - { name: sex, type: string }\n",
        '  - { name: sex, type: string }\n  - { name: utm_medium, type: string, comment: "From the web team" }\n',
      ),
    );
    const planned = await floeplan(folder, ["plan", "--exit-code"]);
    expect(planned.exit).toBe(0);
    const again = await floeplan(folder, ["import", "--update", "hr.iceberg_employee"]);
    expect(again.stdout).toBe("1 table: 1 unchanged.\n");
  });

  it("prints one file, or a stream of them, without a project", async () => {
    rmSync(join(folder, "floeplan.yaml"));
    const one = await floeplan(folder, ["import", "hr.iceberg_employee", "--local", "warehouse", "-q"]);
    expect(one.exit).toBe(0);
    expect(one.stdout).toMatch(/^# yaml-language-server: .*\ntable: hr\.iceberg_employee\n/);
    const all = await floeplan(folder, ["import", "--local", "warehouse"]);
    expect(all.stdout).toContain(
      `--- # tables/hr/iceberg_employee.yaml\n${one.stdout}--- # tables/hr/iceberg_employee_dirty.yaml\n`,
    );
    expect(all.stderr).toContain("2 properties are not taken over: owner, write.parquet.compression-codec");
    expect(existsSync(join(folder, "tables/hr/iceberg_employee.yaml"))).toBe(true);
    expect((await floeplan(folder, ["import", "--local", "warehouse", "--update"])).exit).toBe(64);
  });

  it("undoes the environment's namespace template, and pins ids for the environment", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    mkdirSync(join(folder, "warehouse/hr_dev"));
    renameSync(table(), join(folder, "warehouse/hr_dev/employee"));
    project(
      'environments:\n  dev: { catalogs: { lake: { type: local, warehouse: ./warehouse } }, namespace: "{namespace}_dev" }\n  prod: { catalogs: { lake: { type: local, warehouse: ./prod } } }\n',
    );
    const imported = await floeplan(folder, ["import", "hr.employee", "-e", "dev", "--with-ids"]);
    expect(imported.exit).toBe(0);
    const text = read("tables/hr/employee.yaml");
    expect(text).toContain("table: hr.employee\n");
    expect(text).toContain("{ name: employeeid, type: string, id: { dev: 1 } }");
    const other = await floeplan(folder, ["import", "hr.iceberg_employee_dirty", "-e", "dev"]);
    expect(other.exit).toBe(3);
    expect(other.stdout).toContain("[import-namespace-unknown]");
  });

  it("puts the file where the project looks for it, and refuses where it looks nowhere", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    const catalogs = "environments: { demo: { catalogs: { lake: { type: local, warehouse: ./warehouse } } } }\n";
    project(`tables: [ "lake/*.yml" ]\n${catalogs}`);
    expect((await floeplan(folder, ["import", "hr.iceberg_employee"])).exit).toBe(0);
    expect(readdirSync(join(folder, "lake"))).toEqual(["hr.iceberg_employee.yml"]);
    project(`tables: [ "lake/all.yml" ]\n${catalogs}`);
    const nowhere = await floeplan(folder, ["import", "hr.iceberg_employee"]);
    expect([nowhere.exit, nowhere.stdout.includes("[import-path-unmatched]")]).toEqual([3, true]);
    const printed = await floeplan(folder, ["import", "hr.iceberg_employee", "--stdout"]);
    expect([printed.exit, printed.stdout.includes("table: hr.iceberg_employee\n")]).toEqual([0, true]);
  });

  it("writes through no link that leads out of the project", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    mkdirSync(join(folder, "elsewhere"));
    mkdirSync(join(folder, "inner/warehouse"), { recursive: true });
    renameSync(join(folder, "warehouse"), join(folder, "inner/warehouse"));
    renameSync(join(folder, "floeplan.yaml"), join(folder, "inner/floeplan.yaml"));
    symlinkSync(join(folder, "elsewhere"), join(folder, "inner/tables"));
    const imported = await floeplan(join(folder, "inner"), ["import", "hr.iceberg_employee"]);
    expect(imported.exit).toBe(78);
    expect(imported.stdout).toContain("[link-leaves-project]");
    expect(readdirSync(join(folder, "elsewhere"))).toEqual([]);
  });

  it("tells one broken table, and imports the others", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    writeFileSync(join(table(), "metadata/v5.metadata.json"), "{");
    const imported = await floeplan(folder, ["import"]);
    expect(imported.exit).toBe(1);
    expect(imported.stdout).toContain("1 written, 1 failed");
    expect(readdirSync(join(folder, "tables/hr"))).toEqual(["iceberg_employee_dirty.yaml"]);
  });

  it("tells a name that nothing has, with the nearest one", async () => {
    const missing = await floeplan(folder, ["import", "hr.iceberg_employe"]);
    expect(missing.exit).toBe(1);
    expect(missing.stderr).toContain('Did you mean "hr.iceberg_employee"?');
    expect((await floeplan(folder, ["import", "hr."])).exit).toBe(64);
  });
});
