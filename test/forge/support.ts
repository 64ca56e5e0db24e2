// A forge on the fake GitHub, with the waiting of a second made a millisecond.
import type { Forge } from "../../src/forge/forge.ts";
import type { Answer } from "../../src/forge/forge-answer.ts";
import { openGithub } from "../../src/forge/github.ts";
import type { FakeGithub } from "../fakes/github.ts";

export interface ForgeOptions {
  /** Without: the workflow's own. */
  readonly token?: string;
  readonly timeoutMs?: number;
}

export function forgeOn(github: FakeGithub, { token = github.token, timeoutMs = 5000 }: ForgeOptions = {}): Forge {
  return openGithub(github.variables, { token, version: "1.2.3", secondMs: 1, timeoutMs });
}

/** The value, or a failed test that tells the denial. */
export function valueIn<T>(answer: Answer<T>): T {
  if (answer.kind === "done") return answer.value;
  throw new Error(`${answer.kind}: ${answer.what}: ${answer.why}`);
}

/** The error that the promise ends with. */
export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  try {
    await promise;
  } catch (error) {
    return error;
  }
  throw new Error("It did not fail");
}
