// The store suite on software that nobody here wrote: moto, ministack, SeaweedFS. What a server does otherwise than S3
// is written down here, and is checked too: a difference that is gone is told.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailed, runToEnd } from "../support/child.ts";
import { runSuite, type Suite } from "../support/expect.ts";
import { REPOSITORY } from "../support/places.ts";
import { type AwsEmulator, startMinistack, startMoto } from "../support/services/aws.ts";
import { startSeaweedFs } from "../support/services/seaweedfs.ts";

const BUCKET = "floeplan-store";

/** By the words that a test's full name holds: why this server fails it. */
type Differences = Readonly<Record<string, string>>;

const NO_KEYS: Differences = { "keys that it does not know": "it proves no signature unless asked to" };

const DIFFERENCES: Readonly<Record<string, Differences>> = { moto: NO_KEYS, ministack: NO_KEYS, seaweedfs: {} };

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

await runSuite("s3", async (suite) => {
  const emulated = async (start: () => Promise<AwsEmulator>): Promise<AwsEmulator> => {
    const server = await start();
    await server.makeBucket(BUCKET);
    return server;
  };
  const servers = {
    moto: () => emulated(startMoto),
    ministack: () => emulated(startMinistack),
    seaweedfs: () => startSeaweedFs({ folder: suite.scratch, bucket: BUCKET }),
  };
  for (const [name, start] of Object.entries(servers)) {
    const server = await suite.check(`${name} starts`, start);
    if (server === null) continue;
    for (const result of await storeSuite(suite, name, server.variables)) await report(suite, name, result);
    await server.stop();
  }
});

async function storeSuite(
  suite: Suite,
  name: string,
  variables: Readonly<Record<string, string>>,
): Promise<readonly TestResult[]> {
  const file = join(suite.scratch, `${name}.json`);
  const config = fileURLToPath(new URL("./vitest.config.ts", import.meta.url));
  const vitest = join(REPOSITORY, "node_modules/vitest/vitest.mjs");
  try {
    await runToEnd({
      name: `store-suite-${name}`,
      command: [process.execPath, vitest, "run", "--config", config, "--reporter=json", `--outputFile=${file}`],
      variables: { ...variables, FLOEPLAN_S3_BUCKET: BUCKET, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
      folder: REPOSITORY,
    });
  } catch (error) {
    // Failed tests are in the file; each is one check below.
    if (!(error instanceof CommandFailed)) throw error;
  }
  const { testResults } = JSON.parse(await readFile(file, "utf8")) as {
    readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly TestResult[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0)
    throw new Error(`The store suite did not run: ${testResults.map(({ message }) => message).join("; ")}`);
  return results.filter(({ status }) => status === "passed" || status === "failed");
}

async function report(suite: Suite, server: string, { fullName, status, failureMessages }: TestResult): Promise<void> {
  const known = Object.entries(DIFFERENCES[server] ?? {}).find(([words]) => fullName.includes(words));
  const title = `${server}: ${fullName}${known === undefined ? "" : ` (differs: ${known[1]})`}`;
  await suite.check(title, () => {
    if (known === undefined && status === "failed") throw new Error(failureMessages.join("\n").slice(0, 2000));
    if (known !== undefined && status === "passed") throw new Error("The server no longer differs from S3 here");
  });
}
