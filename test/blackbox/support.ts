// Runs the built program in scratch folders, as a person would.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { relocateTable } from "../../src/commands/relocate-table.ts";
import { inject } from "vitest";

const ROOT = resolve(import.meta.dirname, "../..");
const PROGRAM = join(inject("built"), "index.js");

export interface Ran {
  readonly exit: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly variables?: Readonly<Record<string, string>>;
  /** Called with the child, e.g. to kill it. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
}

export async function floeplan(folder: string, words: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const child = spawn(process.execPath, [PROGRAM, ...words], {
    cwd: folder,
    stdio: ["ignore", "pipe", "pipe"],
    env: { PATH: process.env["PATH"], HOME: folder, CI: "true", NO_COLOR: "1", ...options.variables },
  });
  let stdout = "";
  let stderr = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  options.onStart?.((signal) => child.kill(signal));
  return await new Promise((settle) => {
    child.on("close", (exit) => settle({ exit, stdout, stderr }));
  });
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
