// This worker's process with the program in it (warm-host.ts): started at the first run, shared by all files that the
// worker runs, and started anew where a test was given up in the middle of a run.
import { type ChildProcess, fork } from "node:child_process";
import { expect } from "vitest";
import type { ProgramRun, ProgramWords } from "./program-run.ts";

interface Answer {
  readonly id: number;
  readonly ran?: ProgramRun;
  readonly failure?: string;
}

interface Waiting {
  /** The test that asked. */
  readonly by: string;
  readonly settle: (ran: ProgramRun) => void;
  readonly fail: (error: Error) => void;
}

interface Host {
  readonly process: ChildProcess;
  readonly waiting: Map<number, Waiting>;
  asked: number;
}

/** One for all files of a worker, which share their modules. */
let current: Host | undefined;

export async function runWarm(warmHost: string, asked: ProgramWords): Promise<ProgramRun> {
  const { testPath = "", currentTestName = "" } = expect.getState();
  const host = hostFor(warmHost, `${testPath} > ${currentTestName}`);
  const id = ++host.asked;
  return await new Promise((settle, fail) => {
    host.waiting.set(id, { by: `${testPath} > ${currentTestName}`, settle, fail });
    host.process.send({ id, asked });
  });
}

function hostFor(warmHost: string, test: string): Host {
  const found = current;
  if (found !== undefined && [...found.waiting.values()].every(({ by }) => by === test)) return found;
  found?.process.kill("SIGKILL");
  const made: Host = { process: fork(warmHost, { execArgv: [] }), waiting: new Map(), asked: 0 };
  current = made;
  made.process.on("message", ({ id, ran, failure }: Answer) => {
    const asker = made.waiting.get(id);
    made.waiting.delete(id);
    if (ran === undefined) asker?.fail(new Error(failure));
    else asker?.settle(ran);
  });
  made.process.once("exit", () => {
    if (current === made) current = undefined;
    for (const { fail } of made.waiting.values()) fail(new Error("The process with the program ended in the middle of a run"));
  });
  made.process.unref();
  made.process.channel?.unref();
  return made;
}
