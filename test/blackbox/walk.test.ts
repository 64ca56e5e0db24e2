// The walk of the README by the built program, on tables that Spark wrote: plan, apply and the demo in a process of their own.
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IS_LONG } from "../long.ts";
import { employees, floeplan, floeplanAlone } from "./support.ts";

let folder = "";
let remove: () => void = () => undefined;

beforeEach(async () => {
  ({ folder, remove } = await employees());
});
afterEach(() => remove());

const table = (): string => join(folder, "warehouse/hr/iceberg_employee");
const metadataFiles = (): string[] => readdirSync(join(table(), "metadata")).filter((name) => name.endsWith(".metadata.json"));
const newest = (): { [key: string]: unknown } => {
  const version = readFileSync(join(table(), "metadata/version-hint.text"), "utf8").trim();
  return JSON.parse(readFileSync(join(table(), `metadata/v${version}.metadata.json`), "utf8")) as { [key: string]: unknown };
};

describe("the walk", () => {
  it("plans, applies in one commit, and plans nothing again", async () => {
    const planned = await floeplanAlone(folder, ["plan", "hr.iceberg_employee", "--preflight", "--out", "plan.json"]);
    expect(planned.exit).toBe(0);
    const words = planned.stdout.replaceAll(/\s+/g, " ");
    expect(words).toContain("0 of 1,607 fail");
    expect(words).toContain("1,072 values lose leading zeros");

    const applied = await floeplanAlone(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
    expect(applied.stderr).toBe("");
    expect(applied.exit).toBe(0);
    expect(metadataFiles()).toHaveLength(6);

    const again = await floeplanAlone(folder, ["plan", "hr.iceberg_employee", "--exit-code"]);
    expect(again.stdout).toBe("No changes. 1 table in step.\n");
    expect(again.exit).toBe(0);
  });

  it("shows places kept, new types, right rows", async () => {
    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"]);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
    const shown = await floeplan(folder, ["show", "hr.iceberg_employee", "--format", "json", "--rows", "1"]);
    const { schema, rows } = JSON.parse(shown.stdout) as {
      schema: { fields: { name: string; type: unknown }[] };
      rows: unknown[];
    };
    expect(schema.fields.map((field) => field.name)).toEqual([
      "employeeid",
      "first_name",
      "name_middle",
      "name_last",
      "name_initials",
      "sex",
      "language",
      "department",
      "phonenumber",
      "emailaddress",
      "addressid",
      "validity_startdate",
      "validity_enddate",
      "office",
    ]);
    expect(rows).toEqual([
      {
        employeeid: "1601",
        first_name: "Tihu",
        name_middle: "",
        name_last: "Kagose",
        name_initials: "TK",
        sex: "M",
        language: "F",
        department: null,
        phonenumber: "555-9743",
        emailaddress: "tihu.kagose@example.com",
        addressid: "1000000201",
        validity_startdate: "2006-04-17",
        validity_enddate: "9999-12-31",
        office: null,
      },
    ]);
  });

  it("refuses values that do not convert before anything is written", async () => {
    const dirty = join(folder, "warehouse/hr/iceberg_employee_dirty");
    const before = readdirSync(dirty, { recursive: true }).length;
    await floeplan(folder, ["plan", "hr.iceberg_employee_dirty", "--out", "plan.json"]);
    const applied = await floeplan(folder, ["apply", "hr.iceberg_employee_dirty", "--plan", "plan.json"]);
    expect(applied.exit).toBe(3);
    expect(applied.stdout).toContain("1 × impossible date");
    expect(applied.stdout).toContain("1 × empty text, 1 × not in the format");
    expect(applied.stdout).not.toContain("12a");
    expect(readdirSync(dirty, { recursive: true })).toHaveLength(before);
  });

  it("goes back with schema and data, holds the table, and lets it go on", async () => {
    const before = newest();
    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"]);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
    const back = await floeplan(folder, ["rollback", "hr.iceberg_employee", "--yes", "--reason", "not today"]);
    expect(back.exit).toBe(0);
    expect(newest()["current-schema-id"]).toBe(before["current-schema-id"]);
    expect(newest()["current-snapshot-id"]).toEqual(before["current-snapshot-id"]);

    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "again.json"]);
    const held = await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "again.json"]);
    expect(held.exit).toBe(3);
    expect(held.stdout).toContain("[table-held]");
    expect((await floeplan(folder, ["release", "hr.iceberg_employee", "--yes"])).exit).toBe(0);
    const second = await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "again.json"]);
    expect(second.exit).toBe(0);
    const fields = (newest()["schemas"] as { fields: { id: number; name: string }[] }[]).at(-1)?.fields ?? [];
    expect(fields.find((field) => field.name === "validity_startdate")?.id).toBeGreaterThan(21);
  });

  it("approves by id, refuses without approval, and waves through only what --yes covers", async () => {
    const refused = await floeplan(folder, ["apply", "hr.iceberg_employee"]);
    expect(refused.exit).toBe(3);
    expect(refused.stdout).toContain("[not-approved]");
    expect((await floeplan(folder, ["apply", "hr.iceberg_employee", "--yes"])).exit).toBe(3);
    const unknown = await floeplan(folder, ["apply", "hr.iceberg_employee", "--approve", "00000000"]);
    expect(unknown.exit).toBe(3);
    expect(unknown.stdout + unknown.stderr).toContain("[approval-unknown]");
    const planned = await floeplan(folder, ["plan", "hr.iceberg_employee", "--format", "json"]);
    const { fingerprint } = JSON.parse(planned.stdout) as { fingerprint: string };
    expect((await floeplan(folder, ["apply", "hr.iceberg_employee", "--approve", fingerprint.slice(0, 8)])).exit).toBe(0);
  });

  it("does all but the last step under --dry-run, and the apply takes the files up", async () => {
    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"]);
    const dry = await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json", "--dry-run"]);
    expect(dry.exit).toBe(0);
    expect(metadataFiles()).toHaveLength(5);
    const files = readdirSync(join(table(), "data")).filter((name) => name.startsWith("floeplan-"));
    expect(files).toHaveLength(4);
    const times = files.map((name) => statSync(join(table(), "data", name)).mtimeMs);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json"]);
    expect(files.map((name) => statSync(join(table(), "data", name)).mtimeMs)).toEqual(times);
    expect(metadataFiles()).toHaveLength(6);
  });

  it("aborts what a dry run left, and nothing of the table", async () => {
    await floeplan(folder, ["plan", "hr.iceberg_employee", "--out", "plan.json"]);
    await floeplan(folder, ["apply", "hr.iceberg_employee", "--plan", "plan.json", "--dry-run"]);
    const aborted = await floeplan(folder, ["abort", "hr.iceberg_employee", "--yes"]);
    expect(aborted.exit).toBe(0);
    expect(aborted.stdout).toContain("4 files deleted");
    expect(readdirSync(join(table(), "data"))).toHaveLength(4);
  });
});

describe("the demo", () => {
  it.runIf(IS_LONG)("runs whole, in a folder of its own", async () => {
    const demo = await floeplanAlone(folder, ["demo", join(folder, "demo")]);
    expect(demo.stderr).toBe("");
    expect(demo.exit).toBe(0);
    expect(demo.stdout).toContain("$ floeplan apply hr.iceberg_employee --plan plan.json");
  });
});
