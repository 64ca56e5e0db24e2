// One child process in a process group of its own, its output in a log file. Everything that the rig starts ends
// when its standard input closes: the workers by themselves, other programs through python/guard.py. So nothing
// outlives a suite, not even one that was killed. Knows nothing of what the program does.
import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, openSync, closeSync, readFileSync } from "node:fs";
import { basename, dirname, join, parse } from "node:path";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { atEnd, guardGroup, killGroup } from "./lifetime.ts";
import { CACHE, PROGRAMS } from "./places.ts";

export interface ChildSpec {
  /** For messages and the name of the log file. */
  readonly name: string;
  readonly command: readonly [string, ...string[]];
  /** Added to this process's environment. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly folder?: string;
}

export interface Child {
  readonly pid: number;
  readonly log: string;
  readonly input: Writable;
  readonly output: Readable;
  /** Settles when it has ended, with its exit code or signal. Never rejects. */
  readonly ended: Promise<number | NodeJS.Signals>;
  readonly hasEnded: () => boolean;
  /** Closes its input, and kills the group if that does not end it. */
  readonly stop: () => Promise<void>;
}

const GRACE_MS = 15_000;

/** A program that reads its standard input and ends when it closes. */
export async function startChild(spec: ChildSpec): Promise<Child> {
  const log = newLog(spec.name);
  const [command, ...words] = spec.command;
  const errors = openSync(log, "a");
  const child = spawn(command, words, {
    detached: true,
    ...(spec.folder === undefined ? {} : { cwd: spec.folder }),
    // Python's compiled files go beside the installations, not into the sources; without them every start compiles.
    env: { ...process.env, PYTHONDONTWRITEBYTECODE: "", PYTHONPYCACHEPREFIX: join(CACHE, "pycache"), ...spec.variables },
    stdio: ["pipe", "pipe", errors],
  });
  closeSync(errors);
  await hasStarted(child, spec);
  const { pid, stdin, stdout } = child;
  if (pid === undefined || stdin === null || stdout === null) throw new Error(`Cannot start ${spec.name}: no process, no pipes`);
  const release = guardGroup(pid);
  // A program that ends before it has read everything is told of by `ended`, not by a broken pipe.
  stdin.on("error", () => undefined);
  let over = false;
  const ended = new Promise<number | NodeJS.Signals>((settle) => {
    child.once("exit", (code, signal) => {
      over = true;
      release();
      settle(code ?? signal ?? 1);
    });
  });
  const stop = async (): Promise<void> => {
    forget();
    stdin.end();
    await Promise.race([ended, sleep(GRACE_MS, undefined, { ref: false })]);
    if (!over) killGroup(pid, "SIGKILL");
    await ended;
  };
  const forget = atEnd(spec.name, stop);
  return { pid, log, input: stdin, output: stdout, ended, hasEnded: () => over, stop };
}

/** Any other program, its standard output in the log too. */
export async function startGuarded(spec: ChildSpec): Promise<Child> {
  return await startChild({ ...spec, command: [guardPython(), join(PROGRAMS, "guard.py"), ...spec.command] });
}

/** Runs a program to its end; throws with the end of its log where that is not 0. */
export async function runToEnd(spec: ChildSpec): Promise<void> {
  const child = await startGuarded(spec);
  const code = await child.ended;
  await child.stop();
  if (code !== 0) throw new CommandFailed(spec.name, code, child.log);
}

export class CommandFailed extends Error {
  readonly output: string;

  constructor(name: string, code: number | string, log: string) {
    const output = tailOf(log, 60);
    super(`${name} ended with ${code} (log: ${log})\n${tailOf(log, 12)}`);
    this.name = "CommandFailed";
    this.output = output;
  }
}

export function tailOf(log: string, lines: number): string {
  return readFileSync(log, "utf8").trimEnd().split("\n").slice(-lines).join("\n");
}

/** The interpreter of the machine: for programs that need the standard library only. */
export function guardPython(): string {
  return process.env["FLOEPLAN_PYTHON"] ?? "python3";
}

const opened = new Set<string>();

/** Each run begins its logs anew; a program started twice in one run goes on in its file. */
function newLog(name: string): string {
  const program = process.argv[1] ?? "rig";
  const log = join(CACHE, "logs", basename(dirname(program)), parse(program).name, `${name.replaceAll(/[^\w.-]+/g, "-")}.log`);
  mkdirSync(dirname(log), { recursive: true });
  closeSync(openSync(log, opened.has(log) ? "a" : "w"));
  opened.add(log);
  return log;
}

async function hasStarted(child: ChildProcess, spec: ChildSpec): Promise<void> {
  await new Promise<void>((settle, fail) => {
    child.once("spawn", settle);
    child.once("error", (cause) => fail(new Error(`Cannot start ${spec.name}: ${cause.message}`, { cause })));
  });
}
