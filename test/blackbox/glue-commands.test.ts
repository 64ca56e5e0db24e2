// What the commands around plan and apply do on Glue: look at a table, write its file, tell of drift, find late files,
// go back. With a project, and without one by a region alone.
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { foreignColumn, foreignCommit, lateAppend } from "./glue-foreign.ts";
import { exampleFile, type Lake, startLake } from "./glue-support.ts";
import { currentFields } from "./glue-tables.ts";

const EMPLOYEE = "hr.iceberg_employee";
const DIRTY = "hr.iceberg_employee_dirty";
let lake: Lake;

beforeAll(async () => {
  lake = await startLake();
  lake.seed();
  lake.seed("iceberg_employee_dirty");
});
afterAll(async () => await lake.stop());

interface ShowJson {
  readonly metadataLocation: string;
  readonly rows: readonly Readonly<Record<string, string | null>>[];
}

async function shown(...words: readonly string[]): Promise<ShowJson> {
  return JSON.parse((await lake.run("show", EMPLOYEE, "--format", "json", ...words)).stdout) as ShowJson;
}

async function planAndApply(table: string): Promise<void> {
  await lake.said(0, "plan", table, "--out", "plan.json");
  await lake.said(0, "apply", table, "--plan", "plan.json");
}

// One story: each chapter goes on where the one before it ended.
describe("a project on Glue, from its import to a conflict", { shuffle: false }, () => {
  describe("import", () => {
    it("writes a file for each Iceberg table that has none, and the plan of these is empty", async () => {
      lake.glue.tables.put("hr", { Name: "raw", TableType: "EXTERNAL_TABLE", Parameters: { classification: "csv" } });
      expect(await lake.said(0, "import")).toContain("2 tables: 2 written.");
      expect(await lake.said(0, "plan", "--exit-code")).toContain("No changes. 2 tables in step.");
      lake.glue.tables.remove("hr", "raw");
    });
  });

  describe("show", () => {
    it("is the same by the project and by a region alone, from wherever it is run", async () => {
      const [project, region] = [await shown("--rows", "3"), await shown("--rows", "3", "--glue", "us-east-1")];
      expect(region.rows).toEqual(project.rows);
      expect(project.rows[0]).toMatchObject({ employeeid: "0000001601", validity_startdate: "20060417" });
      expect(await lake.said(0, "show", EMPLOYEE, "--glue", "us-east-1", "--rows", "0")).toContain(
        `metadata ${lake.metadataLocation(EMPLOYEE)}`,
      );
    });

    it("says that a table is not there", async () => {
      expect(await lake.said(1, "show", "hr.orders", "--glue", "us-east-1")).toContain('Cannot find table "hr.orders"');
    });
  });

  describe("drift", () => {
    it("is a column that Spark added: kept, told, and taken up by import", async () => {
      foreignColumn(lake, DIRTY, "by_spark");
      expect(await lake.said(2, "drift", "--exit-code")).toContain("? by_spark only live: string, id 14");
      expect(await lake.said(0, "plan", DIRTY)).toContain("No changes");
      expect(await lake.said(0, "status")).toContain(`${DIRTY} 1 drifted`);
      await lake.said(0, "import", DIRTY, "--update");
      expect(await lake.said(0, "drift", "--exit-code")).toContain("No drift in 2 tables.");
    });
  });

  describe("a conversion", () => {
    it("is undone by rollback: schema, rows and Glue's list are those before, and the table is held until it is released", async () => {
      lake.write("tables/hr/iceberg_employee.yaml", exampleFile("tables/hr/iceberg_employee.yaml"));
      const [before, rows] = [currentFields(lake.metadata(EMPLOYEE)), (await shown("--rows", "2000")).rows];
      await planAndApply(EMPLOYEE);
      expect((await shown("--rows", "2000")).rows).not.toEqual(rows);
      lake.expectListInStep(EMPLOYEE);

      await lake.said(0, "rollback", EMPLOYEE, "--yes");
      expect(currentFields(lake.metadata(EMPLOYEE))).toEqual(before);
      expect((await shown("--rows", "2000")).rows).toEqual(rows);
      lake.expectListInStep(EMPLOYEE);
      expect(await lake.said(3, "apply", EMPLOYEE, "--yes")).toContain("[table-held]");
      await lake.said(0, "release", EMPLOYEE, "--yes");
    });

    it("is told of late: files of a writer that had loaded the table before it block, by plan, drift and status", async () => {
      await planAndApply(EMPLOYEE);
      lateAppend(lake, EMPLOYEE);
      const late = '1 live file (7 rows) holds "employeeid" only under its retired field id 1 [late-files]';
      expect(await lake.said(3, "plan", EMPLOYEE)).toContain(late);
      expect(await lake.said(0, "drift", EMPLOYEE)).toContain(late);
      expect(await lake.said(0, "status")).toContain(`${EMPLOYEE} blocked`);
      // What Java put back into Glue's list with its commit is a note and no drift.
      expect(await lake.said(3, "plan", EMPLOYEE)).toContain('Glue also lists "name_first", "loginname"');
    });

    it("cannot be undone when others have appended on top, and says how else", async () => {
      const before = lake.state(EMPLOYEE);
      expect(await lake.said(3, "rollback", EMPLOYEE, "--yes")).toContain("their rows would be lost");
      expect(lake.state(EMPLOYEE)).toEqual(before);
    });
  });

  describe("a column that somebody dropped behind Git's back", () => {
    it("is a conflict with both answers, not a new column", async () => {
      const metadata = lake.metadata(DIRTY);
      const current = metadata.schemas.find((one) => one["schema-id"] === metadata["current-schema-id"]);
      expect(current?.fields.some(({ name }) => name === "sex")).toBe(true);
      // Remembered first: only what floeplan has applied can be missed.
      lake.write("tables/hr/iceberg_employee_dirty.yaml", dirty("comment: One row per employee\n"));
      await lake.said(0, "apply", DIRTY, "--yes");
      dropForeign("sex");
      const conflict = await lake.said(3, "plan", DIRTY);
      expect(conflict).toContain('Cannot decide about "sex": it is declared, and somebody else dropped it');
      expect(conflict).toContain("To bring it back with its data, write `id: 6` on the field");
    });
  });

  function dirty(more: string): string {
    const columns = currentFields(lake.metadata(DIRTY)).map(({ name }) => `  - { name: ${name}, type: string }\n`);
    return `table: ${DIRTY}\n${more}columns:\n${columns.join("")}`;
  }

  function dropForeign(column: string): void {
    const fields = currentFields(lake.metadata(DIRTY)).flatMap(({ id, name, required }) =>
      name === column ? [] : { id, name, required, type: { kind: "string" as const } },
    );
    foreignCommit(lake, DIRTY, [
      { action: "add-schema", schema: { schemaId: -1, identifierFieldIds: [], fields }, lastColumnId: 14 },
      { action: "set-current-schema", schemaId: -1 },
    ]);
  }
});
