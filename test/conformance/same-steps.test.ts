// One declaration in every catalog: the same steps with the same words, and the same table after them. Only what a catalog
// gives by itself (uuid, location) and what hangs on it is left out.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import type { Target } from "../../src/apply/table-state.ts";
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { systemPorts } from "../../src/catalog/open-catalog.ts";
import { DEFAULT_POLICY } from "../../src/desired/project-config.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, defaultSortOrder, defaultSpec } from "../../src/iceberg/table-metadata.ts";
import type { Step, TablePlan } from "../../src/plan/plan.ts";
import { createMemoryStore } from "../../src/storage/memory.ts";
import { SUBJECTS } from "../apply/faults/subjects.ts";
import { apply, approvalOf, creation, planOf, rowsOf } from "../apply/support.ts";
import { exampleTable } from "../blackbox/glue-tables.ts";
import { specOf } from "../plan/support.ts";
import { done } from "./catalog-suite.ts";

interface OneCatalog {
  readonly catalog: Catalog;
  /** Where new tables go; null: the catalog chooses. */
  readonly location: string | null;
  /** Puts the example's table there, with its rows. */
  readonly seed: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const EMPLOYEES = { namespace: ["hr"], name: "iceberg_employee" };
const CONVERSION = readFileSync(resolve(import.meta.dirname, "../../examples/employees/tables/hr/iceberg_employee.yaml"), "utf8");

async function memory(): Promise<OneCatalog> {
  const store = createMemoryStore();
  const catalog = createMemoryCatalog({ name: "lake", ports: systemPorts(), store });
  await catalog.createNamespace(["hr"]);
  const seed = async (): Promise<void> => {
    const location = "memory://warehouse/hr/iceberg_employee";
    const { objects, metadataLocation } = exampleTable("iceberg_employee", location);
    for (const [at, bytes] of objects) await store.putIfAbsent(at, bytes);
    const updates = creation(readMetadata(await store.read(metadataLocation), metadataLocation));
    const commit = { requirements: [{ type: "assert-create" as const }], updates, attempt: randomUUID() };
    done(await catalog.createTable({ identifier: EMPLOYEES, location }, commit));
  };
  return { catalog, location: null, seed, stop: async () => {} };
}

async function fromWorld(name: string): Promise<OneCatalog> {
  const start = SUBJECTS[name];
  if (start === undefined) throw new Error(name);
  const { catalog, reset, stop } = await start();
  return { catalog, location: name === "glue" ? "s3://lake/hr/orders" : null, seed: async () => await reset(false), stop };
}

const NEW = `table: hr.orders
comment: One row per order
format-version: 3
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: region, type: string, required: true }
  - { name: ordered_at, type: timestamptz }
  - { name: quantity, type: int, default: 1 }
  - { name: price, type: "decimal(9,2)" }
  - { name: day, type: string }
  - { name: note, type: string, comment: "Free text" }
  - name: items
    type: list<struct>
    fields:
      - { name: sku, type: string, required: true }
      - { name: amount, type: float, comment: "In kilograms" }
      - name: prices
        type: map<string, struct>
        fields:
          - { name: net, type: "decimal(9,2)" }
          - { name: currencies, type: list<required string> }
identifier-fields: [ order_id ]
partition-by: [ day(ordered_at), "bucket(16, order_id)" ]
sort-by: [ region, order_id ]
properties: { write.parquet.compression-codec: zstd, team: sales }
`;

const CHANGED = `table: hr.orders
comment: One row per order, as the shop sent it
format-version: 3
columns:
  - { name: order_id, type: long, required: true, comment: "Unique order number" }
  - { name: area, type: string, required: true, renamed-from: [ region ] }
  - { name: channel, type: string, default: "shop" }
  - { name: ordered_at, type: timestamptz }
  - { name: quantity, type: long, default: 2 }
  - { name: price, type: "decimal(12,2)" }
  - { name: day, type: date, convert: { from: string } }
  - name: items
    type: list<struct>
    fields:
      - { name: sku, type: string, comment: "As on the label" }
      - { name: weight, type: double, comment: "In kilograms", renamed-from: [ amount ] }
      - name: prices
        type: map<string, struct>
        fields:
          - { name: gross, type: "decimal(9,2)" }
          - { name: net, type: "decimal(9,2)" }
          - { name: currencies, type: list<required string> }
dropped: [ { field: note, reason: "Never filled" } ]
identifier-fields: [ order_id, area ]
partition-by: [ month(ordered_at), "bucket(16, order_id)" ]
sort-by: [ order_id desc ]
properties: { write.parquet.compression-codec: gzip, owner: team-sales }
`;

const LOCATION = /^ *LOCATION .*\n|^ *location = .*\n/gm;
const ABOUT_ATHENA = "; Athena neither sets nor shows it";

/**
 * All that is told of the steps, but their ids, which hold the table's uuid; the place of a new table; and what users of
 * Athena must know of a property where they see the table.
 */
function told({ steps, blockers }: TablePlan): readonly Step[] {
  expect(blockers).toEqual([]);
  return steps.map((step) => ({
    ...step,
    id: "",
    sql: {
      spark: step.sql.spark?.replaceAll(LOCATION, "") ?? null,
      athena: step.sql.athena?.replaceAll(LOCATION, "") ?? null,
      trino: step.sql.trino?.replaceAll(LOCATION, "") ?? null,
    },
    text: { ...step.text, detail: step.text.detail.replace(ABOUT_ATHENA, "") },
  }));
}

/** What is random or counted of it is in the properties that the apply keeps for itself. */
const OWN_PROPERTY = /^floeplan\.(applied|conversion)\./;

/** The table as far as the declaration says what it is; ids included. */
async function tableOf({ catalog, spec }: Target): Promise<unknown> {
  const live = await catalog.loadTable(spec.identifier);
  if (live === null) throw new Error(`${spec.name} is not there`);
  const { formatVersion, properties, lastColumnId, lastPartitionId, currentSchemaId, defaultSpecId, defaultSortOrderId } =
    live.metadata;
  return {
    formatVersion,
    lastColumnId,
    lastPartitionId,
    ids: [currentSchemaId, defaultSpecId, defaultSortOrderId],
    schema: currentSchema(live.metadata),
    spec: defaultSpec(live.metadata),
    sortOrder: defaultSortOrder(live.metadata),
    properties: Object.fromEntries(Object.entries(properties).filter(([key]) => !OWN_PROPERTY.test(key))),
  };
}

interface Told {
  readonly creation: readonly Step[];
  readonly created: unknown;
  readonly evolution: readonly Step[];
  readonly evolved: unknown;
  readonly conversion: readonly Step[];
  readonly converted: unknown;
  readonly rows: readonly unknown[];
}

async function applied(target: Target): Promise<readonly Step[]> {
  const { outcome, plan, problems, error } = await apply(target, await approvalOf(target));
  expect([outcome, problems, error]).toEqual(["applied", [], null]);
  expect((await planOf(target)).plan.steps).toEqual([]);
  return plan === null ? [] : told(plan);
}

async function runIn({ catalog, location, seed }: OneCatalog): Promise<Told> {
  const target = (declaration: string): Target => ({
    spec: { ...specOf(declaration), location },
    policy: DEFAULT_POLICY,
    catalog,
  });
  const first = target(NEW);
  const creation = await applied(first);
  const created = await tableOf(first);
  const second = target(CHANGED);
  const evolution = await applied(second);
  const evolved = await tableOf(second);
  await seed();
  const third: Target = { ...target(CONVERSION), spec: { ...specOf(CONVERSION), location: null } };
  const conversion = await applied(third);
  return {
    creation,
    created,
    evolution,
    evolved,
    conversion,
    converted: await tableOf(third),
    rows: await rowsOf({ target: third }),
  };
}

async function runAlone(start: () => Promise<OneCatalog>): Promise<Told> {
  const one = await start();
  try {
    return await runIn(one);
  } finally {
    await one.stop();
  }
}

describe("the same table", () => {
  let inMemory: Told;
  beforeAll(async () => {
    inMemory = await runAlone(memory);
  }, 60_000);

  it("takes steps of these kinds, with a conversion of every row", () => {
    const kinds = (steps: readonly Step[]): readonly string[] => [...new Set(steps.map(({ kind }) => kind))].sort();
    const { creation, evolution, conversion, rows } = inMemory;
    expect(kinds(creation)).toEqual(["create-table"]);
    expect(kinds(evolution)).toEqual([
      "add-field",
      "convert-type",
      "drop-field",
      "evolve-partition-spec",
      "remove-properties",
      "rename-field",
      "replace-sort-order",
      "set-comment",
      "set-default",
      "set-doc",
      "set-identifier-fields",
      "set-optional",
      "set-properties",
      "widen-type",
    ]);
    expect(kinds(conversion)).toEqual(["add-field", "convert-type", "drop-field", "rename-field", "set-comment", "set-doc"]);
    expect(rows).toHaveLength(1607);
  });

  it.each(Object.keys(SUBJECTS))("has the steps, the words and the end in %s that it has in memory", async (name) => {
    expect(await runAlone(async () => await fromWorld(name))).toEqual(inMemory);
  });
});
