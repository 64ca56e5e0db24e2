// Runs the built Action as a job of the fake GitHub: a checkout of the commit, the runner's variables and files, one
// process; then all that it wrote. Tables lie in one warehouse that every job of the test sees.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type FakeGithub, type GithubOptions, startGitHub } from "../fakes/github.ts";
import type { GithubEvent } from "../fakes/github-events.ts";
import type { RunOptions } from "../fakes/github-runs.ts";
import { runProgram } from "../program/run-program.ts";

/** The Action runs on a newer Node than the tests: `.ci/run` runs some of them on that one, each job in its own process. */
const NODE = process.env["FLOEPLAN_ACTION_NODE"];

export interface JobOptions extends RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  readonly token?: string;
  /** Another commit is checked out than the event's. */
  readonly checkout?: string;
  /** Called once the job's process runs, which is then one of its own. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with the workspace before the process starts. */
  readonly prepare?: (workspace: string) => void;
}

export interface JobResult {
  readonly exit: number | null;
  readonly stdout: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
  /** The text of the plan file, where one was asked for. */
  readonly plan: string | null;
  readonly runId: number;
}

export interface Lake {
  readonly github: FakeGithub;
  /** Folder of the warehouses, one for each environment below it. */
  readonly warehouse: string;
  readonly job: (event: GithubEvent, inputs: Readonly<Record<string, string>>, options?: JobOptions) => Promise<JobResult>;
  readonly stop: () => Promise<void>;
}

/** `files`: of the first commit; `{warehouse}` in them is the folder of the warehouses. */
export async function startLake(
  files: (warehouse: string) => Readonly<Record<string, string>>,
  options: GithubOptions = {},
): Promise<Lake> {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-lake-"));
  const warehouse = join(folder, "warehouse");
  mkdirSync(warehouse);
  const github = await startGitHub({ ...options, files: { ...WORKFLOWS, ...files(warehouse) } });
  let jobs = 0;
  return {
    github,
    warehouse,
    job: async (event, inputs, jobOptions = {}) => {
      const place = join(folder, `job-${++jobs}`);
      const workspace = join(place, "workspace");
      const temp = join(place, "temp");
      mkdirSync(temp, { recursive: true });
      github.checkout(workspace, jobOptions.checkout ?? event.commit, 1);
      jobOptions.prepare?.(workspace);
      const run = github.startRun(event, jobOptions);
      return await runJob({ github, place, workspace, temp, run, inputs, options: jobOptions });
    },
    stop: async () => {
      await github.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Records are believed of workflows that are on the branch. */
const WORKFLOWS = Object.fromEntries(
  ["plan", "apply", "drift"].map((name) => [`.github/workflows/${name}.yml`, `name: ${name}\n`]),
);

interface JobParts {
  readonly github: FakeGithub;
  readonly place: string;
  readonly workspace: string;
  readonly temp: string;
  readonly run: ReturnType<FakeGithub["startRun"]>;
  readonly inputs: Readonly<Record<string, string>>;
  readonly options: JobOptions;
}

async function runJob({ github, place, workspace, temp, run, inputs, options }: JobParts): Promise<JobResult> {
  const files = { output: join(place, "output"), summary: join(place, "summary") };
  for (const file of Object.values(files)) writeFileSync(file, "");
  const given = { "github-token": options.token ?? github.token, ...inputs };
  const { exit, said } = await runProgram("action.js", {
    folder: workspace,
    words: [],
    variables: {
      PATH: process.env["PATH"] ?? "",
      HOME: place,
      ...run.variables,
      GITHUB_WORKSPACE: workspace,
      RUNNER_TEMP: temp,
      GITHUB_OUTPUT: files.output,
      GITHUB_STEP_SUMMARY: files.summary,
      ...Object.fromEntries(Object.entries(given).map(([name, value]) => [`INPUT_${name.toUpperCase()}`, value])),
      ...options.variables,
    },
    process: NODE === undefined && options.onStart === undefined ? "warm" : "own",
    node: NODE,
    onStart: options.onStart,
  });
  const outputs = readOutputs(readFileSync(files.output, "utf8"));
  const planPath = outputs["plan-path"] ?? "";
  return {
    exit,
    stdout: said.map(({ text }) => text).join(""),
    summary: readFileSync(files.summary, "utf8"),
    outputs,
    plan: planPath === "" ? null : readFileSync(join(workspace, planPath), "utf8"),
    runId: run.id,
  };
}

/** `name<<delimiter`, lines, `delimiter`: as @actions/core writes them. */
function readOutputs(text: string): Readonly<Record<string, string>> {
  const found: Record<string, string> = {};
  for (const [, name = "", , value = ""] of text.matchAll(/^(.+?)<<(\S+)\n([\s\S]*?)\n?\2$/gm)) found[name] = value;
  return found;
}

/** Commands that the runner would obey, by its two grammars: `::name` at the start of a line, `##[name]` anywhere. */
export function runnerCommands(stdout: string): readonly string[] {
  return stdout.split(/\r\n|\n|\r/).flatMap((line) => {
    const [, second] = /^\s*::([^\s:]+)(?:\s.*?)?::/.exec(line) ?? [];
    const firsts = [...line.matchAll(/##\[([^\]\s]+)[^\]]*\]/g)].map(([, name]) => name);
    return [second, ...firsts].filter((one) => one !== undefined);
  });
}

/** A project with one local warehouse for each environment, and its table files. */
export function project(
  tables: Readonly<Record<string, string>>,
  { environments = ["prod"], more = "" }: { readonly environments?: readonly string[]; readonly more?: string } = {},
): (warehouse: string) => Readonly<Record<string, string>> {
  return (warehouse) => ({
    "floeplan.yaml": [
      "floeplan: 1",
      "project: lake",
      "default-catalog: lake",
      "environments:",
      ...environments.flatMap((name) => [
        `  ${name}:`,
        `    catalogs: { lake: { type: local, warehouse: ${JSON.stringify(join(warehouse, name))} } }`,
      ]),
      more,
      "",
    ].join("\n"),
    ...Object.fromEntries(Object.entries(tables).map(([name, text]) => [`tables/${name}.yaml`, text])),
  });
}

/** Makes the folders of the warehouses: a local catalog does not make its own. */
export function makeWarehouses(lake: Lake, environments: readonly string[] = ["prod"]): void {
  for (const name of environments) mkdirSync(join(lake.warehouse, name), { recursive: true });
}
