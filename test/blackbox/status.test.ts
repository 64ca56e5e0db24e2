// `status` by the built program: tables and environments, one that does not answer among them.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { relocateTable } from "../../src/commands/relocate-table.ts";
import { foreignColumn } from "./foreign.ts";
import { employees, floeplan } from "./support.ts";

let folder = "";
let remove: () => void = () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await employees());
});
afterEach(() => remove());

const environments = (text: string): void => writeFileSync(join(folder, "floeplan.yaml"), `floeplan: 1\nenvironments:\n${text}`);
const lake = (warehouse: string): string => `{ catalogs: { lake: { type: local, warehouse: ./${warehouse} } } }`;

interface Status {
  readonly environments: readonly string[];
  readonly tables: readonly {
    readonly table: string;
    readonly environments: Readonly<Record<string, { readonly state: string }>>;
  }[];
}

async function statesOf(words: readonly string[] = []): Promise<Record<string, Record<string, string>>> {
  const { stdout } = await floeplan(folder, ["status", "--format", "json", ...words]);
  const { tables } = JSON.parse(stdout) as Status;
  return Object.fromEntries(
    tables.map(({ table, environments: states }) => [
      table,
      Object.fromEntries(Object.entries(states).map(([name, { state }]) => [name, state])),
    ]),
  );
}

describe("status", () => {
  it("shows every environment, and none hides behind one that does not answer", async () => {
    rmSync(join(folder, "tables"), { recursive: true });
    await floeplan(folder, ["import"]);
    cpSync(join(folder, "warehouse"), join(folder, "prod"), { recursive: true });
    rmSync(join(folder, "prod/hr/iceberg_employee_dirty"), { recursive: true });
    foreignColumn(join(folder, "prod/hr/iceberg_employee"), "utm_medium", "sex");
    environments(`  dev: ${lake("warehouse")}\n  prod: ${lake("prod")}\n  lost: ${lake("nowhere")}\n`);
    const shown = await floeplan(folder, ["status"]);
    expect(shown.exit).toBe(78);
    const lines = shown.stdout.split("\n").map((line) => line.trim().split(/ {2,}/));
    expect(lines).toContainEqual(["table", "dev", "prod", "lost"]);
    expect(lines).toContainEqual(["hr.iceberg_employee", "in step", "1 drifted", "unreachable"]);
    expect(lines).toContainEqual(["hr.iceberg_employee_dirty", "in step", "not there", "unreachable"]);
    expect(shown.stdout).toContain("There is no such folder");
    expect(shown.stdout).toContain("2 tables in 3 environments: 2 in step, 1 not there, 1 drifted, 2 unreachable.");
    const markdown = await floeplan(folder, ["status", "-e", "prod", "--format", "markdown", "--exit-code"]);
    expect(markdown.exit).toBe(2);
    expect(markdown.stdout).toContain("| `hr.iceberg_employee` | 1 drifted |");
    expect((await floeplan(folder, ["status", "-e", "dev", "--exit-code"])).exit).toBe(0);
  });

  it("tells steps, drift beside them, blocked tables, and tables that are not in an environment", async () => {
    const file = join(folder, "tables/hr/iceberg_employee_dirty.yaml");
    writeFileSync(file, `${readFileSync(file, "utf8")}environments: { prod: { skip: true } }\n`);
    cpSync(join(folder, "warehouse"), join(folder, "prod"), { recursive: true });
    await relocateTable(join(folder, "prod/hr/iceberg_employee"), join(folder, "warehouse"), join(folder, "prod"));
    foreignColumn(join(folder, "warehouse/hr/iceberg_employee"), "utm_medium", "sex");
    environments(`  dev: ${lake("warehouse")}\n  prod: ${lake("prod")}\n`);
    const { stdout } = await floeplan(folder, ["status", "hr.iceberg_employee*"]);
    expect(stdout).toMatch(/hr\.iceberg_employee +\d+ behind, 1 drifted +\d+ behind/);
    expect(stdout).toMatch(/hr\.iceberg_employee_dirty +4 behind +-/);
    writeFileSync(file, readFileSync(file, "utf8").replace("{ name: sex, type: string }", "{ name: sex, type: int }"));
    const blocked = await floeplan(folder, ["status"]);
    expect(blocked.stdout).toMatch(/dev +hr\.iceberg_employee_dirty +blocked +Cannot change "sex" from string to int/);
  });

  it("tells a conversion under way, and a table that is held", async () => {
    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"]);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json", "--dry-run"]);
    const rewriting = await floeplan(folder, ["status"]);
    expect(rewriting.stdout).toMatch(/hr\.iceberg_employee +rewriting 99 %/);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
    expect(await statesOf(["hr.iceberg_employee"])).toEqual({ "hr.iceberg_employee": { demo: "in-step" } });
    await floeplan(folder, ["rollback", "hr.iceberg_employee", "--yes", "--reason", "not today"]);
    expect(await statesOf(["hr.iceberg_employee"])).toEqual({ "hr.iceberg_employee": { demo: "held" } });
  });

  it("knows its words: an unknown table or environment is said", async () => {
    const table = await floeplan(folder, ["status", "hr.nobody"]);
    expect([table.exit, table.stderr.includes('Cannot find "hr.nobody"')]).toEqual([64, true]);
    const environment = await floeplan(folder, ["status", "-e", "moon"]);
    expect([environment.exit, environment.stderr.includes('Cannot find environment "moon"')]).toEqual([64, true]);
  });
});
