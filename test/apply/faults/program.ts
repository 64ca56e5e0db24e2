// Starts the built program in a process of its own, as a person or a workflow would, and what runs before it where its
// world is to turn. Knows no catalog.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "rolldown";

export interface ProgramRun {
  readonly exit: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly said: string;
}

export interface ProgramOptions {
  /** Where it was built to. */
  readonly built: string;
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly nodeOptions?: readonly string[];
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

/** All variables that it sees. */
export function environmentOf({
  folder,
  variables,
}: Pick<ProgramOptions, "folder" | "variables">): Readonly<Record<string, string>> {
  return { PATH: process.env["PATH"] ?? "", HOME: folder, CI: "true", NO_COLOR: "1", ...variables };
}

export async function runProgram(options: ProgramOptions, ...words: readonly string[]): Promise<ProgramRun> {
  const { built, folder, nodeOptions = [], onStart } = options;
  const child = spawn(process.execPath, [...nodeOptions, join(built, "index.js"), ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: environmentOf(options),
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
  onStart?.((signal) => child.kill(signal));
  return await new Promise((settle) => {
    child.on("close", (exit, signal) => settle({ exit, signal, said }));
  });
}

let preload: Promise<string> | null = null;

/** turn-preload.ts in plain JavaScript, built when it is first needed. */
export async function builtPreload(): Promise<string> {
  preload ??= buildPreload();
  return await preload;
}

async function buildPreload(): Promise<string> {
  const file = join(mkdtempSync(join(tmpdir(), "floeplan-turn-preload-")), "preload.mjs");
  const input = fileURLToPath(new URL("./turn-preload.ts", import.meta.url));
  await build({ input, platform: "node", logLevel: "silent", output: { file } });
  process.once("exit", () => rmSync(dirname(file), { recursive: true, force: true }));
  return file;
}
