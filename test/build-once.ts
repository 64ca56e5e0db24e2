// Builds the program once for a run, into a folder of its own: black-box tests run what is built, and one test compares it
// with dist/. Also what runs it again and again in one process (program/warm-host.ts). Tests that need neither begin meanwhile.
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { build } from "rolldown";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** Where the build goes; program/built.ts waits for it. */
    built: string;
    /** The bundle of program/warm-host.ts. */
    warmHost: string;
    /** There once all is built; what went wrong is its text. */
    builtMark: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");

export function setup(project: TestProject): () => Promise<void> {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const built = mkdtempSync(join(ROOT, ".cache/test-build-"));
  const [warmHost, builtMark] = [`${built}.warm-host.mjs`, `${built}.mark`];
  project.provide("built", built);
  project.provide("warmHost", warmHost);
  project.provide("builtMark", builtMark);
  const input = join(import.meta.dirname, "program/warm-host.ts");
  const done = Promise.all([
    promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/build.ts", built], { cwd: ROOT }),
    build({ input, platform: "node", logLevel: "silent", output: { file: warmHost } }),
  ]).then(
    () => "",
    (error: unknown) => `Cannot build the program: ${String(error)}`,
  );
  const marked = done.then((problem) => {
    // Whole at once: tests look for it.
    writeFileSync(`${builtMark}.part`, problem);
    renameSync(`${builtMark}.part`, builtMark);
  });
  return async () => {
    await marked;
    for (const made of [built, warmHost, builtMark]) rmSync(made, { recursive: true, force: true });
  };
}
