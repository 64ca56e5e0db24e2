// The list of catalogs: the word in `type:` of the project file → how such a catalog is opened. A new catalog is
// one file and one line here.
import type { CatalogFactory } from "./catalog-options.ts";
import { openLocalCatalog } from "./local-open.ts";

export const CATALOGS: ReadonlyMap<string, CatalogFactory> = new Map([
  ["local", openLocalCatalog],
  // With its SDK, so loaded only where it is asked for.
  ["glue", async (options, context) => await (await import("./glue.ts")).openGlueCatalog(options, context)],
  ["rest", async (options, context) => await (await import("./rest.ts")).openRestCatalog(options, context)],
  ["s3-tables", async (options, context) => await (await import("./s3-tables.ts")).openS3TablesCatalog(options, context)],
]);
