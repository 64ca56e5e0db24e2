// A long-lived engine behind one conversation of JSON lines, so that a suite pays its start once. One request at a time
// is enough; more are queued by the pipe. Knows the envelope, not what is asked.
import { createInterface } from "node:readline";
import { type Child, type ChildSpec, startChild, tailOf } from "./child.ts";

export interface Worker {
  /** What the worker told when it was ready, e.g. versions. */
  readonly ready: Readonly<Record<string, string>>;
  readonly startSeconds: number;
  readonly log: string;
  /** Throws an EngineError with the engine's own words. */
  readonly ask: <T>(operation: string, args: Readonly<Record<string, unknown>>) => Promise<T>;
  readonly stop: () => Promise<void>;
}

/** The engine refused or failed; the worker goes on. */
export class EngineError extends Error {
  /** The class of the error in the engine, e.g. CommitFailedException. */
  readonly type: string;

  constructor(engine: string, type: string, message: string) {
    super(`${engine}: ${type}: ${message}`);
    this.name = "EngineError";
    this.type = type;
  }
}

interface Message {
  readonly ready?: Readonly<Record<string, string>>;
  readonly id?: number;
  readonly answer?: unknown;
  readonly error?: { readonly type: string; readonly message: string };
}

interface Waiting {
  readonly settle: (value: unknown) => void;
  readonly fail: (error: Error) => void;
}

const START_MS = 180_000;
/** A single statement on small tables that takes longer hangs. */
const ANSWER_MS = 300_000;

export async function startWorker(spec: ChildSpec): Promise<Worker> {
  const started = performance.now();
  const child = await startChild(spec);
  const waiting = new Map<number, Waiting>();
  const ready = firstOf<Readonly<Record<string, string>>>();
  createInterface({ input: child.output }).on("line", (line) => {
    const message = JSON.parse(line) as Message;
    if (message.ready !== undefined) ready.settle(message.ready);
    else deliver(spec.name, waiting, message);
  });
  void child.ended.then((code) => {
    const gone = new Error(`${spec.name} ended with ${code} (log: ${child.log})\n${tailOf(child.log, 12)}`);
    ready.fail(gone);
    for (const one of waiting.values()) one.fail(gone);
    waiting.clear();
  });
  const told = await withinOrStop(child, spec.name, START_MS, ready.promise);
  let last = 0;
  return {
    ready: told,
    startSeconds: (performance.now() - started) / 1000,
    log: child.log,
    stop: child.stop,
    ask: async <T>(operation: string, args: Readonly<Record<string, unknown>>) => {
      if (child.hasEnded()) throw new Error(`${spec.name} has ended (log: ${child.log})`);
      const id = (last += 1);
      const answer = new Promise<unknown>((settle, fail) => waiting.set(id, { settle, fail }));
      child.input.write(`${JSON.stringify({ id, operation, arguments: args })}\n`);
      // The worker's answers have the shapes that the engine's own file names.
      return (await withinOrStop(child, spec.name, ANSWER_MS, answer)) as T;
    },
  };
}

function deliver(name: string, waiting: Map<number, Waiting>, message: Message): void {
  const { id = -1, error } = message;
  const one = waiting.get(id);
  waiting.delete(id);
  if (error === undefined) one?.settle(message.answer);
  else one?.fail(new EngineError(name, error.type, error.message));
}

async function withinOrStop<T>(child: Child, name: string, limitMs: number, answer: Promise<T>): Promise<T> {
  const late = firstOf<T>();
  const timer = setTimeout(() => {
    late.fail(new Error(`${name} did not answer within ${limitMs / 1000} s (log: ${child.log})`));
    void child.stop();
  }, limitMs);
  try {
    return await Promise.race([answer, late.promise]);
  } finally {
    clearTimeout(timer);
  }
}

function firstOf<T>(): {
  readonly promise: Promise<T>;
  readonly settle: (value: T) => void;
  readonly fail: (error: Error) => void;
} {
  let settle: (value: T) => void = () => undefined;
  let fail: (error: Error) => void = () => undefined;
  const promise = new Promise<T>((onSettle, onFail) => {
    settle = onSettle;
    fail = onFail;
  });
  // Whoever awaits it hears of it; nobody may, once it does not matter any more.
  promise.catch(() => undefined);
  return { promise, settle, fail };
}
