// Nothing outlives a suite: not when it is asked to stop, not when it is killed without a word. The same file is the
// suite that gets killed (`endings.ts --wait`).
import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { startGuarded } from "../support/child.ts";
import { startDuckDb } from "../support/engines/duckdb.ts";
import { runSuite, skip, type Suite } from "../support/expect.ts";

const LIMIT_MS = 20_000;

export async function checkEndings(suite: Suite): Promise<void> {
  for (const signal of ["SIGTERM", "SIGKILL"] as const) {
    await suite.check(`a suite that gets ${signal} leaves no process behind`, async () => {
      if (!existsSync("/proc/self/stat")) skip("this system has no /proc");
      const probe = spawn(process.execPath, ["--import", import.meta.resolve("tsx"), import.meta.filename, "--wait"], {
        stdio: ["ignore", "pipe", "ignore"],
      });
      let pids: readonly number[] = [];
      try {
        await isWaiting(probe);
        // The engine, the guard and what it guards.
        await eventually("the probe's three processes run", () => {
          pids = descendants(probe.pid ?? 0);
          return pids.length >= 3;
        });
      } finally {
        probe.kill(signal);
      }
      await eventually("all of them have ended", () => !pids.some(isAlive));
    });
  }
}

async function eventually(what: string, isSo: () => boolean): Promise<void> {
  const until = performance.now() + LIMIT_MS;
  while (!isSo()) {
    if (performance.now() > until) throw new Error(`Not within ${LIMIT_MS / 1000} s: ${what}`);
    await sleep(100);
  }
}

async function isWaiting(probe: ChildProcess): Promise<void> {
  if (probe.stdout === null) return;
  for await (const line of createInterface({ input: probe.stdout })) if (line === "waiting") return;
}

function descendants(pid: number): readonly number[] {
  const children = processes().filter(({ parent }) => parent === pid);
  return children.flatMap((child) => [child.pid, ...descendants(child.pid)]);
}

/** From /proc/PID/stat: the name may hold anything but ends at the last bracket; then come state and parent. */
function processes(): readonly { readonly pid: number; readonly parent: number }[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name) && existsSync(`/proc/${name}/stat`))
    .map((name) => {
      const stat = readStat(name);
      return { pid: Number(name), parent: Number(stat.slice(stat.lastIndexOf(")") + 2).split(" ")[1]) };
    });
}

/** Empty where the process ended between the listing and the reading. */
function readStat(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return "";
  }
}

function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

if (process.argv[2] === "--wait") {
  await runSuite("endings", async () => {
    await startDuckDb();
    await startGuarded({ name: "sleeper", command: ["sleep", "600"] });
    process.stdout.write("waiting\n");
    await sleep(600_000);
  });
}
