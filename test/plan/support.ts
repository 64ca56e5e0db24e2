// Plans from texts: a declaration as YAML, a live table as the schema of a metadata document. What a test says is
// all there is; ids and places come out as they would for a person.
import { parseYaml } from "../../src/desired/parse-yaml.ts";
import { readTable } from "../../src/desired/declaration/read-table.ts";
import { resolveTable } from "../../src/desired/build-table-spec.ts";
import { DEFAULT_POLICY, type EnvironmentConfig, type Policy, type ProjectConfig } from "../../src/desired/project-config.ts";
import type { TableSpec } from "../../src/desired/table-spec.ts";
import { sourceText } from "../../src/desired/yaml/source-text.ts";
import { applyUpdates } from "../../src/iceberg/apply-update.ts";
import type { Evidence } from "../../src/iceberg/evidence.ts";
import type { JsonObject } from "../../src/iceberg/json.ts";
import type { LiveTable } from "../../src/iceberg/live-table.ts";
import { readMetadata } from "../../src/iceberg/metadata-json.ts";
import { currentSchema, type TableMetadata } from "../../src/iceberg/table-metadata.ts";
import type { Field } from "../../src/iceberg/type.ts";
import { baseProperties } from "../../src/plan/base.ts";
import { type PlannedTable, planTable } from "../../src/plan/plan-table.ts";
import { declaredFieldIds, simulatedPair } from "../../src/plan/simulate.ts";
import type { PlanInput } from "../../src/plan/table-pair.ts";

const PLACE = { file: "floeplan.yaml", line: 1, column: 1 };

export interface SpecOptions {
  readonly policy?: Partial<Policy>;
  readonly project?: string;
  readonly remember?: boolean;
}

export function specOf(yaml: string, options: SpecOptions = {}): TableSpec {
  const environment: EnvironmentConfig = {
    name: "prod",
    catalogs: new Map([["lake", { type: "local", warehouse: "./wh", place: PLACE }]]),
    namespace: null,
    location: null,
    allowedLocations: [],
    policy: DEFAULT_POLICY,
  };
  const config: ProjectConfig = {
    root: "/project",
    file: "floeplan.yaml",
    project: options.project ?? null,
    tables: [],
    shared: [],
    engines: [],
    defaultCatalog: null,
    defaults: { formatVersion: 2, properties: new Map() },
    environments: [environment],
    lint: new Map(),
    remember: options.remember ?? true,
  };
  const parsed = parseYaml(sourceText("tables/t.yaml", yaml));
  const { declaration, diagnostics } = readTable(parsed, { groups: new Map(), environments: ["prod"] });
  const wrong = diagnostics.filter((one) => one.severity === "error");
  if (wrong.length > 0 || declaration === null) throw new Error(`The test's YAML is wrong: ${JSON.stringify(wrong, null, 1)}`);
  const { spec, diagnostics: more } = resolveTable(declaration, config, environment);
  if (spec === null) throw new Error(`The test's YAML does not resolve: ${JSON.stringify(more)}`);
  return spec;
}

/** A live v2 table whose schemas are given oldest first; the last one is current. */
export function metadataOf(schemas: readonly JsonObject[], more: JsonObject = {}): TableMetadata {
  const lastColumnId = (more["last-column-id"] as number | undefined) ?? Math.max(...schemas.map((schema) => highestId(schema)));
  const document = {
    "format-version": 2,
    "table-uuid": "11111111-2222-3333-4444-555555555555",
    location: "/wh/ns/t",
    "last-sequence-number": 0,
    "last-updated-ms": 1_700_000_000_000,
    "last-column-id": lastColumnId,
    "current-schema-id": schemas.length - 1,
    schemas: schemas.map((schema, index) => ({ type: "struct", "schema-id": index, ...schema })),
    "default-spec-id": 0,
    "partition-specs": [{ "spec-id": 0, fields: [] }],
    "last-partition-id": 999,
    "default-sort-order-id": 0,
    "sort-orders": [{ "order-id": 0, fields: [] }],
    properties: {},
    "current-snapshot-id": -1,
    snapshots: [],
    ...more,
  };
  return readMetadata(new TextEncoder().encode(JSON.stringify(document)), "/wh/ns/t/metadata/v1.metadata.json");
}

function highestId(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return Math.max(
    0,
    ...Object.entries(value).map(([key, inner]) =>
      /^(?:id|element-id|key-id|value-id)$/.test(key) ? Number(inner) : highestId(inner),
    ),
  );
}

export function field(id: number, name: string, type: JsonObject | string, more: JsonObject = {}): JsonObject {
  return { id, name, required: false, type, ...more };
}

export function schemaOf(...fields: readonly JsonObject[]): JsonObject {
  return { fields };
}

export function liveOf(metadata: TableMetadata): LiveTable {
  return {
    identifier: { namespace: ["ns"], name: "t" },
    metadata,
    metadataLocation: "/wh/ns/t/metadata/v1.metadata.json",
    token: "1",
  };
}

export function inputOf(
  yaml: string,
  metadata: TableMetadata | null,
  options: SpecOptions & { readonly evidence?: Evidence } = {},
): PlanInput {
  return {
    spec: specOf(yaml, options),
    live: metadata === null ? null : liveOf(metadata),
    namespaceExists: true,
    catalog: { label: "lake (test)", lowerCaseNames: false, nestedNamespaces: true, tableLocation: true, seenByAthena: false },
    policy: { ...DEFAULT_POLICY, ...options.policy },
    evidence: options.evidence ?? null,
    preflight: null,
  };
}

export function plan(
  yaml: string,
  metadata: TableMetadata | null,
  options: SpecOptions & { readonly evidence?: Evidence } = {},
): PlannedTable {
  return planTable(inputOf(yaml, metadata, options));
}

/** `kind path` of every step, in order. */
export function stepsOf(planned: PlannedTable): string[] {
  return planned.plan.steps.map((step) => `${step.kind} ${step.field?.path ?? step.text.subject}`);
}

export function blockersOf(planned: PlannedTable): string[] {
  return planned.plan.blockers.map((one) => one.code);
}

/** The metadata after the plan was applied, with the memory that apply writes. */
export function applied(
  yaml: string,
  metadata: TableMetadata,
  options: SpecOptions & { readonly evidence?: Evidence } = {},
): TableMetadata {
  const input = inputOf(yaml, metadata, options);
  const { change, plan: table } = planTable(input);
  if (change === null) {
    if (table.blockers.length > 0) throw new Error(`The plan is blocked: ${JSON.stringify(table.blockers)}`);
    return metadata;
  }
  const after = simulatedPair(input, change);
  const live = after.live?.metadata;
  if (live === undefined) throw new Error("nothing is live after the plan");
  const { set } = baseProperties({
    fieldIds: declaredFieldIds(after),
    schemaId: live.currentSchemaId,
    specId: live.defaultSpecId,
    sortOrderId: live.defaultSortOrderId,
    properties: Object.fromEntries(
      [...input.spec.properties].flatMap(([key, { value }]) => (value === null ? [] : [[key, value] as const])),
    ),
    glueParameters: {},
    commit: null,
    plan: table.fingerprint,
    environment: "prod",
    reason: null,
    attempt: "a",
  });
  return applyUpdates(live, [{ action: "set-properties", updates: set }], {
    nowMs: live.lastUpdatedMs,
    previousMetadataLocation: null,
  });
}

/** `name:id` of the top-level columns, in order. */
export function columnsOf(metadata: TableMetadata): string[] {
  return currentSchema(metadata).fields.map((one: Field) => `${one.name}:${one.id}`);
}
