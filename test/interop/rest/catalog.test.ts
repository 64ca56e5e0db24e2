// The catalog suite on a real REST catalog. Started by run.ts, which says by variables where it is, how one signs in, and
// in which folder it keeps its files, if they are files.
import { existsSync } from "node:fs";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Catalog } from "../../../src/catalog/catalog.ts";
import { openCatalog, systemPorts } from "../../../src/catalog/open-catalog.ts";
import { catalogConformance } from "../../conformance/catalog-suite.ts";
import { restAdmin } from "./admin.ts";

const { FLOEPLAN_REST_OPTIONS: options = "{}", FLOEPLAN_REST_WAREHOUSE: folder = "" } = process.env;
const settings = JSON.parse(options) as { readonly uri: string; readonly warehouse?: string };
const admin = await restAdmin(settings, process.env["FLOEPLAN_REST_CREDENTIAL_LAKE"] ?? null);

const open = async (): Promise<Catalog> =>
  await openCatalog({ type: "rest", ...settings }, { name: "lake", root: "/", ports: systemPorts() });

catalogConformance("REST", async () => ({
  catalog: await open(),
  another: open,
  cleanUp: async () => {
    await admin.dropAll();
    // What lost a race, and what nobody names any more, would be found by the next test.
    const left = folder === "" || !existsSync(folder) ? [] : await readdir(folder);
    for (const name of left) await rm(join(folder, name), { recursive: true });
  },
}));
