// Waits for what the run builds (build-once.ts).
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { inject } from "vitest";

const PAUSE_MS = 25;

export interface Built {
  /** Folder of the built program. */
  readonly program: string;
  readonly warmHost: string;
}

export async function whenBuilt(): Promise<Built> {
  const mark = inject("builtMark");
  while (!existsSync(mark)) await wait(PAUSE_MS);
  const problem = readFileSync(mark, "utf8");
  if (problem !== "") throw new Error(problem);
  return { program: inject("built"), warmHost: inject("warmHost") };
}
