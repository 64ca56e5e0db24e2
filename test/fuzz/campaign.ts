// Runs a campaign in child processes: hands out numbers, watches that the child goes on, keeps failing inputs as files, and
// starts a new child behind an input that ended the old one.
import { type ChildProcess, fork } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { performance } from "node:perf_hooks";
import { add, type Figures, noFigures } from "./figures.ts";
import { ACCEPTED } from "./target.ts";

export interface Campaign {
  readonly target: string;
  readonly seed: number;
  readonly from: number;
  readonly inputs: number;
  /** One input from a file, in place of those that are made. */
  readonly file: string | null;
  readonly folders: readonly string[];
  /** Failing inputs are written below it. */
  readonly out: string;
  readonly tell: (line: string) => void;
}

/** What a child is asked to do. */
export type Task = Pick<Campaign, "target" | "seed" | "from" | "file" | "folders"> & {
  readonly to: number;
  readonly skip: readonly number[];
};

/** What a child tells: the input that it takes up next, or what came of those before. */
export type Told =
  | { readonly kind: "starts"; readonly number: number; readonly input: string }
  | { readonly kind: "found"; readonly number: number; readonly what: string; readonly input: string }
  | { readonly kind: "counted"; readonly next: number; readonly figures: Figures };

/** Far above the bound of time, since other work may have the processor. */
const SILENCE_MS = 300_000;
const HEAP_MIB = 256;
const MOST_FINDINGS = 25;

export async function runCampaign(campaign: Campaign): Promise<Figures> {
  const { target, seed, inputs, tell } = campaign;
  const sum = noFigures(target);
  const to = campaign.from + inputs;
  const skip: number[] = [];
  const started = performance.now();
  tell(`${target}: ${inputs} inputs, seed ${seed}`);
  for (let from = campaign.from; from < to && sum.findings.length < MOST_FINDINGS; ) {
    const end = await runChild({ ...campaign, from, to, skip }, (told) => {
      if (told.kind === "found") keep(campaign, told.number, told.what, told.input);
      if (told.kind === "counted") {
        add(sum, told.figures);
        from = told.next;
        if (from % 10_000 < 500 && from < to) tell(progress(sum, Math.round((performance.now() - started) / 1000)));
      }
    });
    if (end === null) continue;
    skip.push(end.number);
    sum.findings.push({ number: end.number, what: end.what });
    keep(campaign, end.number, end.what, end.input);
  }
  return sum;
}

function progress(sum: Figures, seconds: number): string {
  const accepted = sum.outcomes[ACCEPTED] ?? 0;
  const memory = `${Math.round(sum.mostTakenBytes / 2 ** 20)} MiB for one input, ${Math.round(sum.peakBytes / 2 ** 20)} MiB for the process`;
  return `${sum.target}: ${sum.inputs} in ${seconds} s, ${accepted} accepted, slowest ${Math.round(sum.slowestMs)} ms, ${memory}, ${sum.findings.length} findings`;
}

function keep({ target, seed, out, tell }: Campaign, number: number, what: string, input: string): void {
  const folder = join(out, target);
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${seed}-${number}`);
  writeFileSync(`${file}.input`, Buffer.from(input, "base64"));
  writeFileSync(`${file}.txt`, `${what}\n`);
  tell(
    `${target}: FINDING at seed ${seed}, input ${number}: ${what.split("\n").slice(0, 3).join(" ").slice(0, 300)}\n  kept as ${file}.input`,
  );
}

interface Death {
  readonly number: number;
  readonly what: string;
  readonly input: string;
}

/** Null when the child came to its end. */
async function runChild(task: Task, listen: (told: Told) => void): Promise<Death | null> {
  const child: ChildProcess = fork(resolve(import.meta.dirname, "child.ts"), [], {
    execArgv: ["--import", "tsx", `--max-old-space-size=${HEAP_MIB}`],
    stdio: ["ignore", "ignore", "pipe", "ipc"],
  });
  const started: { number: number; input: string }[] = [];
  let isDone = false;
  let errors = "";
  let silence: NodeJS.Timeout | undefined;
  let why = "The process ended";
  const wait = (): void => {
    clearTimeout(silence);
    silence = setTimeout(() => {
      why = `No end within ${SILENCE_MS / 1000} s`;
      child.kill("SIGKILL");
    }, SILENCE_MS);
  };
  wait();
  child.stderr?.on("data", (chunk: Buffer) => {
    errors = (errors + chunk.toString("utf8")).slice(-4000);
  });
  child.on("message", (told: Told) => {
    wait();
    if (told.kind === "starts") started[0] = told;
    else listen(told);
    if (told.kind === "counted" && told.next >= task.to) isDone = true;
  });
  child.send(task);
  await new Promise<void>((done) => {
    child.on("close", () => done());
  });
  clearTimeout(silence);
  if (isDone) return null;
  const [current] = started;
  if (current === undefined) throw new Error(`No input was made: ${errors}`);
  return { number: current.number, input: current.input, what: `${why}\n${errors}` };
}
