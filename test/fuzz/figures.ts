// What a campaign came to, summed over its inputs, and as a table.
import type { Judged } from "./judge.ts";
import { ACCEPTED } from "./target.ts";

export interface Finding {
  readonly number: number;
  readonly what: string;
}

export interface Figures {
  readonly target: string;
  inputs: number;
  readonly outcomes: Record<string, number>;
  slowestMs: number;
  slowest: number;
  /** Of the process. */
  peakBytes: number;
  /** By one input. */
  mostTakenBytes: number;
  largestInput: number;
  readonly findings: Finding[];
}

export function noFigures(target: string): Figures {
  return {
    target,
    inputs: 0,
    outcomes: {},
    slowestMs: 0,
    slowest: 0,
    peakBytes: 0,
    mostTakenBytes: 0,
    largestInput: 0,
    findings: [],
  };
}

export function count(figures: Figures, number: number, judged: Judged, sizeBytes: number): void {
  figures.inputs++;
  figures.outcomes[judged.outcome] = (figures.outcomes[judged.outcome] ?? 0) + 1;
  if (judged.milliseconds > figures.slowestMs) Object.assign(figures, { slowestMs: judged.milliseconds, slowest: number });
  figures.mostTakenBytes = Math.max(figures.mostTakenBytes, judged.takenBytes);
  figures.largestInput = Math.max(figures.largestInput, sizeBytes);
  if (judged.finding !== null) figures.findings.push({ number, what: judged.finding });
}

export function add(sum: Figures, more: Figures): void {
  sum.inputs += more.inputs;
  for (const [outcome, times] of Object.entries(more.outcomes)) sum.outcomes[outcome] = (sum.outcomes[outcome] ?? 0) + times;
  if (more.slowestMs > sum.slowestMs) Object.assign(sum, { slowestMs: more.slowestMs, slowest: more.slowest });
  sum.peakBytes = Math.max(sum.peakBytes, more.peakBytes);
  sum.mostTakenBytes = Math.max(sum.mostTakenBytes, more.mostTakenBytes);
  sum.largestInput = Math.max(sum.largestInput, more.largestInput);
  sum.findings.push(...more.findings);
}

export function figuresTable(all: readonly Figures[]): string {
  const head =
    "| target | inputs | accepted | refused | most frequent refusals | slowest input | memory, process | memory, one input | findings |\n| --- | --: | --: | --: | --- | --: | --: | --: | --: |";
  return [head, ...all.map(figuresRow)].join("\n");
}

function figuresRow(figures: Figures): string {
  const refusals = Object.entries(figures.outcomes)
    .filter(([outcome]) => outcome.startsWith("refused"))
    .sort(([, a], [, b]) => b - a);
  const sum = refusals.reduce((total, [, times]) => total + times, 0);
  const most = refusals.slice(0, 5).map(([outcome, times]) => `${outcome.replace("refused: ", "")} ${times}`);
  const accepted = figures.outcomes[ACCEPTED] ?? 0;
  const cells = [
    figures.target,
    figures.inputs,
    accepted,
    `${sum} (${refusals.length} kinds)`,
    most.join(", "),
    `${Math.round(figures.slowestMs)} ms`,
    `${Math.round(figures.peakBytes / 2 ** 20)} MiB`,
    `${Math.round(figures.mostTakenBytes / 2 ** 20)} MiB`,
    figures.findings.length,
  ];
  return `| ${cells.join(" | ")} |`;
}
