// The files of a new project that are no workflows: the project file, an example table, lines for CODEOWNERS.
import { schemaLine } from "../desired/write-yaml.ts";
import type { WorkflowPlan } from "./init-workflows.ts";

export interface ProjectPlan extends WorkflowPlan {
  readonly project: string;
  /** `@org/team` or `@user`: who owns tables and approves. */
  readonly owner: string;
}

/** Names that can stand in YAML, in workflows and in shells without quotes. */
export function isPlainName(name: string): boolean {
  return /^[a-z][a-z0-9-]{0,39}$/.test(name);
}

export function projectFile(plan: ProjectPlan): string {
  const approve = `approve: { by: ["${plan.owner}"], count: 1 }`;
  const policy = plan.secondLock === "reviews" ? `policy: { mode: apply, ${approve} }` : "policy: { mode: apply }";
  return `${schemaLine("config")}
floeplan: 1
project: ${plan.project}
tables: ["tables/**/*.yaml"]
shared: ["shared/**/*.yaml"]
engines: [athena, spark]
default-catalog: lake
# In order of promotion.
environments:
${plan.environments.map((name, index) => environmentText(plan, name, index === plan.environments.length - 1)).join("\n")}
# \`mode: observe\` plans and reports drift, and applies nothing: a way to begin.
${policy}
lint: { missing-comment: warning, name-style: { level: error, pattern: snake_case } }
`;
}

/** All but the last environment keep their tables in namespaces of their own. */
function environmentText({ project, region, account }: ProjectPlan, name: string, isLast: boolean): string {
  const bucket = isLast ? project : `${project}-${name}`;
  const namespace = isLast ? [] : [`    namespace: "{namespace}_${name.replaceAll("-", "_")}"`];
  return [
    `  ${name}:`,
    `    catalogs: { lake: { type: glue, region: ${region}, account: "${account}" } }`,
    ...namespace,
    `    location: "s3://${bucket}/{namespace}/{table}" # of new tables only`,
  ].join("\n");
}

/** One environment on a folder; `warehouse` as it was typed. */
export function localProjectFile(environment: string, warehouse: string): string {
  const folder = /^[\w./-]+$/.test(warehouse) ? warehouse : JSON.stringify(warehouse);
  return `${schemaLine("config")}
floeplan: 1
tables: ["tables/**/*.yaml"]
shared: ["shared/**/*.yaml"]
environments:
  ${environment}:
    catalogs:
      lake: { type: local, warehouse: ${folder} }
`;
}

/** `owner` may be null: nobody is named. */
export function exampleTable(owner: string | null): string {
  return `${schemaLine("table")}
# An example: change it, or remove it and write the files of your live tables with \`floeplan import\`.
table: sales.orders
comment: One row per order
${owner === null ? "" : `owner: "${owner}"\n`}columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number, never reused" }
  - { name: customer, type: string, comment: "Customer number of the shop" }
  - { name: amount, type: "decimal(9,2)", comment: "Total in euros, taxes included" }
  - { name: ordered_at, type: timestamptz, comment: "When the order was placed" }
partition-by:
  - day(ordered_at)
`;
}

export function codeownersLines({ owner }: ProjectPlan): readonly string[] {
  return [`/floeplan.yaml ${owner}`, `/tables/ ${owner}`, `/shared/ ${owner}`, `/.github/workflows/ ${owner}`];
}
