// Proves a text before it becomes a file: read as any table file, planned against the live table it was made from.
// The plan must be empty. Also the project that stands in where there is none.
import { resolveTable } from "../desired/build-table-spec.ts";
import type { ColumnGroup } from "../desired/declaration/declaration.ts";
import { readTable } from "../desired/declaration/read-table.ts";
import { parseYaml } from "../desired/parse-yaml.ts";
import type { CatalogConfig } from "../desired/catalogs/index.ts";
import { DEFAULT_POLICY, type EnvironmentConfig, type ProjectConfig } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { sourceText } from "../desired/yaml/source-text.ts";
import { type Diagnostic, diagnostic } from "../diagnostics/diagnostic.ts";
import type { LiveTable } from "../iceberg/live-table.ts";
import { type PlannedTable, planTable } from "../plan/plan-table.ts";
import type { CatalogFacts } from "../plan/table-pair.ts";

/** Where a text will stand. */
export interface TextPlace {
  readonly config: ProjectConfig;
  readonly environment: EnvironmentConfig;
  readonly groups: ReadonlyMap<string, ColumnGroup>;
  /** Of the catalog that the live table is in. */
  readonly catalog: CatalogFacts;
}

/** The table that a text declares, or what is wrong with it. */
export function readText(text: string, file: string, place: TextPlace): TableSpec | readonly Diagnostic[] {
  const environments = place.config.environments.map((one) => one.name);
  const read = readTable(parseYaml(sourceText(file, text)), { groups: place.groups, environments });
  const wrong = read.diagnostics.filter((one) => one.severity === "error");
  if (read.declaration === null || wrong.length > 0) return wrong;
  const { spec, diagnostics } = resolveTable(read.declaration, place.config, place.environment);
  return spec ?? diagnostics;
}

export function isSpec(read: TableSpec | readonly Diagnostic[]): read is TableSpec {
  return "columns" in read;
}

export function planText(spec: TableSpec, live: LiveTable, place: TextPlace): PlannedTable {
  const { catalog, environment } = place;
  return planTable({
    spec,
    live,
    namespaceExists: true,
    catalog,
    policy: environment.policy,
    evidence: null,
    preflight: null,
  });
}

/** Null when the next plan of the text is empty: no step and nothing blocked. */
export function notEmpty(text: string, file: string, live: LiveTable, table: string, place: TextPlace): Diagnostic | null {
  const spec = readText(text, file, place);
  if (!isSpec(spec)) return problem(table, spec);
  const { plan } = planText(spec, live, place);
  const steps = plan.steps.map((step) => `step ${step.kind} ${step.field?.path ?? step.text.subject}`);
  return steps.length === 0 && plan.blockers.length === 0 ? null : problem(table, plan.blockers, steps);
}

function problem(table: string, found: readonly Diagnostic[], steps: readonly string[] = []): Diagnostic {
  const why = [...found.map((one) => `${one.what}${one.why === undefined ? "" : ` (${one.why})`}`), ...steps];
  return diagnostic("import-plan-not-empty", {
    what: `Cannot import "${table}": the plan of its file would not be empty`,
    why: why.length === 0 ? "the file would declare no table" : why.join("; "),
    mend: "Mend what is named in the table, or write its file by hand",
    table,
  });
}

/** A project of one catalog, for tables without a project. */
export function standInPlace(named: CatalogConfig, catalog: CatalogFacts, root: string): TextPlace {
  const environment: EnvironmentConfig = {
    name: named.type,
    catalogs: new Map([[named.type, named]]),
    namespace: null,
    location: null,
    allowedLocations: [],
    policy: DEFAULT_POLICY,
  };
  const config: ProjectConfig = {
    root,
    file: "",
    project: null,
    tables: [],
    shared: [],
    engines: [],
    defaultCatalog: named.type,
    defaults: { formatVersion: 2, properties: new Map() },
    environments: [environment],
    lint: new Map(),
    remember: true,
  };
  return { config, environment, groups: new Map(), catalog };
}
