// The example project in a scratch folder, and what a suite asks of floeplan there.
import { cp, mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { runFloeplan, type FloeplanRun } from "../support/floeplan.ts";
import { REPOSITORY } from "../support/places.ts";
import { relocateTables } from "../support/relocate.ts";

export interface Project {
  readonly folder: string;
  readonly warehouse: string;
  run(...words: readonly string[]): Promise<FloeplanRun>;
  /** Runs it and fails unless it ends with that code. */
  expect(exit: number, ...words: readonly string[]): Promise<string>;
}

function projectIn(folder: string): Project {
  const run = async (...words: readonly string[]): Promise<FloeplanRun> => await runFloeplan(words, { folder });
  return {
    folder,
    warehouse: join(folder, "warehouse"),
    run,
    expect: async (exit, ...words) => {
      const ran = await run(...words);
      if (ran.exit !== exit)
        throw new Error(`floeplan ${words.join(" ")} ended with ${ran.exit}, not ${exit}\n${ran.stdout}${ran.stderr}`);
      return ran.stdout;
    },
  };
}

export const EMPLOYEE = "hr.iceberg_employee";

/** The employees of the README with one of their tables. */
export async function employeesProject(folder: string): Promise<Project> {
  const example = join(REPOSITORY, "examples/employees");
  const project = projectIn(folder);
  await cp(example, folder, { recursive: true });
  await rm(project.warehouse, { recursive: true });
  await rm(join(folder, "tables/hr/iceberg_employee_dirty.yaml"));
  await relocateTables([
    {
      source: join(example, "warehouse/hr/iceberg_employee"),
      target: join(project.warehouse, "hr/iceberg_employee"),
      from: "/tmp/floeplan-demo/warehouse/hr/iceberg_employee",
    },
  ]);
  return project;
}

/** A project with one declared table and an empty warehouse. */
export async function smallProject(folder: string, table: string): Promise<Project> {
  const project = projectIn(folder);
  await mkdir(join(folder, "tables"), { recursive: true });
  await mkdir(project.warehouse, { recursive: true });
  await writeFile(
    join(folder, "floeplan.yaml"),
    'floeplan: 1\ntables: [ "tables/**/*.yaml" ]\nenvironments:\n  test: { catalogs: { lake: { type: local, warehouse: ./warehouse } } }\n',
  );
  await writeFile(join(folder, "tables/t.yaml"), table);
  return project;
}

/** Plans into a file and applies it. */
export async function planAndApply(project: Project, table: string): Promise<void> {
  await project.expect(0, "plan", table, "--out", "plan.json");
  await project.expect(0, "apply", table, "--plan", "plan.json");
}
