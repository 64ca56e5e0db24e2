// Emulators of AWS: moto (Glue, S3, S3 Tables) and ministack (Glue with VersionId enforced, S3), and how every client
// is pointed at them. The host is an address, not a name: for an address the AWS SDKs use path-style S3 by themselves.
import { pythonEnvironment } from "../python.ts";
import { type Service, startService } from "./service.ts";

export interface AwsEmulator extends Service {
  readonly region: string;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For programs that use an AWS SDK: keys, region and the endpoint of every service. */
  readonly variables: Readonly<Record<string, string>>;
  /** An empty bucket; the engines expect it to be there. */
  readonly makeBucket: (name: string) => Promise<void>;
}

const SERVICES = ["GLUE", "S3", "S3TABLES", "ATHENA", "STS", "LAKEFORMATION"];

export async function startMoto(): Promise<AwsEmulator> {
  const environment = await pythonEnvironment("moto");
  const service = await startService(
    async (port) => ({
      name: "moto",
      command: [environment.python, "-m", "moto.server", "-H", "127.0.0.1", "-p", String(port)],
    }),
    "/moto-api/data.json",
  );
  return emulator(service);
}

export async function startMinistack(): Promise<AwsEmulator> {
  const environment = await pythonEnvironment("ministack");
  const service = await startService(
    async (port) => ({
      name: "ministack",
      command: [environment.python, "-m", "ministack"],
      variables: {
        GATEWAY_PORT: String(port),
        SERVICES: "glue,s3,sts",
        LOG_LEVEL: "WARNING",
        // Without these two it listens on all addresses, and for MQTT besides.
        BIND_HOST: "127.0.0.1",
        IOT_MTLS_ENABLED: "0",
      },
    }),
    "/_ministack/health",
  );
  return emulator(service);
}

function emulator(service: Service): AwsEmulator {
  const [region, accessKeyId, secretAccessKey] = ["us-east-1", "testing", "testing"];
  return {
    url: service.url,
    port: service.port,
    stop: service.stop,
    region,
    accessKeyId,
    secretAccessKey,
    variables: {
      AWS_ACCESS_KEY_ID: accessKeyId,
      AWS_SECRET_ACCESS_KEY: secretAccessKey,
      AWS_REGION: region,
      AWS_DEFAULT_REGION: region,
      AWS_EC2_METADATA_DISABLED: "true",
      ...Object.fromEntries(SERVICES.map((name) => [`AWS_ENDPOINT_URL_${name}`, service.url])),
    },
    makeBucket: async (name) => {
      const answer = await fetch(`${service.url}/${name}`, {
        method: "PUT",
        // Neither emulator checks the signature; both read from it which service is meant.
        headers: { authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20260101/${region}/s3/aws4_request` },
      });
      if (!answer.ok) throw new Error(`Cannot make the bucket "${name}": ${answer.status} ${await answer.text()}`);
    },
  };
}
