// `import`: table files from live tables, so that the next plan is empty. New files, never over one that is there;
// with `--update` the columns that a file lacks, in place. With `--local` from a warehouse without a project.
import { catalogFacts } from "../apply/table-state.ts";
import { resolveProject } from "../desired/load-project.ts";
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Pins } from "../plan/import-fields.ts";
import { importReport } from "../report/import-report.ts";
import type { ImportArguments } from "./arguments.ts";
import { type BareCatalog, openBareCatalog } from "./bare-catalog.ts";
import { standInPlace } from "./import-check.ts";
import { exitOfImport, standardOutput } from "./import-files.ts";
import { findTables, type SourceCatalog } from "./import-find.ts";
import { declaredTables, importNew } from "./import-new.ts";
import { importUpdates } from "./import-update.ts";
import { catalogOpener, chooseEnvironment, isBadProject, openProject } from "./load-targets.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";

export async function run(context: CommandContext, args: ImportArguments): Promise<CommandResult> {
  if (args.update && args.comments === "glue") {
    throw new ToolError("usage", 'Cannot use "--comments" with "--update"', {
      why: "`--update` adds columns and changes no field that is declared",
      mend: "Write the comments into the file by hand: `floeplan import --comments glue --stdout` shows them for a new file",
    });
  }
  const bare = await openBareCatalog(context, args);
  if (bare !== null) return await importBare(context, args, bare);
  return args.update ? await importUpdates(context, args) : await importProject(context, args);
}

async function importBare(
  context: CommandContext,
  args: ImportArguments,
  { catalog, config }: BareCatalog,
): Promise<CommandResult> {
  if (args.update || args.catalog !== null) {
    throw new ToolError("usage", `Cannot use "${args.update ? "--update" : "--catalog"}" with "--${config.type}"`, {
      why: `\`--${config.type}\` reads without a project`,
      mend: "Leave it out, or import in the project",
    });
  }
  const source: SourceCatalog = { name: config.type, catalog, template: null };
  const found = await findTables([source], args.selectors, args.exclude);
  const files = await importNew(context, found, {
    place: () => standInPlace(config, catalogFacts(catalog), context.directory),
    pins: args.withIds ? "all" : "none",
    adoptsComments: args.comments === "glue",
    defaultCatalog: config.type,
    declared: new Map(),
    write: null,
  });
  return standardOutput(context, files.texts, files.files);
}

async function importProject(context: CommandContext, args: ImportArguments): Promise<CommandResult> {
  const opened = openProject(context, args);
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const { config, project, sources } = opened;
  const environment = chooseEnvironment(config, args.env);
  const resolved = resolveProject(project, environment.name);
  // A file that cannot be read may declare the very table: then another file of it would be one too many.
  const wrong = [...project.diagnostics, ...resolved.diagnostics].filter((one) => one.code !== "no-files-match");
  if (hasErrors(wrong)) return { exit: exitOfDiagnostics(wrong, config.file), output: null, diagnostics: wrong, sources };

  const catalogOf = catalogOpener(config, environment);
  const names = args.catalog === null ? [...environment.catalogs.keys()] : [args.catalog];
  const found = await findTables(
    await Promise.all(names.map(async (name) => ({ name, catalog: await catalogOf(name), template: environment.namespace }))),
    args.selectors,
    args.exclude,
  );
  const only = environment.catalogs.size === 1 ? ([...environment.catalogs.keys()][0] ?? null) : null;
  const pins: Pins = config.environments.length === 1 ? "all" : { environment: environment.name };
  const files = await importNew(context, found, {
    place: ({ catalog }) => ({ config, environment, groups: project.shared, catalog: catalogFacts(catalog) }),
    pins: args.withIds ? pins : "none",
    adoptsComments: args.comments === "glue",
    defaultCatalog: config.defaultCatalog ?? only,
    declared: declaredTables(resolved.tables),
    write: args.stdout ? null : config,
  });
  if (args.stdout) return standardOutput(context, files.texts, files.files);
  const report = importReport(files.files, {
    environment: environment.name,
    sources,
    declaredAlready: files.declaredAlready,
    verbose: context.verbose,
  });
  return { exit: exitOfImport(files.files), output: { kind: "report", report }, diagnostics: [], sources };
}
