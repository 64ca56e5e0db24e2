// A catalog named on the command line, for commands that only read and need no project: a local warehouse or Glue in
// a region.
import { resolve } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog, systemPorts } from "../catalog/open-catalog.ts";
import type { CatalogConfig } from "../desired/project-config.ts";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { BareCatalogArguments } from "./arguments.ts";
import type { CommandContext } from "./ports.ts";

export interface BareCatalog {
  readonly catalog: Catalog;
  /** As a project file would describe it. */
  readonly config: CatalogConfig;
}

const NOWHERE = { file: "", line: 1, column: 1 } as const;

/** Null when the words name none: then a project does. */
export async function openBareCatalog(context: CommandContext, args: BareCatalogArguments): Promise<BareCatalog | null> {
  const config = configOf(context, args);
  if (config === null) return null;
  const catalog = await openCatalog(config, { name: config.type, root: context.directory, ports: systemPorts() });
  return { catalog, config };
}

function configOf(context: CommandContext, { local, glue }: BareCatalogArguments): CatalogConfig | null {
  if (local !== null && glue !== null) {
    throw new ToolError("usage", 'Cannot use "--local" with "--glue"', { mend: "Name one catalog" });
  }
  if (local !== null) return { type: "local", warehouse: resolve(context.directory, local), place: NOWHERE };
  return glue === null ? null : { type: "glue", region: glue, account: null, place: NOWHERE };
}
