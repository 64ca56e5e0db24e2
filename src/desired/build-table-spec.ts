// One table file for one environment: overrides laid over, names and locations filled in, the catalog chosen. What
// the file alone says has been read and checked before; nothing here looks at a catalog.
import { type Diagnostic, type DiagnosticParts, diagnostic, type Place } from "../diagnostics/diagnostic.ts";
import type { DiagnosticCode } from "../diagnostics/codes.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { fillLocation, fillNamespace } from "./config/templates.ts";
import type { Override, Properties, TableDeclaration } from "./declaration/declaration.ts";
import { fieldIn } from "./declaration/resolve-pins.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { type CatalogConfig, catalogKind } from "./catalogs/index.ts";
import type { EnvironmentConfig, ProjectConfig } from "./project-config.ts";
import type { Placed, TableSpec } from "./table-spec.ts";
import { choices, joined, quoted } from "./words.ts";

export interface ResolvedTable {
  /** Null where the table is not in the environment, or where findings stand in the way. */
  readonly spec: TableSpec | null;
  readonly diagnostics: readonly Diagnostic[];
}

/** The environment of that name, or a usage error that names those there are. */
export function environmentOf(config: ProjectConfig, name: string): EnvironmentConfig {
  const environment = config.environments.find((one) => one.name === name);
  if (environment !== undefined) return environment;
  const names = config.environments.map((one) => one.name);
  throw new ToolError("usage", `Cannot find environment "${name}"`, {
    mend: didYouMean(name, names) ?? `Environments of ${config.file} are ${choices(names)}`,
  });
}

export function resolveTable(table: TableDeclaration, config: ProjectConfig, environment: EnvironmentConfig): ResolvedTable {
  const override = table.environments.get(environment.name);
  if (table.isPartial || override?.skip === true) return { spec: null, diagnostics: [] };
  const found: Diagnostic[] = [];
  const tell = (code: DiagnosticCode, place: Place, parts: DiagnosticParts): void => {
    found.push(diagnostic(code, { table: table.name, place, ...parts }));
  };
  const catalog = chooseCatalog(table, override, config, environment, tell);
  if (catalog === null) return { spec: null, diagnostics: found };
  const location = chooseLocation(table, override, environment, catalog, tell);
  if (found.length > 0) return { spec: null, diagnostics: found };
  const { comment, properties } = mergeProperties(table, override);
  const partitionBy = override?.partitionBy ?? table.partitionBy;
  const sortBy = override?.sortBy ?? table.sortBy;
  const locationPlace = (override?.location ?? table.location)?.place;
  const spec: TableSpec = {
    name: table.name,
    identifier: identifierOf(table, override, environment),
    catalog: catalog.name,
    environment: environment.name,
    file: table.file,
    place: table.place,
    owner: table.owner,
    meta: table.meta,
    comment,
    columns: table.columns.map((column) => fieldIn(environment.name, column)),
    identifierFields: table.identifierFields?.value,
    partitionBy: partitionBy?.value,
    sortBy: sortBy?.value,
    places: {
      ...(table.identifierFields === undefined ? {} : { "identifier-fields": table.identifierFields.place }),
      ...(partitionBy === undefined ? {} : { "partition-by": partitionBy.place }),
      ...(sortBy === undefined ? {} : { "sort-by": sortBy.place }),
      ...(table.formatVersion === undefined ? {} : { "format-version": table.formatVersion.place }),
      ...(locationPlace === undefined ? {} : { location: locationPlace }),
    },
    properties,
    glueParameters: table.glueParameters,
    formatVersion: table.formatVersion?.value,
    location,
    newTableProperties: config.defaults.properties,
    newTableFormatVersion: table.formatVersion?.value ?? config.defaults.formatVersion,
    dropped: table.dropped,
    unmanaged: table.unmanaged,
    remember: table.remember ?? config.remember,
    isNew: table.isNew,
    project: config.project,
  };
  return { spec, diagnostics: [] };
}

