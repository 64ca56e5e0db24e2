// The fault matrix on a REST catalog: a fake server that gives tokens by OAuth and keys for the files of each table, which
// lie in a fake S3; the product's own clients.
import { rmSync } from "node:fs";
import { createS3Store } from "../../../src/storage/s3.ts";
import { openRest, startRestLake } from "../../catalog/rest-support.ts";
import { nearStoreOf } from "../../catalog/s3-tables-support.ts";
import { restError } from "../../fakes/rest.ts";
import { startS3 } from "../../fakes/s3.ts";
import { FOREIGN, type FaultWorld, TABLE } from "./fault-world.ts";
import { httpCalls, PATIENCE_MS, S3_ERRORS } from "./http-calls.ts";
import { makeProject } from "./project.ts";
import { NO_PAUSES, programVariables, renewableKeys, storedExample } from "./s3-world.ts";

const LEVELS = [...TABLE.namespace, TABLE.name];
const CLIENT = "ci";
const SECRET = "secret-of-the-ci-client";

export async function restFaults(): Promise<FaultWorld> {
  const { known: keys, next } = renewableKeys();
  const s3 = await startS3({ buckets: ["lake"], keys });
  const location = `s3://lake/wh/${LEVELS.join("/")}`;
  const example = storedExample(s3, location);
  const rest = await startRestLake({
    // The server writes past HTTP, so that the calls of the store are those of the product.
    store: nearStoreOf({ s3 }),
    warehouse: "s3://lake/wh",
    prefix: "catalogs/lake",
    access: { kind: "oauth2", client: CLIENT, secret: SECRET, scope: "catalog" },
    // Others each time, as a server that assumes a role.
    gift: () => {
      const { accessKeyId, secretAccessKey, sessionToken = "" } = next();
      const secret = {
        "s3.access-key-id": accessKeyId,
        "s3.secret-access-key": secretAccessKey,
        "s3.session-token": sessionToken,
      };
      return {
        config: { "s3.endpoint": s3.url, "client.region": "us-east-1", "s3.path-style-access": "true" },
        credentials: [{ prefix: location, config: secret }],
      };
    },
  });
  rest.tables.namespace(...TABLE.namespace);
  let offsetMs = 0;
  const nowMs = (): number => Date.now() + offsetMs;
  const credential = { FLOEPLAN_REST_CREDENTIAL_LAKE: `${CLIENT}:${SECRET}` };
  const folder = makeProject(`{ type: rest, uri: "${rest.url}", auth: oauth2 }`, null);
  return {
    catalog: await openRest(rest, {
      settings: { auth: "oauth2" },
      environment: credential,
      timeoutMs: PATIENCE_MS,
      ports: { nowMs },
      openS3: (options) => createS3Store({ ...options, ports: NO_PAUSES, idleTimeoutMs: PATIENCE_MS }),
    }),
    folder,
    variables: { ...programVariables(folder), ...credential },
    ...httpCalls([
      {
        fake: rest,
        errors: {
          throttled: restError(429, "TooManyRequestsException", "Rate exceeded"),
          failed: restError(500, "InternalServerError", "Internal failure"),
          denied: restError(403, "ForbiddenException", "Principal ci lacks TABLE_WRITE_DATA"),
          expired: restError(401, "NotAuthorizedException", "The token is over"),
        },
      },
      { fake: s3, errors: S3_ERRORS },
    ]),
    nowMs,
    setClock: (milliseconds) => {
      offsetMs = milliseconds;
    },
    reset: async (isNew) => {
      rest.tables.remove(...LEVELS);
      example.clear();
      if (isNew) return;
      example.put();
      await rest.tables.register(LEVELS, example.table.metadataLocation);
    },
    metadata: () => {
      const at = rest.tables.location(...LEVELS);
      return at === undefined ? null : { location: at, document: example.document(at) };
    },
    objects: example.objects,
    beside: () => null,
    litter: example.uploads,
    commitForeign: async () => {
      if (rest.tables.location(...LEVELS) === undefined) return false;
      await rest.tables.commit(LEVELS, { action: "set-properties", updates: { [FOREIGN]: "yes" } });
      return true;
    },
    stop: async () => {
      rmSync(folder, { recursive: true, force: true });
      const ends = await Promise.allSettled([rest.stop(), s3.stop()]);
      for (const end of ends) if (end.status === "rejected") throw end.reason;
    },
  };
}
