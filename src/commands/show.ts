// `show`: a live table as it is. Works on declared tables, and without a project on a table of a catalog that is named.
import type { Catalog } from "../catalog/catalog.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import { didYouMean } from "../diagnostics/near-spelling.ts";
import { formatPath, isPathError, parsePath } from "../iceberg/field-path.ts";
import type { TableIdentifier } from "../iceberg/live-table.ts";
import { showReport } from "../report/show-report.ts";
import type { ShowArguments } from "./arguments.ts";
import { openBareCatalog } from "./bare-catalog.ts";
import { isBadProject, openEnvironment, targetsOf } from "./load-targets.ts";
import { orError } from "./or-error.ts";
import type { CommandContext } from "./ports.ts";
import { type CommandResult, exitOfDiagnostics } from "./result.ts";
import { showDdl } from "./show-ddl.ts";
import { tableMemory } from "./table-memory.ts";
import { sampleRows } from "./rows/sample-rows.ts";

export async function run(context: CommandContext, args: ShowArguments): Promise<CommandResult> {
  const place = await findPlace(context, args);
  if ("exit" in place) return place;
  const { catalog, identifier, isDeclared } = place;
  const live = await catalog.loadTable(identifier);
  if (live === null) {
    throw new ToolError("not-found", `Cannot find table "${args.table}" in ${catalog.label}`, {
      mend: isDeclared ? "It is declared and not there yet: `floeplan apply` makes it" : await nearTables(catalog, identifier),
    });
  }
  if (args.ddl !== null) return { exit: "ok", output: { kind: "text", text: showDdl(live, catalog, args.ddl) }, diagnostics: [] };
  const sample = args.rows === 0 ? null : await sampleRows(catalog.storeFor(live), live.metadata, args.rows);
  return {
    exit: "ok",
    output: {
      kind: "report",
      report: showReport(live, { label: catalog.label, sample, ...tableMemory(live.metadata.properties) }),
    },
    diagnostics: [],
  };
}

interface TablePlace {
  readonly catalog: Catalog;
  readonly identifier: TableIdentifier;
  readonly isDeclared: boolean;
}

async function findPlace(context: CommandContext, args: ShowArguments): Promise<TablePlace | CommandResult> {
  const bare = await openBareCatalog(context, args);
  if (bare !== null) return { catalog: bare.catalog, identifier: identifierOf(args.table), isDeclared: false };
  const opened = await openEnvironment(context, {
    config: args.config,
    env: args.env,
    selectors: [args.table],
    exclude: [],
    changed: null,
  });
  if (isBadProject(opened)) {
    const { diagnostics, sources, projectFile } = opened;
    return { exit: exitOfDiagnostics(diagnostics, projectFile), output: null, diagnostics, sources };
  }
  const [target] = await targetsOf(opened, opened.selected);
  if (target === undefined)
    throw new ToolError("usage", `Cannot choose one table by "${args.table}"`, { mend: "Write the declared name of one table" });
  return { catalog: target.catalog, identifier: target.spec.identifier, isDeclared: true };
}

/** More names than these are no message. */
const NAMES_TOLD = 8;
/** A namespace may hold many thousands. */
const NAMES_READ = 500;

/** What may have been meant: a table of that namespace, else whatever tables there are. */
async function nearTables(catalog: Catalog, { namespace, name }: TableIdentifier): Promise<string> {
  const check = "Check the name: namespace and table, joined by a dot";
  const own = await namesIn(catalog, namespace);
  const names = own.length > 0 ? own : await namesIn(catalog);
  if (names.length === 0) return check;
  const meant = didYouMean(formatPath([...namespace, name]), names);
  const told = names.slice(0, NAMES_TOLD).join(", ");
  return meant ?? `${check}. There are ${told}${names.length > NAMES_TOLD ? " and more" : ""}`;
}

/** None where listing is not allowed: the table was looked for, and that is what failed. */
async function namesIn(catalog: Catalog, namespace?: readonly string[]): Promise<readonly string[]> {
  const names = await orError(async () => {
    const found: string[] = [];
    for await (const one of catalog.listTables(namespace)) {
      found.push(formatPath([...one.namespace, one.name]));
      if (found.length === NAMES_READ) break;
    }
    return found;
  });
  return names instanceof ToolError ? [] : names;
}

function identifierOf(name: string): TableIdentifier {
  const segments = parsePath(name);
  const last = isPathError(segments) ? undefined : segments.at(-1);
  if (isPathError(segments) || last === undefined || segments.length < 2) {
    throw new ToolError("usage", `Cannot read "${name}" as a table name`, { mend: "Write namespace and table: sales.orders" });
  }
  return { namespace: segments.slice(0, -1), name: last };
}
