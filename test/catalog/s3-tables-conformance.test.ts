// The catalog of S3 Tables keeps what every catalog promises.
import { catalogConformance } from "../conformance/catalog-suite.ts";
import { openTables, startFakes } from "./s3-tables-support.ts";

catalogConformance("S3 Tables", async () => {
  const fakes = await startFakes();
  return { catalog: openTables(fakes), another: async () => openTables(fakes), cleanUp: fakes.stop };
});
