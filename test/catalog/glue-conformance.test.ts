// The Glue catalog keeps what every catalog promises.
import { createMemoryStore } from "../../src/storage/memory.ts";
import { catalogConformance } from "../conformance/catalog-suite.ts";
import { openGlue, startLake } from "./glue-support.ts";

catalogConformance("glue", async () => {
  const glue = await startLake();
  const store = createMemoryStore();
  return {
    catalog: openGlue(glue, { store }),
    another: async () => openGlue(glue, { store }),
    cleanUp: async () => await glue.stop(),
  };
});
