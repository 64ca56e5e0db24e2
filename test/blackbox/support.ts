// Runs the built program in scratch folders, as a person would.
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { relocateTable } from "../../src/commands/relocate-table.ts";
import { saidOn } from "../program/program-run.ts";
import { runProgram } from "../program/run-program.ts";

const ROOT = resolve(import.meta.dirname, "../..");

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Own: for what only a process of its own shows. */
  readonly process?: "own" | "warm";
  /** Called with the own process, e.g. to kill it. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

export async function floeplan(folder: string, words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const run = await runProgram("index.js", {
    folder,
    words,
    variables: { PATH: process.env["PATH"] ?? "", HOME: folder, CI: "true", NO_COLOR: "1", ...options.variables },
    process: options.process ?? (options.onStart === undefined ? "warm" : "own"),
    onStart: options.onStart,
  });
  return { exit: run.exit, stdout: saidOn(run, "stdout"), stderr: saidOn(run, "stderr") };
}

/** In a process of its own, which is started and ends. */
export async function floeplanAlone(folder: string, words: readonly string[]): Promise<Ran> {
  return await floeplan(folder, words, { process: "own" });
}

/** A copy of the example project with its two Spark-written tables, its paths those of the copy. */
export async function employees(): Promise<{ readonly folder: string; readonly remove: () => void }> {
  const folder = mkdtempSync(join(tmpdir(), "floeplan-test-"));
  cpSync(join(ROOT, "examples/employees"), folder, { recursive: true });
  for (const table of ["iceberg_employee", "iceberg_employee_dirty"]) {
    await relocateTable(join(folder, "warehouse/hr", table), "/tmp/floeplan-demo/warehouse", join(folder, "warehouse"));
  }
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}
