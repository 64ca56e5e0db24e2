// A flow of the Action in this process, on the fake GitHub with the waiting of a second made a millisecond: what becomes
// of it when calls fail can be asked for often. The checkout is made once for a commit.
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import type { ActionContext } from "../../src/action/context.ts";
import { FLOWS } from "../../src/action/flows/index.ts";
import { commandContext } from "../../src/action/ports.ts";
import { readInputs } from "../../src/action/read-inputs.ts";
import type { ActionResult } from "../../src/action/result.ts";
import { readRunner } from "../../src/action/runner.ts";
import { createProgress } from "../../src/cli/progress.ts";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { defaultBranchIn, readGithubEvent } from "../../src/forge/github-event.ts";
import { openGithub } from "../../src/forge/github.ts";
import type { GithubEvent } from "../fakes/github-events.ts";
import type { Lake } from "./support.ts";

export interface FlowEnd {
  /** Null: it ended with an error. */
  readonly result: ActionResult | null;
  readonly error: ToolError | null;
  /** All that it put into the log. */
  readonly log: string;
}

export interface FlowOptions {
  /** The protected environment that the job runs in. */
  readonly environment?: string;
}

export async function runFlow(
  lake: Lake,
  event: GithubEvent,
  inputs: Readonly<Record<string, string>>,
  { environment }: FlowOptions = {},
): Promise<FlowEnd> {
  const lines: string[] = [];
  const context = contextOf(lake, event, inputs, lines, environment ?? null);
  const flow = await FLOWS[context.inputs.command]();
  try {
    return { result: await flow.run(context), error: null, log: lines.join("\n") };
  } catch (error) {
    if (!(error instanceof ToolError)) throw error;
    return { result: null, error, log: lines.join("\n") };
  }
}

function contextOf(
  lake: Lake,
  event: GithubEvent,
  inputs: Readonly<Record<string, string>>,
  lines: string[],
  environment: string | null,
): ActionContext {
  const { github, warehouse } = lake;
  const workspace = join(warehouse, "..", "checkouts", event.commit);
  if (!existsSync(workspace)) github.checkout(workspace, event.commit, 1);
  const temp = join(warehouse, "..", "temp");
  mkdirSync(temp, { recursive: true });
  const run = github.startRun(event, environment === null ? {} : { environment });
  const variables = { ...run.variables, GITHUB_WORKSPACE: workspace, RUNNER_TEMP: temp };
  const runner = readRunner(variables);
  const put = (text: string): void => void lines.push(text);
  const log = { write: put, say: put, warn: put, annotate: () => {} };
  const parts = { isTerminal: false, width: 100, write: put, now: Date.now };
  return {
    inputs: readInputs((name) => inputs[name] ?? ""),
    event: readGithubEvent(event),
    defaultBranch: defaultBranchIn(event.payload),
    forge: openGithub(variables, { token: github.token, version: "1.2.3", secondMs: 1 }),
    runner,
    log,
    command: commandContext({
      runner,
      log,
      progress: createProgress(parts),
      signal: new AbortController().signal,
      variables,
      version: "1.2.3",
      now: Date.now,
      randomId: randomUUID,
    }),
    jobEnvironment: async () => await Promise.resolve(environment),
  };
}
