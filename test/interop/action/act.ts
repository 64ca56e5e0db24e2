// Runs a workflow by act in host mode, as a job on this machine without a container, and reads its log. Knows no workflow.
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { startChild, tailOf } from "../support/child.ts";
import { pythonEnvironment } from "../support/python.ts";

export interface Act {
  run(job: ActJob): Promise<ActRun>;
}

export interface ActJob {
  /** A checkout of the commit. */
  readonly workspace: string;
  /** Below the workspace. */
  readonly workflow: string;
  readonly event: string;
  readonly eventFile: string;
  readonly token: string;
  readonly variables: Readonly<Record<string, string>>;
}

export interface ActRun {
  readonly exit: number | NodeJS.Signals;
  /** By job, in the order of their ends: `success` or `failure`. */
  readonly jobs: Readonly<Record<string, string>>;
  /** What steps set, the last of a name. */
  readonly outputs: Readonly<Record<string, string>>;
  /** Step summaries. */
  readonly summary: string;
  /** Annotations of the level error, as `file:line title`. */
  readonly errors: readonly string[];
  /** What steps printed. */
  readonly log: string;
}

/** `action` is the folder that stands for `name`, e.g. `floeplan/floeplan@v0.1.0`. */
export async function prepareAct(options: {
  readonly home: string;
  readonly name: string;
  readonly action: string;
}): Promise<Act> {
  const { folder } = await pythonEnvironment("act");
  const { home, name, action } = options;
  await mkdir(home, { recursive: true });
  let runs = 0;
  return {
    run: async (job) => {
      const variables = join(home, `variables-${++runs}`);
      await writeFile(
        variables,
        Object.entries(job.variables)
          .map(([key, value]) => `${key}=${value}\n`)
          .join(""),
      );
      const child = await startChild({
        name: `act-${job.event}`,
        folder: job.workspace,
        // Else it makes folders in the home of whoever runs this.
        variables: { XDG_CACHE_HOME: join(home, "cache"), XDG_CONFIG_HOME: join(home, "config") },
        command: [
          join(folder, "bin/act"),
          job.event,
          "--platform=ubuntu-latest=-self-hosted",
          `--workflows=${job.workflow}`,
          `--eventpath=${job.eventFile}`,
          `--secret=GITHUB_TOKEN=${job.token}`,
          `--env-file=${variables}`,
          `--local-repository=${name}=${action}`,
          "--no-cache-server",
          "--action-offline-mode",
          "--json",
        ],
      });
      child.input.end();
      const lines: unknown[] = [];
      for await (const line of createInterface({ input: child.output })) if (line.startsWith("{")) lines.push(JSON.parse(line));
      const exit = await child.ended;
      await child.stop();
      if (lines.length === 0) throw new Error(`act said nothing and ended with ${exit}\n${tailOf(child.log, 20)}`);
      return { exit, ...readLog(lines) };
    },
  };
}

function readLog(lines: readonly unknown[]): Omit<ActRun, "exit"> {
  const jobs: Record<string, string> = {};
  const outputs: Record<string, string> = {};
  const [summary, errors, log]: [string[], string[], string[]] = [[], [], []];
  for (const line of lines) {
    const text = (member: string): string | null => textOf(line, member);
    const [job, result, command] = [text("jobID"), text("jobResult"), text("command")];
    if (job !== null && result !== null) jobs[job] = result;
    if (command === "set-output") outputs[text("name") ?? ""] = text("arg") ?? "";
    if (command === "summary") summary.push(text("content") ?? "");
    if (command === "error") errors.push(annotationOf(Reflect.get(Object(line), "kvPairs")));
    log.push(text("msg") ?? "");
  }
  return { jobs, outputs, summary: summary.join("\n"), errors, log: log.join("\n") };
}

function annotationOf(about: unknown): string {
  return `${textOf(about, "file") ?? ""}:${textOf(about, "line") ?? ""} ${textOf(about, "title") ?? ""}`;
}

function textOf(value: unknown, member: string): string | null {
  const found: unknown = typeof value === "object" && value !== null ? Reflect.get(value, member) : null;
  return typeof found === "string" ? found : null;
}
