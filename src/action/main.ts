// The Action from its inputs to its outputs: reads what the runner gives, refuses events that run a stranger's code with
// the repository's rights, runs one command, tells how it ended. Never throws.
import { readFile } from "node:fs/promises";
import * as core from "@actions/core";
import { failureText } from "../cli/failure.ts";
import { createProgress } from "../cli/progress.ts";
import { VERSION } from "../cli/version.ts";
import { type ToolErrorKind, ToolError } from "../diagnostics/tool-error.ts";
import { defaultBranchIn, readGithubEvent } from "../forge/github-event.ts";
import { openGithub } from "../forge/github.ts";
import { terminalText } from "../report/escape.ts";
import type { ActionContext } from "./context.ts";
import { FLOWS } from "./flows/index.ts";
import { jobEnvironment } from "./job-environment.ts";
import { createLog } from "./log.ts";
import { NO_OUTPUTS, type FailureReason } from "./outputs.ts";
import { checkConfigPath, insidePath } from "./paths.ts";
import { commandContext, LOG_WIDTH } from "./ports.ts";
import { type Inputs, readInputs } from "./read-inputs.ts";
import { readRunner, type Runner } from "./runner.ts";
import { errorText } from "./sentences.ts";
import { setOutputs, writeResult } from "./write-result.ts";

export interface Job {
  readonly variables: Record<string, string | undefined>;
  readonly stdout: { readonly write: (text: string) => unknown };
  readonly now: () => number;
  readonly randomId: () => string;
  readonly signal: AbortSignal;
  /** E.g. `Node v24.1.0 on linux x64`. */
  readonly machine: string;
}

/** Does the job succeed? */
export async function main(job: Job): Promise<boolean> {
  const log = createLog(job.stdout);
  try {
    const inputs = readInputs((name) => core.getInput(name));
    const runner = readRunner(job.variables);
    const context = await contextOf(job, inputs, runner, log);
    const flow = await FLOWS[inputs.command]();
    const result = await flow.run(context);
    context.command.progress.end();
    await writeResult(context, result);
    return result.succeeded;
  } catch (cause) {
    const error = job.signal.aborted && !(cause instanceof ToolError) ? interrupted(cause) : cause;
    log.write(failureText(error, true, { description: job.machine }));
    core.error(sentenceOf(error));
    setOutputs({ ...NO_OUTPUTS, status: "failed", "failure-reason": reasonOf(error) });
    return false;
  }
}

function interrupted(cause: unknown): ToolError {
  return new ToolError("interrupted", "Interrupted", {
    why: "The job was cancelled",
    mend: "Run it again: it goes on from what is live",
    cause,
  });
}

async function contextOf(job: Job, inputs: Inputs, runner: Runner, log: ActionContext["log"]): Promise<ActionContext> {
  const { variables, now, randomId, signal } = job;
  const payload = await readPayload(runner);
  const event = readGithubEvent({ name: runner.eventName, commit: runner.commit, ref: runner.ref, payload });
  if (event.kind === "privileged") {
    throw new ToolError("usage", `Cannot run on the event ${event.name}`, {
      why: "It runs with the rights of the default branch, whoever caused it, and may hold a stranger's files",
      mend: "Use pull_request; a fork's pull request is checked without credentials",
    });
  }
  await checkConfigPath(runner, inputs.config);
  if (inputs.planOut !== null) await insidePath(runner, "plan-out", inputs.planOut);
  if (inputs.githubToken !== null) core.setSecret(inputs.githubToken);
  if (inputs.awsRegion !== null) variables["AWS_REGION"] ??= inputs.awsRegion;
  const progress = createProgress({
    isTerminal: false,
    width: LOG_WIDTH,
    write: (text) => {
      log.write(text);
    },
    now,
  });
  return {
    inputs,
    event,
    defaultBranch: defaultBranchIn(payload),
    forge: inputs.githubToken === null ? null : openGithub(variables, { token: inputs.githubToken, version: VERSION }),
    runner,
    log,
    command: commandContext({ runner, log, progress, signal, variables, version: VERSION, now, randomId }),
    jobEnvironment: jobEnvironment(variables),
  };
}

async function readPayload({ eventPath }: Runner): Promise<unknown> {
  try {
    return JSON.parse(await readFile(eventPath, "utf8"));
  } catch (cause) {
    throw new ToolError("config", "Cannot read the event of this run", {
      mend: "Check GITHUB_EVENT_PATH: the runner writes the file",
      cause,
    });
  }
}

function sentenceOf(error: unknown): string {
  if (!(error instanceof ToolError)) return "This is a bug in floeplan: the job's log has what to report";
  return terminalText(errorText(error));
}

const REASONS: Readonly<Partial<Record<ToolErrorKind, FailureReason>>> = {
  config: "invalid-schema",
  usage: "invalid-schema",
  conflict: "commit-conflict",
};

function reasonOf(error: unknown): FailureReason {
  return (error instanceof ToolError ? REASONS[error.kind] : undefined) ?? "catalog-error";
}
