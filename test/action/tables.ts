// Declarations and live tables that the tests of the Action share.
import { EMPLOYEE_COLUMNS } from "../blackbox/employee-columns.ts";
import { cpSync, mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { relocateTable } from "../../src/commands/relocate-table.ts";
import type { Lake } from "./support.ts";

export const ORDERS = `table: sales.orders
comment: One row per order
owner: "@acme/sales"
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: customer, type: string }
  - { name: amount, type: "decimal(9,2)" }
`;

export const RENAMED = ORDERS.replace("customer, type: string", "client, type: string, renamed-from: customer");

export const CLICKS = `table: web.clicks
columns:
  - { name: event_id, type: string }
  - { name: url, type: string }
`;

/** As Spark wrote it, with rows: strings only. */
export const EMPLOYEES = `table: hr.iceberg_employee
owner: "@acme/hr"
${EMPLOYEE_COLUMNS}`;

export const EMPLOYEES_CONVERTED = EMPLOYEES.replace(
  "validity_startdate, type: string",
  "validity_startdate, type: date, convert: { from: string, format: yyyyMMdd }",
);

/** Without a column, and with the acknowledgement. */
export const EMPLOYEES_DROPPED = `${EMPLOYEES.replace("  - { name: loginname, type: string }\n", "")}dropped:
  - { field: loginname, reason: "Lives in the directory service" }
`;

export const withColumn = (text: string, name: string, type = "string"): string =>
  `${text}  - { name: ${name}, type: ${type} }\n`;

/** The example's Spark-written table with its rows, below the warehouse of an environment. */
export async function putEmployees(lake: Pick<Lake, "warehouse">, environment = "prod"): Promise<void> {
  const folder = join(lake.warehouse, environment);
  mkdirSync(join(folder, "hr"), { recursive: true });
  const from = resolve(import.meta.dirname, "../../examples/employees/warehouse/hr/iceberg_employee");
  cpSync(from, join(folder, "hr/iceberg_employee"), { recursive: true });
  await relocateTable(join(folder, "hr/iceberg_employee"), "/tmp/floeplan-demo/warehouse", folder);
}
