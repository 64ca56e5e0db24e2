// `drift` by the built program: foreign columns with their answers, broken tables, tables that nobody declares.
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { foreignColumn } from "./foreign.ts";
import { employees, floeplan } from "./support.ts";

let folder = "";
let remove: () => void = () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await employees());
  rmSync(join(folder, "tables"), { recursive: true });
  await floeplan(folder, ["import"]);
});
afterEach(() => remove());

const table = (name = "iceberg_employee"): string => join(folder, "warehouse/hr", name);

describe("drift", () => {
  it("says nothing and ends well where everything is declared", async () => {
    const clean = await floeplan(folder, ["drift", "--exit-code"]);
    expect([clean.stdout, clean.stderr, clean.exit]).toEqual(["No drift in 2 tables.\n", "", 0]);
  });

  it("shows a foreign column, where it came from, and what to write for each answer", async () => {
    foreignColumn(table(), "utm_medium", "sex", "a: b # c");
    const drifted = await floeplan(folder, ["drift", "--exit-code"]);
    expect(drifted.exit).toBe(2);
    expect(drifted.stdout).toContain("? utm_medium");
    expect(drifted.stdout).toContain("no snapshot written with it yet");
    expect(drifted.stdout).toContain('- { name: utm_medium, type: string, comment: "a: b # c" }');
    expect(drifted.stdout).toContain("dropped: [ { field: utm_medium, reason: … } ]");
    expect(drifted.stdout).toContain("unmanaged: [ utm_medium ]");
    expect(drifted.stdout).toContain("1 drifted in 1 of 2 tables.");
    const json = await floeplan(folder, ["drift", "--format", "json"]);
    expect(json.exit).toBe(0);
    const { tables } = JSON.parse(json.stdout) as { tables: { table: string; drift: { subject: string; kind: string }[] }[] };
    expect(tables.map((one) => [one.table, one.drift.map(({ kind, subject }) => `${kind} ${subject}`)])).toEqual([
      ["hr.iceberg_employee", ["field utm_medium"]],
      ["hr.iceberg_employee_dirty", []],
    ]);
  });

  it("takes each of the three answers", async () => {
    foreignColumn(table(), "utm_medium", "sex");
    const file = join(folder, "tables/hr/iceberg_employee.yaml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, `${before}unmanaged: [ utm_medium ]\n`);
    expect((await floeplan(folder, ["drift", "--exit-code"])).exit).toBe(0);
    writeFileSync(file, before.replace("  - { name: language", "  - { name: utm_medium, type: string }\n  - { name: language"));
    expect((await floeplan(folder, ["drift", "--exit-code"])).exit).toBe(0);
    writeFileSync(file, `${before}dropped: [ { field: utm_medium, reason: "not ours" } ]\n`);
    const dropped = await floeplan(folder, ["drift", "--exit-code"]);
    expect(dropped.stdout).toContain("1 table is behind its file.");
    expect((await floeplan(folder, ["plan", "--no-evidence"])).stdout).toContain("- utm_medium");
  });

  it("tells a table that cannot be read and still shows the drift of the others", async () => {
    foreignColumn(table(), "utm_medium", "sex");
    writeFileSync(join(table("iceberg_employee_dirty"), "metadata/v5.metadata.json"), "{");
    const drifted = await floeplan(folder, ["drift", "--exit-code"]);
    expect(drifted.exit).toBe(1);
    expect(drifted.stdout).toContain("? utm_medium");
    expect(drifted.stdout).toMatch(/hr\.iceberg_employee_dirty\s+not read/);
  });

  it("counts tables that no file declares, lists them when asked, and only then takes them for drift", async () => {
    cpSync(table(), table("stray"), { recursive: true });
    const line = await floeplan(folder, ["drift", "--exit-code"]);
    expect(line.exit).toBe(0);
    expect(line.stdout).toContain("1 table in these namespaces is declared by no file: --unmanaged-tables lists them.");
    const listed = await floeplan(folder, ["drift", "--exit-code", "--unmanaged-tables"]);
    expect(listed.exit).toBe(2);
    expect(listed.stdout).toMatch(/hr\.stray\s+lake/);
  });
});
