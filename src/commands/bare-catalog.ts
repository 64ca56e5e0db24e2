// A catalog named on the command line, for commands that only read and need no project: a local warehouse, Glue in a
// region, a table bucket of S3 Tables, a REST catalog at an address.
import { resolve } from "node:path";
import type { Catalog } from "../catalog/catalog.ts";
import { openCatalog, systemPorts } from "../catalog/open-catalog.ts";
import type { CatalogConfig } from "../desired/catalogs/index.ts";
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

function configOf(context: CommandContext, { local, glue, s3Tables, rest }: BareCatalogArguments): CatalogConfig | null {
  const options = { "--local": local, "--glue": glue, "--s3-tables": s3Tables, "--rest": rest };
  const named = Object.entries(options).flatMap(([option, value]) => (value === null ? [] : [option]));
  const [first, second] = named;
  if (second !== undefined) {
    throw new ToolError("usage", `Cannot use "${first}" with "${second}"`, { mend: "Name one catalog" });
  }
  if (local !== null) return { type: "local", warehouse: resolve(context.directory, local), place: NOWHERE };
  if (glue !== null) return { type: "glue", region: glue, account: null, place: NOWHERE };
  if (s3Tables !== null) return { type: "s3-tables", bucket: s3Tables, place: NOWHERE };
  return rest === null ? null : restConfig(rest, context.variables);
}

/** The warehouse stands in the address; how to sign in is told by its host, or by which secret is set. */
function restConfig(text: string, variables: CommandContext["variables"]): CatalogConfig {
  const url = URL.canParse(text) ? new URL(text) : null;
  const warehouse = url?.searchParams.get("warehouse") ?? null;
  url?.searchParams.delete("warehouse");
  const isSet = (variable: string): boolean => (variables[variable] ?? "") !== "";
  const isAws = /(?:^|\.)(?:glue|s3tables)\.[a-z0-9-]+\.(?:amazonaws\.com|amazonaws\.com\.cn|api\.aws)$/.test(
    url?.hostname ?? "",
  );
  const ofSecret = isSet("FLOEPLAN_REST_CREDENTIAL_REST") ? "oauth2" : isSet("FLOEPLAN_REST_TOKEN_REST") ? "bearer" : "none";
  return {
    type: "rest",
    uri: url?.href ?? text,
    warehouse,
    prefix: null,
    auth: isAws ? "sigv4" : ofSecret,
    signingName: null,
    region: null,
    scope: null,
    place: NOWHERE,
  };
}