type Tell = (code: DiagnosticCode, place: Place, parts: DiagnosticParts) => void;

interface ChosenCatalog {
  readonly name: string;
  readonly config: CatalogConfig;
}

function chooseCatalog(
  table: TableDeclaration,
  override: Override | undefined,
  config: ProjectConfig,
  environment: EnvironmentConfig,
  tell: Tell,
): ChosenCatalog | null {
  const written = override?.catalog ?? table.catalog;
  const names = [...environment.catalogs.keys()];
  const name = written?.value ?? config.defaultCatalog ?? (names.length === 1 ? names[0] : undefined);
  if (name === undefined) {
    tell("catalog-not-chosen", table.place, {
      what: `Cannot tell which catalog of environment ${quoted(environment.name)} the table is in`,
      why: `There are ${joined(names.map(quoted), "and")}, and neither the table nor the project names one`,
      mend: "Write `catalog:` in the table, or `default-catalog:` in the project file",
    });
    return null;
  }
  const found = environment.catalogs.get(name);
  if (found !== undefined) return { name, config: found };
  const mend = didYouMean(name, names);
  tell("catalog-unknown", written?.place ?? table.place, {
    what: `Cannot find catalog ${quoted(name)} in environment ${quoted(environment.name)}`,
    mend:
      mend ??
      `Add it to the project file, or write \`environments: { ${environment.name}: { skip: true } }\` if the table is not there`,
  });
  return null;
}

/** An override of the name stands as it is; the environment's template is for declared names. */
function identifierOf(table: TableDeclaration, override: Override | undefined, environment: EnvironmentConfig): TableIdentifier {
  if (override?.table !== undefined) return split(override.table.value);
  const { namespace, name } = split(table.parts);
  return { namespace: environment.namespace === null ? namespace : fillNamespace(environment.namespace, namespace), name };
}

function split(parts: readonly string[]): TableIdentifier {
  return { namespace: parts.slice(0, -1), name: parts.at(-1) ?? "" };
}

function chooseLocation(
  table: TableDeclaration,
  override: Override | undefined,
  environment: EnvironmentConfig,
  catalog: ChosenCatalog,
  tell: Tell,
): string | null {
  const written = override?.location ?? table.location;
  const why = catalogKind(catalog.config.type)?.placesTables ?? null;
  if (why !== null) {
    if (written !== undefined)
      tell("location-refused", written.place, {
        what: `Cannot use "location" in catalog ${quoted(catalog.name)}`,
        why,
        mend: "Remove `location:`",
      });
    return null;
  }
  const template = written?.value ?? environment.location;
  if (template === null) return null;
  const { namespace, name } = split(table.parts);
  const location = fillLocation(template, namespace, name);
  if (environment.allowedLocations.length > 0 && !environment.allowedLocations.some((allowed) => isUnder(location, allowed))) {
    tell("location-not-allowed", written?.place ?? table.place, {
      what: `Cannot store the table in ${quoted(location)}`,
      why: `Environment ${quoted(environment.name)} allows only ${choices(environment.allowedLocations)}`,
      mend: "Change the location, or `allowed-locations` of the environment",
    });
  }
  return location;
}

function isUnder(location: string, allowed: string): boolean {
  const folder = allowed.endsWith("/") ? allowed : `${allowed}/`;
  return `${location}/`.startsWith(folder) && !location.split("/").includes("..");
}

/** The property "comment" of an override is the table's comment, as it is in the table itself. */
function mergeProperties(
  table: TableDeclaration,
  override: Override | undefined,
): { readonly comment: Placed<string> | undefined; readonly properties: Properties } {
  const properties = new Map([...table.properties, ...(override?.properties ?? [])]);
  const comment = properties.get("comment");
  properties.delete("comment");
  return {
    comment: comment === undefined ? table.comment : { value: comment.value ?? "", place: comment.place },
    properties,
  };
}
