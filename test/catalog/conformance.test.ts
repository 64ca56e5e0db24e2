// The catalogs that promise what test/conformance/catalog-suite.ts asks.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemoryCatalog } from "../../src/catalog/memory.ts";
import { openCatalog, systemPorts } from "../../src/catalog/open-catalog.ts";
import { catalogConformance } from "../conformance/catalog-suite.ts";

catalogConformance("memory", async () => {
  const catalog = createMemoryCatalog({ name: "lake", ports: systemPorts() });
  return { catalog, another: async () => catalog, cleanUp: async () => {} };
});

catalogConformance("local", async () => {
  const warehouse = await mkdtemp(join(tmpdir(), "floeplan-catalog-"));
  const open = async (): ReturnType<typeof openCatalog> =>
    await openCatalog({ type: "local", warehouse }, { name: "lake", root: "/", ports: systemPorts() });
  return {
    catalog: await open(),
    another: open,
    cleanUp: async () => await rm(warehouse, { recursive: true, force: true }),
  };
});
