// Runs the catalog's conformance suite against the server, a check a test.
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { CommandFailed, runToEnd } from "../support/child.ts";
import type { Suite } from "../support/expect.ts";
import { REPOSITORY } from "../support/places.ts";
import type { AwsEmulator } from "../support/services/aws.ts";

interface TestResult {
  readonly fullName: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

export async function conformanceChecks(suite: Suite, { variables }: AwsEmulator): Promise<void> {
  const results = await suite.check("the catalog's conformance suite runs", async () => {
    const file = join(suite.scratch, "conformance.json");
    const config = fileURLToPath(new URL("./vitest.config.ts", import.meta.url));
    const vitest = join(REPOSITORY, "node_modules/vitest/vitest.mjs");
    try {
      await runToEnd({
        name: "s3-tables-conformance",
        command: [process.execPath, vitest, "run", "--config", config, "--reporter=json", `--outputFile=${file}`],
        variables: { ...variables, AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: "true" },
        folder: REPOSITORY,
      });
    } catch (error) {
      // Failed tests are in the file; each is one check below.
      if (!(error instanceof CommandFailed)) throw error;
    }
    const { testResults } = JSON.parse(await readFile(file, "utf8")) as {
      readonly testResults: readonly { readonly message: string; readonly assertionResults: readonly TestResult[] }[];
    };
    const found = testResults.flatMap(({ assertionResults }) => assertionResults);
    if (found.length === 0) throw new Error(testResults.map(({ message }) => message).join("; "));
    return found;
  });
  for (const { fullName, status, failureMessages } of results ?? []) {
    if (status !== "passed" && status !== "failed") continue;
    await suite.check(`moto: ${fullName}`, () => {
      if (status === "failed") throw new Error(failureMessages.join("\n").slice(0, 2000));
    });
  }
}
