// Broken calls of S3 Tables, for the shared tests: a fake S3 Tables over real HTTP, and the objects of a fake S3 past HTTP.
import { expect } from "vitest";
import { s3TablesError } from "../../fakes/s3-tables.ts";
import { nearStoreOf, openTables, startFakes } from "../s3-tables-support.ts";
import { BOTH, type CallSubject, type FaultClass, type FaultClasses, gather, ORDERS, page } from "./subject.ts";

const said = (code: string, status: number, more: Omit<FaultClass, "answer" | "effects">): FaultClass => ({
  answer: s3TablesError(code, "Said by a test.", status),
  effects: BOTH,
  ...more,
});
const denial = { isCertain: true, passes: false, kind: "auth" };
const doubt = { isCertain: false, passes: true, kind: "unavailable" };

export const S3_TABLES_FAULTS: FaultClasses = {
  throttled: said("TooManyRequestsException", 429, { isCertain: true, passes: true, kind: "throttled" }),
  denied: said("AccessDeniedException", 403, denial),
  forbidden: said("ForbiddenException", 403, denial),
  "expired keys": said("ExpiredTokenException", 403, denial),
  invalid: said("BadRequestException", 400, { isCertain: true, passes: false, kind: "refused" }),
  "not allowed": said("MethodNotAllowedException", 405, { isCertain: true, passes: false, kind: "unsupported" }),
  "an unknown no": said("BrandNewException", 422, { isCertain: true, passes: false, kind: "refused" }),
  failed: said("InternalServerErrorException", 500, doubt),
  "timed out in the service": said("RequestTimeout", 408, doubt),
  "a gateway's page": { answer: page(502), effects: BOTH, ...doubt },
  dropped: { answer: "drop", effects: BOTH, ...doubt },
  // An answer that is cut off is one that was given.
  "cut off": { answer: "cut", effects: ["after"], ...doubt },
  hanging: { answer: "hang", effects: BOTH, ...doubt },
};

/** One of each kind of end, where the same sorting serves as for other calls. */
const FEW = new Set(["throttled", "denied", "failed", "dropped", "cut off"]);
export const few = (name: string): boolean => FEW.has(name);

export async function s3TablesCalls(): Promise<CallSubject> {
  const fakes = await startFakes({ namespaces: ["sales"] });
  const { s3, tables } = fakes;
  const files = (): readonly string[] => {
    const warehouse = tables.tables.get("sales", "orders")?.warehouse;
    if (warehouse === undefined) return [];
    return s3.objects
      .keys(warehouse.slice("s3://".length))
      .map((key) => `${warehouse}/${key}`)
      .sort();
  };
  return {
    fault: tables.fault,
    counts: tables.counts,
    clearCalls: tables.clearCalls,
    stop: async () => {
      expect(s3.counts()).not.toHaveProperty("DeleteObject");
      expect(s3.counts()).not.toHaveProperty("ListObjectsV2");
      await fakes.stop();
    },
    classes: S3_TABLES_FAULTS,
    open: async (options) => openTables(fakes, { store: nearStoreOf(fakes), ...options }),
    location: null,
    commitTries: 4,
    commitCall: "UpdateTableMetadataLocation",
    // The entry is made empty first; the swap makes it a table.
    createCall: "UpdateTableMetadataLocation",
    loadCall: "GetTableMetadataLocation",
    namespaceCall: "CreateNamespace",
    errorName: "S3TablesError",
    safeCalls: [
      { operation: "GetTableMetadataLocation", run: async (catalog) => (await catalog.loadTable(ORDERS))?.identifier },
      { operation: "GetNamespace", run: async (catalog) => await catalog.namespaceExists(["sales"]), classes: few },
      { operation: "ListTables", run: async (catalog) => await gather(catalog.listTables(["sales"])), classes: few },
      { operation: "CreateNamespace", run: async (catalog) => await catalog.createNamespace(["hr"]), classes: few },
    ],
    readsBack: true,
    files,
    discards: false,
    clear: () => tables.tables.remove("sales", "orders"),
  };
}
