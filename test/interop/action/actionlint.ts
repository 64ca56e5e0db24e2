// actionlint over workflows: what it finds, but for what it does not know yet. Installed once by Go.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { runToEnd } from "../support/child.ts";
import { skip } from "../support/expect.ts";
import { installOnce } from "../support/install.ts";

const VERSION = "v1.7.12";

interface Finding {
  readonly message: string;
  readonly filepath: string;
  readonly line: number;
}

/** GitHub has `concurrency.queue` since 2026; this release of actionlint is older. */
const UNKNOWN_TO_IT = /^unexpected key "queue" for "concurrency" section\b/;

/** One line a finding. */
export async function lintWorkflows(files: readonly string[]): Promise<readonly string[]> {
  const program = await installed();
  // Without the two linters that it would start where they happen to be installed: the same everywhere.
  const { stdout, stderr, status } = spawnSync(program, ["-format", "{{json .}}", "-shellcheck=", "-pyflakes=", ...files], {
    encoding: "utf8",
  });
  if (status !== 0 && status !== 1) throw new Error(`actionlint ended with ${status ?? "a signal"}\n${stderr}`);
  const findings = JSON.parse(stdout) as readonly Finding[];
  return findings
    .filter(({ message }) => !UNKNOWN_TO_IT.test(message))
    .map(({ filepath, line, message }) => `${filepath}:${line}: ${message}`);
}

async function installed(): Promise<string> {
  if (spawnSync("go", ["version"]).status !== 0) skip("Go is not installed, and actionlint is built by it");
  try {
    const { folder } = await installOnce({
      what: `actionlint ${VERSION}`,
      folder: join("go", `actionlint-${VERSION}`),
      make: async (place) => {
        await runToEnd({
          name: "go-actionlint",
          command: ["go", "install", `github.com/rhysd/actionlint/cmd/actionlint@${VERSION}`],
          variables: { GOBIN: place, GOFLAGS: "" },
        });
      },
    });
    return join(folder, "actionlint");
  } catch (error) {
    return skip(
      `actionlint could not be installed: ${error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error)}`,
    );
  }
}
