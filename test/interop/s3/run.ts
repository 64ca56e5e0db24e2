// The store suite on software that nobody here wrote: moto, ministack, SeaweedFS. What a server does otherwise than S3
// is written down here.
import { fileURLToPath } from "node:url";
import { runSuite } from "../support/expect.ts";
import { type AwsEmulator, startMinistack, startMoto } from "../support/services/aws.ts";
import { startSeaweedFs } from "../support/services/seaweedfs.ts";
import { checkSharedSuite, type Differences } from "../support/vitest-suite.ts";

const BUCKET = "floeplan-store";

const NO_KEYS: Differences = { "keys that it does not know": "it proves no signature unless asked to" };

const DIFFERENCES: Readonly<Record<string, Differences>> = { moto: NO_KEYS, ministack: NO_KEYS, seaweedfs: {} };

await runSuite("s3", async (suite) => {
  const emulated = async (start: () => Promise<AwsEmulator>): Promise<AwsEmulator> => {
    const server = await start();
    await server.makeBucket(BUCKET);
    return server;
  };
  const servers: Readonly<Record<string, () => Promise<Pick<AwsEmulator, "variables" | "stop">>>> = {
    moto: () => emulated(startMoto),
    ministack: () => emulated(startMinistack),
    seaweedfs: () => startSeaweedFs({ folder: suite.scratch, bucket: BUCKET }),
  };
  for (const [name, start] of Object.entries(servers)) {
    const server = await suite.check(`${name} starts`, start);
    if (server === null) continue;
    await checkSharedSuite(suite, {
      config: fileURLToPath(new URL("./vitest.config.ts", import.meta.url)),
      server: name,
      variables: { ...server.variables, FLOEPLAN_S3_BUCKET: BUCKET },
      differences: DIFFERENCES[name] ?? {},
    });
    await server.stop();
  }
});
