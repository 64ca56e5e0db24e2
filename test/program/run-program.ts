// Runs the built program: in a process of its own, or by a process that has it loaded already (warm-host.ts), which takes a
// fifth of the time. FLOEPLAN_LONG=1 makes every run a process of its own.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { IS_LONG } from "../long.ts";
import { whenBuilt } from "./built.ts";
import type { ProgramRun, ProgramWords } from "./program-run.ts";
import { runWarm } from "./warm-process.ts";

export interface RunProgramOptions {
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly words: readonly string[];
  /** Own: for what only a process of its own shows, e.g. that it can be killed. */
  readonly process: "own" | "warm";
  /** Of an own process; without: this one's. */
  readonly node?: string | undefined;
  /** Called with the own process, e.g. to kill it. */
  readonly onStart?: ((kill: (signal: NodeJS.Signals) => void) => void) | undefined;
}

export async function runProgram(file: "index.js" | "action.js", options: RunProgramOptions): Promise<ProgramRun> {
  const { folder, variables, words } = options;
  const { program, warmHost } = await whenBuilt();
  const asked = { program: join(program, file), folder, variables, words };
  return await (options.process === "own" || IS_LONG ? runAlone(asked, options) : runWarm(warmHost, asked));
}

async function runAlone({ program, folder, variables, words }: ProgramWords, options: RunProgramOptions): Promise<ProgramRun> {
  const child = spawn(options.node ?? process.execPath, [program, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: variables,
  });
  const said: { readonly stream: "stdout" | "stderr"; readonly text: string }[] = [];
  for (const stream of ["stdout", "stderr"] as const) {
    child[stream].setEncoding("utf8").on("data", (text: string) => {
      said.push({ stream, text });
    });
  }
  options.onStart?.((signal) => child.kill(signal));
  return await new Promise((settle, fail) => {
    child.on("error", fail);
    child.on("close", (exit) => settle({ exit, said }));
  });
}
