// The smallest projects and warehouses that bring each finding of an import, an apply, a rollback and of lint: made and
// read by the real commands.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { APPLY_CODES } from "../../../../src/diagnostics/codes/apply.ts";
import type { IMPORT_CODES } from "../../../../src/diagnostics/codes/import.ts";
import type { LINT_CODES } from "../../../../src/diagnostics/codes/lint.ts";
import { verify } from "../../../../src/apply/verify.ts";
import { glueState } from "../../../../src/iceberg/glue-state.ts";
import { glueTableInput } from "../../../../src/iceberg/glue-input.ts";
import type { TableMetadata } from "../../../../src/iceberg/table-metadata.ts";
import { HOLD_KEY } from "../../../../src/plan/base.ts";
import { commentsNote } from "../../../../src/plan/import-comments.ts";
import { importTable } from "../../../../src/plan/import-table.ts";
import { original, world } from "../../../apply/support.ts";
import { writeProject } from "../../../desired/project-support.ts";
import { field, metadataOf, schemaOf } from "../../../plan/support.ts";
import { pictureOf, runCommand } from "../in-process.ts";
import type { Picture } from "../wall.ts";

export interface Workshop {
  /** Where projects may be made. */
  readonly folder: string;
  /** A copy of the example with its Spark-written table. */
  readonly employees: () => Promise<string>;
}

type Scene = (workshop: Workshop) => Promise<Picture>;

const ORDERS = "table: sales.orders\ncolumns:\n  - { name: order_id, type: long }\n";
/** Of the example; its file asks for conversions. */
const TABLE = "hr.iceberg_employee";

const projectFile = (...more: readonly string[]): string =>
  ["floeplan: 1", "environments:", "  prod: { catalogs: { lake: { type: local, warehouse: ./wh } } }", ...more, ""].join("\n");

/** A project whose tables are made already. */
async function made(
  { folder }: Workshop,
  files: Readonly<Record<string, string>> = { "tables/orders.yaml": ORDERS },
): Promise<string> {
  const root = writeProject(folder, { "floeplan.yaml": projectFile(), ...files });
  mkdirSync(join(root, "wh"));
  await runCommand(root, ["apply", "--yes"]);
  return root;
}

async function told(root: string, ...words: readonly string[]): Promise<Picture> {
  return pictureOf(await runCommand(root, words));
}

function importing(metadata: TableMetadata): Picture {
  return { found: importTable(metadata, { name: ["ns", "t"], catalog: null, pins: "none" }).notes };
}

/** The metadata file of the made table with something else in it. */
function rewritten(root: string, change: (document: Record<string, unknown>) => Record<string, unknown>): void {
  const path = join(root, "wh/sales/orders/metadata/v1.metadata.json");
  writeFileSync(path, JSON.stringify(change(JSON.parse(readFileSync(path, "utf8")) as Record<string, unknown>)));
}

/** The example with the first data file changed, its length kept: the footer stands at the end. */
async function withDataFile(workshop: Workshop, change: (bytes: Buffer) => Buffer): Promise<Picture> {
  const root = await workshop.employees();
  const data = join(root, "warehouse/hr/iceberg_employee/data");
  const [first = ""] = readdirSync(data).filter((name) => name.endsWith(".parquet"));
  const bytes = readFileSync(join(data, first));
  const changed = change(bytes);
  writeFileSync(join(data, first), Buffer.concat([bytes.subarray(0, bytes.length - changed.length), changed]));
  const plan = await runCommand(root, ["plan", TABLE]);
  const fingerprint = plan.output?.kind === "report" ? plan.output.report.json["fingerprint"] : null;
  return await told(root, "apply", TABLE, "--approve", typeof fingerprint === "string" ? fingerprint : "");
}

const foreign = (name: string): Buffer => readFileSync(resolve(import.meta.dirname, "../../../data/parquet/foreign", name));

/** Of the engine that rewrites: found in data files. */
export const ENGINE_SCENES: Readonly<Record<"convert-file-unsupported" | "convert-no-field-ids", Scene>> = {
  "convert-no-field-ids": async (workshop) => await withDataFile(workshop, () => foreign("spark-without-ids.parquet")),
  "convert-file-unsupported": async (workshop) =>
    await withDataFile(workshop, (bytes) =>
      Buffer.from(bytes.toString("latin1").replace("parquet-mr version 1.16.0", "parquet-mr version 1.1.16"), "latin1"),
    ),
};

