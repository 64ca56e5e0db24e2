// Uses one input and judges what happened. A ToolError is an answer unless it says that it is a bug of ours; every other
// error is a finding, and so are too much time of the processor and too much memory for the size of the input.
import { performance } from "node:perf_hooks";
import { ToolError } from "../../src/diagnostics/tool-error.ts";
import { type OpenTarget, type Outcome, refused } from "./target.ts";

export interface Judged {
  readonly outcome: Outcome;
  readonly milliseconds: number;
  /** Memory that was taken for this input and not given back yet. */
  readonly takenBytes: number;
  /** What is wrong; null when nothing is. */
  readonly finding: string | null;
}

export interface Bounds {
  readonly milliseconds: number;
  readonly takenBytes: number;
}

/** For inputs below 100 kB. */
export const BOUNDS: Bounds = { milliseconds: 2000, takenBytes: 160 * 1024 * 1024 };

export async function judge(target: OpenTarget, input: Uint8Array, bounds: Bounds = BOUNDS): Promise<Judged> {
  const before = process.memoryUsage();
  const started = process.cpuUsage();
  const startedAt = performance.now();
  let outcome: Outcome;
  let finding: string | null = null;
  try {
    outcome = await target.use(input);
  } catch (error) {
    if (error instanceof ToolError && error.kind !== "internal") outcome = refused(error.kind);
    else {
      outcome = "crashed";
      finding = error instanceof Error ? (error.stack ?? error.message) : String(error);
    }
  }
  const { user, system } = process.cpuUsage(started);
  // Of the two, since other threads of the process count as its processor time.
  const milliseconds = Math.min((user + system) / 1000, performance.now() - startedAt);
  const after = process.memoryUsage();
  const takenBytes = Math.max(after.arrayBuffers - before.arrayBuffers, after.heapUsed - before.heapUsed, 0);
  if (finding === null && milliseconds > bounds.milliseconds) finding = `It took ${Math.round(milliseconds)} ms`;
  if (finding === null && takenBytes > bounds.takenBytes) finding = `It took ${Math.round(takenBytes / 2 ** 20)} MiB of memory`;
  return { outcome, milliseconds, takenBytes, finding };
}
