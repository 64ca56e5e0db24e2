// Builds the program once before the tests, into a folder of this run: black-box tests run what is built, and one
// test compares it with dist/. Also what runs it again and again in one process (program/warm-host.ts).
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { build } from "rolldown";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    built: string;
    /** The bundle of program/warm-host.ts. */
    warmHost: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");

export async function setup(project: TestProject): Promise<() => void> {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".cache/test-build-"));
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts", folder], { cwd: ROOT, stdio: "inherit" });
  project.provide("built", folder);
  const warmHost = `${folder}.warm-host.mjs`;
  const input = join(import.meta.dirname, "program/warm-host.ts");
  await build({ input, platform: "node", logLevel: "silent", output: { file: warmHost } });
  project.provide("warmHost", warmHost);
  return () => {
    for (const made of [folder, warmHost]) rmSync(made, { recursive: true, force: true });
  };
}
