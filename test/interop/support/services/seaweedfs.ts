// SeaweedFS as one process: a real object store that speaks S3, with signatures proved and files on the disk. Also the
// server of an Iceberg REST catalog, a table bucket its warehouse, to which one signs in by OAuth or by signatures.
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort } from "../ports.ts";
import { pythonEnvironment } from "../python.ts";
import { type Service, startService } from "./service.ts";

export interface SeaweedFs extends Service {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For programs that use an AWS SDK. */
  readonly variables: Readonly<Record<string, string>>;
  /** Of the REST catalog; the OAuth client is the access key. */
  readonly catalogUrl: string;
}

/** Each part of it wants a port for people and one for its own kind. */
const PORTS = [
  "s3.port.grpc",
  "s3.port.lance",
  "master.port",
  "master.port.grpc",
  "filer.port",
  "filer.port.grpc",
  "volume.port",
  "volume.port.grpc",
  "admin.port",
];
const READY_MS = 30_000;

export interface SeaweedFsOptions {
  /** A folder of the suite's; it is filled. */
  readonly folder: string;
  readonly bucket: string;
  /** A bucket for tables, the warehouse of the REST catalog. */
  readonly tableBucket?: string;
}

export async function startSeaweedFs({ folder, bucket, tableBucket }: SeaweedFsOptions): Promise<SeaweedFs> {
  const environment = await pythonEnvironment("seaweedfs");
  const [region, accessKeyId, secretAccessKey] = ["us-east-1", "seaweed", "seaweed-secret"];
  const catalogPort = await freePort();
  const service = await startService(async (port) => {
    const ports: string[] = [];
    for (const name of PORTS) ports.push(`-${name}=${await freePort()}`);
    return {
      name: "seaweedfs",
      command: [
        join(environment.folder, "bin/weed"),
        "mini",
        `-dir=${folder}`,
        "-ip=127.0.0.1",
        "-ip.bind=127.0.0.1",
        `-s3.port=${port}`,
        `-s3.port.iceberg=${catalogPort}`,
        ...ports,
        // A route that it does not know would else become an object in a new bucket.
        "-s3.autoCreateBucket=false",
        "-master.telemetry=false",
        "-webdav=false",
        "-admin.ui=false",
      ],
      variables: {
        AWS_ACCESS_KEY_ID: accessKeyId,
        AWS_SECRET_ACCESS_KEY: secretAccessKey,
        S3_BUCKET: bucket,
        ...(tableBucket === undefined ? {} : { S3_TABLE_BUCKET: tableBucket }),
      },
    };
  }, "/healthz");
  const catalogUrl = `http://127.0.0.1:${catalogPort}`;
  await hasBucket(`${service.url}/${bucket}`);
  if (tableBucket !== undefined)
    await hasTableBucket(`${catalogUrl}/v1`, tableBucket, { id: accessKeyId, secret: secretAccessKey });
  return {
    url: service.url,
    port: service.port,
    stop: service.stop,
    catalogUrl,
    region,
    accessKeyId,
    secretAccessKey,
    variables: {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: region,
      AWS_EC2_METADATA_DISABLED: "true",
      AWS_ENDPOINT_URL_S3: service.url,
    },
  };
}

/** Buckets are made last. Who does not sign is told 403 once it is there. */
async function hasBucket(url: string): Promise<void> {
  await isThere(url, { method: "HEAD" });
}

/** A table bucket is made after the others. */
async function hasTableBucket(
  url: string,
  tableBucket: string,
  client: { readonly id: string; readonly secret: string },
): Promise<void> {
  const body = new URLSearchParams({
    grant_type: "client_credentials",
    client_id: client.id,
    client_secret: client.secret,
    scope: "catalog",
  });
  const answer = await isThere(`${url}/oauth/tokens`, { method: "POST", body });
  const { access_token: token } = (await answer.json()) as { readonly access_token: string };
  await isThere(`${url}/${tableBucket}/namespaces`, { headers: { authorization: `Bearer ${token}` } });
}

async function isThere(url: string, request: RequestInit): Promise<Response> {
  const until = performance.now() + READY_MS;
  for (;;) {
    const answer = await fetch(url, request);
    if (answer.status !== 404 && answer.status < 500) return answer;
    if (performance.now() > until) throw new Error(`Cannot start SeaweedFS: ${url} answers ${answer.status}`);
    await sleep(100);
  }
}
