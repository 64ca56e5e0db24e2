// The catalog of S3 Tables keeps what every catalog promises; also where the object API refuses conditional writes, and
// where it calls a missing object forbidden.
import type { TableStorage } from "../fakes/s3-state.ts";
import { catalogConformance } from "../conformance/catalog-suite.ts";
import { openTables, startFakes } from "./s3-tables-support.ts";

const STORAGES: Readonly<Record<string, TableStorage>> = {
  "S3 Tables": {},
  "S3 Tables (strictest storage)": { refusesConditions: 501, missingLooksDenied: true },
};

for (const [name, storage] of Object.entries(STORAGES))
  catalogConformance(name, async () => {
    const fakes = await startFakes({ storage });
    return { catalog: openTables(fakes), another: async () => openTables(fakes), cleanUp: fakes.stop };
  });
