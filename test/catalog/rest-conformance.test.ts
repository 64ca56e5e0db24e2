// The REST catalog keeps what every catalog promises, on servers of several kinds.
import { catalogConformance } from "../conformance/catalog-suite.ts";
import type { RestOptions } from "../fakes/rest.ts";
import { openRest, startRestLake } from "./rest-support.ts";

const SERVERS: Readonly<Record<string, Partial<RestOptions>>> = {
  "rest with a prefix, pages, keys and another separator": {
    prefix: "catalogs/lake",
    pageSize: 2,
    keyLifetime: "PT30M",
    separator: "%2E",
  },
  "rest of a plain server": {
    hasTags: false,
    listsCalls: false,
    lacks: ["NamespaceExists", "LoadView", "ViewExists", "LoadCredentials"],
  },
};

for (const [name, options] of Object.entries(SERVERS)) {
  catalogConformance(name, async () => {
    const rest = await startRestLake(options);
    return {
      catalog: await openRest(rest),
      another: async () => await openRest(rest),
      cleanUp: async () => await rest.stop(),
    };
  });
}
