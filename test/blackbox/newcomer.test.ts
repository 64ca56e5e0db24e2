// What somebody meets who has never used the program: a wrong folder, a wrong word, a name that is not there, a table
// that is held, values that do not convert.
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { main } from "../../src/cli/main.ts";
import { testShell } from "../cli/shell.ts";
import { inside } from "./inside.ts";
import { employees, type Ran } from "./support.ts";

const floeplan = async (folder: string, words: readonly string[]): Promise<Ran> => await inside(folder, words, {});

describe("without a project", () => {
  let empty: string;
  beforeEach(() => {
    empty = mkdtempSync(join(tmpdir(), "floeplan-newcomer-"));
  });
  afterEach(() => rmSync(empty, { recursive: true }));

  it("every way in is told", async () => {
    const ran = await floeplan(empty, ["plan"]);
    expect(ran.exit).toBe(78);
    for (const way of ["--config", "`floeplan init`", "`floeplan demo`"]) expect(ran.stderr).toContain(way);
  });

  it.each(["metadata", "behaviour", "rewrite", "lost", "drift", "blocked", "held"])(
    "%s is a word that is explained",
    async (word) => {
      const { exit, stdout } = await floeplan(empty, ["explain", word]);
      expect([exit, stdout.split("\n")[0]]).toEqual([0, word]);
    },
  );

  it("a local project is begun without an account, and is ready to plan", async () => {
    const begun = await floeplan(empty, ["init", "--local", "./warehouse"]);
    expect([begun.exit, begun.stdout]).toEqual([0, expect.stringContaining("Next: floeplan plan")]);
    expect(begun.stdout).not.toContain(".github");
    const planned = await floeplan(empty, ["plan"]);
    expect([planned.exit, planned.stdout]).toEqual([0, expect.stringContaining("new table, 4 columns")]);
    expect((await floeplan(empty, ["validate"])).stdout).toBe("No findings. 2 files checked.\n");
    const again = await floeplan(empty, ["init", "--local", "./warehouse"]);
    expect(again.stdout).toContain("kept   floeplan.yaml");
    const both = await floeplan(empty, ["init", "--local", "./warehouse", "--region", "eu-west-1"]);
    expect([both.exit, both.stderr]).toEqual([64, expect.stringContaining("--region")]);
  });
});

describe("in a project", () => {
  let folder: string;
  let remove: () => void;
  beforeEach(async () => {
    ({ folder, remove } = await employees());
  });
  afterEach(() => remove());

  const TABLE = "hr.iceberg_employee";

  it("a warehouse with tables is adopted by two commands", async () => {
    rmSync(join(folder, "floeplan.yaml"));
    rmSync(join(folder, "tables"), { recursive: true });
    const begun = await floeplan(folder, ["init", "--local", "warehouse", "--environment", "try"]);
    expect([begun.exit, begun.stdout]).toEqual([0, expect.stringContaining("Next: floeplan import")]);
    await floeplan(folder, ["import"]);
    expect(await floeplan(folder, ["plan", "-e", "try"])).toEqual({
      exit: 0,
      stdout: "No changes. 2 tables in step.\n",
      stderr: "",
    });
  });

  it("a name that is not declared is answered with those that are", async () => {
    const ran = await floeplan(folder, ["plan", "sales.orders"]);
    expect([ran.exit, ran.stderr]).toEqual([64, expect.stringContaining(`Declared: ${TABLE}, ${TABLE}_dirty;`)]);
  });

  it("a live table that is not there is answered with those that are", async () => {
    const near = await floeplan(folder, ["show", "hr.iceberg_employe", "--local", "warehouse"]);
    expect([near.exit, near.stderr]).toEqual([1, expect.stringContaining(`Did you mean "${TABLE}"?`)]);
    const far = await floeplan(folder, ["show", "hr.orders", "--local", "warehouse"]);
    expect(far.stderr).toContain(`There are ${TABLE}, ${TABLE}_dirty\n`);
    const elsewhere = await floeplan(folder, ["show", "sales.orders", "--local", "warehouse"]);
    expect(elsewhere.stderr).toContain(`There are ${TABLE}, ${TABLE}_dirty\n`);
    writeFileSync(join(folder, "tables/new.yaml"), "table: hr.new\ncolumns: [ { name: a, type: int } ]\n");
    expect((await floeplan(folder, ["show", "hr.new"])).stderr).toContain(
      "declared and not there yet: `floeplan apply` makes it",
    );
  });

  it("no rows are asked for: nothing is said of them", async () => {
    const ran = await floeplan(folder, ["show", TABLE, "--rows", "0"]);
    expect(ran.stdout).not.toContain("rows not shown");
  });

  it("a warehouse that is not there is one thing to mend, however many tables and tries meet it", async () => {
    const project = join(folder, "floeplan.yaml");
    writeFileSync(project, readFileSync(project, "utf8").replace("warehouse: ./warehouse", "warehouse: ./nowhere"));
    const doctor = await floeplan(folder, ["doctor"]);
    expect(doctor.stdout).toContain("1 thing to mend:");
    expect(doctor.stdout.match(/Cannot use the warehouse/g)).toHaveLength(1);
    const status = await floeplan(folder, ["status"]);
    expect(status.stdout).toContain(`${TABLE} and 1 more`);
    expect(status.stdout.match(/Cannot use the warehouse/g)).toHaveLength(1);
    expect((await floeplan(folder, ["plan"])).stdout).toContain("\nNo table could be read.\n");
  });

  it("a held table says so in its plan, and an applied conversion says the way back", async () => {
    await floeplan(folder, ["plan", TABLE, "--out", "plan.json"]);
    const applied = await floeplan(folder, ["apply", TABLE, "--plan", "plan.json"]);
    expect(applied.stdout).toContain(`Way back, schema and data together: floeplan rollback ${TABLE} -e demo\n`);
    await floeplan(folder, ["rollback", TABLE, "--yes"]);
    const held = await floeplan(folder, ["plan", TABLE]);
    expect([held.exit, held.stdout]).toEqual([0, expect.stringContaining(`warning: "${TABLE}" is held since a rollback`)]);
    await floeplan(folder, ["release", TABLE, "--yes"]);
    expect((await floeplan(folder, ["plan", TABLE])).stdout).not.toContain("is held");
  });

  it("a no at the prompt is an answer, and no failure of every table", async () => {
    const shell = testShell(["apply", TABLE, "--color", "never"], { directory: folder, isTerminal: true, randomId: randomUUID });
    shell.stdin.write("n\n");
    expect(await main(shell)).toBe(3);
    expect(shell.stdout.text).toMatch(/\nNothing was applied: the plan was not agreed to\.\n$/);
    expect(shell.stdout.text).not.toContain("not-approved");
  });

  it("a query finds the values that do not convert", async () => {
    const ran = await floeplan(folder, ["plan", `${TABLE}_dirty`, "--ddl", "trino"]);
    expect(ran.stdout).toMatch(
      /-- values that do not convert: SELECT "employeeid", count\(\*\) FROM "hr"."iceberg_employee_dirty" WHERE .* GROUP BY "employeeid"/,
    );
  });
});
