// The list of catalogs: the word in `type:` of the project file → how such a catalog is opened. A new catalog is
// one file and one line here.
import { resolve } from "node:path";
import { ToolError } from "../diagnostics/tool-error.ts";
import { localPath, locationScheme } from "../iceberg/location.ts";
import { openStore } from "../storage/open-store.ts";
import type { Catalog } from "./catalog.ts";
import { createLocalCatalog } from "./local.ts";
import type { CatalogPorts } from "./metadata-pointer.ts";
import type { RestOptions } from "./rest-settings.ts";

/** A catalog as the project file describes it: `type` says which of the others it has. */
export interface CatalogOptions extends RestOptions {
  readonly type: string;
  readonly warehouse?: string | null;
  /** Of AWS; null: as the environment says. */
  readonly region?: string | null;
  /** Of AWS, twelve digits; null: that of the credentials. */
  readonly account?: string | null;
  /** The ARN of a table bucket of S3 Tables. */
  readonly bucket?: string | null;
}

export interface CatalogContext {
  /** The logical name in the project file. */
  readonly name: string;
  /** The folder from which relative paths count, absolute. */
  readonly root: string;
  readonly ports: CatalogPorts;
}

export type CatalogFactory = (options: CatalogOptions, context: CatalogContext) => Promise<Catalog>;

const openLocal: CatalogFactory = async (options, context) => {
  if (options.warehouse === undefined || options.warehouse === null || options.warehouse === "") {
    throw new ToolError("config", `Cannot open the catalog "${context.name}"`, {
      why: "A local catalog needs a warehouse.",
      mend: "Write `warehouse: ./warehouse`, the folder that holds the namespaces.",
    });
  }
  const warehouse = localPath(options.warehouse) ?? resolve(context.root, options.warehouse);
  if (localPath(options.warehouse) === null && locationScheme(options.warehouse) !== "") {
    throw new ToolError("config", `Cannot open the catalog "${context.name}"`, {
      why: `A local warehouse is a folder of this machine, and "${options.warehouse}" is none.`,
      mend: "Write the folder's path, absolute or from the project file.",
    });
  }
  return createLocalCatalog({ name: context.name, warehouse, store: openStore(warehouse), ports: context.ports });
};

export const CATALOGS: ReadonlyMap<string, CatalogFactory> = new Map([
  ["local", openLocal],
  // With its SDK, so loaded only where it is asked for.
  ["glue", async (options, context) => await (await import("./glue.ts")).openGlueCatalog(options, context)],
  ["rest", async (options, context) => await (await import("./rest.ts")).openRestCatalog(options, context)],
  ["s3-tables", async (options, context) => await (await import("./s3-tables.ts")).openS3TablesCatalog(options, context)],
]);
