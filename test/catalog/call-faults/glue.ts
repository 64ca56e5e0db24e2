// Broken calls of Glue, for the shared tests: a fake Glue over real HTTP, and files in memory.
import { createMemoryStore } from "../../../src/storage/memory.ts";
import type { ObjectStore } from "../../../src/storage/object-store.ts";
import { glueError } from "../../fakes/glue.ts";
import { openGlue, startLake } from "../glue-support.ts";
import { BOTH, type CallSubject, type FaultClass, type FaultClasses, gather, ORDERS, page } from "./subject.ts";

const LOCATION = "s3://lake/sales/orders";

const said = (code: string, status: number, more: Omit<FaultClass, "answer" | "effects">): FaultClass => ({
  answer: glueError(code, "Said by a test.", status),
  effects: BOTH,
  ...more,
});
const denial = { isCertain: true, passes: false, kind: "auth" };
const refusal = { isCertain: true, passes: false, kind: "refused" };
const doubt = { isCertain: false, passes: true, kind: "unavailable" };

const CLASSES: FaultClasses = {
  throttled: said("ThrottlingException", 400, { isCertain: true, passes: true, kind: "throttled" }),
  "not ready": said("ResourceNotReadyException", 400, { isCertain: true, passes: true, kind: "unavailable" }),
  denied: said("AccessDeniedException", 400, denial),
  "key denied": said("GlueEncryptionException", 400, denial),
  "expired keys": said("ExpiredTokenException", 400, denial),
  invalid: said("InvalidInputException", 400, refusal),
  "over a quota": said("ResourceNumberLimitExceededException", 400, refusal),
  "an unknown no": said("BrandNewException", 400, refusal),
  "timed out in the service": said("OperationTimeoutException", 400, doubt),
  failed: said("InternalServiceException", 500, doubt),
  "a gateway's page": { answer: page(502), effects: BOTH, ...doubt },
  dropped: { answer: "drop", effects: BOTH, ...doubt },
  "cut off": { answer: "cut", effects: ["after"], ...doubt },
  hanging: { answer: "hang", effects: BOTH, ...doubt },
};

export async function glueCalls(): Promise<CallSubject> {
  const glue = await startLake({ databases: { sales: { LocationUri: "s3://lake/sales" } } });
  const files = new Set<string>();
  const memory = createMemoryStore();
  const store: ObjectStore = {
    ...memory,
    putIfAbsent: async (location, bytes) => {
      const result = await memory.putIfAbsent(location, bytes);
      files.add(location);
      return result;
    },
    remove: async (location) => {
      await memory.remove(location);
      files.delete(location);
    },
  };
  return {
    fault: glue.fault,
    counts: glue.counts,
    clearCalls: glue.clearCalls,
    stop: glue.stop,
    classes: CLASSES,
    open: async (options) => openGlue(glue, { store, ...options }),
    location: LOCATION,
    commitTries: 4,
    commitCall: "UpdateTable",
    createCall: "CreateTable",
    loadCall: "GetTable",
    namespaceCall: "CreateDatabase",
    errorName: "GlueError",
    safeCalls: [
      { operation: "GetTable", run: async (catalog) => (await catalog.loadTable(ORDERS))?.identifier },
      { operation: "GetDatabase", run: async (catalog) => await catalog.namespaceExists(["sales"]) },
      { operation: "GetTables", run: async (catalog) => await gather(catalog.listTables(["sales"])) },
      { operation: "GetDatabases", run: async (catalog) => await gather(catalog.listTables()) },
      { operation: "CreateDatabase", run: async (catalog) => await catalog.createNamespace(["hr"]) },
    ],
    readsBack: true,
    files: () => [...files].sort(),
    discards: true,
    clear: () => {
      files.clear();
      if (glue.tables.get("sales", "orders") !== undefined) glue.tables.remove("sales", "orders");
    },
  };
}
