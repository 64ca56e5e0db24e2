// The project file as a ProjectConfig, with all findings. Knows the keys of the file, not what commands do with them.
import { type Diagnostic, hasErrors } from "../../diagnostics/diagnostic.ts";
import { didYouMean } from "../../diagnostics/near-spelling.ts";
import type { ParsedYaml } from "../parse-yaml.ts";
import type { EnvironmentConfig, LintLevel, LintSetting, Policy, ProjectConfig } from "../project-config.ts";
import { flagOf, itemsOf, placeIn, type Reading, report, textOf } from "../reading.ts";
import { checkShape } from "../schema/check-shape.ts";
import { quoted } from "../words.ts";
import { findValue, type MapNode, toJson, type YamlNode } from "../yaml/tree.ts";
import { readProperties } from "../declaration/read-properties.ts";
import { readCatalogs } from "./read-catalogs.ts";
import { readPolicy } from "./read-policy.ts";
import { checkTemplate } from "./templates.ts";

/** Tables and shared files where the project file names none. */
const DEFAULT_TABLES = ["tables/**/*.{yaml,yml}"];
const DEFAULT_SHARED = ["shared/**/*.{yaml,yml}"];

/** Engines that lint and plans know something about. */
const ENGINES = [
  "athena",
  "bigquery",
  "clickhouse",
  "dremio",
  "duckdb",
  "emr",
  "firehose",
  "flink",
  "glue",
  "hive",
  "impala",
  "kafka-connect",
  "pyiceberg",
  "redshift",
  "snowflake",
  "spark",
  "starrocks",
  "trino",
];