export const IMPORT_SCENES: Readonly<Record<keyof typeof IMPORT_CODES, Scene>> = {
  "import-field-left-out": async () =>
    await Promise.resolve(importing(metadataOf([schemaOf(field(1, "a", "string"), field(2, "", "string"))]))),
  "import-part-left-out": async () =>
    await Promise.resolve(
      importing(
        metadataOf([schemaOf(field(1, "a", "string"))], {
          "partition-specs": [{ "spec-id": 0, fields: [{ "source-id": 1, "field-id": 1000, transform: "zorder", name: "z" }] }],
          "last-partition-id": 1000,
        }),
      ),
    ),
  "import-properties-left-out": async () =>
    await Promise.resolve(
      importing(
        metadataOf([schemaOf(field(1, "a", "string"))], {
          properties: { "write.metadata.path": "s3://bucket/t", "schema.name-mapping.default": "[]" },
        }),
      ),
    ),
  "import-catalog-comments": async () => {
    const metadata = metadataOf([schemaOf(field(1, "a", "string"))]);
    const location = "s3://bucket/t/metadata/1.metadata.json";
    const written = glueTableInput("t", null, { metadata, metadataLocation: location, previousLocation: null, parameters: {} });
    const entry = { ...written, Description: "Made by the crawler" };
    const state = glueState("t", { entry, metadata, readAtMs: 0 });
    return await Promise.resolve({ found: commentsNote("ns.t", "Glue", state.comments(metadata), false) });
  },
  "import-table-declared": async (workshop) => await told(await made(workshop), "import", "sales.orders"),
  "import-file-exists": async (workshop) => {
    const root = await made(workshop);
    mkdirSync(join(root, "tables/sales"));
    writeFileSync(join(root, "tables/sales/orders.yaml"), `${ORDERS.replace("orders", "other")}`);
    writeFileSync(join(root, "tables/orders.yaml"), ORDERS.replace("orders", "more"));
    return await told(root, "import", "sales.orders");
  },
  "import-namespace-unknown": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "floeplan.yaml"), projectFile().replace("./wh } }", './wh } }, namespace: "{namespace}_dev"'));
    return await told(root, "import", "sales.orders");
  },
  "import-path-unmatched": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "floeplan.yaml"), projectFile('tables: [ "tables/all.yaml" ]'));
    return await told(root, "import", "sales.orders");
  },
  "import-plan-not-empty": async (workshop) => {
    const root = await made(workshop);
    rewritten(root, (document) => ({ ...document, properties: { "floeplan.owner": "billing" } }));
    writeFileSync(join(root, "floeplan.yaml"), projectFile("project: sales"));
    writeFileSync(join(root, "tables/orders.yaml"), ORDERS.replace("orders", "more"));
    return await told(root, "import", "sales.orders");
  },
  "import-update-left-out": async (workshop) => {
    const root = await made(workshop, {
      "tables/orders.yaml": `${ORDERS}  - { name: item, type: "struct<sku: string>" }\n`,
    });
    rewritten(root, (document) => {
      const text = JSON.stringify(document).replace(
        '"name":"sku","required":false,"type":"string"}',
        '"name":"sku","required":false,"type":"string"},{"id":9,"name":"qty","required":false,"type":"int"}',
      );
      return { ...(JSON.parse(text) as Record<string, unknown>), "last-column-id": 9 };
    });
    return await told(root, "import", "--update", "sales.orders");
  },
};

const NOT_YET = `${ORDERS}  - { name: coupon, type: string }\n`;

export const APPLY_SCENES: Readonly<Record<keyof typeof APPLY_CODES, Scene>> = {
  "approval-unknown": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "tables/orders.yaml"), NOT_YET);
    return await told(root, "apply", "--approve", "c40e7718");
  },
  "environment-action-only": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "floeplan.yaml"), projectFile("policy: { apply: action-only }"));
    return await told(root, "apply");
  },
  "environment-observed": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "floeplan.yaml"), projectFile("policy: { mode: observe }"));
    return await told(root, "apply");
  },
  "not-approved": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "tables/orders.yaml"), NOT_YET);
    return await told(root, "apply");
  },
  "plan-file-invalid": async (workshop) => {
    const root = await made(workshop);
    writeFileSync(join(root, "tables/orders.yaml"), NOT_YET);
    writeFileSync(join(root, "plan.json"), "{}");
    return await told(root, "apply", "--plan", "plan.json");
  },
  "rollback-impossible": async (workshop) => await told(await made(workshop), "rollback", "sales.orders"),
  "table-held": async (workshop) => {
    const root = await made(workshop);
    rewritten(root, (document) => ({
      ...document,
      properties: { [HOLD_KEY]: JSON.stringify({ plan: null, since: "2026-01-02T03:04:05.000Z", reason: "wrong dates" }) },
    }));
    writeFileSync(join(root, "tables/orders.yaml"), NOT_YET);
    return await told(root, "apply", "--yes");
  },
  "verify-differs": async () => {
    const { target } = await world(original());
    return { found: await verify(target, ['column "a" has type "string" instead of "bigint"']) };
  },
};

const linted =
  (lint: string, name = "order_id"): Scene =>
  async ({ folder }) =>
    await told(
      writeProject(folder, {
        "floeplan.yaml": projectFile(`lint: ${lint}`),
        "tables/orders.yaml": `table: sales.orders\ncolumns:\n  - { name: ${name}, type: long }\n`,
      }),
      "validate",
    );

export const LINT_SCENES: Readonly<Record<keyof typeof LINT_CODES, Scene>> = {
  "lint-rule-unknown": linted("{ missing-coment: error }"),
  "lint-option-unknown": linted("{ name-style: { level: error, style: snake_case } }"),
  "lint-option-malformed": linted("{ name-style: { level: error, pattern: snake } }"),
  "missing-comment": linted("{ missing-comment: warning }"),
  "name-style": linted("{ name-style: { level: error, pattern: snake_case } }", "orderId"),
  "confusable-name": linted("{ confusable-name: warning }", '"\u0441\u0430\u0440"'),
};
