// A local catalog as the project file names it: a warehouse folder of this machine, relative to that file.
import { resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { localPath, locationScheme } from "../iceberg/location.ts";
import { openStore } from "../storage/open-store.ts";
import type { CatalogFactory } from "./catalog-options.ts";
import { createLocalCatalog } from "./local.ts";

export const openLocalCatalog: CatalogFactory = async (options, context) => {
  if (options.warehouse === undefined || options.warehouse === null || options.warehouse === "") {
    throw new ToolError("config", `Cannot open the catalog "${context.name}"`, {
      why: "A local catalog needs a warehouse",
      mend: "Write `warehouse: ./warehouse`, the folder that holds the namespaces",
    });
  }
  const warehouse = localPath(options.warehouse) ?? resolve(context.root, options.warehouse);
  if (localPath(options.warehouse) === null && locationScheme(options.warehouse) !== "") {
    throw new ToolError("config", `Cannot open the catalog "${context.name}"`, {
      why: `A local warehouse is a folder of this machine, and "${options.warehouse}" is none`,
      mend: "Write the folder's path, absolute or from the project file",
    });
  }
  return createLocalCatalog({ name: context.name, warehouse, store: openStore(warehouse), ports: context.ports });
};
