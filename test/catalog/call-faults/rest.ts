// Broken calls of a REST catalog, for the shared tests: a fake server over real HTTP, which keeps the metadata itself.
import { restError } from "../../fakes/rest.ts";
import { openRest, startRestLake } from "../rest-support.ts";
import { BOTH, type CallSubject, type FaultClass, type FaultClasses, gather, ORDERS, page } from "./subject.ts";

/** What a server says that did nothing, it says before. */
const no = (status: number, type: string, kind: string, passes = false): FaultClass => ({
  answer: restError(status, type, "Said by a test."),
  isCertain: true,
  passes,
  kind,
  effects: ["before"],
});
const doubt = { isCertain: false, passes: true, kind: "unavailable", effects: BOTH };
const unclear = (status: number, type: string): FaultClass => ({ answer: restError(status, type, "Said by a test."), ...doubt });

export const REST_FAULTS: FaultClasses = {
  "a bad request": no(400, "BadRequestException", "refused"),
  denied: no(403, "ForbiddenException", "auth"),
  unprocessable: no(422, "UnprocessableEntityException", "refused"),
  "not supported": no(406, "UnsupportedOperationException", "unsupported"),
  throttled: no(429, "TooManyRequestsException", "throttled", true),
  "timed out at the server": unclear(408, "RequestTimeoutException"),
  failed: unclear(500, "InternalServerError"),
  "a gateway's page": { answer: page(502), ...doubt },
  "not ready": unclear(503, "SlowDownException"),
  "a gateway's timeout": unclear(504, "CommitStateUnknownException"),
  dropped: { answer: "drop", ...doubt },
  "cut off": { answer: "cut", ...doubt, effects: ["after"] },
  hanging: { answer: "hang", ...doubt },
  "a page of success": { answer: page(200), isCertain: false, passes: false, kind: "config", effects: BOTH },
};

/** The answer to a HEAD has no body that could be wrong. */
const ofHead = (name: string): boolean => name !== "cut off" && name !== "a page of success";
/** Namespaces that may not be listed are left out. */
const ofListing = (name: string): boolean => !["a bad request", "unprocessable"].includes(name);

export async function restCalls(): Promise<CallSubject> {
  const rest = await startRestLake();
  rest.tables.namespace("sales");
  return {
    fault: rest.fault,
    counts: rest.counts,
    clearCalls: rest.clearCalls,
    stop: rest.stop,
    classes: REST_FAULTS,
    open: async (options) => await openRest(rest, options),
    location: "s3://lake/wh/sales/orders",
    commitTries: 6,
    commitCall: "CommitTable",
    createCall: "CreateTable",
    loadCall: "LoadTable",
    namespaceCall: "CreateNamespace",
    errorName: "RestError",
    safeCalls: [
      {
        operation: "LoadTable",
        run: async (catalog) => (await catalog.loadTable(ORDERS))?.identifier,
        // It is asked again without credentials for the files.
        times: (name) => (name === "denied" ? 2 : 1),
      },
      { operation: "NamespaceExists", run: async (catalog) => await catalog.namespaceExists(["sales"]), classes: ofHead },
      { operation: "ListTables", run: async (catalog) => await gather(catalog.listTables(["sales"])) },
      { operation: "ListNamespaces", run: async (catalog) => await gather(catalog.listTables()), classes: ofListing },
    ],
    readsBack: false,
    files: null,
    discards: false,
    clear: () => rest.tables.remove("sales", "orders"),
  };
}
