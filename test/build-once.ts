// Builds the program once before the tests, into a folder of this run: black-box tests run what is built, and one
// test compares it with dist/.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    built: string;
  }
}

const ROOT = resolve(import.meta.dirname, "..");

export function setup(project: TestProject): () => void {
  mkdirSync(join(ROOT, ".cache"), { recursive: true });
  const folder = mkdtempSync(join(ROOT, ".cache/test-build-"));
  execFileSync(process.execPath, ["--import", "tsx", "scripts/build.ts", folder], { cwd: ROOT, stdio: "inherit" });
  project.provide("built", folder);
  return () => rmSync(folder, { recursive: true, force: true });
}
