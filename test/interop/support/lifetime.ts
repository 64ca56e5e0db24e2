// What has to end when a suite ends, however it ends: processes, servers, scratch folders. Stops them in reverse
// order of their start, also on signals; what is left when the process exits is killed by its process group.
// Knows nothing of what the processes do.

interface Ending {
  readonly name: string;
  readonly stop: () => Promise<void>;
}

const endings: Ending[] = [];
const groups = new Set<number>();

/** Registers something to be stopped at the end. The answer takes it off the list again. */
export function atEnd(name: string, stop: () => Promise<void>): () => void {
  const ending: Ending = { name, stop };
  endings.push(ending);
  return () => {
    const place = endings.indexOf(ending);
    if (place >= 0) endings.splice(place, 1);
  };
}

/** A process group that must not outlive this process. */
export function guardGroup(pid: number): () => void {
  groups.add(pid);
  return () => {
    groups.delete(pid);
  };
}

export function killGroup(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(-pid, signal);
  } catch (error) {
    if (!isGone(error)) throw error;
  }
}

export async function stopAll(): Promise<void> {
  for (let ending = endings.pop(); ending !== undefined; ending = endings.pop()) {
    try {
      await ending.stop();
    } catch (error) {
      process.stderr.write(`# Cannot stop ${ending.name}: ${error instanceof Error ? error.message : String(error)}\n`);
    }
  }
}

/** From now on signals stop everything first; `code` is 128 and the signal's number, as a shell counts. */
export function stopOnSignals(): void {
  for (const [signal, code] of [
    ["SIGHUP", 129],
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const) {
    process.once(signal, () => {
      process.stderr.write(`# Stopping on ${signal}\n`);
      void stopAll().finally(() => process.exit(code));
    });
  }
  // Nobody reads the lines any more: the runner is gone.
  process.stdout.on("error", () => {
    void stopAll().finally(() => process.exit(141));
  });
  process.on("exit", () => {
    for (const pid of groups) killGroup(pid, "SIGKILL");
  });
}

function isGone(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ESRCH";
}
