// The project of the fault matrix: a folder with a catalog and the declaration of one table, and the three kinds of
// applies that are broken. Knows no catalog.
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { loadProject, resolveProject } from "../../../src/desired/load-project.ts";
import type { TableSpec } from "../../../src/desired/table-spec.ts";
import { TABLE } from "./fault-world.ts";

export interface Job {
  readonly name: string;
  readonly declaration: string;
  readonly isNew: boolean;
  /** Snapshots that the apply makes. */
  readonly snapshots: number;
}

const METADATA = `table: hr.iceberg_employee
comment: One row per employee
columns:
  - { name: employeeid, type: string }
  - { name: first_name, type: string, renamed-from: [ name_first ] }
  - { name: department, type: string }
`;

const CREATION = `table: hr.iceberg_employee
comment: One row per employee
columns:
  - { name: employeeid, type: int, required: true, comment: "Number" }
  - { name: hired, type: date }
partition-by: [ year(hired) ]
`;

const CONVERSION = `table: hr.iceberg_employee
columns:
  - { name: employeeid, type: int, convert: { from: string } }
  - { name: first_name, type: string, renamed-from: [ name_first ] }
  - { name: validity_startdate, type: date, convert: { from: string, format: yyyyMMdd } }
dropped:
  - { field: loginname, reason: "Lives in the directory service" }
`;

export const JOBS: readonly Job[] = [
  { name: "metadata", declaration: METADATA, isNew: false, snapshots: 0 },
  { name: "creation", declaration: CREATION, isNew: true, snapshots: 0 },
  { name: "conversion", declaration: CONVERSION, isNew: false, snapshots: 1 },
];

export function jobNamed(name: string): Job {
  const found = JOBS.find((job) => job.name === name);
  if (found === undefined) throw new Error(`No apply is called ${name}`);
  return found;
}

/** `catalog` as it stands in the project file. */
export function makeProject(catalog: string, location: string | null): string {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-faults-"));
  const place = location === null ? "" : `    location: "${location}"\n`;
  writeFileSync(
    join(folder, "floeplan.yaml"),
    `floeplan: 1\ntables: [ "tables/*.yaml" ]\nenvironments:\n  prod:\n    catalogs: { lake: ${catalog} }\n${place}`,
  );
  return folder;
}

export function declare(folder: string, declaration: string): TableSpec {
  const file = join(folder, "tables/one.yaml");
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, declaration);
  const { tables, diagnostics } = resolveProject(loadProject(folder), "prod");
  const spec = tables.find(({ identifier }) => identifier.name === TABLE.name);
  if (spec === undefined) throw new Error(`The declaration is wrong: ${JSON.stringify(diagnostics)}`);
  return spec;
}
