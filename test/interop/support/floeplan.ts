// Runs floeplan itself as a person would: the program in a folder, its exit code and what it printed. From the sources;
// with the suite option --dist, from the built bundle.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { REPOSITORY } from "./places.ts";

export interface FloeplanRun {
  readonly exit: number | NodeJS.Signals;
  readonly stdout: string;
  readonly stderr: string;
}

export interface FloeplanOptions {
  /** Where it runs: usually a copy of a project. */
  readonly folder: string;
  /** Added to the environment, e.g. FLOEPLAN_ENV. */
  readonly variables?: Readonly<Record<string, string>>;
}

export async function runFloeplan(words: readonly string[], options: FloeplanOptions): Promise<FloeplanRun> {
  const child = spawn(process.execPath, [...program(), ...words], {
    cwd: options.folder,
    env: { ...process.env, ...options.variables },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [out, errors]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => errors.push(chunk));
  const exit = await new Promise<number | NodeJS.Signals>((settle, fail) => {
    child.once("error", fail);
    child.once("close", (code, signal) => settle(code ?? signal ?? 1));
  });
  return { exit, stdout: Buffer.concat(out).toString("utf8"), stderr: Buffer.concat(errors).toString("utf8") };
}

function program(): readonly string[] {
  if (process.argv.includes("--dist")) return [join(REPOSITORY, "dist/index.js")];
  // The loader by its file: the folder that floeplan runs in has no packages.
  return ["--import", import.meta.resolve("tsx"), join(REPOSITORY, "src/cli/bin.ts")];
}
