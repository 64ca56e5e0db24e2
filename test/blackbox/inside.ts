// The whole command line in this process, from words to exit code: what a started program would answer, in a twentieth
// of the time. The variables of the run stand in this thread's environment while it lasts, since AWS's clients look there.
import { randomUUID } from "node:crypto";
import { main } from "../../src/cli/main.ts";
import { testShell } from "../cli/shell.ts";
import type { Ran } from "./support.ts";

/** One run at a time in a thread. */
export async function inside(
  directory: string,
  argv: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Ran> {
  const shell = testShell(argv, {
    directory,
    variables: { CI: "true", NO_COLOR: "1", ...variables },
    now: Date.now,
    randomId: randomUUID,
  });
  const before = Object.keys(variables).map((name) => [name, process.env[name]] as const);
  Object.assign(process.env, variables);
  try {
    const exit = await main(shell);
    return { exit, stdout: shell.stdout.text, stderr: shell.stderr.text };
  } finally {
    for (const [name, value] of before) {
      if (value === undefined) delete process.env[name];
      else process.env[name] = value;
    }
  }
}
