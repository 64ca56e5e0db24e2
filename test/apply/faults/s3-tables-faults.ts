// The fault matrix on S3 Tables: a fake S3 Tables and a fake S3 over real HTTP, the product's own clients.
import { rmSync } from "node:fs";
import { S3TablesClient } from "@aws-sdk/client-s3tables";
import { systemPorts } from "../../../src/catalog/open-catalog.ts";
import { createS3TablesCatalog } from "../../../src/catalog/s3-tables-catalog.ts";
import { parseTableBucket } from "../../../src/catalog/s3-tables-names.ts";
import { s3TablesService } from "../../../src/catalog/s3-tables.ts";
import { createS3Store } from "../../../src/storage/s3.ts";
import { writeJson } from "../../fakes/rest-json.ts";
import { startS3 } from "../../fakes/s3.ts";
import { s3TablesError, startS3Tables } from "../../fakes/s3-tables.ts";
import { type FaultWorld, TABLE } from "./fault-world.ts";
import { foreignVersion } from "./foreign-version.ts";
import { httpCalls, PATIENCE_MS, S3_ERRORS } from "./http-calls.ts";
import { makeProject } from "./project.ts";
import { NO_PAUSES, programVariables, renewableKeys, S3, storedExample } from "./s3-world.ts";

const [NAMESPACE] = TABLE.namespace;

export async function s3TablesFaults(): Promise<FaultWorld> {
  const { known: keys, source: credentials } = renewableKeys();
  const s3 = await startS3({ buckets: [], keys });
  const storageName = (_: string, name: string): string => `${name.replaceAll("_", "-")}--table-s3`;
  const service = await startS3Tables({ s3, namespaces: [NAMESPACE], storageName, keys });
  const { tables } = service;
  const warehouse = `s3://${storageName(NAMESPACE, TABLE.name)}`;
  const example = storedExample(s3, warehouse);
  const client = new S3TablesClient({
    endpoint: service.url,
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: PATIENCE_MS, throwOnRequestTimeout: true },
  });
  let offsetMs = 0;
  const nowMs = (): number => Date.now() + offsetMs;
  const folder = makeProject(`{ type: s3-tables, bucket: "${service.arn}" }`, null);
  const bucket = parseTableBucket(service.arn, "lake");
  const limits = { canList: false, canRemove: false, canMark: false, plainPuts: true };
  const live = (): ReturnType<FaultWorld["metadata"]> => {
    const location = tables.get(NAMESPACE, TABLE.name)?.metadataLocation ?? null;
    return location === null ? null : { location, document: example.document(location) };
  };
  return {
    catalog: createS3TablesCatalog({
      name: "lake",
      bucket,
      service: s3TablesService(client, bucket, NO_PAUSES),
      store: createS3Store({ ...S3, ...limits, endpoint: s3.url, credentials }),
      identity: async () => ({ arn: "arn:aws:iam::011122223333:user/tests", account: "011122223333" }),
      ports: { ...systemPorts(), nowMs, wait: NO_PAUSES.wait },
    }),
    folder,
    variables: { ...s3.variables, ...service.variables, ...programVariables(folder) },
    ...httpCalls([
      {
        fake: service,
        errors: {
          throttled: s3TablesError("TooManyRequestsException", "Rate exceeded", 429),
          failed: s3TablesError("InternalServerErrorException", "Internal failure", 500),
          denied: s3TablesError("AccessDeniedException", "You are not authorized to perform: s3tables:X", 403),
          expired: s3TablesError("ExpiredTokenException", "The security token included in the request is expired", 403),
        },
      },
      { fake: s3, errors: S3_ERRORS },
    ]),
    nowMs,
    setClock: (milliseconds) => {
      offsetMs = milliseconds;
    },
    reset: (isNew) => {
      tables.remove(NAMESPACE, TABLE.name);
      if (isNew) return;
      // With it comes a bucket of its own, which is empty.
      tables.create(NAMESPACE, TABLE.name);
      example.put();
      tables.point(NAMESPACE, TABLE.name, example.table.metadataLocation);
    },
    metadata: live,
    objects: () => (tables.get(NAMESPACE, TABLE.name) === undefined ? new Map() : example.objects()),
    beside: () => null,
    litter: example.uploads,
    commitForeign: async () => {
      const now = live();
      if (now === null) return false;
      tables.commit(NAMESPACE, TABLE.name, writeJson(foreignVersion(now.document, now.location)));
      return true;
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      const ends = await Promise.allSettled([service.stop(), s3.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}