export interface ReadConfig {
  /** Null where the file has errors: nothing else is read then. */
  readonly config: ProjectConfig | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** `root`: the folder of the project file, absolute. */
export function readConfig(parsed: ParsedYaml, root: string): ReadConfig {
  const node = parsed.root;
  if (node === null) return { config: null, diagnostics: parsed.diagnostics };
  const found: Diagnostic[] = [...parsed.diagnostics];
  const reading: Reading = { source: parsed.source, table: undefined, found, misread: parsed.misread };
  checkShape(reading, "config", node);
  if (node.kind !== "map") return { config: null, diagnostics: found };
  const config = toConfig(reading, node, root);
  return { config: hasErrors(found) ? null : config, diagnostics: found };
}

function toConfig(reading: Reading, map: MapNode, root: string): ProjectConfig {
  const policy = readPolicy(reading, findValue(map, "policy"));
  const environments = readEnvironments(reading, findValue(map, "environments"), policy, root);
  const engines = texts(findValue(map, "engines"));
  checkEngines(reading, findValue(map, "engines"));
  checkDefaultCatalog(reading, findValue(map, "default-catalog"), environments);
  return {
    root,
    file: reading.source.file,
    project: textOf(findValue(map, "project")) ?? null,
    tables: findValue(map, "tables") === undefined ? DEFAULT_TABLES : texts(findValue(map, "tables")),
    shared: findValue(map, "shared") === undefined ? DEFAULT_SHARED : texts(findValue(map, "shared")),
    engines,
    defaultCatalog: textOf(findValue(map, "default-catalog")) ?? null,
    defaults: readDefaults(reading, findValue(map, "defaults")),
    environments,
    lint: readLint(reading, findValue(map, "lint")),
    remember: flagOf(findValue(map, "remember")) !== false,
  };
}

function texts(node: YamlNode | undefined): readonly string[] {
  return (itemsOf(node) ?? []).flatMap((item) => textOf(item) ?? []);
}

function readEnvironments(
  reading: Reading,
  node: YamlNode | undefined,
  policy: Policy,
  root: string,
): readonly EnvironmentConfig[] {
  if (node?.kind !== "map") return [];
  const environments: EnvironmentConfig[] = [];
  for (const { key, value } of node.entries) {
    if (value.kind !== "map") continue;
    const environment = readEnvironment(reading, key.text, value, policy, root);
    checkLocationIsOwn(reading, findValue(value, "location"), environment, environments);
    environments.push(environment);
  }
  return environments;
}

/** Two environments that store their own tables in the same folders would overwrite each other's files. */
function checkLocationIsOwn(
  reading: Reading,
  node: YamlNode | undefined,
  one: EnvironmentConfig,
  others: readonly EnvironmentConfig[],
): void {
  const twin = others.find((other) => other.location !== null && other.location === one.location && !areSameTables(one, other));
  if (node === undefined || twin === undefined) return;
  report(reading, "location-shared", node, {
    what: `Cannot store the tables of ${quoted(one.name)} and ${quoted(twin.name)} in the same folders`,
    why: "{namespace} and {table} stand for the declared names, which are the same in every environment",
    mend: "Give each environment a bucket or prefix of its own",
  });
}

function areSameTables(a: EnvironmentConfig, b: EnvironmentConfig): boolean {
  const where = (one: EnvironmentConfig): string =>
    JSON.stringify([one.namespace, [...one.catalogs].map(([name, catalog]) => [name, { ...catalog, place: null }])]);
  return where(a) === where(b);
}

function readEnvironment(reading: Reading, name: string, map: MapNode, policy: Policy, root: string): EnvironmentConfig {
  const namespace = findValue(map, "namespace");
  const location = findValue(map, "location");
  const template = (one: YamlNode | undefined): string | null => textOf(one) ?? null;
  if (namespace !== undefined) checkTemplate(reading, namespace, textOf(namespace) ?? "", ["namespace"], "a namespace");
  if (location !== undefined) checkTemplate(reading, location, textOf(location) ?? "", ["namespace", "table"], "a location");
  checkLocationNamesTable(reading, location);
  return {
    name,
    catalogs: readCatalogs(reading, findValue(map, "catalogs"), root),
    namespace: template(namespace),
    location: template(location),
    allowedLocations: texts(findValue(map, "allowed-locations")),
    policy: readPolicy(reading, findValue(map, "policy"), policy),
  };
}

/** Without the table's name all tables would share one folder. */
function checkLocationNamesTable(reading: Reading, location: YamlNode | undefined): void {
  const text = textOf(location);
  if (location === undefined || text === undefined || text.includes("{table}")) return;
  report(reading, "template-malformed", location, {
    what: `Cannot use ${quoted(text)} as a location`,
    why: "All tables would be stored in one folder",
    mend: "Write {table} into it, and {namespace} where there are several",
  });
}

function readDefaults(reading: Reading, node: YamlNode | undefined): ProjectConfig["defaults"] {
  const properties = new Map<string, string>();
  if (node?.kind !== "map") return { formatVersion: 2, properties };
  const version = findValue(node, "format-version");
  for (const [name, { value }] of readProperties(reading, findValue(node, "properties"))) {
    if (value !== null) properties.set(name, value);
  }
  return { formatVersion: version?.kind === "scalar" && typeof version.value === "number" ? version.value : 2, properties };
}

const LEVELS: readonly LintLevel[] = ["off", "note", "warning", "error"];

function readLint(reading: Reading, node: YamlNode | undefined): ReadonlyMap<string, LintSetting> {
  const settings = new Map<string, LintSetting>();
  for (const { key, value } of node?.kind === "map" ? node.entries : []) {
    const level = textOf(value.kind === "map" ? findValue(value, "level") : value);
    const known = LEVELS.find((one) => one === level);
    if (known === undefined) continue;
    const options = value.kind === "map" ? value.entries.filter((entry) => entry.key.text !== "level") : [];
    settings.set(key.text, {
      level: known,
      options: Object.fromEntries(options.map((entry) => [entry.key.text, toJson(entry.value)])),
      place: placeIn(reading, key),
      optionPlaces: new Map(options.map((entry) => [entry.key.text, placeIn(reading, entry.key)])),
    });
  }
  return settings;
}

function checkEngines(reading: Reading, node: YamlNode | undefined): void {
  for (const item of itemsOf(node) ?? []) {
    const text = textOf(item);
    if (text === undefined || ENGINES.includes(text)) continue;
    report(reading, "engine-unknown", item, {
      what: `Unknown engine ${quoted(text)}`,
      why: "Lint and plans can say nothing about it",
      mend: didYouMean(text, ENGINES) ?? `Known engines are ${ENGINES.map(quoted).join(", ")}`,
    });
  }
}

function checkDefaultCatalog(reading: Reading, node: YamlNode | undefined, environments: readonly EnvironmentConfig[]): void {
  const name = textOf(node);
  if (node === undefined || name === undefined || environments.length === 0) return;
  const lacking = environments.filter((environment) => environment.catalogs.size > 0 && !environment.catalogs.has(name));
  const first = lacking[0];
  if (first === undefined) return;
  const mend = didYouMean(name, first.catalogs.keys());
  report(reading, "catalog-unknown", node, {
    what: `Cannot find catalog ${quoted(name)} in environment ${quoted(first.name)}`,
    why: "The default catalog must exist in every environment",
    mend: mend ?? `Add it under "catalogs" of ${quoted(first.name)}`,
  });
}
