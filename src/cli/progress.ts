// Progress on standard error: one line that is drawn over on a terminal, a line every few seconds elsewhere, and
// nothing for what is quick. Driven by the calls of the work itself; keeps no timer.
import type { Progress, ProgressState } from "../commands/ports.ts";
import { cutToWidth } from "../report/display-width.ts";
import { terminalText } from "../report/escape.ts";

export interface ProgressScreen {
  readonly isTerminal: boolean;
  readonly width: number;
  readonly write: (text: string) => void;
  readonly now: () => number;
}

export interface StatusLine extends Progress {
  /** Takes the line off the screen while something else is written. */
  readonly clear: () => void;
}

const SILENT_MS = 2_000;
const TERMINAL_EVERY_MS = 100;
const LOG_EVERY_MS = 5_000;
const BAR_CELLS = 20;
/** Before this an estimate of the time left is a guess. */
const ESTIMATE_AFTER_MS = 10_000;

export function createProgress(screen: ProgressScreen): StatusLine {
  let started: { readonly what: string; readonly at: number } | null = null;
  let shownAt = Number.NEGATIVE_INFINITY;
  let isDrawn = false;
  const clear = (): void => {
    if (isDrawn) screen.write("\r\u001b[2K");
    isDrawn = false;
  };
  return {
    clear,
    report: (state) => {
      const now = screen.now();
      if (started?.what !== state.what) started = { what: state.what, at: now };
      const elapsed = now - started.at;
      if (elapsed < SILENT_MS || now - shownAt < (screen.isTerminal ? TERMINAL_EVERY_MS : LOG_EVERY_MS)) return;
      shownAt = now;
      const line = progressLine(state, elapsed, screen.isTerminal);
      if (screen.isTerminal) {
        screen.write(`\r\u001b[2K${cutToWidth(line, screen.width - 1)}`);
        isDrawn = true;
      } else screen.write(`${line}\n`);
    },
    end: () => {
      clear();
      started = null;
      shownAt = Number.NEGATIVE_INFINITY;
    },
  };
}

export function progressLine(state: ProgressState, elapsedMs: number, withBar: boolean): string {
  const what = terminalText(state.what);
  if (state.total === null) return `${what}: ${amount(state.done, state.unit)} ${unitWord(state.unit)}`.trimEnd();
  const share = state.total === 0 ? 1 : Math.min(1, state.done / state.total);
  const percent = `${Math.floor(share * 100)} %`;
  const filled = Math.floor(share * BAR_CELLS);
  const bar = withBar ? `[${"#".repeat(filled)}${" ".repeat(BAR_CELLS - filled)}] ` : "";
  const counts = `${amount(state.done, state.unit)} of ${amount(state.total, state.unit)} ${unitWord(state.unit)}`.trimEnd();
  return `${bar}${percent} ${what}: ${counts}${timeLeft(share, elapsedMs)}`;
}

function unitWord(unit: string): string {
  return unit === "bytes" ? "" : terminalText(unit);
}

function amount(value: number, unit: string): string {
  if (unit !== "bytes") return String(value);
  const steps = ["bytes", "KiB", "MiB", "GiB", "TiB"];
  let size = value;
  let step = 0;
  while (size >= 1024 && step < steps.length - 1) {
    size /= 1024;
    step += 1;
  }
  return `${step === 0 || size >= 100 ? Math.round(size) : size.toFixed(1)} ${steps[step] ?? ""}`;
}

function timeLeft(share: number, elapsedMs: number): string {
  if (elapsedMs < ESTIMATE_AFTER_MS || share <= 0 || share >= 1) return "";
  const seconds = Math.ceil((elapsedMs * (1 - share)) / share / 1000);
  return seconds < 90 ? `, about ${seconds} s left` : `, about ${Math.round(seconds / 60)} min left`;
}
