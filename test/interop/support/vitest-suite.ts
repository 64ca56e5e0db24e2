// Runs a suite of tests that the hermetic tests share (a store's, a catalog's) against a real server, each test a check
// of the interop suite. What a server does otherwise is written down beside it, and a difference that is gone is told.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandFailed, runToEnd } from "./child.ts";
import { skip, type Suite } from "./expect.ts";
import { REPOSITORY } from "./places.ts";

/** By words that a test's full name holds: why this server fails it. */
export type Differences = Readonly<Record<string, string>>;

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

export interface SharedSuite {
  /** Vitest's configuration file. */
  readonly config: string;
  readonly server: string;
  /** Say where the server is. */
  readonly variables: Readonly<Record<string, string>>;
  readonly differences: Differences;
  /** What a server does otherwise at times: not judged. */
  readonly chances?: Differences;
}

export async function checkSharedSuite(suite: Suite, shared: SharedSuite): Promise<void> {
  for (const { fullName, status, failureMessages } of await testResults(suite, shared)) {
    const chance = Object.entries(shared.chances ?? {}).find(([words]) => fullName.includes(words));
    const known = Object.entries(shared.differences).find(([words]) => fullName.includes(words));
    const title = `${shared.server}: ${fullName}${known === undefined ? "" : ` (differs: ${known[1]})`}`;
    await suite.check(title, () => {
      if (chance !== undefined) skip(chance[1]);
      if (known === undefined && status === "failed") throw new Error(failureMessages.join("\n").slice(0, 2000));
      if (known !== undefined && status === "passed") throw new Error("The server no longer differs here");
    });
  }
}

async function testResults(suite: Suite, { config, server, variables }: SharedSuite): Promise<readonly TestResult[]> {
  const file = join(suite.scratch, `${server}.json`);
  const vitest = join(REPOSITORY, "node_modules/vitest/vitest.mjs");
  try {
    await runToEnd({
      name: `shared-suite-${server}`,
      command: [process.execPath, vitest, "run", "--config", config, "--reporter=json", `--outputFile=${file}`],
      variables: { ...variables, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
      folder: REPOSITORY,
    });
  } catch (error) {
    // Failed tests are in the file; each is one check.
    if (!(error instanceof CommandFailed)) throw error;
  }
  const { testResults } = JSON.parse(await readFile(file, "utf8")) as {
    readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly TestResult[] }[];
  };
  const results = testResults.flatMap(({ assertionResults }) => assertionResults);
  if (results.length === 0)
    throw new Error(`The shared suite did not run: ${testResults.map(({ message }) => message).join("; ")}`);
  return results.filter(({ status }) => status === "passed" || status === "failed");
}
