// The fault matrix on AWS Glue: a fake Glue and a fake S3 over real HTTP, the product's own clients.
import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { GlueClient } from "@aws-sdk/client-glue";
import { createGlueCatalog } from "../../../src/catalog/glue-catalog.ts";
import { glueService } from "../../../src/catalog/glue.ts";
import { systemPorts } from "../../../src/catalog/open-catalog.ts";
import { createS3Store } from "../../../src/storage/s3.ts";
import { currentColumns, javaEntry, type JsonMetadata } from "../../blackbox/glue-tables.ts";
import { glueError, startGlue } from "../../fakes/glue.ts";
import { type Json, mapOf, writeJson } from "../../fakes/rest-json.ts";
import { startS3 } from "../../fakes/s3.ts";
import { type FaultWorld, TABLE } from "./fault-world.ts";
import { foreignVersion } from "./foreign-version.ts";
import { httpCalls, PATIENCE_MS, S3_ERRORS } from "./http-calls.ts";
import { makeProject } from "./project.ts";
import { NO_PAUSES, programVariables, renewableKeys, S3, storedExample } from "./s3-world.ts";

const ACCOUNT = "011122223333";
const [DATABASE] = TABLE.namespace;

export async function glueFaults(): Promise<FaultWorld> {
  const { known: keys, source: credentials } = renewableKeys();
  const [glue, s3] = await Promise.all([
    startGlue({ account: ACCOUNT, databases: [DATABASE], keys }),
    startS3({ buckets: ["lake"], keys }),
  ]);
  const example = storedExample(s3, `s3://lake/${DATABASE}/${TABLE.name}`);
  const client = new GlueClient({
    endpoint: glue.url,
    region: "us-east-1",
    credentials,
    maxAttempts: 1,
    requestHandler: { connectionTimeout: 1000, requestTimeout: PATIENCE_MS, throwOnRequestTimeout: true },
  });
  let offsetMs = 0;
  const nowMs = (): number => Date.now() + offsetMs;
  const folder = makeProject(`{ type: glue, region: us-east-1, account: "${ACCOUNT}" }`, "s3://lake/{namespace}/{table}");
  const services = [
    {
      fake: glue,
      errors: {
        throttled: glueError("ThrottlingException", "Rate exceeded"),
        failed: glueError("InternalServiceException", "Internal failure", 500),
        denied: glueError("AccessDeniedException", "User: arn:aws:sts::1:assumed-role/r/s is not authorized to perform: glue:X"),
        expired: glueError("ExpiredTokenException", "The security token included in the request is expired"),
      },
    },
    { fake: s3, errors: S3_ERRORS },
  ];
  const entry = (): Readonly<Record<string, unknown>> | undefined => glue.tables.get(DATABASE, TABLE.name);
  const parameters = (): Readonly<Record<string, string>> => (entry()?.["Parameters"] ?? {}) as Readonly<Record<string, string>>;
  const columns = (): unknown => mapOf((entry()?.["StorageDescriptor"] ?? {}) as Json)["Columns"];
  const live = (): ReturnType<FaultWorld["metadata"]> => {
    if (entry() === undefined) return null;
    const location = parameters()["metadata_location"] ?? "";
    return { location, document: example.document(location) };
  };
  const documentOf = (location: string): JsonMetadata => JSON.parse(writeJson(example.document(location))) as JsonMetadata;
  return {
    catalog: createGlueCatalog({
      name: "lake",
      region: "us-east-1",
      account: ACCOUNT,
      service: glueService(client, ACCOUNT, NO_PAUSES),
      openStore: () => createS3Store({ ...S3, endpoint: s3.url, credentials }),
      identity: async () => ({ arn: `arn:aws:iam::${ACCOUNT}:user/tests`, account: ACCOUNT }),
      ports: { ...systemPorts(), nowMs, wait: NO_PAUSES.wait },
    }),
    folder,
    variables: { ...s3.variables, ...glue.variables, ...programVariables(folder) },
    ...httpCalls(services),
    nowMs,
    setClock: (milliseconds) => {
      offsetMs = milliseconds;
    },
    reset: (isNew) => {
      example.clear();
      if (entry() !== undefined) glue.tables.remove(DATABASE, TABLE.name);
      if (isNew) return;
      example.put();
      const { metadataLocation, previousLocation } = example.table;
      glue.tables.put(DATABASE, javaEntry(TABLE.name, documentOf(metadataLocation), metadataLocation, previousLocation));
    },
    metadata: live,
    objects: example.objects,
    beside: () => {
      const now = live();
      if (now === null) return null;
      const kept = Object.keys(parameters()).filter((key) => key !== "previous_metadata_location");
      return {
        parameters: kept.sort(),
        isListInStep: JSON.stringify(columns()) === JSON.stringify(currentColumns(documentOf(now.location))),
      };
    },
    litter: example.uploads,
    commitForeign: async () => {
      const now = live();
      if (now === null) return false;
      const location = now.location.replace(/\/metadata\/.*$/, `/metadata/09999-${randomUUID()}.metadata.json`);
      s3.objects.put(location, writeJson(foreignVersion(now.document, now.location)));
      const { Name, TableType, StorageDescriptor } = mapOf((entry() ?? {}) as Json);
      const Parameters = { ...parameters(), metadata_location: location, previous_metadata_location: now.location };
      glue.tables.put(DATABASE, { Name, TableType, StorageDescriptor, Parameters });
      return true;
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      const ends = await Promise.allSettled([glue.stop(), s3.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}
