// Opens a catalog of the project file by its kind, and gives it what it takes from the world. Knows no kind.
import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { ToolError } from "../diagnostics/tool-error.ts";
import type { Catalog } from "./catalog.ts";
import type { CatalogContext, CatalogOptions } from "./catalog-options.ts";
import { CATALOGS } from "./index.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";

export async function openCatalog(options: CatalogOptions, context: CatalogContext): Promise<Catalog> {
  const open = CATALOGS.get(options.type);
  if (open !== undefined) return await open(options, context);
  const served = [...CATALOGS.keys()].map((kind) => `"${kind}"`).join(", ");
  throw new ToolError("unsupported", `Cannot open the catalog "${context.name}" of type "${options.type}"`, {
    why: `This version opens catalogs of type ${served}`,
  });
}

/** The clock, random ids and waiting of this process. */
export function systemPorts(): CatalogPorts {
  return {
    nowMs: () => Date.now(),
    newUuid: () => randomUUID(),
    wait: (milliseconds) => wait(milliseconds),
  };
}
