// The REST catalog keeps what every catalog promises, on a server with all that the protocol has; plainer ones are in
// rest-open.test.ts.
import { catalogConformance } from "../conformance/catalog-suite.ts";
import { openRest, startRestLake } from "./rest-support.ts";

catalogConformance("rest", async () => {
  const rest = await startRestLake({ prefix: "catalogs/lake", pageSize: 2, keyLifetime: "PT30M", separator: "%2E" });
  return {
    catalog: await openRest(rest),
    another: async () => await openRest(rest),
    cleanUp: async () => await rest.stop(),
  };
});
