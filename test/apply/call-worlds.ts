// Worlds for apply on the catalogs that are played here over real HTTP beside a fake S3 (Glue has its own): the product's
// own clients without real pauses, and the example's table put there as another engine left it.
import type { Catalog } from "../../src/catalog/catalog.ts";
import { createS3Store } from "../../src/storage/s3.ts";
import { exampleTable } from "../blackbox/glue-tables.ts";
import { openRest, startRestLake } from "../catalog/rest-support.ts";
import { nearStoreOf, openTables } from "../catalog/s3-tables-support.ts";
import { restError } from "../fakes/rest.ts";
import { type JsonMap, mapOf, parseJson } from "../fakes/rest-json.ts";
import { FAKE_KEYS, type FakeS3, startS3 } from "../fakes/s3.ts";
import { s3TablesError, startS3Tables } from "../fakes/s3-tables.ts";
import { type BreakableService, PATIENCE_MS, S3_ERRORS } from "./call-breaks.ts";

export interface CallWorld {
  readonly catalog: Catalog;
  readonly s3: FakeS3;
  readonly services: readonly BreakableService[];
  /** Operations that make a change of a table live. */
  readonly swaps: readonly string[];
  /** Puts the example's table there, as `hr.NAME`. */
  readonly seed: (name: string) => Promise<void>;
  /** What the catalog says of a table of `hr`, past the product; null: there is no table, or an empty one. */
  readonly metadata: (name: string) => JsonMap | null;
  /** Locations of all that is stored of it. */
  readonly objects: (name: string) => readonly string[];
  readonly stop: () => Promise<void>;
}

const NO_PAUSES = { wait: async (): Promise<void> => {}, random: () => 0.5 };
const S3 = { region: "us-east-1", credentials: FAKE_KEYS, ports: NO_PAUSES, idleTimeoutMs: PATIENCE_MS };

export async function s3TablesWorld(): Promise<CallWorld> {
  const s3 = await startS3({ buckets: [] });
  const storageName = (_: string, name: string): string => `${name.replaceAll("_", "-")}--table-s3`;
  const tables = await startS3Tables({ s3, namespaces: ["hr"], storageName });
  const limits = { canList: false, canRemove: false, canMark: false, plainPuts: true };
  const store = createS3Store({ ...S3, ...limits, endpoint: s3.url });
  return {
    s3,
    catalog: openTables({ s3, tables, stop: async () => {} }, { store, timeoutMs: PATIENCE_MS }),
    services: [
      {
        fake: tables,
        errors: {
          throttled: s3TablesError("TooManyRequestsException", "Rate exceeded", 429),
          failed: s3TablesError("InternalServerErrorException", "Internal failure", 500),
          denied: s3TablesError("AccessDeniedException", "You are not authorized to perform: s3tables:X", 403),
        },
      },
      { fake: s3, errors: S3_ERRORS },
    ],
    swaps: ["UpdateTableMetadataLocation"],
    seed: async (name) => {
      const { warehouse } = tables.tables.create("hr", name);
      const { objects, metadataLocation } = exampleTable("iceberg_employee", warehouse);
      for (const [at, bytes] of objects) s3.objects.put(at, bytes);
      tables.tables.point("hr", name, metadataLocation);
    },
    metadata: (name) => {
      const location = tables.tables.get("hr", name)?.metadataLocation ?? null;
      const bytes = location === null ? undefined : s3.objects.get(location);
      return bytes === undefined ? null : mapOf(parseJson(new TextDecoder().decode(bytes)));
    },
    objects: (name) => {
      const warehouse = tables.tables.get("hr", name)?.warehouse;
      return warehouse === undefined ? [] : s3.objects.keys(warehouse.slice("s3://".length)).map((key) => `${warehouse}/${key}`);
    },
    stop: async () => {
      await tables.stop();
      await s3.stop();
    },
  };
}

export async function restWorld(): Promise<CallWorld> {
  const s3 = await startS3({ buckets: ["lake"] });
  // The server writes past HTTP, so that the calls of the store are those of the product.
  const rest = await startRestLake({ store: nearStoreOf({ s3 }), warehouse: "s3://lake/wh", prefix: "catalogs/lake" });
  rest.tables.namespace("hr");
  const store = createS3Store({ ...S3, endpoint: s3.url });
  return {
    s3,
    catalog: await openRest(rest, { timeoutMs: PATIENCE_MS, openS3: () => store }),
    services: [
      {
        fake: rest,
        errors: {
          throttled: restError(429, "TooManyRequestsException", "Rate exceeded"),
          failed: restError(500, "InternalServerError", "Internal failure"),
          denied: restError(403, "ForbiddenException", "Principal ci lacks TABLE_WRITE_DATA"),
        },
      },
      { fake: s3, errors: S3_ERRORS },
    ],
    swaps: ["CommitTable", "CreateTable"],
    seed: async (name) => {
      const { objects, metadataLocation } = exampleTable("iceberg_employee", `s3://lake/wh/hr/${name}`);
      for (const [at, bytes] of objects) s3.objects.put(at, bytes);
      await rest.tables.register(["hr", name], metadataLocation);
    },
    metadata: (name) => rest.tables.metadata("hr", name) ?? null,
    objects: (name) =>
      s3.objects
        .keys("lake")
        .filter((key) => key.startsWith(`wh/hr/${name}/`))
        .map((key) => `s3://lake/${key}`),
    stop: async () => {
      await rest.stop();
      await s3.stop();
    },
  };
}
