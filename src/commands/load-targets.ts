// From the words of a command to the tables it is about: the project, its environment, the selection, and a
// catalog for each logical name. Shared by every command that works on declared tables.
import { statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Target } from "../apply/table-state.ts";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog, systemPorts } from "../catalog/open-catalog.ts";
import { findProjectFile, loadProject, type Project, PROJECT_FILE, resolveProject } from "../desired/load-project.ts";
import type { EnvironmentConfig, ProjectConfig } from "../desired/project-config.ts";
import type { TableSpec } from "../desired/table-spec.ts";
import { type Diagnostic, hasErrors } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import type { ProjectArguments, SelectionArguments } from "./arguments.ts";
import type { CommandContext } from "./ports.ts";
import { selectTables, unmatchedWords } from "./select-tables.ts";

interface ReadFiles {
  /** Folder of the project file, absolute. */
  readonly root: string;
  /** Texts of all files that were read, by their path below the root. */
  readonly texts: ReadonlyMap<string, string>;
}

export interface OpenProject extends ReadFiles {
  readonly project: Project;
  readonly config: ProjectConfig;
  /** Texts of the files, for excerpts. */
  readonly sources: (file: string) => string | undefined;
}

export interface OpenEnvironment extends OpenProject {
  readonly environment: EnvironmentConfig;
  /** Was it named, or is it the only one? */
  readonly environmentNamed: boolean;
  /** All tables of the environment. */
  readonly tables: readonly TableSpec[];
}

/** What stops a command before it looks at a catalog. */
export interface BadProject extends ReadFiles {
  readonly diagnostics: readonly Diagnostic[];
  readonly sources: (file: string) => string | undefined;
  readonly projectFile: string | null;
}

export function openProject(context: CommandContext, args: Pick<ProjectArguments, "config">): OpenProject | BadProject {
  const path = projectPath(context, args.config);
  const project = loadProject(path);
  const { texts, config } = project;
  const sources = (file: string): string | undefined => texts.get(file);
  if (config === null) {
    const root = statSync(path).isDirectory() ? path : dirname(path);
    return { diagnostics: project.diagnostics, sources, projectFile: PROJECT_FILE, root, texts };
  }
  return { project, config, sources, root: config.root, texts };
}

export function isBadProject(opened: OpenProject | BadProject): opened is BadProject {
  return !("config" in opened);
}

function projectPath(context: CommandContext, config: string | null): string {
  if (config !== null) return resolve(context.directory, config);
  const found = findProjectFile(context.directory);
  if (found !== null) return found;
  throw new ToolError("config", `Cannot find a project: no ${PROJECT_FILE} here or above`, {
    mend: "Run it in the project's folder, name the file with `--config`, begin a project with `floeplan init`, or see how it works with `floeplan demo`",
    context: { folder: context.directory },
  });
}

export type SelectedEnvironment = OpenEnvironment & { readonly selected: readonly TableSpec[] };

/** The environment with its tables; errors in the files of selected tables, or in shared files, stop it. */
export async function openEnvironment(
  context: CommandContext,
  args: SelectionArguments,
): Promise<SelectedEnvironment | BadProject> {
  const opened = openProject(context, args);
  return isBadProject(opened) ? opened : await selectIn(opened, context, args);
}

/** One environment of a project that is open. */
export async function selectIn(
  opened: OpenProject,
  context: CommandContext,
  args: SelectionArguments,
): Promise<SelectedEnvironment | BadProject> {
  const { project, config, sources } = opened;
  const environment = chooseEnvironment(config, args.env);
  const resolved = resolveProject(project, environment.name);
  const found = [...project.diagnostics, ...resolved.diagnostics];
  const bad = (diagnostics: readonly Diagnostic[]): BadProject => ({
    diagnostics,
    sources,
    projectFile: config.file,
    root: config.root,
    texts: project.texts,
  });
  // A table whose file has errors is not among the tables: its errors say more than "not found".
  if (hasErrors(found) && unmatchedWords(resolved.tables, config.root, args.selectors, context.directory).length > 0)
    return bad(found);
  const selected = await selectTables(resolved.tables, project, args, context.directory);
  const ofSelection = found.filter((one) => concerns(one, selected, project, args));
  if (hasErrors(ofSelection)) return bad(ofSelection);
  return { ...opened, environment, environmentNamed: args.env !== null, tables: resolved.tables, selected };
}

/** Without selectors every finding counts; else those of the selected files and of files that are no table's. */
function concerns(one: Diagnostic, selected: readonly TableSpec[], project: Project, args: SelectionArguments): boolean {
  if (args.selectors.length === 0) return true;
  const file = one.place?.file;
  if (file === undefined) return one.table === undefined || selected.some((spec) => spec.name === one.table);
  const isTableFile = project.tables.some((table) => table.file === file);
  const isRead = selected.some((spec) => spec.file === file);
  return !isTableFile || isRead || project.tables.some((table) => table.file === file && table.declaration === null);
}

export function chooseEnvironment(config: ProjectConfig, name: string | null): EnvironmentConfig {
  const { environments } = config;
  if (name !== null) {
    const found = environments.find((one) => one.name === name);
    if (found !== undefined) return found;
  }
  const [only, second] = environments;
  if (name === null && only !== undefined && second === undefined) return only;
  const names = environments.map((one) => one.name).join(", ");
  throw new ToolError(
    "usage",
    name === null ? "Cannot choose an environment: the project has several" : `Cannot find environment "${name}"`,
    {
      mend: `Name one with -e or FLOEPLAN_ENV. There are ${names}`,
    },
  );
}

/** Catalogs of an environment by logical name, opened once each. */
export function catalogOpener(config: ProjectConfig, environment: EnvironmentConfig): (name: string) => Promise<Catalog> {
  const open = new Map<string, Promise<Catalog>>();
  return async (name) => {
    const known = open.get(name);
    if (known !== undefined) return await known;
    const options = environment.catalogs.get(name);
    if (options === undefined)
      throw new ToolError("config", `Cannot find catalog "${name}" in environment "${environment.name}"`);
    const opening = openCatalog(options, { name, root: config.root, ports: systemPorts() });
    open.set(name, opening);
    return await opening;
  };
}

/** `tables` are all of the environment, `specs` those that the command is about. */
export async function targetsOf(
  { config, environment, tables }: Pick<OpenEnvironment, "config" | "environment" | "tables">,
  specs: readonly TableSpec[],
): Promise<readonly Target[]> {
  const catalogOf = catalogOpener(config, environment);
  const declared = new Set(tables.map((spec) => identifierKey(spec.catalog, spec.identifier)));
  const targets: Target[] = [];
  for (const spec of specs)
    targets.push({
      spec,
      policy: environment.policy,
      catalog: await catalogOf(spec.catalog),
      isDeclared: (identifier) => declared.has(identifierKey(spec.catalog, identifier)),
    });
  return targets;
}

/** One text a table of an environment, by the logical name of its catalog. */
export function identifierKey(catalog: string, { namespace, name }: TableIdentifier): string {
  return JSON.stringify([catalog, ...namespace, name]);
}
